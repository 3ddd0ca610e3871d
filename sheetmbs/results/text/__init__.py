"""The text report in the order of MUBODYNA."""
