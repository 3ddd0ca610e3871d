"""Explicit Runge-Kutta methods, a tableau each."""
