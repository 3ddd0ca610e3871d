"""Segments in space: each follows its cluster of markers, with axes and ends as they stood in the standing trial.

Poses are least squares by singular values, every frame by itself. With centroids taken off and
H = sum w (marker) (local)^T = U S V^T, the rotation is R = U diag(1, 1, det(U V^T)) V^T (Kabsch 1976; Soederkvist and Wedin
1993).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.body.body_segments import BodySegment, Derivatives, Points
from sheetmbs.gait.kinematics.rotations import anatomical_axes, turning
from sheetmbs.gait.kinetics.joint_loads import SpatialMotion
from sheetmbs.gait.trial.gait_book import FrameRow

MIN_CLUSTER_MARKERS = 3
"""markers of a pose in space"""
MIN_CLUSTER_FLATNESS = 1e-3
"""of the widest extent of a cluster, below which its second one counts as none: markers on a line"""
LONGITUDINAL_GYRATION = {"foot": 0.50, "shank": 0.39, "thigh": 0.45, "hat": 0.55}
"""longitudinal by transverse radius of gyration, mean of men and women (de Leva 1996, table 4; hat: of the whole trunk)"""


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
    known = (np.sum(weight > 0.0, axis=0) >= MIN_CLUSTER_MARKERS) & (
        spread[:, 1] > MIN_CLUSTER_FLATNESS**2 * spread[:, 2]
    )
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


@dataclass(frozen=True)
class SegmentsInSpace:
    """segments: by name. residuals: by segment, (n,) rms in m of its markers from where its pose has them."""

    segments: Mapping[str, SpatialMotion]
    residuals: Mapping[str, Vector]


def follow_clusters(
    points: Points,
    standing: Points,
    segments: Sequence[BodySegment],
    frames: Sequence[FrameRow],
    derivatives: Derivatives,
) -> SegmentsInSpace:
    """The motion of segments in space.

    points: (n, 3) of the trial, standing: (k, 3) of the standing one, both in x forward, y up, z to the right.
    Raises ValueError where the points of an anatomical frame lie on one line.
    """
    still = {name: _mean(each) for name, each in standing.items()}
    axes = {
        row.segment: anatomical_axes(still[row.ends[0]], still[row.ends[1]], still[row.plane], row.order)
        for row in frames
    }
    motions, residuals = {}, {}
    for segment in segments:
        row = segment.row
        cluster = np.stack([still[name] for name in row.markers])
        middle = np.mean(cluster, axis=0)
        weights = np.array(row.weights) if row.weights else None
        poses = cluster_poses(cluster - middle, np.stack([points[name] for name in row.markers]), weights)
        proximal, distal = (poses.place(still[name] - middle) for name in (row.proximal, row.distal))
        com = proximal + segment.mass.com * (distal - proximal)
        first, second = derivatives(com.T)
        rotation = poses.rotation @ axes[row.name]
        omega, alpha = turning(rotation, derivatives)
        motions[row.name] = SpatialMotion(
            row.name,
            row.parent,
            segment.mass.mass,
            _inertia(segment, axes[row.name].T @ (still[row.proximal] - still[row.distal])),
            com,
            first.T,
            second.T,
            rotation,
            omega,
            alpha,
            proximal,
        )
        residuals[row.name] = poses.residual
    return SegmentsInSpace(motions, residuals)


def _mean(course: Vector) -> Vector:
    """(3,) of a point that stands, NaN where it is never seen."""
    seen = course[np.all(np.isfinite(course), axis=1)]
    return np.mean(seen, axis=0) if len(seen) else np.full(3, np.nan)


def _inertia(segment: BodySegment, along: Vector) -> Vector:
    """(3, 3) in axes of the segment: the planar inertia across its line, less about the line itself. along: (3,) that line."""
    unit = along / np.linalg.norm(along)
    ratio = LONGITUDINAL_GYRATION.get(segment.row.table or "", 1.0) ** 2
    return segment.inertia * (np.eye(3) - (1.0 - ratio) * np.outer(unit, unit))
