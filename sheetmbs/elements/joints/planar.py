"""Planar joint: a plane of body j stays in a plane of body i (Haug 1989, sec. 9.4)."""

from sheetmbs.elements.recipe import JointType, X, Y, Z, in_plane, perpendicular

PLANAR = JointType(
    name="planar",
    dimensions=("3D",),
    rows=(in_plane(Z), perpendicular(Z, X), perpendicular(Z, Y)),
    axis=("3D",),
    coordinates=("angle",),
    doc="face on face: body j slides and turns in the plane through the point with the axis as its normal",
)
