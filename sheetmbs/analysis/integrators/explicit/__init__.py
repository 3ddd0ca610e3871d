"""Explicit Runge-Kutta methods (Hairer, Norsett and Wanner 1993, ch. II)."""
