"""Cylindrical joint: one line in common (Nikravesh 1988, sec. 7.4.3)."""

from sheetmbs.elements.recipe import JointType, X, Y, Z, in_plane, perpendicular

CYLINDRICAL = JointType(
    name="cylindrical",
    dimensions=("3D",),
    rows=(perpendicular(Z, X), perpendicular(Z, Y), in_plane(X), in_plane(Y)),
    axis=("3D",),
    coordinates=("angle", "displacement"),
    doc="a sleeve: body j turns about the axis and slides along it",
)
