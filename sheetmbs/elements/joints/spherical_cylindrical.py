"""Spherical-cylindrical joint: a point of body j on a line of body i (Nikravesh 1988, sec. 7.4.5)."""

from sheetmbs.elements.recipe import JointType, X, Y, in_plane

SPHERICAL_CYLINDRICAL = JointType(
    name="spherical-cylindrical",
    dimensions=("3D",),
    rows=(in_plane(X), in_plane(Y)),
    axis=("3D",),
    coordinates=("displacement",),
    doc="point on a line: the point of body j moves along the axis fixed in body i and turns freely",
)
