"""Methods for stepping in time."""
