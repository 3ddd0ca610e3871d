"""Variants of a car: which rows of which workbook each design is, and what they are compared with."""
