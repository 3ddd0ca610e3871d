"""Bending moment, shear force and axial force of beams, from the equilibrium of the part outboard of a section.

What elements do to that part, its weight and its inertia leave a force and a moment about the section to the rest of the beam.
They converge with the number of shapes as fast as the motion does, while EI w'' and EI w''' of the shapes do not.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sheetmbs.analysis.solution import Solution
from sheetmbs.engine.motion_report import MotionReport, deformations
from sheetmbs.lower import Lowered
from sheetmbs.lower.lower_beams import LoweredBeam
from sheetmbs.model.model import Point
from sheetmbs.results.columns.beam_columns import BEAM_POINT
from sheetmbs.results.columns.collect import CollectedColumns, Floats

ROWS = 2000
"""times that are looked at together, which bounds the memory needed"""


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
