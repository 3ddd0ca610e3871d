"""Revolute joint: one point and, in space, one direction in common."""

from sheetmbs.elements.recipe import JointType, X, Y, Z, coincident, perpendicular

REVOLUTE = JointType(
    name="revolute",
    dimensions=("2D", "3D"),
    rows=(coincident(X), coincident(Y), coincident(Z), perpendicular(Z, X), perpendicular(Z, Y)),
    axis=("3D",),
    coordinates=("angle",),
    doc="a hinge: body j turns about the axis through the point",
)
