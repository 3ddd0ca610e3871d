"""How far sweeps can go, and what happens on the way that a user wants to be told."""
