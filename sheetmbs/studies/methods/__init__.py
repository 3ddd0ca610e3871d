"""How variants are chosen: one file for each method."""
