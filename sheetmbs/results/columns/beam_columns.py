"""Columns of flexible beams: the motion of their frames, modal coordinates and deflection, and internal forces at points."""

from __future__ import annotations

from typing import Any

import numpy as np

from sheetmbs.analysis.solution import Solution
from sheetmbs.elements import result_column as r
from sheetmbs.elements.beam_shapes import axial, transverse
from sheetmbs.elements.result_column import ResultKind, result_columns
from sheetmbs.engine.beam_report import floating_frames
from sheetmbs.lower import Lowered
from sheetmbs.model import Beam, Model, Point
from sheetmbs.results.columns.collect import CollectedColumns, Floats

FRAME = 9
"""numbers that tell the motion of the frame of a beam"""

BEAM = ResultKind(
    "beam",
    "mbs Bodies",
    (
        *result_columns("q#", "amplitude of one of its shapes, those across it first", r.METRES, models=r.PLANAR),
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
            "moment", "bending moment EI w'', positive where it bends towards +eta", r.MOMENT, models=r.PLANAR
        ),
        *result_columns("shear", "shear force EI w''', the slope of the moment along xi", r.FORCE, models=r.PLANAR),
        *result_columns(
            "axial", "axial force of a beam with EA, positive where it is pulled", r.FORCE, models=r.PLANAR
        ),
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
    q = modal_coordinates(lowered, solution, beam)
    for k in range(q.shape[1]):
        columns.add(BEAM, beam.name, f"q{k + 1}", q[:, k])
    columns.add(BEAM, beam.name, "deflection", _deflection(beam, q))


def modal_coordinates(lowered: Lowered, solution: Solution, beam: Beam) -> Floats:
    """(times, n) amplitudes of the shapes of a beam, those across it first."""
    record = lowered.bodies.records[lowered.bodies.names[beam.name]]
    p = solution.q[:, record.q + 3 : record.q + record.nq]
    return np.asarray(p @ lowered.bodies.beams[beam.name].basis.T)


def add_internal_forces(lowered: Lowered, solution: Solution, point: Point, columns: CollectedColumns) -> None:
    """Bending moment EI w'' and shear force EI w''' at a point of a beam, and where it can stretch its axial force EA u'."""
    body = lowered.bodies.beams[point.marker.body].beam
    q = modal_coordinates(lowered, solution, body)
    share = np.clip(np.array([point.marker.origin[0] / body.length]), 0.0, 1.0)
    bending = q[:, : body.modes] * body.bending_stiffness
    for order, name in ((2, "moment"), (3, "shear")):
        shape = transverse(body.ends, body.modes, share, order)[0] / body.length**order
        columns.add(BEAM_POINT, point.name, name, bending @ shape)
    if body.axial_stiffness is not None:
        shape = axial(body.modes, share, 1)[0] / body.length
        columns.add(BEAM_POINT, point.name, "axial", q[:, body.modes :] @ shape * body.axial_stiffness)


def arm(lowered: Lowered, solution: Solution, frame: Any) -> Floats:
    """(times, 2) global vector from the centre of mass of a beam to a frame on one of its sections."""
    name, xi = next((name, xi) for number, name, xi in lowered.bodies.sections if number == frame.body)
    beam, record = lowered.bodies.beams[name], lowered.bodies.records[frame.body]
    p, phi = solution.q[:, record.q + 3 : record.q + record.nq], solution.q[:, record.q + 2]
    along, across, slope = beam.shapes(xi)
    return _turned(phi, xi - 0.5 * beam.beam.length + p @ along, p @ across) + _turned(
        phi + p @ slope, frame.x, frame.y
    )


def _turned(phi: Floats, x: Floats | float, y: Floats | float) -> Floats:
    return np.column_stack((np.cos(phi) * x - np.sin(phi) * y, np.sin(phi) * x + np.cos(phi) * y))


def bent_place(beam: Beam, q: Floats, origin: Floats) -> Floats:
    """(3,) coordinates in the frame of a beam of what lies at ``origin`` (3,) while it is undeformed. q: (n,) amplitudes."""
    xi = float(np.clip(origin[0], 0.0, beam.length))
    share = np.array([xi / beam.length])
    across, slope = (transverse(beam.ends, beam.modes, share, order)[0] @ q[: beam.modes] for order in (0, 1))
    along = axial(beam.modes, share)[0] @ q[beam.modes :] if len(q) > beam.modes else 0.0
    turn, x, y = slope / beam.length, origin[0] - xi, origin[1]
    return np.array(
        [xi + along + np.cos(turn) * x - np.sin(turn) * y, across + np.sin(turn) * x + np.cos(turn) * y, 0.0]
    )


def _deflection(beam: Beam, q: Floats) -> Floats:
    """Deflection of end j from the tangent at end i if end j is free, else of the middle from the line through both ends."""
    share = 1.0 if beam.ends == "clamped-free" else 0.5
    return np.asarray(q[:, : beam.modes] @ transverse(beam.ends, beam.modes, np.array([share]))[0])
