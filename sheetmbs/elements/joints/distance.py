"""Distance joint: a massless link between two points."""

from sheetmbs.elements.recipe import JointType, RecipeRow
from sheetmbs.engine.codes import RowKind

DISTANCE = JointType(
    name="distance",
    dimensions=("2D", "3D"),
    rows=(RecipeRow(RowKind.DISTANCE, value="length", holds="distance"),),
    coordinates=("distance",),
    doc="a massless link: the points keep their distance (column length, default the initial one)",
)
