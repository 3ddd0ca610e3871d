"""What an axle is made of: its points, bodies and joints, by type."""
