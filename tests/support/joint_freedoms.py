"""Degrees of freedom that each joint in space removes and leaves."""

REMOVED = {
    "spherical": 3,
    "revolute": 5,
    "universal": 4,
    "cylindrical": 4,
    "translational": 5,
    "planar": 3,
    "fixed": 6,
    "distance": 1,
    "revolute-cylindrical": 3,
    "spherical-cylindrical": 2,
    "point-on-plane": 1,
    "perpendicular": 1,
    "parallel": 2,
    "constant-velocity": 4,
    "screw": 5,
    "wheel-on-road": 1,
}
"""degrees of freedom removed, by the books; independent of the recipes that the tests check"""
REMAINING = {kind: 6 - removed for kind, removed in REMOVED.items()}
"""degrees of freedom that remain between two free bodies in space"""
