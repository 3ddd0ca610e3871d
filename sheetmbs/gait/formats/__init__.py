"""Files and pasted sheets of laboratories: one module a format, each from cells to what was recorded."""
