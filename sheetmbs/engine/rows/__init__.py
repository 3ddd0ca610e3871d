"""Kinds of constraint rows in the twist space of two frames: each gives its residual and gradient, and its gamma."""
