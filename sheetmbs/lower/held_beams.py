"""Beams that joints hold along their lines, so that they could not bend if they shortened.

A beam without EA keeps the length of its line. If joints hold both its ends in place, it could not bend at all then: a row that
is redundant while the beam is straight would keep it straight. By the linear theory it bends, for its points move across a line
only. So a beam keeps to that theory where a state of self-stress, multipliers of redundant rows, puts an axial force on it.
With EA its axial force is known, and it stretches and stiffens as it should.
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
LENGTHENED, MOTIONS = 0.01, 4
"""Share of what shortening does to the rows that the linear theory may do to them, and in how many random motions."""


def without_shortening(lowered: Lowered) -> Lowered:
    """The same model, beams by the linear theory where a state of self-stress of the constraints puts an axial force on them.

    Their points move across the lines of their frames, as those of all beams do. Where that lengthens what the joints hold, as
    it does between two pins if the frame is the tangent at one of them, they move across the lines through the ends.
    """
    names = [name for name, beam in lowered.bodies.beams.items() if beam.beam.axial_stiffness is None]
    if not names or not len(lowered.constraints.rows):
        return lowered
    q, forces = _self_stress(lowered)
    if not len(forces):
        return lowered
    held = _held(lowered, names, q, forces)
    if not held:
        return lowered
    linear = lowered.with_linear_beams(held, along_chord=False)
    if _lengthening(linear, q, forces) > LENGTHENED * _lengthening(lowered, q, forces):
        return lowered.with_linear_beams(held, along_chord=True)
    return linear


def _held(lowered: Lowered, names: list[str], q: Floats, forces: Floats) -> tuple[str, ...]:
    """Names of the beams on which multipliers (states, rows) that balance put an axial force."""
    numbers = [lowered.bodies.records[lowered.bodies.names[name]] for name in names]
    bent, rng = q.copy(), np.random.default_rng(1)
    for record in numbers:
        bent[record.q + 3 : record.q + record.nq] = BENT * lowered.bodies.length * rng.normal(size=record.nq - 3)
    linear = lowered.with_linear_beams(names, along_chord=True)
    change = _jacobian(lowered, bent)[0] - _jacobian(linear, bent)[0]
    carried, least = np.abs(forces @ change), CARRIED * float(np.max(np.abs(change)))
    return tuple(
        name
        for name, record in zip(names, numbers, strict=True)
        if np.max(carried[:, record.v + 3 : record.v + record.nv]) > least
    )


def _lengthening(lowered: Lowered, q: Floats, forces: Floats) -> float:
    """How much rows that balance are violated to second order by motions that rows allow to first order."""
    system = lowered.measuring
    jacobian, lengths = _jacobian(lowered, q)
    _, sizes, right = np.linalg.svd(jacobian / lengths[:, None], full_matrices=True)
    allowed = right[int(np.sum(sizes > RANK_TOLERANCE)) :]
    found = [0.0]
    for motion in np.random.default_rng(3).normal(size=(MOTIONS, len(allowed))) @ allowed:
        step = BENT * lowered.bodies.length * motion * system.arrays.scale
        ahead, behind = (_jacobian(lowered, lowered.moved(q, sign * step))[0] for sign in (1.0, -1.0))
        found.append(float(np.max(np.abs(forces @ (ahead - behind) @ motion))))
    return max(found)


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
    """(states, rows) multipliers that leave all bodies in balance at a configuration (nq,); none where rows have no value."""
    jacobian, lengths = _jacobian(lowered, q)
    if not np.all(np.isfinite(jacobian)):
        return np.zeros((0, len(lengths)))
    left, sizes, _ = np.linalg.svd(jacobian / lengths[:, None], full_matrices=True)
    return np.asarray(left.T[int(np.sum(sizes > RANK_TOLERANCE)) :] / lengths)


def _jacobian(lowered: Lowered, q: Floats) -> tuple[Floats, Floats]:
    """(rows, nv) rows at a configuration (nq,), and the length (rows,) of each."""
    system = lowered.measuring
    solve_positions(system.arrays, system.work, lowered.model.settings.t_start, q.copy(), np.inf, DOGLEG)
    found = system.jacobian()
    return found.dense(), found.row_lengths()
