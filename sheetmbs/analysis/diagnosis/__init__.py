"""Why an analysis cannot go on, in words."""
