"""Planar segments of constant length joined in a tree: from its coordinates to places and motions, and back from markers.

Coordinates are the places of the roots and the absolute angles of all segments. With e(phi) = (cos phi, sin phi) along a
segment from its distal to its proximal end, a point of segment s stands at

    p = P_s + R(phi_s) (c - share L_s e_x),    P_s = P_parent + R(phi_parent) (c_s - share_s L_parent e_x)

where P is the proximal end; so the distal end is the point c = 0, share = 1, whatever the length. All frames at once.

Poses nearest to markers are found after Gauss and Newton: in frame n, with residuals r_n = sqrt(w) (marker - model) and their
derivatives X_n by the coordinates and Y_n by the lengths, N_n = X_n^T X_n, the lengths change by d, the coordinates by
N_n^-1 X_n^T (r_n - Y_n d), where

    sum_n (Y_n^T Y_n - Y_n^T X_n N_n^-1 X_n^T Y_n) d = sum_n Y_n^T (r_n - X_n N_n^-1 X_n^T r_n)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sheetmbs.gait.arrays import Vector

MAX_STEPS = 30
MIN_STEP = 1e-9
"""m or rad by which nothing changes any more"""
DAMPING = 1e-12
"""added to N, so that coordinates that no marker sees stay where they are"""
MAX_INVERSE = 1e6
"""of the inverse of N, from which on a coordinate counts as one of those"""


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


@dataclass(frozen=True, eq=False)
class FittedTree:
    """tree: with its lengths. roots: (n, 2) of each. angles: (n, segments). What markers do not determine is NaN.

    errors: (markers, n) in m from each marker to where the tree has it.
    """

    tree: JointedTree
    roots: tuple[Vector, ...]
    angles: Vector
    errors: Vector


def fit_tree(
    tree: JointedTree,
    points: Sequence[PointOn],
    markers: Vector,
    weights: Vector,
    roots: Sequence[Vector],
    angles: Vector,
    free_lengths: Sequence[int] = (),
) -> FittedTree:
    """Fit a tree of segments to markers.

    points: where each marker sits. markers: (markers, n, 2), NaN is missing. weights: (markers,). roots: (n, 2) of each and
    angles: (n, segments): where to begin, finite. free_lengths: segments whose length is fitted over all frames together.
    """
    roots, angles = [each.copy() for each in roots], angles.copy()
    scale = np.repeat(np.sqrt(weights[:, None] * np.all(np.isfinite(markers), axis=2)), 2, axis=0).T
    steps = 0
    while True:
        x, y = _derivatives(tree, points, roots, angles, free_lengths)
        x, y = x * scale[..., None], y * scale[..., None]
        left = scale * _by_frame(np.nan_to_num(markers - _places(tree, points, roots, angles)))
        turned_x = np.swapaxes(x, 1, 2)
        normal = turned_x @ x + DAMPING * np.eye(x.shape[-1])
        pulled, mixed = (turned_x @ left[..., None])[..., 0], turned_x @ y
        longer = _change_of_lengths(y, left, normal, pulled, mixed)
        step = np.linalg.solve(normal, (pulled - mixed @ longer)[..., None])[..., 0]
        for k in range(len(roots)):
            roots[k] += step[:, 2 * k : 2 * k + 2]
        angles += step[:, 2 * len(roots) :]
        lengths = tree.lengths.copy()
        lengths[list(free_lengths)] += longer
        tree = replace(tree, lengths=lengths)
        steps += 1
        if steps == MAX_STEPS or max(np.max(np.abs(step)), np.max(np.abs(longer), initial=0.0)) < MIN_STEP:
            break
    errors = np.linalg.norm(markers - _places(tree, points, roots, angles), axis=2)
    unseen = np.einsum("nkk->nk", np.linalg.inv(normal)) > MAX_INVERSE
    for k, root in enumerate(roots):
        root[unseen[:, 2 * k : 2 * k + 2]] = np.nan
    angles[unseen[:, 2 * len(roots) :]] = np.nan
    return FittedTree(tree, tuple(roots), angles, errors)


def _places(tree: JointedTree, points: Sequence[PointOn], roots: Sequence[Vector], angles: Vector) -> Vector:
    """(markers, n, 2) where the tree has them."""
    ends = proximal_ends(tree, roots, angles)
    return np.stack([ends[each.segment] + turned(angles[:, each.segment], tree.arm(each)) for each in points])


def _by_frame(each: Vector) -> Vector:
    """(n, 2 markers) of what is (markers, n, 2)."""
    return np.ascontiguousarray(np.swapaxes(each, 0, 1)).reshape(each.shape[1], -1)


def _derivatives(
    tree: JointedTree, points: Sequence[PointOn], roots: Sequence[Vector], angles: Vector, free_lengths: Sequence[int]
) -> tuple[Vector, Vector]:
    """Of all places by the coordinates (n, 2 markers, roots + segments) and by free lengths (n, 2 markers, lengths)."""
    count, at = len(angles), 2 * len(roots)
    x = np.zeros((count, len(points), 2, at + len(tree.parents)))
    y = np.zeros((count, len(points), 2, len(free_lengths)))
    back = np.array([-1.0, 0.0])
    for m, point in enumerate(points):
        root = 2 * root_of(tree, point.segment)
        x[:, m, 0, root] = x[:, m, 1, root + 1] = 1.0
        for part, sign in path(tree, point):
            angle = angles[:, part.segment]
            x[:, m, :, at + part.segment] += sign * across(turned(angle, tree.arm(part)))
            if part.segment in free_lengths:
                y[:, m, :, free_lengths.index(part.segment)] += sign * part.share * turned(angle, back)
    return x.reshape(count, 2 * len(points), -1), y.reshape(count, 2 * len(points), len(free_lengths))


def _change_of_lengths(y: Vector, left: Vector, normal: Vector, pulled: Vector, mixed: Vector) -> Vector:
    """(lengths,) after the coordinates of every frame have been eliminated."""
    if not y.shape[-1]:
        return np.zeros(0)
    inner = np.linalg.solve(normal, mixed)
    flat = y.reshape(-1, y.shape[-1])
    matrix = flat.T @ flat - np.sum(np.swapaxes(mixed, 1, 2) @ inner, axis=0)
    right = flat.T @ left.ravel() - np.einsum("nki,nk->i", inner, pulled)
    return np.asarray(np.linalg.lstsq(matrix, right, rcond=1e-10)[0])
