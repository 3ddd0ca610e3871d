"""Joint centres from filtered markers: a function for each kind, listed in `KINDS`.

Regressions of hips (Harrington, Bell) have axes of the pelvis: origin midway between the anterior spines, z to the subject's
right, y up and normal to the plane of the spines.

A functional centre is the one about which markers of a segment move on spheres, seen from the segment above. With positions
p_k(t) of marker k in axes of the upper segment the centre c and the squares of the radii make

    |p_k|^2 = 2 p_k . c + (r_k^2 - |c|^2)

linear in c and one constant for each marker (Gamage and Lasenby, J. Biomech. 35, 2002, without their bias).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Literal

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.conventional.model_frames import chord, pelvis_frame
from sheetmbs.gait.kinematics.clustered_segments import cluster_poses
from sheetmbs.gait.kinematics.functional_joints import both_ways, nearest_on_axis
from sheetmbs.gait.trial.gait_book import CentreRow, FunctionalFit, SegmentRow
from sheetmbs.schema.gait_inputs import CentreKind

Points = Mapping[str, Vector]
"""name -> (n, 3): x forward, y up, z to the right"""
TO_RIGHT = np.array([0.0, 0.0, 1.0])
MM = 1e-3
MIN_FLATNESS = 1e-6
"""part of the largest singular value below which markers move in a plane, or not at all"""


def with_centres(
    markers: Points,
    rows: Sequence[CentreRow],
    segments: Sequence[SegmentRow],
    dimension: Literal["2D", "3D"],
    moved: Points | None = None,
) -> dict[str, Vector]:
    """The markers and the centres made from them, by name. A centre may be made from those above it.

    moved: (n, 3) by which centres lie elsewhere than where they are made, None nowhere.
    """
    points, away = dict(markers), moved or {}
    before = dict(markers)
    """where the ends of segments are before their offset"""
    for row in rows:
        given = [points[name] for name in row.markers]
        if row.kind == CentreKind.OFFSET:
            points[row.name] = before[row.name] = given[0]
        elif row.fit is not None:
            points[row.name] = before[row.name] = _fitted(row, row.fit, points)
        elif row.kind == CentreKind.SPHERE:
            points[row.name] = before[row.name] = _functional(row, points, segments)
        elif row.kind == CentreKind.DAVIS:
            origin, axes = pelvis_frame(given[0], given[1], _back(given))
            points[row.name] = before[row.name] = origin + axes @ row.offset
        elif row.kind == CentreKind.CHORD:
            marker, wand, above = given
            points[row.name] = before[row.name] = chord(above, marker, wand, row.distance, row.turn)
        else:
            points[row.name] = before[row.name] = KINDS[row.kind](given, 1.0 if row.side == "right" else -1.0)
        if row.name in away:
            points[row.name] = before[row.name] = points[row.name] + away[row.name]
    for row in rows:
        if row.kind == CentreKind.OFFSET:
            points[row.name] = before[row.name] + _moved(row, before, segments, dimension)
    return points


def _marker(given: Sequence[Vector], _sign: float) -> Vector:
    return given[0]


def _middle(given: Sequence[Vector], _sign: float) -> Vector:
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
    CentreKind.MEAN: _middle,
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


def _fitted(row: CentreRow, fit: FunctionalFit, points: Points) -> Vector:
    """A centre that another trial told, carried along by its clusters."""
    clusters = [np.stack([points[name] for name in names]) for names in row.clusters if names]
    poses = [cluster_poses(shape, markers) for shape, markers in zip(row.shapes, clusters, strict=True)]
    if row.kind == CentreKind.SPHERE:
        return poses[0].place(fit.centres[0])
    if row.kind == CentreKind.SCORE:
        return both_ways(poses[0], poses[1], fit)
    near = np.mean([points[name] for name in row.near], axis=0)
    return nearest_on_axis(poses[0], poses[1], fit, near)


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


def pelvis_axes(right: Vector, left: Vector, back: Vector) -> tuple[Vector, Vector]:
    """Origin (n, 3) and axes x, y, z as rows (n, 3, 3). right, left: anterior spines; back: middle of the posterior."""
    origin, axes = pelvis_frame(right, left, back)
    return origin, np.swapaxes(axes, -1, -2)


def harrington(right: Vector, left: Vector, back: Vector, sign: float) -> Vector:
    """The hip's centre (n, 3). sign: +1 the right one, -1 the left one. Source: Harrington, J. Biomech. 40 (2007)."""
    origin, axes = pelvis_axes(right, left, back)
    width = _mean_distance(right, left)
    depth = _mean_distance(origin, back)
    x = -0.24 * depth - 9.9 * MM
    y = -0.30 * width - 10.9 * MM
    z = sign * (0.33 * width + 7.3 * MM)
    return origin + np.array([x, y, z]) @ axes


def bell(right: Vector, left: Vector, back: Vector, sign: float) -> Vector:
    """The hip's centre (n, 3): 30 % of the width below, 14 % inside and 22 % behind its spine (Bell, J. Biomech. 23, 1990)."""
    _origin, axes = pelvis_axes(right, left, back)
    width = _mean_distance(right, left)
    spine = right if sign > 0.0 else left
    return spine + width * np.array([-0.22, -0.30, -0.14 * sign]) @ axes


def _mean_distance(one: Vector, other: Vector) -> float:
    return float(np.nanmean(np.linalg.norm(one - other, axis=-1)))


def centre_of_spheres(markers: Vector) -> Vector | None:
    """(3,) of markers (m, n, 3) that move about it; None where they hardly move or move in a plane. NaN is missing."""
    rows, right, count = [], [], len(markers)
    for k, positions in enumerate(markers):
        seen = positions[np.isfinite(positions).all(axis=1)]
        which = np.zeros((len(seen), count))
        which[:, k] = 1.0
        rows.append(np.column_stack((2.0 * seen, which)))
        right.append(np.sum(seen**2, axis=1))
    matrix, known = np.vstack(rows), np.concatenate(right)
    centred = np.vstack([row[:, :3] - row[:, :3].mean(axis=0) for row in rows if len(row)])
    sizes = np.linalg.svd(centred, compute_uv=False)
    if sizes[-1] < MIN_FLATNESS * sizes[0] or sizes[0] == 0.0:
        return None
    return np.asarray(np.linalg.lstsq(matrix, known, rcond=None)[0][:3])
