"""Constant-velocity joint: one point in common, and no twist of one shaft against the other.

The relative rotation then is one about an axis at right angles to both shafts' bisector, so its matrix A is symmetric in
the first two axes: A_12 = A_21, that is x_i . y_j - y_i . x_j = 0.
"""

from dataclasses import replace

from sheetmbs.elements.recipe import JointType, X, Y, Z, coincident, minus_one, perpendicular

CONSTANT_VELOCITY = JointType(
    name="constant-velocity",
    dimensions=("3D",),
    rows=(
        coincident(X),
        coincident(Y),
        coincident(Z),
        replace(perpendicular(X, Y), plus=(replace(perpendicular(Y, X), factor=minus_one),)),
    ),
    axis=("3D",),
    second_axis="allowed",
    doc="a homokinetic joint: the bodies share the point, and both shafts turn about their axes at the same rate whatever the "
    "angle between them; axis is the shaft of body i, axis2 that of body j, default the same direction",
)
