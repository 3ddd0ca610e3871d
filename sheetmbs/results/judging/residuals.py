"""Signed violations of single constraint equations, in the order and with the signs in which MUBODYNA prints them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.solution import Solution
from sheetmbs.elements.joints.fixed import FIXED
from sheetmbs.elements.joints.revolute import REVOLUTE
from sheetmbs.elements.joints.translational import TRANSLATIONAL
from sheetmbs.elements.marker import GROUND
from sheetmbs.engine.algebra.newton import DOGLEG, solve_positions
from sheetmbs.engine.codes import RowKind
from sheetmbs.lower import Lowered
from sheetmbs.lower.lower_constraints import Constraint
from sheetmbs.model.model import Joint

Floats = NDArray[np.float64]
TURNING = (RowKind.PERPENDICULAR, RowKind.ANGLE, RowKind.TURN, RowKind.AZIMUTH)


def violations(lowered: Lowered, solution: Solution, elements: list[Constraint]) -> tuple[Floats, Floats]:
    """(times, equations) of positions and of velocities, element by element, displacements before angles; planar models."""
    places, signs = _equations(lowered, elements)
    positions, velocities = _all_rows(lowered, solution)
    return positions[:, places] * signs, velocities[:, places] * signs


def _all_rows(lowered: Lowered, solution: Solution) -> tuple[Floats, Floats]:
    """(times, rows of the model) Phi and J v - nu."""
    system = lowered.arrange()
    arrays, work = system.arrays, system.work
    shape = len(solution.times), len(system.kept)
    positions, velocities = np.zeros(shape), np.zeros(shape)
    for n, t in enumerate(solution.read_times):
        solve_positions(arrays, work, t, solution.q[n].copy(), np.inf, DOGLEG)  # evaluates them, and moves nothing
        positions[n, system.kept] = work.phi
        moving = system.jacobian().times(solution.v[n] / arrays.scale)
        velocities[n, system.kept] = moving - work.motion[arrays.row.motion, 1]
    return positions, velocities


def _equations(lowered: Lowered, elements: list[Constraint]) -> tuple[NDArray[np.int64], Floats]:
    """Number of the row, and its sign, of every equation."""
    joints = {joint.name: joint for joint in lowered.model.joints}
    places: list[int] = []
    signs: list[float] = []
    for element in elements:
        own = range(element.first, element.first + element.count)
        kinds = lowered.constraints.rows.kind
        for row in sorted(own, key=lambda row: (kinds[row] in TURNING, row)):
            places.append(row)
            signs.append(_sign(lowered, joints[element.name], own, row) if element.what == "joint" else 1.0)
    return np.array(places, dtype=np.int64), np.array(signs)


def _sign(lowered: Lowered, joint: Joint, own: range, row: int) -> float:
    """The sign that turns one of our rows into body i minus body j, or into body minus ground.

    Our rows count body j against body i. Those of two perpendicular axes are sines of an angle that counts the other way round,
    those of a slide depend on the side on which its normal lies.
    """
    rows = lowered.constraints.rows
    is_turning = rows.kind[row] == RowKind.PERPENDICULAR
    if joint.type == TRANSLATIONAL.name:
        normal = next(rows[each] for each in own if rows.kind[each] == RowKind.IN_PLANE)
        axis = joint.i.axes[:, 2]
        side = float(np.sign(axis[0] * normal.ay - axis[1] * normal.ax))
        return side if is_turning else -side
    if joint.type == FIXED.name:
        towards = 1.0 if joint.i.body == GROUND else -1.0
        return -towards if is_turning else towards
    return -1.0 if joint.type == REVOLUTE.name else 1.0
