"""Columns of the motion of bodies and points: `mbs Bodies` and `mbs Points`."""

from __future__ import annotations

import numpy as np

from sheetmbs.analysis.solution import Solution
from sheetmbs.elements.rotation import matrix_of
from sheetmbs.engine.codes import BodyKind
from sheetmbs.engine.motion_report import MotionReport
from sheetmbs.lower import Lowered
from sheetmbs.model import Beam, Body
from sheetmbs.results.columns.beam_columns import RATES, add_beam, add_internal_forces, beam_frames
from sheetmbs.results.columns.collect import CollectedColumns, Floats
from sheetmbs.results.columns.orientation import continuous, yaw_pitch_roll


def bodies(lowered: Lowered, solution: Solution) -> CollectedColumns:
    """Position, orientation, velocity and acceleration of every body."""
    columns = CollectedColumns("mbs Bodies", solution.times)
    frames = beam_frames(lowered, solution)
    for body in lowered.model.bodies:
        number = lowered.bodies.names[body.name]
        if isinstance(body, Beam):
            add_beam(lowered, solution, body, frames[:, lowered.bodies.records[number].beam], columns)
        elif lowered.bodies.records[number].kind == BodyKind.SPATIAL:
            _spatial(lowered, solution, body, number, columns)
        else:
            _planar(lowered, solution, body, number, columns)
    return columns


def points(lowered: Lowered, solution: Solution, found: MotionReport) -> CollectedColumns:
    """Position, velocity and acceleration of the points with ``report`` = yes, and the internal forces of beams there."""
    unit, factor = lowered.model.display.length
    columns = CollectedColumns("mbs Points", solution.times)
    is_planar = lowered.model.settings.dimension == "2D"
    for p, point in enumerate(point for point in lowered.model.points if point.report):
        for k, name in enumerate(("x", "y", "z", "vx", "vy", "vz", "ax", "ay", "az")):
            if not (is_planar and name.endswith("z")):
                columns.add(f"{point.name}.{name}", unit + RATES[k // 3], found.point[:, p, k], factor)
        if point.marker.body in lowered.bodies.beams:
            add_internal_forces(lowered, solution, point, columns)
    return columns


def _planar(lowered: Lowered, solution: Solution, body: Body, number: int, columns: CollectedColumns) -> None:
    record, display = lowered.bodies.records[number], lowered.model.display
    for names, values, at, rate in (
        (("x", "y", "phi"), solution.q, record.q, RATES[0]),
        (("vx", "vy", "omega"), solution.v, record.v, RATES[1]),
        (("ax", "ay", "alpha"), solution.a, record.v, RATES[2]),
    ):
        for k, name in enumerate(names):
            unit, factor = display.angle if k == 2 else display.length
            columns.add(f"{body.name}.{name}", unit + rate, values[:, at + k], factor)


def _spatial(lowered: Lowered, solution: Solution, body: Body, number: int, columns: CollectedColumns) -> None:
    """Velocities and accelerations of rotation in body axes."""
    record, display = lowered.bodies.records[number], lowered.model.display
    axes = lowered.bodies.axes[number]
    euler = continuous(solution.q[:, record.q + 3 : record.q + 7])
    angles = yaw_pitch_roll(matrix_of(euler), body.angles)
    v, a = (values[:, record.v : record.v + 6] for values in (solution.v, solution.a))

    def add(names: str, unit: tuple[str, float], rate: str, values: Floats) -> None:
        for k, name in enumerate(names.split()):
            columns.add(f"{body.name}.{name}", unit[0] + rate, values[:, k], unit[1])

    add("x y z", display.length, RATES[0], solution.q[:, record.q : record.q + 3])
    add("e0 e1 e2 e3", ("1", 1.0), RATES[0], euler)
    add("yaw pitch roll", display.angle, RATES[0], angles)
    add("vx vy vz", display.length, RATES[1], v[:, :3])
    add("wx wy wz", display.angle, RATES[1], np.asarray(v[:, 3:] @ axes.T))
    add("ax ay az", display.length, RATES[2], a[:, :3])
    add("alphax alphay alphaz", display.angle, RATES[2], np.asarray(a[:, 3:] @ axes.T))
