"""Set-up changes: points that move, and members that get another length, after which the axle is assembled again."""
