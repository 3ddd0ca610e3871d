"""Whether results can be trusted: accuracy, doubts, notes."""
