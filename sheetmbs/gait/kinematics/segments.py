"""Each segment a rigid body of its own between its own joint centres, as they were measured in each frame (Winter)."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sheetmbs.gait.body.body_segments import BodySegment, Derivatives, Points, SegmentMotions, line_angle
from sheetmbs.gait.kinetics.joint_loads import SegmentMotion


def follow_segments(points: Points, segments: Sequence[BodySegment], derivatives: Derivatives) -> SegmentMotions:
    """The motion of segments whose ends are points (n, 3)."""
    motions, lines = {}, {}
    for segment in segments:
        row = segment.row
        proximal, distal = points[row.proximal][:, :2], points[row.distal][:, :2]
        com = proximal + segment.mass.com * (distal - proximal)
        angle = line_angle(points, (row.distal, row.proximal))
        first, second = derivatives(np.vstack((com.T, angle)))
        motions[row.name] = SegmentMotion(
            row.name,
            row.parent,
            segment.mass.mass,
            segment.inertia,
            com,
            first[:2].T,
            second[:2].T,
            angle,
            first[2],
            second[2],
            proximal,
        )
        lines[row.name] = line_angle(points, row.line)
    return SegmentMotions(motions, lines)
