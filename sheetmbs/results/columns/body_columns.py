"""Columns of the motion of bodies and points: `mbs Bodies` and `mbs Points`."""

from __future__ import annotations

from collections.abc import Collection, Sequence

import numpy as np

from sheetmbs.analysis.solution import Solution
from sheetmbs.elements import result_column as r
from sheetmbs.elements.result_column import ChartPlace, DefaultChart, RestPlace, RestTable, ResultKind, result_columns
from sheetmbs.engine.codes import BodyKind
from sheetmbs.engine.motion_report import MotionReport, report_orientations
from sheetmbs.lower import Lowered
from sheetmbs.model.model import Beam, Body, Point
from sheetmbs.results.columns.beam_columns import add_beam, add_internal_forces, beam_frames
from sheetmbs.results.columns.collect import CollectedColumns, Floats

AXES = (("x", "x"), ("y", "y"), ("z", "z"))
ANGLES = (("phi", "phi"), ("yaw", "yaw"), ("pitch", "pitch"), ("roll", "roll"))
EULER, YAW_PITCH_ROLL = "e0 e1 e2 e3", "yaw pitch roll"

BODY = ResultKind(
    "body",
    "mbs Bodies",
    (
        *result_columns("x y", "position of the centre of mass; of a beam that of its frame", r.LENGTH),
        *result_columns("z", "position of the centre of mass", r.LENGTH, models=r.SPATIAL),
        *result_columns("phi", "angle of the body from its x axis to that of the ground", r.ANGLE, models=r.PLANAR),
        *result_columns(EULER, "Euler parameters of its orientation", r.RATIO, models=r.SPATIAL, aside=True),
        *result_columns(
            YAW_PITCH_ROLL,
            "angles of its orientation: about z, then its y axis, then its x axis",
            r.ANGLE,
            models=r.SPATIAL,
        ),
        *result_columns("vx vy", "velocity of the centre of mass", r.VELOCITY, aside=True),
        *result_columns("vz", "velocity of the centre of mass", r.VELOCITY, models=r.SPATIAL, aside=True),
        *result_columns("omega", "angular velocity", r.ANGULAR_VELOCITY, models=r.PLANAR, aside=True),
        *result_columns("wx wy wz", "angular velocity in body axes", r.ANGULAR_VELOCITY, models=r.SPATIAL, aside=True),
        *result_columns("ax ay", "acceleration of the centre of mass", r.ACCELERATION, aside=True),
        *result_columns("az", "acceleration of the centre of mass", r.ACCELERATION, models=r.SPATIAL, aside=True),
        *result_columns("alpha", "angular acceleration", r.ANGULAR_ACCELERATION, models=r.PLANAR, aside=True),
        *result_columns(
            "alphax alphay alphaz",
            "angular acceleration in body axes",
            r.ANGULAR_ACCELERATION,
            models=r.SPATIAL,
            aside=True,
        ),
    ),
    lambda model: model.bodies,
    (
        DefaultChart("Angles of bodies", ("phi",), ChartPlace.BODIES, moving=True),
        DefaultChart("Path of body {}", ("x", "y"), ChartPlace.BODIES, type="xy", moving=True, most=8, models=r.PLANAR),
        DefaultChart(
            "Position of body {}", ("x", "y", "z"), ChartPlace.BODIES, most=6, models=r.SPATIAL, instead_of="point"
        ),
        DefaultChart(
            "Orientation of body {}",
            ("yaw", "pitch", "roll"),
            ChartPlace.BODIES,
            moving=True,
            most=6,
            models=r.SPATIAL,
            instead_of="point",
        ),
    ),
    (
        RestTable("Positions of bodies", AXES, RestPlace.BODIES),
        RestTable("Angles of bodies", ANGLES, RestPlace.BODIES),
    ),
)
POINT = ResultKind(
    "point",
    "mbs Points",
    (
        *result_columns("x y", "position", r.LENGTH),
        *result_columns("z", "position", r.LENGTH, models=r.SPATIAL),
        *result_columns("vx vy", "velocity", r.VELOCITY),
        *result_columns("vz", "velocity", r.VELOCITY, models=r.SPATIAL),
        *result_columns("ax ay", "acceleration", r.ACCELERATION, aside=True),
        *result_columns("az", "acceleration", r.ACCELERATION, models=r.SPATIAL, aside=True),
    ),
    lambda model: reported_points(model.points),
    (
        DefaultChart(
            "Path of point {}", ("x", "y"), ChartPlace.POINTS, type="xy", moving=True, most=8, models=r.PLANAR
        ),
        DefaultChart("Velocities of points", ("vx", "vy"), ChartPlace.POINTS, models=r.PLANAR),
        DefaultChart("Position of point {}", ("x", "y", "z"), ChartPlace.POINTS, most=6, models=r.SPATIAL),
    ),
    (RestTable("Positions of points", AXES, RestPlace.POINTS),),
)


def reported_points(points: tuple[Point, ...]) -> tuple[Point, ...]:
    """Select the points with ``report`` = yes."""
    return tuple(point for point in points if point.report)


def bodies(lowered: Lowered, solution: Solution, asked: Collection[str] | None = None) -> CollectedColumns:
    """Position, orientation, velocity and acceleration of every body, or of those with a column that is asked for."""
    columns = CollectedColumns(BODY.sheet, lowered.model.display, solution.times, asked=asked)
    frames = beam_frames(lowered, solution)
    shown = _shown(lowered.model.bodies, asked)
    turning = [body for body in shown if _is_asked(body, f"{EULER} {YAW_PITCH_ROLL}", asked)]
    turned = _orientations(lowered, solution, turning)
    for body in shown:
        number = lowered.bodies.names[body.name]
        if isinstance(body, Beam):
            frame = frames[:, lowered.bodies.records[number].beam]
            _planar(body, (frame[:, :3], frame[:, 3:6], frame[:, 6:]), columns)
            add_beam(lowered, solution, body, columns)
        elif lowered.bodies.records[number].kind == BodyKind.SPATIAL:
            _spatial(lowered, solution, body, turned.get(number), columns, asked)
        else:
            record = lowered.bodies.records[number]
            q, v = slice(record.q, record.q + 3), slice(record.v, record.v + 3)
            _planar(body, (solution.q[:, q], solution.v[:, v], solution.a[:, v]), columns)
    return columns


def points(lowered: Lowered, solution: Solution, found: MotionReport) -> CollectedColumns:
    """Position, velocity and acceleration of the points with ``report`` = yes, and the internal forces of beams there."""
    columns = CollectedColumns(POINT.sheet, lowered.model.display, solution.times)
    is_planar = lowered.model.settings.dimension == "2D"
    for p, point in enumerate(reported_points(lowered.model.points)):
        for k, name in enumerate(("x", "y", "z", "vx", "vy", "vz", "ax", "ay", "az")):
            if not (is_planar and name.endswith("z")):
                columns.add(POINT, point.name, name, found.point[:, p, k])
        if point.marker.body in lowered.bodies.beams:
            add_internal_forces(lowered, solution, found, point, columns)
    return columns


def _planar(body: Body, motion: tuple[Floats, Floats, Floats], columns: CollectedColumns) -> None:
    """motion: (times, 3) position and angle, and their first and second derivatives."""
    for names, values in zip(("x y phi", "vx vy omega", "ax ay alpha"), motion, strict=True):
        for k, name in enumerate(names.split()):
            columns.add(BODY, body.name, name, values[:, k])


def _orientations(lowered: Lowered, solution: Solution, bodies: Sequence[Body]) -> dict[int, tuple[Floats, Floats]]:
    """Euler parameters (times, 4), and yaw, pitch and roll (times, 3), of each spatial body by its number."""
    records, numbered = lowered.bodies.records, lowered.bodies.names
    spatial = {numbered[body.name]: body for body in bodies if records[numbered[body.name]].kind == BodyKind.SPATIAL}
    if not spatial:
        return {}
    first = np.array([int(records[n].q) for n in spatial])
    initial = np.array([body.angles for body in spatial.values()], dtype=np.float64)
    euler, angles = (np.zeros((len(first), len(solution.q), width)) for width in (4, 3))
    report_orientations(np.ascontiguousarray(solution.q), first, initial, euler, angles)
    return {n: (euler[k], angles[k]) for k, n in enumerate(spatial)}


def _shown(bodies: Sequence[Body], asked: Collection[str] | None) -> Sequence[Body]:
    """The bodies of which some column is asked for."""
    if asked is None:
        return bodies
    listed = "\n".join(("", *asked))
    return [body for body in bodies if f"\n{BODY.heading(body.name, '')}" in listed]


def _is_asked(body: Body, names: str, asked: Collection[str] | None) -> bool:
    """Whether one of some columns of a body is asked for. asked: None: all of them."""
    return asked is None or any(BODY.heading(body.name, name) in asked for name in names.split())


def _spatial(
    lowered: Lowered,
    solution: Solution,
    body: Body,
    turned: tuple[Floats, Floats] | None,
    columns: CollectedColumns,
    asked: Collection[str] | None,
) -> None:
    """Velocities and accelerations of rotation in body axes. turned: see `_orientations`, None where it is not asked for."""
    number = lowered.bodies.names[body.name]
    record, axes = lowered.bodies.records[number], lowered.bodies.axes[number]
    v, a = (values[:, record.v : record.v + 6] for values in (solution.v, solution.a))
    angles = () if turned is None else zip((EULER, YAW_PITCH_ROLL), turned, strict=True)
    for names, values in (
        ("x y z", solution.q[:, record.q : record.q + 3]),
        *angles,
        ("vx vy vz", v[:, :3]),
        ("wx wy wz", v[:, 3:] @ axes.T),
        ("ax ay az", a[:, :3]),
        ("alphax alphay alphaz", a[:, 3:] @ axes.T),
    ):
        if not _is_asked(body, names, asked):
            continue
        for k, name in enumerate(names.split()):
            columns.add(BODY, body.name, name, values[:, k])
