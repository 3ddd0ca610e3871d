"""Columns of flexible beams: motion of their frames, amplitudes of their shapes, deflection and internal forces."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from sheetmbs.analysis.solution import Solution
from sheetmbs.elements import result_column as r
from sheetmbs.elements.beam_shapes import BeamSpace
from sheetmbs.elements.result_column import ResultKind, result_columns
from sheetmbs.engine.motion_report import MotionReport, deformations, floating_frames
from sheetmbs.lower import Lowered
from sheetmbs.lower.lower_beams import LoweredBeam
from sheetmbs.model.model import Beam, Model, Point
from sheetmbs.results.columns.collect import CollectedColumns, Floats

FRAME = 9
"""numbers that tell the motion of the frame of a beam"""

BEAM = ResultKind(
    "beam",
    "mbs Bodies",
    (
        *result_columns("q#", "amplitude of one of its modes, those across it first", r.METRES, models=r.PLANAR),
        *result_columns(
            "s#",
            "amplitude of one of its static shapes, which loads on it need besides the modes, those across it first",
            r.METRES,
            models=r.PLANAR,
        ),
        *result_columns(
            "deflection",
            "deflection of end j from the tangent at end i if clamped-free, else of the middle from the line through both ends",
            r.LENGTH,
            models=r.PLANAR,
        ),
    ),
    lambda model: tuple(body for body in model.bodies if isinstance(body, Beam)),
)
BEAM_POINT = ResultKind(
    "point of a beam",
    "mbs Points",
    (
        *result_columns(
            "moment",
            "bending moment, that of all forces on the part towards end j; positive where it bends towards +eta",
            r.MOMENT,
            models=r.PLANAR,
        ),
        *result_columns("shear", "shear force, the slope of the moment along xi", r.FORCE, models=r.PLANAR),
        *result_columns("axial", "axial force, positive where the beam is pulled", r.FORCE, models=r.PLANAR),
    ),
    lambda model: tuple(point for point in model.points if point.report and _is_on_beam(model, point)),
)
ROWS = 2000
"""times that are looked at together, which bounds the memory needed"""


def _is_on_beam(model: Model, point: Point) -> bool:
    return any(beam.name == point.marker.body for beam in BEAM.elements(model))


def beam_frames(lowered: Lowered, solution: Solution) -> Floats:
    """(times, beams, 9) position and angle, velocities and accelerations of the frame of each beam."""
    found = np.zeros((len(solution.times), len(lowered.bodies.beams), FRAME))
    if found.size:
        system = lowered.arrange()
        floating_frames(system.arrays, system.work, solution.q, solution.v, solution.a, found)
    return found


def add_beam(lowered: Lowered, solution: Solution, beam: Beam, columns: CollectedColumns) -> None:
    """The result columns of a beam besides the motion of its frame."""
    q, space = amplitudes(lowered, solution, beam), lowered.bodies.beams[beam.name].space
    for name, values in zip(space.names, q.T, strict=True):
        columns.add(BEAM, beam.name, name, values)
    columns.add(BEAM, beam.name, "deflection", deflection(space, q))


def amplitudes(lowered: Lowered, solution: Solution, beam: Beam) -> Floats:
    """(times, n) amplitudes of the shapes of a beam, those across it first."""
    record = lowered.bodies.records[lowered.bodies.names[beam.name]]
    p = solution.q[:, record.q + 3 : record.q + record.nq]
    return np.asarray(p @ lowered.bodies.beams[beam.name].basis.T)


def arm(lowered: Lowered, solution: Solution, frame: Any) -> Floats:
    """(times, 2) global vector from the centre of mass of a beam to a frame on one of its sections."""
    name, xi = next((name, xi) for number, name, xi in lowered.bodies.sections if number == frame.body)
    beam, record = lowered.bodies.beams[name], lowered.bodies.records[frame.body]
    p, phi = solution.q[:, record.q + 3 : record.q + record.nq], solution.q[:, record.q + 2]
    along, across, slope = beam.shapes(xi)
    shortened = 0.5 * np.sum((p @ beam.shortening(xi)) * p, axis=1)
    phi = phi - p @ beam.lag
    return _turned(phi, xi - 0.5 * beam.beam.length + p @ along - shortened, p @ across) + _turned(
        phi + p @ slope, frame.x, frame.y
    )


def _turned(phi: Floats, x: Floats | float, y: Floats | float) -> Floats:
    return np.column_stack((np.cos(phi) * x - np.sin(phi) * y, np.sin(phi) * x + np.cos(phi) * y))


def bent_place(space: BeamSpace, length: float, q: Floats, origin: Floats) -> Floats:
    """(3,) coordinates in the frame of a beam of what lies at ``origin`` (3,) while it is undeformed. q: (n,) amplitudes."""
    xi = float(np.clip(origin[0], 0.0, length))
    share, bending = np.array([xi / length]), space.across(np.zeros(0)).shape[1]
    across, slope = (space.across(share, order)[0] @ q[:bending] for order in (0, 1))
    nodes, weights = space.nodes(end=xi / length)
    shortened = 0.5 / length * weights @ (space.across(nodes, 1) @ q[:bending]) ** 2
    along = space.along(share)[0] @ q[bending:] - shortened
    turn, x, y = slope / length, origin[0] - xi, origin[1]
    return np.array(
        [xi + along + np.cos(turn) * x - np.sin(turn) * y, across + np.sin(turn) * x + np.cos(turn) * y, 0.0]
    )


def deflection(space: BeamSpace, q: Floats) -> Floats:
    """(times,) of end j from the tangent at end i if end j is free, else of the middle from the line through both ends."""
    ends, middle = space.across(np.array([0.0, 1.0])), space.across(np.array([0.5]))[0]
    shape = ends[1] if space.ends == "clamped-free" else middle - 0.5 * (ends[0] + ends[1])
    return np.asarray(q[:, : len(shape)] @ shape)


@dataclass(frozen=True)
class _Motion:
    """A beam at some times: its centre of mass, angle, rate and angular acceleration of its frame, p and its derivatives."""

    centre: Floats  # (times, 2)
    centre_change: Floats  # (times, 2)
    frame: Floats  # (times, 3)
    p: Floats  # (times, n)
    speed: Floats  # (times, n)
    change: Floats  # (times, n)


def add_internal_forces(
    lowered: Lowered, solution: Solution, found: MotionReport, point: Point, columns: CollectedColumns
) -> None:
    """Bending moment, shear force and axial force at a point of a beam, positive as `BEAM_POINT` says."""
    name = point.marker.body
    xi = float(np.clip(point.marker.origin[0], 0.0, lowered.bodies.beams[name].beam.length))
    forces = internal_forces(lowered, solution, found, name, xi)
    for column, values in zip(("moment", "shear", "axial"), forces.T, strict=True):
        columns.add(BEAM_POINT, point.name, column, values)


def internal_forces(lowered: Lowered, solution: Solution, found: MotionReport, name: str, xi: float) -> Floats:
    """(times, 3) bending moment, shear force and axial force of a beam at xi.

    Where an element acts on the section itself they are those beside it, on the side of end i; at end i itself on the other.
    """
    number = int(lowered.bodies.records[lowered.bodies.names[name]].beam)
    forces = np.zeros((len(solution.times), 3))
    for first in range(0, len(forces), ROWS):
        rows = slice(first, first + ROWS)
        motion = _motion(lowered, solution, rows, number)
        forces[rows] = _forces(lowered, motion, found.section[rows], number, xi)
    return forces


def _motion(lowered: Lowered, solution: Solution, rows: slice, number: int) -> _Motion:
    system, beam = lowered.measuring, lowered.beams.record[number]
    q, v, a = solution.q[rows], solution.v[rows], solution.a[rows]
    n = int(beam.modes)
    out = np.zeros((len(q), 3 + 3 * n))
    deformations(system.arrays, system.work, number, q, v, a, out)
    p, speed, change = (out[:, 3 + k * n : 3 + (k + 1) * n] for k in range(3))
    return _Motion(q[:, beam.q : beam.q + 2], a[:, beam.v : beam.v + 2], out[:, :3], p, speed, change)


def _forces(lowered: Lowered, motion: _Motion, loads: Floats, number: int, xi: float) -> Floats:
    """loads: (times, sections, 3) force and moment of all elements on each section of a beam."""
    beam = list(lowered.bodies.beams.values())[number]
    length, gravity = beam.beam.length, np.array(lowered.model.settings.gravity[:2])
    here = _points(beam, motion, np.array([xi / length]))[0][:, 0]
    share, weight = beam.space.nodes(start=xi / length)
    place, acceleration = _points(beam, motion, share)
    inertia = beam.mass * weight[:, None] * (gravity - acceleration)
    force = inertia.sum(axis=1)
    moment = _cross(place - here[:, None], inertia).sum(axis=1)
    for record, load in zip(lowered.beams.section, np.moveaxis(loads, 1, 0), strict=True):
        if record.beam != number:
            continue
        at = record.x + 0.5 * length
        if record.body == lowered.beams.record[number].body:
            load, at = _of_frame(beam, motion, load), length  # noqa: PLW2901 - the same at end j
        if at > xi or at == xi > 0.0:
            point = _points(beam, motion, np.array([at / length]))[0][:, 0]
            force = force + load[:, :2]
            moment = moment + load[:, 2] + _cross(point - here, load[:, :2])
    turn = motion.frame[:, 0] + motion.p @ beam.shapes(xi)[2]
    c, s = np.cos(turn), np.sin(turn)
    return np.column_stack((moment, s * force[:, 0] - c * force[:, 1], c * force[:, 0] + s * force[:, 1]))


def _of_frame(beam: LoweredBeam, motion: _Motion, load: Floats) -> Floats:
    """What a load (times, 3) on the frame of a beam does to end j.

    A frame at end i carries its loads there. A moment on one through both ends is a pair of forces at these.
    """
    found = np.zeros_like(load)
    if beam.beam.ends == "pinned-pinned":
        pair = load[:, 2] / beam.beam.length
        found[:, 0], found[:, 1] = -np.sin(motion.frame[:, 0]) * pair, np.cos(motion.frame[:, 0]) * pair
    return found


def _points(beam: LoweredBeam, motion: _Motion, share: Floats) -> tuple[Floats, Floats]:
    """(times, points, 2) global places and accelerations of points of the line of a beam."""
    n = beam.modes
    shapes = np.array([beam.shapes(s * beam.beam.length) for s in share]).reshape(-1, 3, n)
    along, across = shapes[:, 0].T, shapes[:, 1].T
    shortening = np.array([beam.shortening(s * beam.beam.length) for s in share]).reshape(-1, n, n)
    p, speed, change = motion.p, motion.speed, motion.change

    def shortened(one: Floats, other: Floats) -> Floats:
        return np.asarray(np.einsum("tk,skl,tl->ts", one, shortening, other, optimize=True))

    x = beam.beam.length * (share - 0.5) + p @ along - 0.5 * shortened(p, p)
    y = p @ across
    u, z = speed @ along - shortened(p, speed), speed @ across
    phi, rate, turning = (motion.frame[:, k, None] for k in range(3))
    ax = change @ along - shortened(p, change) - shortened(speed, speed) - rate * (rate * x + 2.0 * z) - turning * y
    ay = change @ across - rate * (rate * y - 2.0 * u) + turning * x
    c, s = np.cos(phi), np.sin(phi)
    place = motion.centre[:, None] + np.stack((c * x - s * y, s * x + c * y), axis=-1)
    return place, motion.centre_change[:, None] + np.stack((c * ax - s * ay, s * ax + c * ay), axis=-1)


def _cross(arms: Floats, forces: Floats) -> Floats:
    return np.asarray(arms[..., 0] * forces[..., 1] - arms[..., 1] * forces[..., 0])
