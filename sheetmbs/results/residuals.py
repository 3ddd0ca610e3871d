"""Signed violations of single constraint equations, in the order and with the signs in which MUBODYNA prints them."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.solution import Solution
from sheetmbs.elements.marker import GROUND
from sheetmbs.engine.codes import RowKind
from sheetmbs.engine.newton import DOGLEG, solve_positions
from sheetmbs.lower import Lowered, System
from sheetmbs.lower.constraints import Constraint
from sheetmbs.lower.system import SIDES
from sheetmbs.model import Joint

Floats = NDArray[np.float64]
TURNING = (RowKind.PERPENDICULAR, RowKind.ANGLE, RowKind.TURN)


def violations(lowered: Lowered, solution: Solution, elements: list[Constraint]) -> tuple[Floats, Floats]:
    """(times, equations) of positions and of velocities, element by element, displacements before angles; planar models."""
    places, signs = _equations(lowered, elements)
    positions, velocities = _all_rows(lowered, solution)
    return positions[:, places] * signs, velocities[:, places] * signs


def _all_rows(lowered: Lowered, solution: Solution) -> tuple[Floats, Floats]:
    """(times, rows of the model) Phi and J v - nu."""
    system = lowered.arrange()
    arrays, work = system.arrays, system.work
    rows, columns, entries = _entries(system)
    shape = len(solution.times), len(system.kept)
    positions, velocities = np.zeros(shape), np.zeros(shape)
    for n, t in enumerate(solution.times):
        solve_positions(arrays, work, t, solution.q[n].copy(), np.inf, DOGLEG)  # evaluates them, and moves nothing
        u = solution.v[n] / arrays.scale
        moving = np.bincount(rows, work.jacobian[entries] * u[columns], shape[1])
        positions[n, system.kept] = work.phi
        velocities[n, system.kept] = moving - work.motion[arrays.row.motion, 1]
    return positions, velocities


def _entries(system: System) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
    """Row, velocity coordinate and place in the scratch of every entry of the Jacobian."""
    bodies, found = system.arrays.body, []
    for number, row in enumerate(system.arrays.row):
        for side in SIDES:
            body = bodies[row[f"body_{side}"]]
            found += [(number, int(body.v) + k, int(row[f"entry_{side}"]) + k) for k in range(int(body.nv))]
    rows, columns, entries = np.array(found, dtype=np.int64).reshape(-1, 3).T
    return rows, columns, entries


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
    """What turns a row of ours into body i minus body j, for a body on the ground into body minus ground.

    Our rows count body j against body i. Those of two perpendicular axes are sines of an angle that counts the other way round,
    those of a slide depend on the side on which its normal lies.
    """
    rows = lowered.constraints.rows
    is_turning = rows.kind[row] == RowKind.PERPENDICULAR
    if joint.type == "translational":
        normal = next(rows[each] for each in own if rows.kind[each] == RowKind.IN_PLANE)
        axis = joint.i.axes[:, 2]
        side = float(np.sign(axis[0] * normal.ay - axis[1] * normal.ax))
        return side if is_turning else -side
    if joint.type == "fixed":
        towards = 1.0 if joint.i.body == GROUND else -1.0
        return -towards if is_turning else towards
    return -1.0 if joint.type == "revolute" else 1.0
