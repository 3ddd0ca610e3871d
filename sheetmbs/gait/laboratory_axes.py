"""Axes of the laboratory: which of them points forward and which up, and the way to x forward, y up, z to the right."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.trial.gait_book import SegmentRow

WORDS = ("+x", "-x", "+y", "-y", "+z", "-z")
WALKS = 0.5
"""m of travel of the trunk, beyond which it tells forward; below, as on a treadmill, the feet do"""


@dataclass(frozen=True)
class LabAxes:
    """Axes of the laboratory in words, and as unit vectors. forward, up: ``+x``. matrix: rows forward, up, right (3, 3).

    turned: deg about the vertical, from the named axis forward to the right.
    """

    forward: str
    up: str
    matrix: Vector
    turned: float = 0.0

    @property
    def words(self) -> tuple[str, str, str]:
        """The axes forward, up and to the right."""
        right = self.matrix[2]
        axis = int(np.argmax(np.abs(right)))
        return self.forward, self.up, f"{'+' if right[axis] > 0.0 else '-'}{'xyz'[axis]}"

    def apply(self, points: Vector) -> Vector:
        """Points or vectors (.., 3) of the laboratory in x forward, y up, z to the right; a missing axis stays missing."""
        if self.turned:
            return np.asarray(points @ self.matrix.T)
        order = np.argmax(np.abs(self.matrix), axis=1)
        return np.asarray(points[..., order] * self.matrix[range(3), order])


def lab_axes(forward: str, up: str) -> LabAxes:
    """The axes that two words name."""
    x, y = unit_of_axis(forward), unit_of_axis(up)
    return LabAxes(forward, up, np.array([x, y, np.cross(x, y)]))


def turned_axes(axes: LabAxes, degrees: float) -> LabAxes:
    """Axes turned about the vertical, from forward to the right."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    forward, up, right = axes.matrix
    return LabAxes(axes.forward, axes.up, np.array([c * forward + s * right, up, c * right - s * forward]), degrees)


def angle_of_travel(points: Mapping[str, Vector], segments: Sequence[SegmentRow], axes: LabAxes) -> float | None:
    """The angle in deg from forward to the right of the way of the hips; None where they stay in place or z is missing."""
    thighs = [points[row.proximal] for row in segments if row.table == "thigh" and row.proximal in points]
    middle = axes.apply(np.mean(thighs, axis=0)) if thighs else np.zeros((0, 3))
    seen = middle[np.isfinite(middle).all(axis=1)]
    travel = seen[-1] - seen[0] if len(seen) else np.zeros(3)
    return float(np.degrees(np.arctan2(travel[2], travel[0]))) if travel[0] >= WALKS else None


def unit_of_axis(word: str) -> Vector:
    """Unit vector (3,) of a named axis such as ``-z``."""
    vector = np.zeros(3)
    vector["xyz".index(word[1])] = -1.0 if word[0] == "-" else 1.0
    return vector


def find_up(points: Mapping[str, Vector], segments: Sequence[SegmentRow]) -> str | None:
    """The axis along which thighs and shanks reach up most from their lower ends; None where no segment is seen.

    points: (n, 3) in axes of the laboratory.
    """
    spans = [
        _mean(points[row.proximal] - points[row.distal])
        for row in segments
        if row.table in ("thigh", "shank") and row.proximal in points and row.distal in points
    ]
    return _largest(np.sum(spans, axis=0)) if spans else None


def find_forward(points: Mapping[str, Vector], segments: Sequence[SegmentRow], up: str) -> str | None:
    """The level axis along which the body travels, or from heel to toe where it stays in place; None where neither is seen.

    points: (n, 3) in axes of the laboratory.
    """
    thighs = [points[row.proximal] for row in segments if row.table == "thigh" and row.proximal in points]
    level = 1.0 - np.abs(unit_of_axis(up))
    for body in thighs:
        seen = body[np.isfinite(body).any(axis=1)]
        travel = (seen[-1] - seen[0]) * level if len(seen) else np.zeros(3)
        if np.nanmax(np.abs(travel), initial=0.0) >= WALKS:
            return _largest(travel)
    feet = [
        _mean(points[row.distal] - points[row.proximal]) * level
        for row in segments
        if row.table == "foot" and row.proximal in points and row.distal in points
    ]
    return _largest(np.sum(feet, axis=0)) if feet else None


def _mean(vectors: Vector) -> Vector:
    """The mean (3,) over the frames that have it; 0 along an axis without a column."""
    seen = np.isfinite(vectors)
    return np.asarray(np.nansum(vectors, axis=0) / np.maximum(seen.sum(axis=0), 1))


def _largest(vector: Vector) -> str | None:
    size = np.nan_to_num(vector)
    if not np.any(size):
        return None
    axis = int(np.argmax(np.abs(size)))
    return f"{'-' if size[axis] < 0.0 else '+'}{'xyz'[axis]}"
