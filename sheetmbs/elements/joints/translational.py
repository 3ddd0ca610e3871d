"""Translational joint: body j slides along the axis fixed in body i without turning."""

from sheetmbs.elements.recipe import JointType, X, Y, Z, in_plane, perpendicular

TRANSLATIONAL = JointType(
    name="translational",
    dimensions=("2D", "3D"),
    rows=(perpendicular(Z, X), perpendicular(Z, Y), perpendicular(X, Y), in_plane(X), in_plane(Y)),
    axis=("2D", "3D"),
    coordinates=("displacement",),
    doc="a slide: body j moves along the axis fixed in body i and does not turn against it",
)
