"""Numbers as text, by kernels."""
