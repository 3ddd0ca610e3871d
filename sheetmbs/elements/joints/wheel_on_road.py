"""Wheel on a road: a disc whose lowest point stays on a plane, free to roll, to lean and to slide along it."""

from sheetmbs.elements.recipe import JointType, RecipeRow, Z
from sheetmbs.engine.codes import RowKind

WHEEL_ON_ROAD = JointType(
    name="wheel-on-road",
    dimensions=("3D",),
    rows=(RecipeRow(RowKind.WHEEL, i=Z, j=Z, value="radius"),),
    axis=("3D",),
    second_axis="needed",
    numbers=("radius",),
    doc="a disc of body j about axis2 at point_j, of this radius, stands on the plane through point_i of body i square to axis",
)
