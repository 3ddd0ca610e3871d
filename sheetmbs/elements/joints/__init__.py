"""One joint, one file."""
