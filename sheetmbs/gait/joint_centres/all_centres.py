"""All joint centres of a workbook, made from filtered markers."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sheetmbs.gait.joint_centres.pelvis import bell, harrington
from sheetmbs.gait.joint_centres.sphere import centre_of_spheres
from sheetmbs.gait.trial.gait_book import CentreRow, SegmentRow
from sheetmbs.schema.gait_inputs import CentreKind

Vector = NDArray[np.float64]
Points = Mapping[str, Vector]
"""name -> (n, 3): x forward, y up, z to the right"""
TO_RIGHT = np.array([0.0, 0.0, 1.0])


def with_centres(
    markers: Points, rows: Sequence[CentreRow], segments: Sequence[SegmentRow], dimension: Literal["2D", "3D"]
) -> dict[str, Vector]:
    """The markers and the centres made from them, by name. A centre may be made from those above it."""
    points = dict(markers)
    before = dict(markers)
    """where the ends of segments are before their offset"""
    for row in rows:
        given = [points[name] for name in row.markers]
        if row.kind == CentreKind.OFFSET:
            points[row.name] = before[row.name] = given[0]
        elif row.kind == CentreKind.SPHERE:
            points[row.name] = before[row.name] = _functional(row, points, segments)
        else:
            points[row.name] = before[row.name] = KINDS[row.kind](given, 1.0 if row.side == "right" else -1.0)
    for row in rows:
        if row.kind == CentreKind.OFFSET:
            points[row.name] = before[row.name] + _moved(row, before, segments, dimension)
    return points


def _marker(given: Sequence[Vector], _sign: float) -> Vector:
    return given[0]


def _mean(given: Sequence[Vector], _sign: float) -> Vector:
    return np.asarray(np.mean(given, axis=0))


def _harrington(given: Sequence[Vector], sign: float) -> Vector:
    return harrington(given[0], given[1], _back(given), sign)


def _bell(given: Sequence[Vector], sign: float) -> Vector:
    return bell(given[0], given[1], _back(given), sign)


def _back(given: Sequence[Vector]) -> Vector:
    """The middle of the posterior spines, or the sacrum."""
    return np.asarray(np.mean(given[2:], axis=0))


KINDS: dict[str, Callable[[Sequence[Vector], float], Vector]] = {
    CentreKind.MARKER: _marker,
    CentreKind.MEAN: _mean,
    CentreKind.HARRINGTON: _harrington,
    CentreKind.BELL: _bell,
}


def _moved(row: CentreRow, ends: Points, segments: Sequence[SegmentRow], dimension: str) -> Vector:
    """The offset (n, 3) in the frame of the segment that names the centre proximal, else distal."""
    segment = next((each for each in segments if each.proximal == row.name), None)
    segment = segment or next((each for each in segments if each.distal == row.name), None)
    if segment is None:
        return np.broadcast_to(row.offset, ends[row.name].shape)
    along = ends[segment.proximal] - ends[segment.distal]
    if dimension == "2D":
        along[:, 2] = 0.0
    y = along / np.linalg.norm(along, axis=1, keepdims=True)
    x = np.cross(y, TO_RIGHT)
    x = x / np.linalg.norm(x, axis=1, keepdims=True)
    z = np.cross(x, y)
    return np.asarray(row.offset[0] * x + row.offset[1] * y + row.offset[2] * z)


def _functional(row: CentreRow, points: Points, segments: Sequence[SegmentRow]) -> Vector:
    """The centre of spheres on which the markers move about the segment above, carried along with that."""
    segment = next((each for each in segments if each.proximal == row.name), None)
    above = next((each for each in segments if segment is not None and each.name == segment.parent), None)
    markers = np.stack([points[name] for name in row.markers])
    missing = np.full(markers.shape[1:], np.nan)
    if above is None or len(above.markers) < 3:
        return missing
    origin, axes = _cluster_axes([points[name] for name in above.markers[:3]])
    seen = np.einsum("nij,mnj->mni", axes, markers - origin)
    centre = centre_of_spheres(seen)
    return missing if centre is None else origin + np.einsum("nij,i->nj", axes, centre)


def _cluster_axes(markers: Sequence[Vector]) -> tuple[Vector, Vector]:
    """Origin (n, 3) and axes as rows (n, 3, 3) of three markers on one body."""
    x = markers[1] - markers[0]
    x = x / np.linalg.norm(x, axis=1, keepdims=True)
    z = np.cross(x, markers[2] - markers[0])
    z = z / np.linalg.norm(z, axis=1, keepdims=True)
    return markers[0], np.stack([x, np.cross(z, x), z], axis=1)
