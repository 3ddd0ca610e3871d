"""Segments joined at knees and ankles, in every frame where they lie nearest to the markers, by the sum of weighted squares.

Trunk and legs are fitted each to its own markers: see `body_tree.is_joined`.

Lengths given as ``mean`` are those that lie nearest over the whole trial, others stay as they are. Markers other than the
ends of a segment sit on it where they do in the mean.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.body.body_segments import BodySegment, Derivatives, Points, SegmentMotions, line_angle
from sheetmbs.gait.kinematics.body_tree import BodyTree, body_tree, point_on, root_places, tree_motions
from sheetmbs.gait.kinematics.jointed_tree import PointOn, fit_tree, root_of


def follow_least_squares(points: Points, segments: Sequence[BodySegment], derivatives: Derivatives) -> SegmentMotions:
    """The motion of joined segments nearest to points (n, 3), and how far each marker is from where they have it."""
    body = body_tree(points, segments)
    names, places, weights = _markers(points, body)
    fitted = fit_tree(
        body.tree,
        places,
        np.stack([points[name][:, :2] for name in names]),
        np.array(weights),
        [_filled(each) for each in root_places(points, body)],
        _filled(body.angles),
        [k for k, each in enumerate(body.segments) if each.row.length == "mean"],
    )
    errors: dict[str, Vector] = {}
    for name, error in zip(names, fitted.errors, strict=True):
        errors[name] = np.fmax(error, errors.get(name, error))
    motions = tree_motions(body, fitted.tree, fitted.roots, fitted.angles, derivatives)
    lines = {
        each.row.name: fitted.angles[:, k] + np.nanmean(line_angle(points, each.row.line) - body.angles[:, k])
        for k, each in enumerate(body.segments)
    }
    return SegmentMotions(
        {each.row.name: motions[each.row.name] for each in segments},
        {each.row.name: lines[each.row.name] for each in segments},
        errors,
        body.joined,
    )


def _markers(points: Points, body: BodyTree) -> tuple[list[str], list[PointOn], list[float]]:
    """Names, places and weights of all that is fitted: the column markers, else both ends; each once in a tree."""
    names: list[str] = []
    places: list[PointOn] = []
    weights: list[float] = []
    seen: set[tuple[int, str]] = set()
    for k, segment in enumerate(body.segments):
        row, root = segment.row, root_of(body.tree, k)
        chosen = row.markers or (row.proximal, row.distal)
        given = row.weights or (1.0,) * len(chosen)
        for name, weight in zip(chosen, given, strict=True):
            if (root, name) not in seen:
                seen.add((root, name))
                names.append(name)
                places.append(point_on(points, name, segment, k, body.angles[:, k]))
                weights.append(weight)
    return names, places, weights


def _filled(series: Vector) -> Vector:
    """Series (n, columns) without gaps, straight between what is known: where a search may begin."""
    filled = np.zeros(series.shape)
    frames = np.arange(len(series))
    for k, column in enumerate(series.T):
        known = np.isfinite(column)
        if np.any(known):
            filled[:, k] = np.interp(frames, frames[known], column[known])
    return filled
