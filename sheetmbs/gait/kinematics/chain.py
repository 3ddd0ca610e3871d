"""Segments of constant length joined in their ends: the roots follow their points, every angle is the measured one.

So MUBODYNA guides a body; what a leg's lengths are wrong by adds up towards the feet.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sheetmbs.gait.body.body_segments import BodySegment, Derivatives, Points, SegmentMotions, line_angle
from sheetmbs.gait.kinematics.body_tree import BodyTree, body_tree, root_places, tree_motions
from sheetmbs.gait.kinematics.jointed_tree import Vector, proximal_ends, turned


def follow_chain(points: Points, segments: Sequence[BodySegment], derivatives: Derivatives) -> SegmentMotions:
    """The motion of joined segments whose ends are points (n, 3), and how far the chain is from each of them."""
    body = body_tree(points, segments)
    roots = root_places(points, body)
    motions = tree_motions(body, body.tree, roots, body.angles, derivatives)
    lines = {each.row.name: line_angle(points, each.row.line) for each in segments}
    return SegmentMotions(
        {each.row.name: motions[each.row.name] for each in segments}, lines, _errors(points, body, roots)
    )


def _errors(points: Points, body: BodyTree, roots: Sequence[Vector]) -> dict[str, Vector]:
    """(n,) in m, of the distal end of each segment, and of the proximal one of a root."""
    ends = proximal_ends(body.tree, roots, body.angles)
    errors = {}
    for k, segment in enumerate(body.segments):
        distal = ends[k] - turned(body.angles[:, k], np.array([segment.length, 0.0]))
        if body.tree.parents[k] < 0:
            errors[segment.row.proximal] = ends[k] - points[segment.row.proximal][:, :2]
        errors[segment.row.distal] = distal - points[segment.row.distal][:, :2]
    return {name: np.asarray(np.linalg.norm(away, axis=1)) for name, away in errors.items()}
