"""Measured columns beside computed ones, of whatever product: read, compared, shown."""
