"""Screw joint: a cylindrical joint whose displacement follows its angle (Nikravesh 1988, sec. 7.4.3; Haug 1989, sec. 9.4)."""

from dataclasses import replace
from math import tau

from sheetmbs.elements.recipe import JointType, RecipeRow, X, Y, Z, in_plane, perpendicular
from sheetmbs.engine.codes import RowKind

SCREW = JointType(
    name="screw",
    dimensions=("3D",),
    rows=(
        perpendicular(Z, X),
        perpendicular(Z, Y),
        in_plane(X),
        in_plane(Y),
        replace(in_plane(Z), plus=(RecipeRow(RowKind.TURN, factor=lambda values: -values["pitch"] / tau),)),
    ),
    axis=("3D",),
    coordinates=("angle", "displacement"),
    numbers=("pitch",),
    doc="a thread: body j advances along the axis by the pitch per turn",
)
