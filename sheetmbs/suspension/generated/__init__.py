"""The rows of general sheets that the suspension sheets stand for."""
