"""The formulas of a workbook: what they read, what depends on a cell, and their values when cells change."""
