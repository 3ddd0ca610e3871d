"""Joint centres from markers, one file for each kind."""
