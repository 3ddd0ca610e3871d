"""Every way of saying no, and problems as a list that a person can read."""
