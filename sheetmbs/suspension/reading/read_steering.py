"""The sheet Steering: the shafts from the steering wheel to the pinion, in their order."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from math import degrees, isnan, radians

import numpy as np

from sheetmbs.problems.errors import Problem
from sheetmbs.schema.problem_list import ProblemList, quoted
from sheetmbs.schema.suspension_inputs import ShaftKind
from sheetmbs.suspension.layout.car import Vector
from sheetmbs.suspension.layout.steering_column import STRAIGHT, ShaftEnd, SteeringColumn, shaft_directions
from sheetmbs.workbook.reading.input_table import InputTable, Record

MAX_JOINT_ANGLE, IMPOSSIBLE_ANGLE = radians(45.0), radians(90.0)
"""angles of two shafts beyond which a universal joint is seldom allowed, and turns no longer"""
MAX_SHAFT = 3.0
"""m; no shaft of a car is longer"""
DIAMETERS = 0.1, 0.8
"""m, of steering wheels"""
MAX_PLAY = radians(20.0)
COLUMNS = ("ratio", "k", "diameter", "phase", "play")
OF_KIND = {
    ShaftKind.WHEEL: ("diameter",),
    ShaftKind.JOINT: ("phase", "k"),
    ShaftKind.GEAR: ("ratio", "k"),
    ShaftKind.PINION: ("k", "play"),
}
"""columns that count in the row of a kind, beside its place and efficiency; play counts in every row behind the wheel"""


def read_steering(
    table: InputTable, matrix: Vector, report: ProblemList, *, is_elastic: bool = False
) -> SteeringColumn | None:
    """The shafts of a workbook; None without any, or where something is wrong, which is reported.

    matrix: (3, 3) from the sheet's axes to ISO 8855. is_elastic: whether there is a sheet Compliance, with which k counts.
    """
    places = table.cells.stands_for if table.cells is not None else {}
    records = sorted(table.records(), key=lambda record: places.get(record.row, record.row))
    if not records:
        return None
    kinds = [record.choice("kind") for record in records]
    names = [record.text("name") for record in records]
    _check_order(records, kinds, report)
    _check_names(records, names, report)
    has_joint = ShaftKind.JOINT in kinds
    points = [_point(record, matrix, needed=has_joint) for record in records]
    ends = [_end(*each) for each in zip(records, names, kinds, points, strict=True)]
    if not is_elastic:
        for record in records:
            _note_idle_stiffness(record, report)
    efficiency = float(np.prod([_efficiency(record) for record in records]))
    play = sum(_play(record, report) for record in records[1:])
    diameter = _diameter(records[0], report) if kinds[0] == ShaftKind.WHEEL else None
    for record in records:
        record.settle("design")
        record.finish()
    if report.has_errors or any(end is None for end in ends):
        return None
    given = tuple(end for end in ends if end is not None)
    if has_joint:
        _check_shafts(records, given, report)
        if report.has_errors:
            return None
    return SteeringColumn(given, efficiency, play, diameter)


def _check_order(records: Sequence[Record], kinds: Sequence[str], report: ProblemList) -> None:
    """Report shafts that do not go from the wheel to the pinion."""
    rule = "the rows go from the steering wheel to the rack: the first is the wheel, the last the pinion"
    last = len(records) - 1
    for at, (record, kind) in enumerate(zip(records, kinds, strict=True)):
        if not kind:
            continue
        found = f"kind: {kind}"
        if at == 0 and kind != ShaftKind.WHEEL:
            report.error("wrong-order", record.place("kind"), found, rule, "begin with a row of kind wheel")
        elif at > 0 and kind == ShaftKind.WHEEL:
            report.error("wrong-order", record.place("kind"), found, rule, "move this row to the top")
        elif at < last and kind == ShaftKind.PINION:
            report.error("wrong-order", record.place("kind"), found, rule, "move this row to the bottom")
        elif at == last and kind != ShaftKind.PINION:
            report.error("wrong-order", record.place("kind"), found, rule, "end with a row of kind pinion")


def _check_names(records: Sequence[Record], names: Sequence[str], report: ProblemList) -> None:
    for at, (record, name) in enumerate(zip(records, names, strict=True)):
        if name and name in names[:at]:
            rule = "a row of this name is given already"
            report.error("duplicate-name", record.place("name"), quoted(name), rule, "rename one")


def _point(record: Record, matrix: Vector, *, needed: bool) -> Vector | None:
    """(3,) in axes of ISO 8855, m; None where it is not given, which is reported where a joint needs it."""
    found = np.array([record.number_or(axis, float("nan")) for axis in "xyz"])
    if not np.isnan(found).any():
        return np.asarray(matrix @ found)
    for axis in "xyz":
        if needed and not record.given(axis):
            rule = "the angles of universal joints follow from the points of all rows"
            record.missing(axis, rule, "fill it in, in the axes of Hardpoints")
    return None


def _end(record: Record, name: str, kind: str, point: Vector | None) -> ShaftEnd | None:
    """A row; None where its kind is wrong. What does not count in it is reported when the row is finished."""
    if not kind:
        record.settle(*COLUMNS)
        return None
    asked = OF_KIND[kind]
    phase = record.number_or("phase", 0.0) if "phase" in asked else 0.0
    ratio = 1.0
    if "ratio" in asked:
        ratio = record.number_or("ratio", float("nan"))
        if not record.given("ratio"):
            record.missing("ratio", "a gear has a ratio: turns out per turn in", "fill it in")
        elif ratio == 0.0:
            record.refuse("out-of-range", "ratio", "a gear of ratio 0 does not turn", "correct it")
    k = record.number("k") if "k" in asked else None
    if k is not None and k <= 0.0:
        record.refuse("out-of-range", "k", "the stiffness of a shaft is greater than 0", "correct it, or clear it")
    return ShaftEnd(name, kind, np.zeros(3) if point is None else point, phase, ratio, k)


def _note_idle_stiffness(record: Record, report: ProblemList) -> None:
    """Say of the stiffness of a shaft that it does not count without a sheet Compliance."""
    kind = record.choice("kind")
    k = record.number_or("k", float("nan")) if kind and "k" in OF_KIND[kind] else float("nan")
    if k > 0.0:
        place = record.place("k")
        rule = "it counts beside a sheet Compliance alone: without one all shafts turn as rigid ones"
        found, mend = f"k of {quoted(record.raw_text('name'))}", "leave it, or clear the cell"
        report.add(place, Problem("not-counted", "note", str(place), found, rule, mend))


def _efficiency(record: Record) -> float:
    value = record.number_or("efficiency", 1.0)
    if not isnan(value) and not 0.0 < value <= 1.0:
        rule = "it is the share of the torque that passes: greater than 0 and at most 1, which is 100 %"
        record.refuse("out-of-range", "efficiency", rule, "correct it, as 0.97 or 97 %")
    return value


def _play(record: Record, report: ProblemList) -> float:
    value = record.number_or("play", 0.0)
    if value < 0.0:
        record.refuse("out-of-range", "play", "play is 0 or more", "correct it, or clear it")
    elif value > MAX_PLAY:
        found, rule = (
            f"play: {degrees(value):.4g} deg",
            f"no steering has more than {degrees(MAX_PLAY):.0f} deg of play",
        )
        mend = "look at its unit: a number without one counts in rad"
        report.warning("implausible-value", record.place("play"), found, rule, mend)
    return value


def _diameter(record: Record, report: ProblemList) -> float | None:
    value = record.number("diameter")
    if value is None or isnan(value):
        return None
    if value <= 0.0:
        record.refuse("out-of-range", "diameter", "a steering wheel has a diameter greater than 0", "correct it")
    elif not DIAMETERS[0] <= value <= DIAMETERS[1]:
        low, high = (each * 1e3 for each in DIAMETERS)
        found, rule = f"diameter: {value * 1e3:.4g} mm", f"steering wheels measure between {low:g} and {high:g} mm"
        mend = "look at its unit: a number without one counts in m"
        report.warning("implausible-value", record.place("diameter"), found, rule, mend)
    return value


def _check_shafts(records: Sequence[Record], ends: Sequence[ShaftEnd], report: ProblemList) -> None:
    """Report shafts of no length or of a wrong unit, and joints that turn too far or not at all."""
    lengths = [float(np.linalg.norm(after.point - before.point)) for before, after in pairwise(ends)]
    for record, end, before, length in zip(records[1:], ends[1:], ends, lengths, strict=False):
        if length <= STRAIGHT:
            rule = f"a shaft joins this point to that of {quoted(before.name)}, and both are the same"
            report.error("out-of-range", record.place("x"), f"the point of {quoted(end.name)}", rule, "correct one")
        elif length > MAX_SHAFT:
            found = f"the shaft to {quoted(end.name)} is {length * 1e3:.5g} mm long"
            rule = f"no shaft of a steering is longer than {MAX_SHAFT * 1e3:g} mm"
            mend = "look at the unit of x, y and z: a number without one counts in m"
            report.warning("implausible-value", record.place("x"), found, rule, mend)
    if report.has_errors:
        return
    along = shaft_directions(ends)
    for at in range(1, len(ends) - 1):
        angle = float(np.arccos(np.clip(along[at - 1] @ along[at], -1.0, 1.0)))
        if ends[at].kind != ShaftKind.JOINT or angle <= MAX_JOINT_ANGLE:
            continue
        found = f"the joint {quoted(ends[at].name)} stands at {degrees(angle):.2f} deg"
        if angle >= IMPOSSIBLE_ANGLE:
            rule = f"a universal joint turns no shaft that comes back at {degrees(IMPOSSIBLE_ANGLE):.0f} deg or more"
            report.error("joint-angle", records[at].place("x"), found, rule, "correct the points, and their order")
        else:
            rule = f"a single universal joint stands at {degrees(MAX_JOINT_ANGLE):.0f} deg at most"
            mend = "move the point, or use two joints"
            report.warning("joint-angle", records[at].place("x"), found, rule, mend)
