"""Columns of the result sheets, one file for each kind of element."""
