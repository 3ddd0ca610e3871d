"""Generalized-alpha and HHT on the equations of index 3."""
