"""Kinds of force elements: each gives a wrench on two frames, or on one."""
