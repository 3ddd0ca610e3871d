"""One file for each layout of measured text: what rigs and loggers write."""
