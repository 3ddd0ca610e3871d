"""Parallel axes, as two right angles: free of the singular cross product (Nikravesh 1988, sec. 7.2)."""

from sheetmbs.elements.recipe import JointType, X, Y, Z, perpendicular

PARALLEL = JointType(
    name="parallel",
    dimensions=("3D",),
    rows=(perpendicular(Z, X), perpendicular(Z, Y)),
    axis=("3D",),
    coordinates=("angle",),
    point="allowed",
    doc="the bodies keep one direction in common",
)
