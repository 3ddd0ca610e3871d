"""Poses of a rigid segment from three or more markers on it: least squares by singular values, every frame by itself.

With centroids taken off and H = sum w (marker) (local)^T = U S V^T, the rotation is R = U diag(1, 1, det(U V^T)) V^T
(Kabsch 1976; Soederkvist and Wedin 1993).
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

MIN_CLUSTER_MARKERS = 3
"""markers of a pose in space"""
FLAT = 1e-3
"""of the widest extent of a cluster, below which its second one counts as none: markers on a line"""


@dataclass(frozen=True, eq=False)
class ClusterPoses:
    """rotation: (n, 3, 3) and origin: (n, 3) of the local axes. residual: (n,) rms in m of the markers seen, NaN unknown."""

    rotation: Vector
    origin: Vector
    residual: Vector

    def place(self, local: Vector) -> Vector:
        """(n, 3) of a point (3,) fixed in the local axes."""
        return np.asarray(self.origin + self.rotation @ local)


def cluster_poses(local: Vector, markers: Vector, weights: Vector | None = None) -> ClusterPoses:
    """Poses in which markers lie nearest to where the segment has them; NaN with fewer than three, or three on a line.

    local: (m, 3) in m in axes of the segment. markers: (m, n, 3), NaN is missing. weights: (m,), default 1.
    """
    seen = np.all(np.isfinite(markers), axis=2)
    weight = (np.ones(len(local)) if weights is None else weights)[:, None] * seen
    total = np.sum(weight, axis=0)
    share = weight / np.where(total > 0.0, total, 1.0)
    there = np.where(seen[..., None], markers, 0.0)
    middle, own_middle = np.einsum("mn,mnk->nk", share, there), share.T @ local
    own = local[:, None] - own_middle
    away = there - middle
    crossed = np.einsum("mn,mni,mnj->nij", share, away, own)
    spread = np.linalg.eigvalsh(np.einsum("mn,mni,mnj->nij", share, own, own))
    known = (np.sum(weight > 0.0, axis=0) >= MIN_CLUSTER_MARKERS) & (spread[:, 1] > FLAT**2 * spread[:, 2])
    left, _, right = np.linalg.svd(crossed)
    left[:, :, 2] *= np.linalg.det(left @ right)[:, None]
    rotation = np.where(known[:, None, None], left @ right, np.nan)
    origin = middle - np.einsum("nij,nj->ni", rotation, own_middle)
    missed = away - np.einsum("nij,mnj->mni", rotation, own)
    return ClusterPoses(rotation, origin, np.sqrt(np.einsum("mn,mnk->n", share, missed**2)))


def left_out(local: Vector, markers: Vector, weights: Vector | None = None) -> Vector:
    """(m, n) distance in m of each marker from where all others of its cluster place it; NaN where they do not."""
    found = np.full(markers.shape[:2], np.nan)
    for m in range(len(local)):
        others = np.arange(len(local)) != m
        poses = cluster_poses(local[others], markers[others], None if weights is None else weights[others])
        found[m] = np.linalg.norm(markers[m] - poses.place(local[m]), axis=1)
    return found
