"""Segments in space: each follows its cluster of markers, with axes and ends as they stood in the standing trial.

Poses are least squares by singular values, every frame by itself. With centroids taken off and
H = sum w (marker) (local)^T = U S V^T, the rotation is R = U diag(1, 1, det(U V^T)) V^T (Kabsch 1976; Soederkvist and Wedin
1993).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.body.body_segments import BodySegment, Derivatives, Points
from sheetmbs.gait.kinematics.rotations import anatomical_axes, turning
from sheetmbs.gait.kinetics.joint_loads import SpatialMotion
from sheetmbs.gait.trial.gait_book import FrameRow

MIN_CLUSTER_MARKERS = 3
"""markers of a pose in space"""
MIN_CLUSTER_FLATNESS = 1e-3
"""least second extent of a cluster over its widest one: markers with less lie on a line"""
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

    local: (m, 3) in m in axes of the segment, or (m, n, 3) where each frame has its own. markers: (m, n, 3), NaN is missing.
    weights: (m,), default 1.
    """
    seen = np.all(np.isfinite(markers), axis=2)
    weight = (np.ones(len(local)) if weights is None else weights)[:, None] * seen
    total = np.sum(weight, axis=0)
    share = weight / np.where(total > 0.0, total, 1.0)
    there = np.where(seen[..., None], markers, 0.0)
    each = local if local.ndim == markers.ndim else local[:, None]
    middle, own_middle = np.einsum("mn,mnk->nk", share, there), np.sum(share[..., None] * each, axis=0)
    own = each - own_middle
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
    """segments: by name. residuals: by segment, (n,) rms in m of its markers from where its pose has them.

    massless: bodies that only show angles, such as a pelvis. axes: (n, 3, 3) of whatever else has some.
    errors: (n,) distance in m of each marker from where joined segments have it.
    """

    segments: Mapping[str, SpatialMotion]
    residuals: Mapping[str, Vector]
    massless: Mapping[str, SpatialMotion] = field(default_factory=dict)
    axes: Mapping[str, Vector] = field(default_factory=dict)
    errors: Mapping[str, Vector] = field(default_factory=dict)

    def body(self, name: str) -> SpatialMotion | None:
        """A segment, or a body without a mass; None where there is no such one, as of the ground."""
        return self.segments.get(name, self.massless.get(name))


@dataclass(frozen=True, eq=False)
class FollowedBefore:
    """What segments were made of before, and what came of it."""

    points: Points
    standing: Points
    segments: Sequence[BodySegment]
    found: SegmentsInSpace

    def same(self, points: Points, standing: Points, segment: BodySegment, frame: FrameRow) -> bool:
        """Whether a segment is made of the same again."""
        row = segment.row
        still = {*row.markers, row.proximal, row.distal, *frame.ends, frame.plane}
        return (
            segment in self.segments
            and all(_is_same(points[name], self.points[name]) for name in row.markers)
            and all(_is_same(standing[name], self.standing[name]) for name in still)
        )


def _is_same(one: Vector, other: Vector) -> bool:
    return one is other or np.array_equal(one, other, equal_nan=True)


def follow_clusters(
    points: Points,
    standing: Points,
    segments: Sequence[BodySegment],
    frames: Sequence[FrameRow],
    derivatives: Derivatives,
    before: FollowedBefore | None = None,
) -> SegmentsInSpace:
    """The motion of segments in space.

    points: (n, 3) of the trial, standing: (k, 3) of the standing one, both in x forward, y up, z to the right.
    before: segments that were followed, of which those are taken over that are made of the same.
    Raises ValueError where the points of an anatomical frame lie on one line.
    """
    motions, residuals = {}, {}
    frame_of = {row.segment: row for row in frames}
    for segment in segments:
        row = segment.row
        if before is not None and before.same(points, standing, segment, frame_of[row.name]):
            motions[row.name], residuals[row.name] = before.found.segments[row.name], before.found.residuals[row.name]
            continue
        axes = standing_axes(standing, [frame_of[row.name]])
        still = {name: _mean(standing[name]) for name in (*row.markers, row.proximal, row.distal)}
        cluster = np.stack([still[name] for name in row.markers])
        middle = np.mean(cluster, axis=0)
        weights = np.array(row.weights) if row.weights else None
        poses = cluster_poses(cluster - middle, np.stack([points[name] for name in row.markers]), weights)
        proximal, distal = (poses.place(still[name] - middle) for name in (row.proximal, row.distal))
        along = axes[row.name].T @ (still[row.proximal] - still[row.distal])
        motions[row.name] = _moving(segment, proximal, distal, poses.rotation @ axes[row.name], along, derivatives)
        residuals[row.name] = poses.residual
    return SegmentsInSpace(motions, residuals)


def follow_standing_clusters(
    points: Points,
    still: Points,
    segments: Sequence[BodySegment],
    frames: Sequence[FrameRow],
    derivatives: Derivatives,
) -> SegmentsInSpace:
    """The motion of segments that stood elsewhere for each frame. points, still: (n, 3). Inertias are not told apart."""
    motions, residuals = {}, {}
    frame_of = {row.segment: row for row in frames}
    for segment in segments:
        row, frame = segment.row, frame_of[segment.row.name]
        axes = anatomical_axes(still[frame.ends[0]], still[frame.ends[1]], still[frame.plane], frame.order)
        cluster = np.stack([still[name] for name in row.markers])
        middle = np.mean(cluster, axis=0)
        weights = np.array(row.weights) if row.weights else None
        poses = cluster_poses(cluster - middle, np.stack([points[name] for name in row.markers]), weights)
        ends = (
            poses.origin + np.einsum("nij,nj->ni", poses.rotation, still[name] - middle)
            for name in (row.proximal, row.distal)
        )
        proximal, distal = ends
        motions[row.name] = moving_segment(segment, proximal, distal, poses.rotation @ axes, derivatives)
        residuals[row.name] = poses.residual
    return SegmentsInSpace(motions, residuals)


def standing_axes(standing: Points, frames: Sequence[FrameRow]) -> dict[str, Vector]:
    """(3, 3) of each segment as it stands. Raises ValueError where points lie on one line."""
    still = {name: _mean(standing[name]) for row in frames for name in (*row.ends, row.plane)}
    return {
        row.segment: anatomical_axes(still[row.ends[0]], still[row.ends[1]], still[row.plane], row.order)
        for row in frames
    }


def moving_segment(
    segment: BodySegment, proximal: Vector, distal: Vector, rotation: Vector, derivatives: Derivatives
) -> SpatialMotion:
    """The motion of a segment between two points (n, 3) with axes (n, 3, 3), whose inertia is about their line in the mean."""
    along = np.einsum("nji,nj->ni", rotation, proximal - distal)
    return _moving(segment, proximal, distal, rotation, _mean(along), derivatives)


def _moving(
    segment: BodySegment, proximal: Vector, distal: Vector, rotation: Vector, along: Vector, derivatives: Derivatives
) -> SpatialMotion:
    """along: (3,) from the lower to the upper end in axes of the segment."""
    row, com = segment.row, proximal + segment.mass.com * (distal - proximal)
    first, second = derivatives(com.T)
    omega, alpha = turning(rotation, derivatives)
    mass, inertia = segment.mass.mass, _inertia(segment, along)
    return SpatialMotion(row.name, row.parent, mass, inertia, com, first.T, second.T, rotation, omega, alpha, proximal)


def _mean(course: Vector) -> Vector:
    """(3,) of a point that stands, NaN where it is never seen."""
    seen = course[np.all(np.isfinite(course), axis=1)]
    return np.mean(seen, axis=0) if len(seen) else np.full(3, np.nan)


def _inertia(segment: BodySegment, along: Vector) -> Vector:
    """(3, 3) in axes of the segment: the planar inertia across its line, less about the line itself. along: (3,) that line."""
    unit = along / np.linalg.norm(along)
    ratio = LONGITUDINAL_GYRATION.get(segment.row.table or "", 1.0) ** 2
    return segment.inertia * (np.eye(3) - (1.0 - ratio) * np.outer(unit, unit))
