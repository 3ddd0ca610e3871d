"""Coordinate joint: one coordinate of a body is held at a value."""

from sheetmbs.elements.recipe import JointType, RecipeRow
from sheetmbs.engine.codes import RowKind

COORDINATE = JointType(
    name="coordinate",
    dimensions=("2D", "3D"),
    rows=(RecipeRow(RowKind.COORDINATE, value="value"),),
    point="",
    doc="one coordinate of body i is held (column coordinate: x, y, in 2D phi, in 3D z; column value, default the initial one)",
)
