"""Revolute-cylindrical joint: a hinge whose pin, at right angles, slides along and turns about a line (Haug 1989, sec. 9.4)."""

from sheetmbs.elements.recipe import JointType, X, Y, Z, in_plane, perpendicular

REVOLUTE_CYLINDRICAL = JointType(
    name="revolute-cylindrical",
    dimensions=("3D",),
    rows=(in_plane(X), in_plane(Y), perpendicular(Z, Z)),
    axis=("3D",),
    second_axis="needed",
    coordinates=("displacement",),
    doc="a hinge on a sleeve: the point of body j moves along the axis fixed in body i, and the hinge axis2 fixed in body j "
    "stays at right angles to it",
)
