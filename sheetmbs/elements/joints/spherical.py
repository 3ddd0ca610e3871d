"""Spherical joint: one point in common (Nikravesh 1988, sec. 7.4.1)."""

from sheetmbs.elements.recipe import JointType, X, Y, Z, coincident

SPHERICAL = JointType(
    name="spherical",
    dimensions=("3D",),
    rows=(coincident(X), coincident(Y), coincident(Z)),
    doc="a ball joint: the bodies share the point",
)
