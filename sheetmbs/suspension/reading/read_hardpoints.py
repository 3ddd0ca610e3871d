"""The sheet Hardpoints: points of both sides of each axle, in axes of ISO 8855."""

from __future__ import annotations

from dataclasses import dataclass, replace
from math import isnan

import numpy as np

from sheetmbs.schema.names import fold, name_fault
from sheetmbs.schema.problem_list import ProblemList, quoted
from sheetmbs.schema.suspension_inputs import AXLES
from sheetmbs.suspension.layout.aliases import standard_name, told_name
from sheetmbs.suspension.layout.car import MIRROR, SIDES, Vector
from sheetmbs.workbook.reading.input_table import InputTable, Record


@dataclass(frozen=True)
class GivenPoint:
    """A row of Hardpoints. side: left, right or centre, as given. position: (3,) ISO 8855, m. on: of a point of the user's.

    max_angle: of the ball joint here, rad. is_reported: its place is written.
    """

    name: str
    side: str
    position: Vector
    on: str
    cell: str
    record: Record
    max_angle: float | None = None
    is_reported: bool = False


def axles_given(table: InputTable) -> tuple[str, ...]:
    """The axles of which points are given."""
    named = {fold(record.raw_text("axle")) for record in table.records()}
    return tuple(axle for axle in AXLES if axle in named)


def read_hardpoints(
    table: InputTable, axle: str, matrix: Vector, given_side: str, report: ProblemList
) -> dict[tuple[str, str], GivenPoint]:
    """Points of an axle by name and side. matrix: (3, 3) from the sheet's axes to ISO 8855.

    given_side: ``left`` or ``right``, which rows without a side describe.
    """
    found: dict[tuple[str, str], GivenPoint] = {}
    for record in table.records():
        point = _point(record, matrix, given_side, report) if record.choice("axle") == axle else None
        if point is None:
            continue
        key = point.name, point.side
        if key in found:
            rule = f"the point {point.name} of the {axle} axle is given at {found[key].record.place('point')} already"
            text = quoted(record.raw_text("point"))
            report.error("duplicate-point", record.place("point"), text, rule, "take one of the rows away")
            continue
        found[key] = point
        record.finish()
    return found


def _point(record: Record, matrix: Vector, given_side: str, report: ProblemList) -> GivenPoint | None:
    text = record.text("point")
    name, told = standard_name(text)
    written = record.choice("side")
    side = written if written and record.given("side") else told or given_side
    position = np.array([record.number_or(axis, float("nan")) for axis in "xyz"])
    on = record.text("on")
    record.settle("design")
    axle, named_axle = record.choice("axle"), told_name(text)[1]
    if named_axle and named_axle != axle:
        rule = f"the name is of the {named_axle} axle, and the row of the {axle} one"
        report.error("wrong-axle", record.place("point"), quoted(text), rule, "correct the axle or the name")
        return None
    fault = name_fault(name) if name else None
    if fault:
        report.error(fault[0], record.place("point"), quoted(text), fault[1], fault[2])
    if fault or not name or any(map(isnan, position)):
        return None
    most, is_reported = record.number("max_angle"), record.flag("report")
    return GivenPoint(name, side, matrix @ position, on, record.cell_text("x"), record, most, is_reported)


def of_sides(points: dict[tuple[str, str], GivenPoint], given_side: str) -> dict[str, dict[str, GivenPoint]]:
    """Points of either side: those of the given side mirrored, but where the other side has its own.

    given_side: ``left`` or ``right``, which rows without a side describe.
    """
    both: dict[str, dict[str, GivenPoint]] = {side: {} for side in SIDES}
    for (name, side), point in points.items():
        if side != "centre":
            continue
        for each in SIDES:
            both[each][name] = point
    other = "right" if given_side == "left" else "left"
    for (name, side), point in points.items():
        if side == given_side:
            both[given_side].setdefault(name, point)
            both[other].setdefault(name, replace(point, position=point.position * MIRROR))
    for (name, side), point in points.items():
        if side == other:
            both[other][name] = point
    return both
