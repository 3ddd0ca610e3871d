"""Jitted kernels on arrays: no names, no units, no strings. Importing this package imports nothing."""
