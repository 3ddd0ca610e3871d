"""Marker sets of laboratories, a file each: which labels tell a set, what each label is, and which markers are clusters."""
