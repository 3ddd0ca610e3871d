"""Numerical differentiation formulas of variable step and order."""
