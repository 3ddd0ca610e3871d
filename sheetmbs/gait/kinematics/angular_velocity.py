"""Angular velocity and acceleration of a measured rotation, from quaternions without jumps of sign.

With p = q/|q|, |q| = 1 at the frames: omega = 2 vec(q' q*), alpha = 2 vec(q'' q*) - 2 (q . q') omega, global.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.spatial.transform import Rotation

from sheetmbs.gait.body.body_segments import Derivatives

Vector = NDArray[np.float64]


def quaternions(rotation: Vector) -> Vector:
    """(n, 4) with the scalar last, of rotation matrices (n, 3, 3); each next to the one before. NaN stays so."""
    known = np.flatnonzero(np.all(np.isfinite(rotation), axis=(1, 2)))
    found = np.full((len(rotation), 4), np.nan)
    if len(known):
        own = Rotation.from_matrix(rotation[known]).as_quat()
        turns = np.where(np.sum(own[1:] * own[:-1], axis=1) < 0.0, -1.0, 1.0)
        found[known] = own * np.concatenate(([1.0], np.cumprod(turns)))[:, None]
    return found


def turning(rotation: Vector, derivatives: Derivatives) -> tuple[Vector, Vector]:
    """(n, 3) angular velocity and acceleration, global, of a rotation (n, 3, 3).

    derivatives: of courses (4, n), as of all others of the trial.
    """
    q = quaternions(rotation)
    first, second = (each.T for each in derivatives(q.T))
    omega = 2.0 * _vector_of_product(first, q)
    stretch = np.sum(q * first, axis=1, keepdims=True)
    return omega, 2.0 * _vector_of_product(second, q) - 2.0 * stretch * omega


def _vector_of_product(a: Vector, b: Vector) -> Vector:
    """(n, 3) vector part of a b*."""
    return np.asarray(-a[:, 3:] * b[:, :3] + b[:, 3:] * a[:, :3] - np.cross(a[:, :3], b[:, :3]))
