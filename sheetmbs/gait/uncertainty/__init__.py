"""How far results of gait can be believed: sources of error, and what they make of each curve and peak."""
