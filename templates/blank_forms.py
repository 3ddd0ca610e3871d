"""The contents of the blank forms: one rod on a hinge to overwrite, and rows that are examples and do not count."""

from __future__ import annotations

from pathlib import Path

from look import Cell
from style import Column, Layout

from sheetmbs.schema import column as schema
from sheetmbs.schema import units as u
from sheetmbs.schema.input_columns import SHEETS_BY_FOLD
from sheetmbs.schema.names import fold

README = """
A form to fill in. The rows that are there make one rod on a hinge, which swings under its weight: so the form runs as it is.
"""
OVERWRITE, EXAMPLE = "overwrite this row", "an example: without the # it counts"

Table = tuple[str, list[tuple[Cell, ...]]]
"""headers, and rows below them"""
COMMON: dict[str, Table] = {
    "Drivers": ("name joint coordinate velocity notes", [("# motor", "hinge", "angle", "30 rpm", EXAMPLE)]),
    "Forces": ("name body point fx notes", [("# push", "rod", "tip", "5*sin(10*t)", EXAMPLE)]),
    "Charts": ("title x y type notes", [("# path of the tip", "tip.x", "tip.y", "xy", EXAMPLE)]),
}
PLANE: dict[str, Table] = COMMON | {
    "Bodies": ("name mass inertia x y phi omega notes", [("rod", 1, 0.0833, 0.5, 0, 0, 0, OVERWRITE)]),
    "Points": (
        "name body x y report notes",
        [("A", "ground", 0, 0, "no", OVERWRITE), ("tip", "rod", 1, 0, "yes", OVERWRITE)],
    ),
    "Joints": ("name type body_i body_j point notes", [("hinge", "revolute", "ground", "rod", "A", OVERWRITE)]),
    "Springs": (
        "name type body_i body_j k c notes",
        [("# torsion bar", "rotational", "ground", "rod", "20 N*m/rad", "0.1 N*m*s/rad", EXAMPLE)],
    ),
}
SPACE: dict[str, Table] = COMMON | {
    "Bodies": (
        "name mass ixx iyy izz x y z yaw pitch roll wx wy wz notes",
        [("rod", 1, 0.0002, 0.0833, 0.0833, 0.5, *(0,) * 8, OVERWRITE)],
    ),
    "Points": (
        "name body x y z report notes",
        [("A", "ground", 0, 0, 0, "no", OVERWRITE), ("tip", "rod", 1, 0, 0, "yes", OVERWRITE)],
    ),
    "Joints": (
        "name type body_i body_j point axis_x axis_y axis_z notes",
        [("hinge", "revolute", "ground", "rod", "A", 0, 1, 0, OVERWRITE)],
    ),
    "Springs": (
        "name type body_i body_j point_i point_j k c notes",
        [("# strut", "translational", "ground", "rod", "A", "tip", "20 N/mm", "0.3 N*s/mm", EXAMPLE)],
    ),
}


def make(folder: Path, layout: Layout, *, space: bool) -> Path:
    """Write blank-2d.xlsx or blank-3d.xlsx into ``folder``, laid out so, and return its path."""
    path = folder / f"blank-{'3d' if space else '2d'}.xlsx"
    book = layout(path, "Model in space" if space else "Planar model", space=space)
    book.settings(
        [
            ("title", "My model", "", "title of the model: overwrite it"),
            ("dimension", "3D" if space else "2D", "", ""),
            ("analysis", "dynamic", "", ""),
            ("t_end", 2, "s", ""),
            ("t_step", 0.01, "s", ""),
        ]
    )
    for name, (headers, rows) in (SPACE if space else PLANE).items():
        sheet = SHEETS_BY_FOLD[fold(name)]
        columns = [Column(header, _unit(sheet.column(header))) for header in headers.split()]
        book.table(name, columns, rows, sheet.doc)
    book.finish(README)
    return path


def _unit(column: schema.Column) -> str:
    """SI, but degrees for angles."""
    is_angle = column.is_numeric and column.dimensions in ((u.ANGLE,), (u.ANGULAR_VELOCITY,))
    return column.dimensions[0].example if is_angle else column.si
