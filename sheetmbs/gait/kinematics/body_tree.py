"""The segments of a body, joined at knees and ankles, and their motion from places of the roots and angles."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.body.body_segments import BodySegment, Derivatives, Points, line_angle, mean_seen
from sheetmbs.gait.kinematics.jointed_tree import JointedTree, PointOn, TreeMotion, moving_ends, moving_point
from sheetmbs.gait.kinetics.joint_loads import SegmentMotion
from sheetmbs.gait.trial.gait_book import SegmentRow

PROXIMAL, DISTAL = 0.0, 1.0
"""shares of the length at which the ends of a segment stand"""
START = np.zeros(2)


@dataclass(frozen=True, eq=False)
class BodyTree:
    """Segments, every one behind its parent, and how they are joined.

    tree: its roots are the segments that are joined to none above them. angles: (n, segments) as measured, of the lines
    distal to proximal, in rad.
    """

    segments: tuple[BodySegment, ...]
    tree: JointedTree
    angles: Vector

    @property
    def joined(self) -> frozenset[str]:
        """Names of the segments that are joined to the one above them."""
        return frozenset(
            each.row.name for each, parent in zip(self.segments, self.tree.parents, strict=True) if parent >= 0
        )


def is_joined(row: SegmentRow, above: SegmentRow | None) -> bool:
    """Whether a segment hangs on the one above it at a point that both share: knees and ankles.

    A hip is no such point. In the plane the hips of a pelvis that turns about the vertical move to and fro on the trunk, by
    centimetres; a trunk of constant length with hips fixed on it would carry both legs to the wrong places. So a leg hangs
    on the trunk where its own hip centre is in each frame, and so does whatever begins beside the end of the segment above.
    """
    return above is not None and above.table != "hat" and above.side == row.side and above.distal == row.proximal


def body_tree(points: Points, segments: Sequence[BodySegment]) -> BodyTree:
    """The tree of segments whose ends are points (n, 3)."""
    ordered = _parents_first(segments)
    numbers = {each.row.name: k for k, each in enumerate(ordered)}
    rows = {each.row.name: each.row for each in ordered}
    angles = np.column_stack([line_angle(points, (each.row.distal, each.row.proximal)) for each in ordered])
    parents = tuple(
        numbers[each.row.parent or ""] if is_joined(each.row, rows.get(each.row.parent or "")) else -1
        for each in ordered
    )
    joints = tuple(
        PointOn(parents[k], START, DISTAL) if parents[k] >= 0 else PointOn(k, START, _placed_end(points, each.row))
        for k, each in enumerate(ordered)
    )
    lengths = np.array([each.length for each in ordered])
    return BodyTree(ordered, JointedTree(parents, joints, lengths), angles)


def _placed_end(points: Points, row: SegmentRow) -> float:
    """The end by which a segment is placed that is joined to none above it: of a trunk the lower one, which bears its mass."""
    if row.table != "hat":
        return PROXIMAL
    return DISTAL if mean_seen(points[row.distal][:, 1]) < mean_seen(points[row.proximal][:, 1]) else PROXIMAL


def point_on(points: Points, name: str, segment: BodySegment, number: int, angle: Vector) -> PointOn:
    """Where a marker sits on a segment: at one of its ends, else where it stands in the mean of the trial."""
    if name in (segment.row.proximal, segment.row.distal):
        return PointOn(number, START, DISTAL if name == segment.row.distal else PROXIMAL)
    away = (points[name] - points[segment.row.proximal])[:, :2]
    c, s = np.cos(angle), np.sin(angle)
    own = np.column_stack((c * away[:, 0] + s * away[:, 1], c * away[:, 1] - s * away[:, 0]))
    return PointOn(number, np.asarray(np.nanmean(own, axis=0)), PROXIMAL)


def root_places(points: Points, body: BodyTree) -> list[Vector]:
    """(n, 2) as measured, of the points that place the roots."""
    places = []
    for root in body.tree.roots:
        row = body.segments[root].row
        end = row.distal if body.tree.joints[root].share == DISTAL else row.proximal
        places.append(points[end][:, :2])
    return places


def tree_motions(
    body: BodyTree, tree: JointedTree, roots: Sequence[Vector], angles: Vector, derivatives: Derivatives
) -> dict[str, SegmentMotion]:
    """The motion of each segment by name, from coordinates that are differentiated as they stand.

    tree: with the lengths that count. roots: (n, 2) of each. angles: (n, segments).
    """
    turning = [_moving(angle, derivatives) for angle in angles.T]
    ends = moving_ends(tree, [_moving(root, derivatives) for root in roots], turning)
    motions = {}
    for k, (segment, end, turn) in enumerate(zip(body.segments, ends, turning, strict=True)):
        com = moving_point(end, turn, np.array([-segment.mass.com * tree.lengths[k], 0.0]))
        motions[segment.row.name] = SegmentMotion(
            segment.row.name,
            segment.row.parent,
            segment.mass.mass,
            segment.inertia,
            com.value,
            com.rate,
            com.second,
            turn.value,
            turn.rate,
            turn.second,
            end.value,
        )
    return motions


def _moving(course: Vector, derivatives: Derivatives) -> TreeMotion:
    first, second = derivatives(course.T)
    return TreeMotion(course, first.T, second.T)


def _parents_first(segments: Sequence[BodySegment]) -> tuple[BodySegment, ...]:
    """Raises ValueError where parents run in a circle or are not there."""
    ordered: list[BodySegment] = []
    known: set[str | None] = {None}
    left = list(segments)
    while left:
        ready = [each for each in left if each.row.parent in known]
        if not ready:
            raise ValueError(f"segment {left[0].row.name} hangs on {left[0].row.parent}, which leads to no root")
        ordered += ready
        known |= {each.row.name for each in ready}
        left = [each for each in left if each.row.name not in known]
    return tuple(ordered)
