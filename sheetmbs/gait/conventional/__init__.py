"""The conventional gait model: joint centres and axes of a sparse set of markers (Davis 1991, Kadaba 1990)."""
