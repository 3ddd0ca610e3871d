"""Segments of constant length joined at knees and ankles: hips and trunk follow their points, every angle is the measured one.

This is how MUBODYNA guides a body. Errors of a leg's lengths add up from the hip to the foot.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.body.body_segments import BodySegment, Derivatives, Points, SegmentMotions, line_angle
from sheetmbs.gait.kinematics.body_tree import BodyTree, body_tree, root_places, tree_motions
from sheetmbs.gait.kinematics.jointed_tree import proximal_ends, turned


def follow_chain(points: Points, segments: Sequence[BodySegment], derivatives: Derivatives) -> SegmentMotions:
    """The motion of joined segments whose ends are points (n, 3), and how far the chain is from each of them."""
    body = body_tree(points, segments)
    roots = root_places(points, body)
    motions = tree_motions(body, body.tree, roots, body.angles, derivatives)
    lines = {each.row.name: line_angle(points, each.row.line) for each in segments}
    return SegmentMotions(
        {each.row.name: motions[each.row.name] for each in segments}, lines, _errors(points, body, roots), body.joined
    )


def _errors(points: Points, body: BodyTree, roots: Sequence[Vector]) -> dict[str, Vector]:
    """(n,) in m, of the distal end of each segment, and of the proximal one of a root; the largest where segments share it."""
    ends = proximal_ends(body.tree, roots, body.angles)
    errors: dict[str, Vector] = {}
    for k, segment in enumerate(body.segments):
        distal = ends[k] - turned(body.angles[:, k], np.array([segment.length, 0.0]))
        placed = [(segment.row.distal, distal)]
        if body.tree.parents[k] < 0:
            placed.insert(0, (segment.row.proximal, ends[k]))
        for name, place in placed:
            error = np.linalg.norm(place - points[name][:, :2], axis=1)
            errors[name] = np.fmax(error, errors.get(name, error))
    return errors
