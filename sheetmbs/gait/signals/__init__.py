"""Signals as arrays: uniform time, gaps, the low-pass filter, its residual analysis, derivatives."""
