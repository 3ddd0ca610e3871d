"""Fixed joint: two bodies welded together."""

from sheetmbs.elements.recipe import JointType, X, Y, Z, coincident, perpendicular

FIXED = JointType(
    name="fixed",
    dimensions=("2D", "3D"),
    rows=(coincident(X), coincident(Y), coincident(Z), perpendicular(X, Y), perpendicular(X, Z), perpendicular(Y, Z)),
    doc="a weld: body j does not move against body i",
)
