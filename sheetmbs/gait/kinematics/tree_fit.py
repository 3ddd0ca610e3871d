"""The poses of a tree that lie nearest to markers, in every frame, and the lengths that do so over the whole trial.

Gauss and Newton: in frame n, with residuals r_n = sqrt(w) (marker - model) and their derivatives X_n by the coordinates and
Y_n by the lengths, N_n = X_n^T X_n, the lengths change by d, the coordinates by N_n^-1 X_n^T (r_n - Y_n d), where

    sum_n (Y_n^T Y_n - Y_n^T X_n N_n^-1 X_n^T Y_n) d = sum_n Y_n^T (r_n - X_n N_n^-1 X_n^T r_n)
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.kinematics.jointed_tree import JointedTree, PointOn, across, path, proximal_ends, root_of, turned

MOST_STEPS = 30
SETTLED = 1e-9
"""m or rad by which nothing changes any more"""
SOFT = 1e-12
"""added to N, so that coordinates that no marker sees stay where they are"""
UNSEEN = 1e6
"""of the inverse of N, from which on a coordinate counts as one of those"""


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
        normal = turned_x @ x + SOFT * np.eye(x.shape[-1])
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
        if steps == MOST_STEPS or max(np.max(np.abs(step)), np.max(np.abs(longer), initial=0.0)) < SETTLED:
            break
    errors = np.linalg.norm(markers - _places(tree, points, roots, angles), axis=2)
    unseen = np.einsum("nkk->nk", np.linalg.inv(normal)) > UNSEEN
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
