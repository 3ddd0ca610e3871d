"""Radau IIA of order 5 (Hairer and Wanner 1996, ch. IV)."""
