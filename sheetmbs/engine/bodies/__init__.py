"""Kinematics of each kind of body."""
