"""Vibration about an equilibrium or an even motion."""
