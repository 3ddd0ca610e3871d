"""Constant-velocity joint: one point in common, and no twist of one shaft against the other.

The relative rotation then is one about an axis across the shaft: the third of its Euler parameters is 0.
"""

from sheetmbs.elements.recipe import JointType, RecipeRow, X, Y, Z, coincident
from sheetmbs.engine.codes import RowKind

CONSTANT_VELOCITY = JointType(
    name="constant-velocity",
    dimensions=("3D",),
    rows=(
        coincident(X),
        coincident(Y),
        coincident(Z),
        RecipeRow(RowKind.TWIST),
    ),
    axis=("3D",),
    second_axis="allowed",
    doc="a homokinetic joint: the bodies share the point, and both shafts turn about their axes at the same rate whatever the "
    "angle between them; axis is the shaft of body i, axis2 that of body j, default the same direction",
)
