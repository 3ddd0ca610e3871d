"""Universal joint: one point in common and the two axes of the cross at right angles (Nikravesh 1988, sec. 7.4.2)."""

from sheetmbs.elements.recipe import JointType, X, Y, Z, coincident, perpendicular

UNIVERSAL = JointType(
    name="universal",
    dimensions=("3D",),
    rows=(coincident(X), coincident(Y), coincident(Z), perpendicular(Z, Z)),
    axis=("3D",),
    second_axis="needed",
    doc="a Cardan joint: the bodies share the point; the axis fixed in body i stays at right angles to axis2, fixed in body j",
)
