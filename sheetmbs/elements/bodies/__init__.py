"""Kinds of bodies."""
