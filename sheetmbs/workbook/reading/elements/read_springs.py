"""Force elements from the sheet Springs: what each asks is declared in `elements/forces`."""

from __future__ import annotations

from math import isfinite

import numpy as np

from sheetmbs.elements.force_type import ForceCurve, ForceNumber, ForceType
from sheetmbs.elements.forces import FORCE_TYPES
from sheetmbs.elements.marker import Marker
from sheetmbs.model.model import Spring
from sheetmbs.schema import input_columns
from sheetmbs.schema.input_columns import quantity
from sheetmbs.workbook.reading.context import Context
from sheetmbs.workbook.reading.elements.read_joints import joint_bodies
from sheetmbs.workbook.reading.input_table import Record
from sheetmbs.workbook.reading.placing import LOCATIONS, Ends, PlacingScene, distance, find_ends, markers_along

SIGNS = {"positive": "must be greater than 0", "not negative": "must not be negative"}


def read_springs(context: Context, scene: PlacingScene) -> tuple[Spring, ...]:
    """Force elements. In the plane their markers have the axes of the bodies: a rotational one's angle is phi_j - phi_i."""
    return tuple(each for _, each in context.elements(input_columns.SPRINGS, context.springs, _spring, context, scene))


def _spring(record: Record, name: str, context: Context, scene: PlacingScene) -> Spring | None:
    kind = record.choice("type")
    bodies = joint_bodies(record, context)
    if not kind or bodies is None:
        return None
    element = FORCE_TYPES[kind]
    ends = _ends(record, element, bodies, scene)
    values, curves = _numbers(record, element), _curves(record, element, context)
    _warn_of_idle(record, element)
    markers = None if ends is None else _markers(record, element, ends, scene)
    if markers is None or values is None or not _is_sound(record, element, values, ends, scene):
        return None
    record.finish()
    return Spring(name, kind, *markers, values, curves, record.cell_text("name"))


def _ends(record: Record, element: ForceType, bodies: tuple[str, str], scene: PlacingScene) -> Ends | None:
    is_placed = any(record.given(column) for way in LOCATIONS for column in way.columns)
    if element.ends == "axis" and not is_placed and record.table.dimension == "2D":
        return Ends(*bodies, np.zeros(3), np.zeros(3))
    ends = find_ends(record, *bodies, scene)
    if ends is not None and element.ends == "line" and distance(ends, scene) == 0.0:
        column = next(column for way in LOCATIONS for column in way.columns if record.given(column))
        problem = "both ends of the spring are at the same place, so it has no direction"
        record.refuse("zero-length", column, problem, "give two points apart from each other")
    return ends


def _here(record: Record, column: ForceNumber | ForceCurve) -> bool:
    return record.table.dimension in column.models


def _numbers(record: Record, element: ForceType) -> dict[str, float] | None:
    """The numbers that are filled in; None where one is wrong."""
    values = {}
    complete = True
    for column in element.numbers:
        value = record.number(column.name, quantity(column.quantity)) if _here(record, column) else None
        if value is None:
            if column.required:
                complete = False
                record.missing(column.name, f"a {element.name} spring needs {column.name}: {column.doc}", "fill it in")
            continue
        is_low = value < 0.0 or (value == 0.0 and column.sign == "positive")
        if column.sign and is_low:
            record.refuse("negative", column.name, f"{column.name} {SIGNS[column.sign]}", "correct the value")
        complete = complete and isfinite(value) and not (column.sign and is_low)
        values[column.name] = value
    return values if complete else None


def _curves(record: Record, element: ForceType, context: Context) -> dict[str, str]:
    curves = {}
    for column in element.curves:
        if not _here(record, column):
            continue
        over, gives = quantity(column.over), quantity(column.gives)
        name = context.curve(record, column.name, over, gives, over_time=False)
        if name is not None:
            curves[column.name] = name
        if record.given(column.factor) and record.given(column.name):
            problem = f"{column.name} replaces {column.factor}"
            found = f"{column.factor} and {column.name}"
            record.report.warning("unused-value", record.place(column.factor), found, problem, "clear one")
    return curves


def _warn_of_idle(record: Record, element: ForceType) -> None:
    acting = [column for column in element.columns if column.part and _here(record, column)]
    needed = any(number.required for number in element.numbers)
    if needed or any(record.given(column.name) for column in acting):
        return
    problem = "without any stiffness, damping, force and curve it does nothing"
    record.report.warning("no-force", record.place("name"), "a spring without numbers", problem, "fill one in")


def _markers(record: Record, element: ForceType, ends: Ends, scene: PlacingScene) -> tuple[Marker, Marker] | None:
    if element.ends == "axes":
        turn = scene.poses[ends.body_j].rotation.T @ scene.poses[ends.body_i].rotation
        return Marker(ends.body_i, ends.origin_i), Marker(ends.body_j, ends.origin_j, turn)
    if element.ends == "axis" and record.table.dimension == "3D":
        return markers_along(record, ends, scene)
    return Marker(ends.body_i, ends.origin_i), Marker(ends.body_j, ends.origin_j)


def _is_sound(
    record: Record, element: ForceType, values: dict[str, float], ends: Ends | None, scene: PlacingScene
) -> bool:
    """Whether the numbers go together with where the ends are."""
    fault = None if ends is None else element.fault(element.given(values), distance(ends, scene))
    if fault is not None:
        column, rule, mend = fault
        record.refuse("impossible-spring", column, rule, mend)
    return fault is None
