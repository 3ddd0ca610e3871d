"""What arrays of responses say: one file a topic. Variants that failed are NaN, are left out, and are counted."""
