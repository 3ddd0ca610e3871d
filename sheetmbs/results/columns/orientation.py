"""Orientations over time as continuous curves."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements.rotation import euler_of_angles, matrix_of

Floats = NDArray[np.float64]

# The two triples of an orientation are sqrt(2) pi apart or more, so one that is nearer than half of that to the row before is
# the nearer one; squared.
FAR = 0.5 * np.pi**2
POLE = 1e-9  # cosine of a pitch below which yaw and roll turn about one line


def continuous(euler: Floats) -> Floats:
    """Euler parameters (n, 4) of the same orientations, with signs that do not jump from row to row."""
    if len(euler) < 2:
        return euler
    jumps = np.sum(euler[1:] * euler[:-1], axis=1) < 0.0
    signs = np.concatenate(([1.0], np.where(np.cumsum(jumps) % 2 == 1, -1.0, 1.0)))
    return np.asarray(euler * signs[:, None])


def yaw_pitch_roll(turns: Floats, initial: Floats) -> Floats:
    """(n, 3) angles about z, then y', then x'', of rotation matrices (n, 3, 3), without jumps; rad.

    initial: (3,) angles of the initial configuration, from which the curves begin: an orientation has two triples of such
    angles, (yaw, pitch, roll) and (yaw + pi, pi - pitch, roll + pi), and all their turns. At each row the triple counts that is
    nearer to the one before, so that a wheel's pitch counts on past 90 degrees and past a turn.
    """
    if not len(turns):
        return np.zeros((0, 3))
    first = matrix_of(euler_of_angles(*initial))
    angles = _principal(np.concatenate((first[None], turns)), float(initial[0]))
    other = np.stack((angles[:, 0] + np.pi, np.pi - angles[:, 1], angles[:, 2] + np.pi), axis=1)
    step = _apart(angles[1:], angles[:-1])
    changes = np.zeros(len(turns), dtype=np.bool_)
    if np.max(step) >= FAR:
        changes = _apart(angles[1:], other[:-1]) < step
    begin = int(_apart(other[:1], initial[None])[0] < _apart(angles[:1], initial[None])[0])
    if begin or np.any(changes):
        use_other = (begin + np.concatenate(([0], np.cumsum(changes)))) % 2 == 1
        angles = np.where(use_other[:, None], other, angles)
    chosen = np.unwrap(np.concatenate((initial[None], angles)), axis=0)
    return np.asarray(chosen[2:])


def _principal(turns: Floats, yaw: float) -> Floats:
    """(n, 3) with a pitch in [-pi/2, pi/2]; where that is a right angle the yaw of the row before, or ``yaw``, goes on."""
    cosine = np.hypot(turns[:, 0, 0], turns[:, 1, 0])
    pitch = np.arctan2(-turns[:, 2, 0], cosine)
    yaws = np.arctan2(turns[:, 1, 0], turns[:, 0, 0])
    rolls = np.arctan2(turns[:, 2, 1], turns[:, 2, 2])
    known = cosine > POLE
    last_known = np.maximum.accumulate(np.where(known, np.arange(len(turns)), -1))
    yaws = np.where(known, yaws, np.where(last_known >= 0, yaws[last_known], yaw))
    up = np.sign(pitch)
    together = np.arctan2(up * turns[:, 0, 1], turns[:, 1, 1])
    return np.stack((yaws, pitch, np.where(known, rolls, together + up * yaws)), axis=1)


def _apart(one: Floats, two: Floats) -> Floats:
    """(n,) how far triples of angles are apart, whole turns aside."""
    difference = one - two
    return np.asarray(np.sum((difference - 2 * np.pi * np.round(difference / (2 * np.pi))) ** 2, axis=1))
