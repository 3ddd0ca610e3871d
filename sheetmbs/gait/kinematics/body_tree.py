"""The segments of a body as a tree of constant lengths, and their motion from its coordinates."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.gait.body.body_segments import BodySegment, Derivatives, Points, line_angle
from sheetmbs.gait.kinematics.jointed_tree import (
    JointedTree,
    PointOn,
    TreeMotion,
    Vector,
    moving_ends,
    moving_point,
    turned,
)
from sheetmbs.gait.kinetics.joint_loads import SegmentMotion

LIMBS = ("foot", "shank", "thigh")
PROXIMAL, DISTAL = 0.0, 1.0
"""shares of the length at which the ends of a segment stand"""


@dataclass(frozen=True, eq=False)
class BodyTree:
    """segments: every one behind its parent. angles: (n, segments) as measured, of the lines distal to proximal, in rad."""

    segments: tuple[BodySegment, ...]
    tree: JointedTree
    angles: Vector


def body_tree(points: Points, segments: Sequence[BodySegment]) -> BodyTree:
    """The tree of segments whose ends are points (n, 3). A joint beside the ends of its parent is where it is in the mean."""
    ordered = _parents_first(segments)
    numbers = {each.row.name: k for k, each in enumerate(ordered)}
    angles = np.column_stack([line_angle(points, (each.row.distal, each.row.proximal)) for each in ordered])
    parents = tuple(-1 if each.row.parent is None else numbers[each.row.parent] for each in ordered)
    joints = []
    for k, each in enumerate(ordered):
        on = parents[k] if parents[k] >= 0 else k
        name = each.row.proximal
        if parents[k] < 0 and each.row.table not in LIMBS:
            name = next((other.row.proximal for other in ordered if other.row.parent == each.row.name), name)
        joints.append(point_on(points, name, ordered[on], on, angles[:, on]))
    lengths = np.array([each.length for each in ordered])
    return BodyTree(ordered, JointedTree(parents, tuple(joints), lengths), angles)


def point_on(points: Points, name: str, segment: BodySegment, number: int, angle: Vector) -> PointOn:
    """Where a point sits on a segment: at one of its ends, else where it stands in the mean of the trial."""
    if name in (segment.row.proximal, segment.row.distal):
        return PointOn(number, np.zeros(2), DISTAL if name == segment.row.distal else PROXIMAL)
    away = (points[name] - points[segment.row.proximal])[:, :2]
    c, s = np.cos(angle), np.sin(angle)
    own = np.column_stack((c * away[:, 0] + s * away[:, 1], c * away[:, 1] - s * away[:, 0]))
    return PointOn(number, np.asarray(np.nanmean(own, axis=0)), PROXIMAL)


def root_places(points: Points, body: BodyTree) -> list[Vector]:
    """(n, 2) as measured, of the points that place the roots."""
    places = []
    for root in body.tree.roots:
        segment, joint = body.segments[root], body.tree.joints[root]
        if joint.share == DISTAL:
            places.append(points[segment.row.distal][:, :2])
        else:
            places.append(points[segment.row.proximal][:, :2] + turned(body.angles[:, root], joint.offset))
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
