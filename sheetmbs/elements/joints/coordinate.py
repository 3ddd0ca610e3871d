"""Coordinate joint: one coordinate of a body is held at a value."""

from sheetmbs.elements.recipe import JointType, Row
from sheetmbs.engine.codes import RowKind

COORDINATE = JointType(
    name="coordinate",
    dimensions=("2D", "3D"),
    rows=(Row(RowKind.COORDINATE, value="value"),),
    point=False,
    doc="one coordinate of body i is held (column coordinate: x, y or phi; column value, default the initial one)",
)
