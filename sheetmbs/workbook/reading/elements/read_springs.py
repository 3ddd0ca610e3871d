"""Springs and bushings from their sheet."""

from __future__ import annotations

from math import isnan

import numpy as np

from sheetmbs.elements.marker import Marker
from sheetmbs.model import Spring
from sheetmbs.schema import input_columns
from sheetmbs.schema import units as u
from sheetmbs.workbook.reading.context import Context
from sheetmbs.workbook.reading.elements.read_joints import joint_bodies
from sheetmbs.workbook.reading.input_table import Record, named_records
from sheetmbs.workbook.reading.placing import LOCATIONS, Ends, PlacingScene, distance, find_ends, markers_along

SIX = ("x", "y", "z", "rx", "ry", "rz")
OUT_OF_PLANE = ("z", "rx", "ry")


def read_springs(context: Context, scene: PlacingScene) -> tuple[Spring, ...]:
    """Springs. In the plane their markers have the axes of the bodies: the angle of a rotational one is phi_j - phi_i."""
    springs = []
    for record, name in named_records(context.table(input_columns.SPRINGS), context.springs):
        kind = record.choice("type")
        bodies = joint_bodies(record, context)
        if not kind or bodies is None:
            continue
        ends = _spring_ends(record, kind, bodies, scene)
        is_bushing = kind == "bushing"
        spring = (
            _bushing(record, name, ends, scene) if is_bushing else _spring(record, name, kind, ends, context, scene)
        )
        if spring is not None:
            springs.append(spring)
            record.finish()
    return tuple(springs)


def _spring_ends(record: Record, kind: str, bodies: tuple[str, str], scene: PlacingScene) -> Ends | None:
    is_placed = any(record.given(column) for way in LOCATIONS for column in way.columns)
    if kind == "rotational" and not is_placed and record.table.dimension == "2D":
        return Ends(*bodies, np.zeros(3), np.zeros(3))
    ends = find_ends(record, *bodies, scene)
    if ends is not None and kind == "translational" and distance(ends, scene) == 0.0:
        column = next(column for way in LOCATIONS for column in way.columns if record.given(column))
        problem = "both ends of the spring are at the same place, so it has no direction"
        record.refuse("zero-length", column, problem, "give two points apart from each other")
    return ends


def _spring(
    record: Record, name: str, kind: str, ends: Ends | None, context: Context, scene: PlacingScene
) -> Spring | None:
    is_line = kind == "translational"
    stiffness = u.STIFFNESS if is_line else u.ROTATIONAL_STIFFNESS
    damping = u.DAMPING if is_line else u.ROTATIONAL_DAMPING
    load = u.FORCE if is_line else u.MOMENT
    deflection, _rate = (u.LENGTH, u.VELOCITY) if is_line else (u.ANGLE, u.ANGULAR_VELOCITY)
    k, c = record.number_or("k", 0.0, stiffness), record.number_or("c", 0.0, damping)
    force = record.number_or("force", 0.0, load)
    natural = record.number("length0" if is_line else "angle0")
    if is_line and natural is not None and natural < 0:
        record.refuse("negative", "length0", "a natural length must not be negative", "correct the value")
    curve_k = context.curve(record, "curve_k", deflection, load, over_time=False)
    curve_c = context.curve(record, "curve_c", _rate, load, over_time=False)
    for number, curve in (("k", "curve_k"), ("c", "curve_c")):
        if record.given(number) and record.given(curve):
            problem = f"{curve} replaces {number}"
            record.report.warning("unused-value", record.place(number), f"{number} and {curve}", problem, "clear one")
    if not any(record.given(column) for column in ("k", "c", "force", "curve_k", "curve_c")):
        problem = "without k, c, force and curves it does nothing"
        record.report.warning("no-force", record.place("name"), "a spring without numbers", problem, "fill one in")
    markers = _spring_markers(record, kind, ends, scene)
    if markers is None or isnan(k):
        return None
    return Spring(name, kind, *markers, k, c, force, natural, curve_k, curve_c, record.cell_text("name"))


def _spring_markers(record: Record, kind: str, ends: Ends | None, scene: PlacingScene) -> tuple[Marker, Marker] | None:
    if ends is None:
        return None
    if kind == "rotational" and record.table.dimension == "3D":
        return markers_along(record, ends, scene)
    return Marker(ends.body_i, ends.origin_i), Marker(ends.body_j, ends.origin_j)


def _bushing(record: Record, name: str, ends: Ends | None, scene: PlacingScene) -> Spring | None:
    """A bushing in the axes of body i, unloaded in the initial configuration."""
    planar = record.table.dimension == "2D"
    stiffness, damping = (
        np.array([0.0 if planar and axis in OUT_OF_PLANE else record.number_or(f"{letter}{axis}", 0.0) for axis in SIX])
        for letter in "kc"
    )
    for letter, values in (("k", stiffness), ("c", damping)):
        for axis, value in zip(SIX, values, strict=True):
            if value < 0.0:
                problem = f"{letter}{axis} must not be negative"
                record.refuse("negative", f"{letter}{axis}", problem, "correct the value")
    if not np.any(stiffness) and not np.any(damping):
        problem = "without stiffnesses and dampings it does nothing"
        record.report.warning("no-force", record.place("name"), "a bushing without numbers", problem, "fill one in")
    if ends is None or not np.all(np.isfinite([stiffness, damping])):
        return None
    turn = scene.poses[ends.body_j].rotation.T @ scene.poses[ends.body_i].rotation
    i, j = Marker(ends.body_i, ends.origin_i), Marker(ends.body_j, ends.origin_j, turn)
    return Spring(name, "bushing", i, j, cell=record.cell_text("name"), stiffness=stiffness, damping=damping)
