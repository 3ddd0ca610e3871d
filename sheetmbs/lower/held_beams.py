"""Beams that joints hold along their lines, so that they could not bend if they shortened.

A beam without EA keeps the length of its line. If joints hold both its ends in place, it could not bend at all then: a row that is
redundant while the beam is straight would keep it straight. By the linear theory it bends, for its points move across the line
through its ends only. So a beam keeps to that theory where a state of self-stress, multipliers of redundant rows, puts an axial
force on it. With EA its axial force is known, and it stretches and stiffens as it should.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sheetmbs.engine.algebra.newton import DOGLEG, solve_positions
from sheetmbs.lower.system import Lowered

Floats = NDArray[np.float64]

RANK_TOLERANCE = 1e-6
"""Of a singular value of rows of unit length: what is less counts as 0, as where structure is found."""
EXCURSION = 0.05
"""Of the characteristic length, or rad: how far the configuration lies at which a singular start is told from redundancy."""
BENT = 1e-3
"""Of the characteristic length: by how much the shapes of the beams are moved to see what shortening does to the rows."""
CARRIED = 1e-4
"""Of the largest change of a row: a state of self-stress that changes less carries no axial force."""


def held_beams(lowered: Lowered) -> tuple[str, ...]:
    """Names of the beams without EA on which a state of self-stress of the constraints puts an axial force."""
    names = [name for name, beam in lowered.bodies.beams.items() if beam.beam.axial_stiffness is None]
    if not names or not len(lowered.constraints.rows):
        return ()
    q, forces = _self_stress(lowered)
    if not len(forces):
        return ()
    numbers = [lowered.bodies.records[lowered.bodies.names[name]] for name in names]
    rng = np.random.default_rng(1)
    for record in numbers:
        q[record.q + 3 : record.q + record.nq] = BENT * lowered.bodies.length * rng.normal(size=record.nq - 3)
    change = _jacobian(lowered, q)[0] - _jacobian(lowered.with_linear_beams(names), q)[0]
    carried, least = np.abs(forces @ change), CARRIED * float(np.max(np.abs(change)))
    return tuple(
        name
        for name, record in zip(names, numbers, strict=True)
        if np.max(carried[:, record.v + 3 : record.v + record.nv]) > least
    )


def _self_stress(lowered: Lowered) -> tuple[Floats, Floats]:
    """A configuration (nq,) with straight beams, and the multipliers (states, rows) that balance there and nearby."""
    rigid, t = lowered.unbent(), lowered.model.settings.t_start
    system = rigid.measuring
    q = rigid.bodies.q.copy()
    solve_positions(system.arrays, system.work, t, q, rigid.model.settings.tolerance, DOGLEG)
    forces = _balancing(lowered, q)
    if not len(forces):
        return q, forces
    jacobian, lengths = _jacobian(rigid, q)
    _, sizes, right = np.linalg.svd(jacobian / lengths[:, None], full_matrices=True)
    motions = right[int(np.sum(sizes > RANK_TOLERANCE)) :]
    step = np.random.default_rng(2).normal(size=len(motions)) @ motions * system.arrays.scale
    for name in rigid.bodies.beams:  # which stay straight
        record = rigid.bodies.records[rigid.bodies.names[name]]
        step[record.v + 3 : record.v + record.nv] = 0.0
    size = np.where(rigid.bodies.velocity_class == 1, 1.0, rigid.bodies.length)
    longest = float(np.max(np.abs(step / size), initial=0.0))
    if longest > 0.0:
        near = rigid.moved(q, step * (EXCURSION / longest))
        if solve_positions(system.arrays, system.work, t, near, 1e-8 * rigid.bodies.length, DOGLEG) == 0:
            there = _balancing(lowered, near)
            if len(there) < len(forces):
                return near, there
    return q, forces


def _balancing(lowered: Lowered, q: Floats) -> Floats:
    """(states, rows) multipliers that leave all bodies in balance at a configuration (nq,)."""
    jacobian, lengths = _jacobian(lowered, q)
    left, sizes, _ = np.linalg.svd(jacobian / lengths[:, None], full_matrices=True)
    return np.asarray(left.T[int(np.sum(sizes > RANK_TOLERANCE)) :] / lengths)


def _jacobian(lowered: Lowered, q: Floats) -> tuple[Floats, Floats]:
    """(rows, nv) rows at a configuration (nq,), and the length (rows,) of each."""
    system = lowered.measuring
    solve_positions(system.arrays, system.work, lowered.model.settings.t_start, q.copy(), np.inf, DOGLEG)
    found = system.jacobian()
    return found.dense(), found.row_lengths()
