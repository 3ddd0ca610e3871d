"""Centres and axes of joints from how two clusters of markers move about each other.

With poses R_i, t_i of the cluster above and R_j, t_j of that below, a centre that is c_i in the one and c_j in the other has

    R_i c_i + t_i = R_j c_j + t_j      in every frame, so that      [R_i  -R_j] [c_i; c_j] = t_j - t_i

is solved by least squares over all frames (SCoRE: Ehrig et al., J. Biomech. 39, 2006). Of a hinge every point of its axis does:
the matrix has rank 5, and its singular vector of the smallest singular value is [a_i; a_j], the direction of the axis in both
clusters (SARA: Ehrig et al., J. Biomech. 40, 2007).
"""

from __future__ import annotations

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.kinematics.clustered_segments import ClusterPoses, cluster_poses
from sheetmbs.gait.trial.gait_book import FunctionalFit

SHAPE_ROUNDS = 3
"""by which the mean shape of a cluster settles: each is nearer by the square of the noise over its size"""
MOST_PAIRS = 200
"""frames of which all pairs are looked at for the range of motion; more are thinned out to so many"""


def mean_shape(markers: Vector) -> Vector:
    """(m, 3) of a cluster (m, n, 3) about its middle: the mean over the frames that see all of it, in axes of one of them.

    Raises ValueError where no frame does.
    """
    whole = markers[:, np.all(np.isfinite(markers), axis=(0, 2))]
    if not whole.shape[1]:
        raise ValueError("no frame sees all markers")
    shape = whole[:, 0] - np.mean(whole[:, 0], axis=0)
    for _ in range(SHAPE_ROUNDS):
        poses = cluster_poses(shape, whole)
        own = np.einsum("nji,mnj->mni", poses.rotation, whole - poses.origin)
        shape = np.nanmean(own, axis=1)
        shape = shape - np.mean(shape, axis=0)
    return np.asarray(shape)


def fit_centre(above: ClusterPoses, below: ClusterPoses) -> FunctionalFit:
    """The centre of a ball. Raises ValueError where fewer than two frames have both poses."""
    matrix, known, both = _system(above, below)
    solved = np.asarray(np.linalg.lstsq(matrix, known, rcond=None)[0], dtype=np.float64)
    sizes = np.linalg.svd(matrix, compute_uv=False)
    condition = float(sizes[0] / sizes[-1]) if sizes[-1] > 0.0 else np.inf
    centres = solved.reshape(2, 3)
    return FunctionalFit(centres, None, _residual(matrix, known, solved), condition, _motion(*both), len(both[0]))


def fit_axis(above: ClusterPoses, below: ClusterPoses) -> FunctionalFit:
    """The axis of a hinge, with its point nearest to the origins of both clusters. Raises ValueError as `fit_centre`."""
    matrix, known, both = _system(above, below)
    left, sizes, right = np.linalg.svd(matrix, full_matrices=False)
    axes = right[-1].reshape(2, 3)
    axes = axes / np.linalg.norm(axes, axis=1, keepdims=True)
    solved = right[:-1].T @ ((left[:, :-1].T @ known) / sizes[:-1])
    condition = float(sizes[0] / sizes[-2]) if sizes[-2] > 0.0 else np.inf
    missed = _residual(matrix, known, solved)
    return FunctionalFit(solved.reshape(2, 3), axes, missed, condition, _motion(*both), len(both[0]))


def _system(above: ClusterPoses, below: ClusterPoses) -> tuple[Vector, Vector, tuple[Vector, Vector]]:
    """Matrix (3 n, 6), right side (3 n,), and both rotations of the frames that count."""
    seen = np.isfinite(above.rotation).all(axis=(1, 2)) & np.isfinite(below.rotation).all(axis=(1, 2))
    if seen.sum() < 2:
        raise ValueError("fewer than two frames see both clusters")
    upper, lower = above.rotation[seen], below.rotation[seen]
    matrix = np.concatenate((upper, -lower), axis=2).reshape(-1, 6)
    return matrix, (below.origin[seen] - above.origin[seen]).reshape(-1), (upper, lower)


def _residual(matrix: Vector, known: Vector, solved: Vector) -> float:
    missed = (matrix @ solved - known).reshape(-1, 3)
    return float(np.sqrt(np.mean(np.sum(missed**2, axis=1))))


def _motion(upper: Vector, lower: Vector) -> float:
    """The largest angle in rad between two positions of the lower cluster, seen from the upper one."""
    relative = np.swapaxes(upper, 1, 2) @ lower
    relative = relative[:: -(-len(relative) // MOST_PAIRS)]
    traces = np.einsum("aij,bij->ab", relative, relative)
    return float(np.arccos(np.clip(0.5 * (np.min(traces) - 1.0), -1.0, 1.0)))


def both_ways(above: ClusterPoses, below: ClusterPoses, fit: FunctionalFit) -> Vector:
    """(n, 3) of the centre: the mean of where both clusters have it."""
    return 0.5 * (above.place(fit.centres[0]) + below.place(fit.centres[1]))


def nearest_on_axis(above: ClusterPoses, below: ClusterPoses, fit: FunctionalFit, near: Vector) -> Vector:
    """(n, 3) of the point of the axis that is nearest to points (n, 3).

    Raises ValueError of a ball.
    """
    if fit.axes is None:
        raise ValueError("a ball has no axis")
    along = above.rotation @ fit.axes[0]
    other = below.rotation @ fit.axes[1]
    other = other * np.where(np.sum(along * other, axis=1, keepdims=True) < 0.0, -1.0, 1.0)
    along = along + other
    along = along / np.linalg.norm(along, axis=1, keepdims=True)
    point = both_ways(above, below, fit)
    return np.asarray(point + np.sum((near - point) * along, axis=1, keepdims=True) * along)
