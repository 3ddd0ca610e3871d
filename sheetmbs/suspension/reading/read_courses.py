"""The sheet Path: courses as points with their radius, or as points of the plane."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import inf, isnan

import numpy as np

from sheetmbs.engine.motion.splines import natural_spline
from sheetmbs.engine.records import Floats
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList, quoted
from sheetmbs.suspension.layout.handling_row import RoadCourse
from sheetmbs.workbook.reading.input_table import InputTable, Record

PLACES = 0.5
"""m between the places at which a course is driven"""
CLOSED = 1e-3
"""of the length of a course, between its first and last point: it is closed"""
MIN_POINTS = 2
"""of a course"""
FELT = 24
"""points over which the end of a natural spline is felt: it fades by 2 - sqrt(3) from each point to the next"""
MAX_LENGTH = 1e5
"""m: a longer course is one in another unit"""
MIN_RADIUS = 2.0
"""m: no car turns in less"""


def read_courses(table: InputTable, report: ProblemList) -> dict[str, RoadCourse | None]:
    """The courses by their folded names; None of one that is wrong, which is reported."""
    rows: dict[str, list[Record]] = {}
    for record in table.records():
        name = record.text("path")
        record.settle("width_left", "width_right")
        if name:
            rows.setdefault(fold(name), []).append(record)
    return {name: _course(records, report) for name, records in rows.items()}


def _course(records: list[Record], report: ProblemList) -> RoadCourse | None:
    """One course; None where it is wrong, which is reported."""
    columns = ("s", "radius", "x", "y", "speed")
    values = {name: [record.number(name) for record in records] for name in columns}
    for record in records:
        record.finish()
    first = records[0]
    if len(records) < MIN_POINTS:
        report.error(
            "short-path", first.place("path"), "one point", "a course has two points at least", "add the others"
        )
        return None
    if any(value is not None and isnan(value) for own in values.values() for value in own):
        return None
    by_plane = any(value is not None for name in ("x", "y") for value in values[name])
    if not _is_whole(records, values, by_plane=by_plane) or not _are_speeds(records, values["speed"]):
        return None
    limits = np.array([inf if value is None else value for value in values["speed"]])
    if by_plane:
        x, y = (np.array(values[name], dtype=float) for name in ("x", "y"))
        steps = np.hypot(np.diff(x), np.diff(y))
        return course_through(x, y, limits) if _are_apart(records, steps, "x") else None
    s = np.array(values["s"], dtype=float)
    if not _are_apart(records, np.diff(s), "s") or not _are_curves(records, values["radius"], report):
        return None
    curvature = np.array([0.0 if value is None else 1.0 / value for value in values["radius"]])
    at = _places(s[0], s[-1])
    section = np.clip(np.searchsorted(s, at, side="right") - 1, 0, len(s) - 1)
    return RoadCourse(at - s[0], curvature[section], limits[section], is_closed=False)


Values = Sequence[float | None]


def _is_whole(records: Sequence[Record], values: Mapping[str, Values], *, by_plane: bool) -> bool:
    """Whether every point has its place, by s or by x and y; reported at the first cell that is wrong."""
    needed, others = (("x", "y"), ("s", "radius")) if by_plane else (("s",), ())
    for row, record in enumerate(records):
        for name in needed:
            if values[name][row] is None:
                rule = "every point of a course has s, and its radius in curves; or every point has x and y"
                record.refuse("missing-value", name, rule, "fill in the cell, or take the row away")
                return False
        for name in others:
            if values[name][row] is not None:
                rule = f"x and y say already where the course goes, and {name} says it again"
                record.refuse("two-values", name, rule, "clear one of both ways in all rows")
                return False
    return True


def _are_speeds(records: Sequence[Record], speeds: Values) -> bool:
    for record, speed in zip(records, speeds, strict=True):
        if speed is not None and speed <= 0.0:
            record.refuse("out-of-range", "speed", "a largest speed is above 0", "correct it, or clear the cell")
            return False
    return True


def _are_apart(records: Sequence[Record], steps: Floats, column: str) -> bool:
    """Whether each point lies beyond the one before, and the course is no longer than courses are."""
    back = np.flatnonzero(steps <= 0.0)
    if len(back):
        rule = "s grows from row to row" if column == "s" else "a point lies elsewhere than the one before"
        fix = "correct it, or sort the rows" if column == "s" else "take one of both rows away"
        records[int(back[0]) + 1].refuse("not-increasing", column, rule, fix)
        return False
    if float(np.sum(steps)) > MAX_LENGTH:
        rule = f"the course is {1e-3 * float(np.sum(steps)):.5g} km long, more than {1e-3 * MAX_LENGTH:g} km"
        records[-1].refuse("out-of-range", column, rule, "look at its unit: a number without one counts in m")
        return False
    return True


def _are_curves(records: Sequence[Record], radii: Values, report: ProblemList) -> bool:
    """Whether radii are those of curves; a course without any is a straight, which gets a warning."""
    for record, radius in zip(records, radii, strict=True):
        if radius is not None and abs(radius) < MIN_RADIUS:
            rule = "a radius of 0 is no curve; a straight has a blank radius"
            fix = "clear it, or correct it"
            if radius:
                rule, fix = (
                    f"no car turns in less than {MIN_RADIUS:g} m",
                    "look at its unit: without one it counts in m",
                )
            record.refuse("out-of-range", "radius", rule, fix)
            return False
    if all(radius is None for radius in radii):
        rule = "no point of the course has a radius, so all of it is a straight"
        found, fix = f"the course {quoted(records[0].text('path'))}", "fill in radius where it turns, + to the left"
        report.warning("no-radius", records[0].place("path"), found, rule, fix)
    return True


def _places(first: float, last: float) -> Floats:
    return np.linspace(first, last, max(round((last - first) / PLACES), 2) + 1)


def course_through(x: Floats, y: Floats, limits: Floats) -> RoadCourse:
    """A course through points of the plane, by splines over the length of the chords."""
    s = np.concatenate(([0.0], np.cumsum(np.hypot(np.diff(x), np.diff(y)))))
    is_closed = bool(np.hypot(x[-1] - x[0], y[-1] - y[0]) <= CLOSED * s[-1])
    at = _places(0.0, float(s[-1]))
    dx, ddx = _slopes(s, x, at, is_closed=is_closed)
    dy, ddy = _slopes(s, y, at, is_closed=is_closed)
    curvature = (dx * ddy - dy * ddx) / np.hypot(dx, dy) ** 3
    section = np.clip(np.searchsorted(s, at, side="right") - 1, 0, len(s) - 1)
    length = np.concatenate(([0.0], np.cumsum(np.diff(at) * 0.5 * (np.hypot(dx, dy)[1:] + np.hypot(dx, dy)[:-1]))))
    return RoadCourse(length, curvature, limits[section], is_closed=is_closed)


def _slopes(s: Floats, values: Floats, at: Floats, *, is_closed: bool) -> tuple[Floats, Floats]:
    """First and second derivative of a spline: natural at the ends of an open course, periodic on a closed one."""
    if is_closed:
        s, values = _with_rounds(s, values)
    cubics = natural_spline(s, values)
    row = np.clip(np.searchsorted(s, at, side="right") - 1, 0, len(s) - 2)
    u, c = at - s[row], cubics[row]
    return c[:, 1] + u * (2.0 * c[:, 2] + 3.0 * u * c[:, 3]), 2.0 * c[:, 2] + 6.0 * u * c[:, 3]


def _with_rounds(s: Floats, values: Floats) -> tuple[Floats, Floats]:
    """A closed course with so many rounds before and after it that the ends of its spline are not felt on it."""
    rounds = -(-FELT // (len(s) - 1))
    shifts = np.arange(-rounds, rounds + 1)
    own = values + np.linspace(
        0.0, values[0] - values[-1], len(values)
    )  # a small gap between both ends is closed evenly
    along = (s[:-1] + s[-1] * shifts[:, None]).ravel()
    around = np.tile(own[:-1], len(shifts))
    return np.append(along, s[-1] * (rounds + 1)), np.append(around, own[0])
