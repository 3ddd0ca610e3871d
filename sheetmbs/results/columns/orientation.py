"""Orientations over time as continuous curves."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements.rotation import dot_of, euler_of_angles, matrix_of

Floats = NDArray[np.float64]

# The two triples of an orientation are sqrt(2) pi apart or more, so one that is nearer than half of that to the row before is
# the nearer one; squared.
FAR = 0.5 * np.pi**2
SMOOTH = 1.2  # rad from row to row: three angles that change by less are nearer than FAR, and make no turn
POLE = 1e-9  # cosine of a pitch below which yaw and roll turn about one line


def continuous(euler: Floats) -> Floats:
    """Euler parameters (n, ..., 4) of the same orientations, with signs that do not jump from row to row."""
    if len(euler) < 2:
        return euler
    jumps = dot_of(euler[1:], euler[:-1]) < 0.0
    if not np.any(jumps):
        return euler
    signs = np.where(np.cumsum(jumps, axis=0) % 2 == 1, -1.0, 1.0)
    return np.asarray(euler * np.concatenate((np.ones_like(signs[:1]), signs))[..., None])


def yaw_pitch_roll(turns: Floats, initial: Floats) -> Floats:
    """(n, ..., 3) angles about z, then y', then x'', of rotation matrices (n, ..., 3, 3), without jumps; rad.

    initial: (..., 3) angles of the initial configurations, from which the curves begin: an orientation has two triples of such
    angles, (yaw, pitch, roll) and (yaw + pi, pi - pitch, roll + pi), and all their turns. At each row the triple counts that is
    nearer to the one before, so that a wheel's pitch counts on past 90 degrees and past a turn.
    """
    if not turns.size:
        return np.zeros(turns.shape[:-1])
    first = np.array([matrix_of(euler_of_angles(*angles)) for angles in initial.reshape(-1, 3)])
    angles = _principal(np.concatenate((first.reshape(1, *turns.shape[1:]), turns)), initial[..., 0])
    other = _other(angles[:1])
    begin = _apart(other, initial[None]) < _apart(angles[:1], initial[None])
    chosen = np.concatenate((initial[None], angles))
    if not np.any(begin) and np.max(np.abs(chosen[1:] - chosen[:-1])) < SMOOTH:
        return angles[1:]
    other = np.concatenate((other, _other(angles[1:])))
    step = _apart(angles[1:], angles[:-1])
    changes = step >= FAR
    if np.any(changes):
        changes &= _apart(angles[1:], other[:-1]) < step
    if np.any(begin) or np.any(changes):
        use_other = np.cumsum(np.concatenate((begin, changes)), axis=0) % 2 == 1
        chosen[1:] = np.where(use_other[..., None], other, angles)
    if np.max(np.abs(chosen[1:] - chosen[:-1])) < np.pi:
        return chosen[2:]
    return np.asarray(np.unwrap(chosen, axis=0)[2:])


def _other(angles: Floats) -> Floats:
    """(..., 3) the other triples of the same orientations."""
    return np.stack((angles[..., 0] + np.pi, np.pi - angles[..., 1], angles[..., 2] + np.pi), axis=-1)


def _principal(turns: Floats, yaw: Floats) -> Floats:
    """(n, ..., 3) with a pitch in [-pi/2, pi/2]; where that is a right angle the yaw of the row before, or ``yaw``, goes on."""
    cosine = np.hypot(turns[..., 0, 0], turns[..., 1, 0])
    pitch = np.arctan2(-turns[..., 2, 0], cosine)
    yaws = np.arctan2(turns[..., 1, 0], turns[..., 0, 0])
    rolls = np.arctan2(turns[..., 2, 1], turns[..., 2, 2])
    known = cosine > POLE
    if not np.all(known):
        number = np.arange(len(turns)).reshape(-1, *(1,) * (known.ndim - 1))
        last_known = np.maximum.accumulate(np.where(known, number, -1), axis=0)
        before = np.take_along_axis(yaws, np.maximum(last_known, 0), axis=0)
        yaws = np.where(known, yaws, np.where(last_known >= 0, before, yaw))
        up = np.sign(pitch)
        together = np.arctan2(up * turns[..., 0, 1], turns[..., 1, 1])
        rolls = np.where(known, rolls, together + up * yaws)
    return np.stack((yaws, pitch, rolls), axis=-1)


def _apart(one: Floats, two: Floats) -> Floats:
    """(...) how far triples of angles are apart, whole turns aside."""
    difference = one - two
    squares = (difference - 2 * np.pi * np.round(difference / (2 * np.pi))) ** 2
    return np.asarray(squares[..., 0] + squares[..., 1] + squares[..., 2])  # see `dot_of`
