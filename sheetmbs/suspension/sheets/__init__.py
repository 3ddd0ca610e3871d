"""The result sheets of suspensions: one file for each."""
