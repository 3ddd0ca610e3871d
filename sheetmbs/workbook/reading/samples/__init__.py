"""Measured samples: what their numbers tell of how they were recorded."""
