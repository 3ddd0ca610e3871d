"""Models that were written for other programs, read and turned into the contents of input sheets."""
