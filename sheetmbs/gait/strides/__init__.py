"""Strides: where they begin and end, courses over them, their means, peaks, work, times and lengths."""
