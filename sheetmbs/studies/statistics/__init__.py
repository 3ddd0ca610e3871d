"""What arrays of responses say. Variants that failed are NaN: they are left out and counted."""
