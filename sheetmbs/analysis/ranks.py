"""Ranks and null spaces of Jacobians without units: lengths over the characteristic one, rows of unit length."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheetmbs.engine.newton import DOGLEG, solve_positions
from sheetmbs.lower import System

Floats = NDArray[np.float64]

RANK_TOLERANCE = 1e-6  # of a singular value: hardpoints are typed to five digits or more
SHARE = 1e-4  # of a null vector's largest entry: what takes part


@dataclass(frozen=True)
class Split:
    """A matrix (rows, n), its rank, and orthonormal bases of what it allows and of what its rows say twice.

    motions: (n - rank, n). dependencies: (rows - rank, rows).
    """

    matrix: Floats
    rank: int
    motions: Floats
    dependencies: Floats


def split(matrix: Floats) -> Split:
    """Rank and null spaces of a matrix (rows, n)."""
    rows, columns = matrix.shape
    if not rows or not columns:
        return Split(matrix, 0, np.eye(columns), np.eye(rows))
    left, sizes, right = np.linalg.svd(matrix, full_matrices=True)
    rank = int(np.sum(sizes > RANK_TOLERANCE))
    return Split(matrix, rank, right[rank:], left.T[rank:])


def unit_jacobian(system: System, q: Floats, t: float) -> Floats:
    """(rows, nv) in the system's weights, rows of unit length, in the order of the system; at a configuration q (nq,)."""
    solve_positions(system.arrays, system.work, t, q.copy(), np.inf, DOGLEG)
    matrix = system.jacobian()
    size = np.linalg.norm(matrix, axis=1, keepdims=True)
    return np.asarray(matrix / np.where(size > 0.0, size, 1.0))


def taking_part(vectors: Floats) -> NDArray[np.bool_]:
    """Which entries some vector of a space reaches; independent of the basis."""
    size = np.linalg.norm(vectors, axis=0)
    return np.asarray(size > SHARE * max(float(np.max(size, initial=0.0)), 1e-300))


def independent_rows(matrix: Floats, rank: int) -> NDArray[np.int64]:
    """Rows of a well-conditioned basis of the row space: Gram-Schmidt, always taking the row that sticks out most."""
    rest = matrix.copy()
    chosen = np.zeros(rank, dtype=np.int64)
    for k in range(rank):
        sizes = np.linalg.norm(rest, axis=1)
        chosen[k] = np.argmax(sizes)
        direction = rest[chosen[k]] / sizes[chosen[k]]
        rest -= np.outer(rest @ direction, direction)
    return np.sort(chosen)
