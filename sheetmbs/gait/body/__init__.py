"""Segments of a body: their masses and lengths, and how they move."""
