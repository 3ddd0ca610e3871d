"""The sheet Plates: where force plates lie, and how their columns are meant."""

from __future__ import annotations

from math import nan
from typing import Literal, cast

import numpy as np

from sheetmbs.gait.reading.read_segments import words_of
from sheetmbs.gait.trial.gait_book import HANDS, PlateRow
from sheetmbs.gait.trial.recorded import PlateGeometry
from sheetmbs.schema import units as u
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList, quoted
from sheetmbs.workbook.cells.cells import CellKind
from sheetmbs.workbook.reading.input_table import InputTable, Record, named_records
from sheetmbs.workbook.reading.registry import Registry

AT_START = 0.2
"""s: of `offset` = start"""
FEET = ("auto", "right", "left")
DEEPEST, ABOVE = 0.5, 0.001
"""m: of transducers from the centre of a plate at most, and above its surface"""
SHORTEST, LONGEST = 0.05, 10.0
"""m: of sides of plates and belts"""
UNEVEN = 0.05
"""of the diagonal, by which measured corners may miss a rectangle"""
SHORT_PART = 0.5
"""of the shorter side, by which they may miss it at most: in a wrong order the middles of the diagonals are a side apart"""


def read_plates(table: InputTable, report: ProblemList) -> dict[str, PlateRow]:
    """The rows of Plates by the folded names of the plates."""
    rows = {}
    for record, name in named_records(table, Registry("plate", table.schema.name, report)):
        corners = _corners(record)
        origin = np.array([record.number_or(f"o{axis}", 0.0) for axis in "xyz"])
        axes = record.choice("axes") or ("marker" if corners is None else "own")
        if corners is None and axes == "own" and not record.given("x1"):
            problem = "the axes of a plate follow from its corners"
            record.refuse("missing-value", "axes", problem, "give x1 .. z4, or write marker")
        geometry = PlateGeometry(
            name,
            corners,
            origin,
            cast("Literal['own', 'marker']", axes),
            cast("Literal['reaction', 'action']", record.choice("sign")),
        )
        _judge_origin(record, origin, axes, report)
        feet, offset = _feet(record, report), _offset(record)
        record.finish()
        cells = {column.name: record.cell_text(column.name) for column in table.schema.columns}
        if name:
            rows[fold(name)] = PlateRow(geometry, feet, offset, cells)
    return rows


def _judge_origin(record: Record, origin: np.ndarray, axes: str, report: ProblemList) -> None:
    """An error for transducers outside of any plate, a warning for some above its surface."""
    far = next((axis for axis, part in zip("xyz", origin, strict=True) if abs(part) > DEEPEST), None)
    if far is not None:
        problem = f"transducers lie within {DEEPEST:g} m of the centre of their plate"
        record.refuse("out-of-range", f"o{far}", problem, "write its unit in row 2, as mm")
    elif axes == "own" and origin[2] < -ABOVE:
        found = f"oz: {origin[2]:g} m"
        problem = "z of a plate points down, and its transducers lie below its surface: oz is greater than 0"
        mend = "if it was copied from ORIGIN of a C3D, write it with the other sign, and look at ox and oy"
        report.warning("origin-above", record.place("oz"), found, problem, mend)


def _corners(record: Record) -> np.ndarray | None:
    names = [[f"{axis}{corner}" for axis in "xyz"] for corner in (1, 2, 3, 4)]
    given = [name for row in names for name in row if record.given(name)]
    values = np.array([[record.number_or(name, nan) for name in row] for row in names])
    missing = [name for row in names for name in row if name not in given]
    if given and missing:
        record.refuse("missing-value", missing[0], "a plate has four corners with x, y and z", "fill in the others")
    if not given or missing or not np.isfinite(values).all():
        return None
    if not _is_rectangle(values):
        problem = "going round the plate its corners are +x+y, -x+y, -x-y, +x-y: a rectangle"
        record.refuse("no-rectangle", names[0][0], problem, "write them in this order, and look at their numbers")
        return None
    side = float(np.max(np.linalg.norm(values[:2] - values[1:3], axis=1)))
    if side > LONGEST or side < SHORTEST:
        record.report.error(
            "out-of-range",
            record.place(names[0][0]),
            f"a plate with a side of {side:.3g} m",
            f"plates are {SHORTEST:g} to {LONGEST:g} m long",
            "write the unit of its corners in row 2, as mm",
        )
        return None
    return values


def _is_rectangle(corners: np.ndarray) -> bool:
    """Whether diagonals (of corners (4, 3)) halve each other and are equally long, and no two corners are one point."""
    diagonals = np.linalg.norm(corners[:2] - corners[2:], axis=1)
    middles = np.linalg.norm(corners[0] + corners[2] - corners[1] - corners[3]) / 2.0
    apart = np.linalg.norm(corners[:, None] - corners, axis=2)[np.triu_indices(4, 1)]
    room = min(UNEVEN * float(np.max(diagonals)), SHORT_PART * float(np.min(apart)))
    return bool(np.min(apart) > 0.0 and middles <= room and np.ptp(diagonals) <= room)


def _feet(record: Record, report: ProblemList) -> tuple[str, ...]:
    words = tuple(fold(word) for word in words_of(record.text("foot"))) or ("auto",)
    if len(words) == 1 and words[0] in HANDS:
        return words
    wrong = [word for word in words if word not in FEET]
    if wrong:
        found = f"foot: {quoted(wrong[0])}"
        problem = "it is auto, right, left, or one of these for each contact with ; between; or right hand, left hand"
        report.error("unknown-value", record.place("foot"), found, problem, "correct it, or clear the cell")
        return ("auto",)
    return words


def _offset(record: Record) -> float:
    """Seconds from the start over which the plate is unloaded; 0: its zero is not corrected."""
    cell = record.cell("offset")
    word = fold(str(cell.value)) if cell is not None and cell.kind is CellKind.TEXT else ""
    if cell is None or word in ("none", "start"):
        record.settle("offset")
        return AT_START if word == "start" else 0.0
    value = record.number("offset", u.TIME)
    if value is not None and value <= 0.0:
        record.refuse("out-of-range", "offset", "it is none, start, or seconds greater than 0", "correct it")
    return value or 0.0
