"""Multibody analysis in which the spreadsheet is the model."""
