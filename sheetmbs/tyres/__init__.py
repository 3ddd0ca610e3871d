"""Tyres: coefficients from `.tir` files and sheets, checked, and the models that they make."""
