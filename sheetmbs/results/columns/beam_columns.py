"""Columns of flexible beams: the motion of their frames, amplitudes of their shapes, and deflection."""

from __future__ import annotations

from typing import Any

import numpy as np

from sheetmbs.analysis.solution import Solution
from sheetmbs.elements import result_column as r
from sheetmbs.elements.beam_shapes import BeamSpace
from sheetmbs.elements.result_column import ResultKind, result_columns
from sheetmbs.engine.motion_report import floating_frames
from sheetmbs.lower import Lowered
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
            "amplitude of one of its static shapes, which loads on it need beside the modes, those across it first",
            r.METRES,
            models=r.PLANAR,
        ),
        *result_columns(
            "deflection",
            "of end j from the tangent at end i with clamped-free ends, else of the middle from the line through both ends",
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
