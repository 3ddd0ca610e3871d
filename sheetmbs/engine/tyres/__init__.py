"""Tyre models: forces and moments at one wheel, with exact derivatives."""
