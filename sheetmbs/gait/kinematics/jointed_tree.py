"""Planar segments of constant length joined in a tree: from its coordinates to places and motions, and back from markers.

Coordinates are the places of the roots and the absolute angles of all segments. With e(phi) = (cos phi, sin phi) along a
segment from its distal to its proximal end, a point of segment s stands at

    p = P_s + R(phi_s) (c - share L_s e_x),    P_s = P_parent + R(phi_parent) (c_s - share_s L_parent e_x)

where P is the proximal end; so the distal end is the point c = 0, share = 1, whatever the length. All frames at once.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.gait.arrays import Vector


@dataclass(frozen=True, eq=False)
class PointOn:
    """A point fixed on a segment. offset: (2,) in m in its axes, from its proximal end. share: of its length towards distal."""

    segment: int
    offset: Vector
    share: float


@dataclass(frozen=True, eq=False)
class JointedTree:
    """Segments, every one behind its parent.

    parents: of each segment, -1 of a root. joints: of each segment the point of its parent at which it hangs; of a root its
    own point that its coordinates place. lengths: (segments,) in m.
    """

    parents: tuple[int, ...]
    joints: tuple[PointOn, ...]
    lengths: Vector

    @property
    def roots(self) -> tuple[int, ...]:
        """Numbers of the segments without a parent."""
        return tuple(k for k, parent in enumerate(self.parents) if parent < 0)

    def arm(self, point: PointOn) -> Vector:
        """(2,) from the proximal end of its segment, in its axes."""
        return np.asarray(point.offset - np.array([point.share * self.lengths[point.segment], 0.0]))


@dataclass(frozen=True, eq=False)
class TreeMotion:
    """Places of a point, or angles, over time with their first two derivatives; (n, 2), or (n,)."""

    value: Vector
    rate: Vector
    second: Vector


def turned(angle: Vector, arm: Vector) -> Vector:
    """(n, 2) of a vector (2,) that turns with a segment."""
    c, s = np.cos(angle), np.sin(angle)
    return np.column_stack((c * arm[0] - s * arm[1], s * arm[0] + c * arm[1]))


def across(vector: Vector) -> Vector:
    """(n, 2) turned by a right angle, counter-clockwise."""
    return np.column_stack((-vector[:, 1], vector[:, 0]))


def proximal_ends(tree: JointedTree, roots: Sequence[Vector], angles: Vector) -> list[Vector]:
    """(n, 2) of each segment. roots: (n, 2) of each. angles: (n, segments)."""
    ends: list[Vector] = []
    place = iter(roots)
    for segment, (parent, joint) in enumerate(zip(tree.parents, tree.joints, strict=True)):
        if parent < 0:
            ends.append(next(place) - turned(angles[:, segment], tree.arm(joint)))
        else:
            ends.append(ends[parent] + turned(angles[:, parent], tree.arm(joint)))
    return ends


def moving_ends(tree: JointedTree, roots: Sequence[TreeMotion], angles: Sequence[TreeMotion]) -> list[TreeMotion]:
    """The same with velocities and accelerations."""
    ends: list[TreeMotion] = []
    place = iter(roots)
    for segment, (parent, joint) in enumerate(zip(tree.parents, tree.joints, strict=True)):
        if parent < 0:
            ends.append(moving_point(next(place), angles[segment], -tree.arm(joint)))
        else:
            ends.append(moving_point(ends[parent], angles[parent], tree.arm(joint)))
    return ends


def moving_point(start: TreeMotion, angle: TreeMotion, arm: Vector) -> TreeMotion:
    """The end of a vector (2,) that turns with a segment from a moving start."""
    along = turned(angle.value, arm)
    rate, second = angle.rate[:, None], angle.second[:, None]
    return TreeMotion(
        start.value + along,
        start.rate + rate * across(along),
        start.second + second * across(along) - rate**2 * along,
    )


def path(tree: JointedTree, point: PointOn) -> list[tuple[PointOn, float]]:
    """The vectors that lead from the root to a point, each on its segment, with the sign in which it counts."""
    found = [(point, 1.0)]
    segment = point.segment
    while tree.parents[segment] >= 0:
        found.append((tree.joints[segment], 1.0))
        segment = tree.parents[segment]
    found.append((tree.joints[segment], -1.0))
    return found


def root_of(tree: JointedTree, segment: int) -> int:
    """Number among the roots of the one that a segment hangs on."""
    while tree.parents[segment] >= 0:
        segment = tree.parents[segment]
    return tree.roots.index(segment)
