"""Segments in space: each follows its cluster of markers, with axes and ends as they stood in the standing trial."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.gait.body.body_segments import BodySegment, Derivatives, Points
from sheetmbs.gait.kinematics.anatomical_axes import anatomical_axes
from sheetmbs.gait.kinematics.angular_velocity import Vector, turning
from sheetmbs.gait.kinematics.cluster_poses import cluster_poses
from sheetmbs.gait.kinetics.spatial_loads import SpatialMotion
from sheetmbs.gait.trial.gait_book import FrameRow

ALONG = {"foot": 0.50, "shank": 0.39, "thigh": 0.45, "hat": 0.55}
"""longitudinal by transverse radius of gyration, mean of men and women (de Leva 1996, table 4; hat: of the whole trunk)"""


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
    ratio = ALONG.get(segment.row.table or "", 1.0) ** 2
    return segment.inertia * (np.eye(3) - (1.0 - ratio) * np.outer(unit, unit))
