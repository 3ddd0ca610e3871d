"""When feet strike the ground and leave it."""
