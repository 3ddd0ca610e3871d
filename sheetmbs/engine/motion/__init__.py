"""Functions of time and of state: motions, curves, formulas."""
