"""Joint centres and axes of the conventional gait model, each from markers of one or of many frames.

Points are (.., 3) in m in x forward, y up, z to the right; axes are (.., 3, 3) whose columns are x, y and z.

    hip    x = C cos th sin be - (d + r) cos be
           y = -C cos th cos be - (d + r) sin be
           z = +-(a - C sin th),                       C = 0.115 L - 15.3 mm, th = 0.5 rad, be = 0.314 rad

in axes of the pelvis (Davis, Ounpuu, Tyburski and Gage, Hum. Mov. Sci. 10, 1991), with L the mean length of both legs, d from
the anterior spine back to the trochanter, r the radius of a marker and a half the distance of the spines.

A knee or ankle K lies in the plane of the centre above it P, its lateral marker M and a wand W, at the distance e from M, such
that K - M is upright on K - P. With u = (P - M)/|P - M| and w the unit vector upright on u, in the plane, away from W,

    K = M + e (cos g u + sin g w),                     cos g = e/|P - M|.
"""

from __future__ import annotations

import numpy as np

from sheetmbs.gait.arrays import Vector

MM = 1e-3
SPREAD, INCLINATION = 0.5, 0.314
"""rad: Davis's angles of the neck in the frontal plane, and of the pelvis in the sagittal one"""
NECK_PER_LENGTH, NECK_OFFSET = 0.115, -15.3 * MM
"""the distance C of the centre from the spine is that part of a leg's length, and so many m"""
TROCHANTER_PER_LENGTH, TROCHANTER_OFFSET = 0.1288, -48.56 * MM
"""the same of the distance from the anterior spine back to the trochanter, where that was not measured"""


def trochanter_distance(leg: float) -> float:
    """From the anterior spine back to the trochanter in m, by the length of that leg in m."""
    return TROCHANTER_PER_LENGTH * leg + TROCHANTER_OFFSET


def davis_offset(leg: float, width: float, trochanter: float, radius: float, sign: float) -> Vector:
    """The hip's centre (3,) in axes of the pelvis.

    leg: mean length of both legs in m. width: of the anterior spines in m. trochanter: from the spine back to it in m.
    radius: of a marker in m. sign: +1 the right hip, -1 the left one.
    """
    neck = NECK_PER_LENGTH * leg + NECK_OFFSET
    back = trochanter + radius
    across = neck * np.cos(SPREAD)
    return np.array(
        [
            across * np.sin(INCLINATION) - back * np.cos(INCLINATION),
            -across * np.cos(INCLINATION) - back * np.sin(INCLINATION),
            sign * (0.5 * width - neck * np.sin(SPREAD)),
        ]
    )


def pelvis_frame(right: Vector, left: Vector, back: Vector) -> tuple[Vector, Vector]:
    """Origin (.., 3) and axes of the pelvis. right, left: anterior spines. back: middle of the posterior ones, or sacrum."""
    origin = 0.5 * (right + left)
    z = _unit(right - left)
    y = _unit(np.cross(z, origin - back))
    return origin, np.stack((np.cross(y, z), y, z), axis=-1)


def chord(above: Vector, marker: Vector, wand: Vector, distance: float, turn: float = 0.0) -> Vector:
    """The joint centre (.., 3) beside a lateral marker; NaN where it lies farther from the centre than the centre above.

    above: the joint centre above. distance: from the marker to the centre in m. turn: rad by which the wand is turned about the
    direction from the marker to the centre above before it tells the plane.
    """
    away = above - marker
    reach = np.linalg.norm(away, axis=-1, keepdims=True)
    along = away / reach
    aside = _upright(wand - marker, along)
    if turn:
        aside = np.cos(turn) * aside + np.sin(turn) * np.cross(along, aside)
    with np.errstate(invalid="ignore"):
        part = distance / reach
        return np.asarray(marker + distance * (part * along - np.sqrt(1.0 - part**2) * aside))


def bone_frame(above: Vector, centre: Vector, marker: Vector, sign: float) -> Vector:
    """Axes of a bone: y from its lower centre to the upper one, z along the chord to the right. sign: +1 right, -1 left."""
    y = _unit(above - centre)
    z = _upright(sign * (marker - centre), y)
    return np.stack((np.cross(y, z), y, z), axis=-1)


def turned_about_y(axes: Vector, angle: float) -> Vector:
    """Axes turned about their own y by an angle in rad."""
    c, s = np.cos(angle), np.sin(angle)
    return np.asarray(axes @ np.array([[c, 0.0, s], [0.0, 1.0, 0.0], [-s, 0.0, c]]))


def foot_frame(heel: Vector, toe: Vector, ankle: Vector) -> Vector:
    """Axes of a foot: x from the heel, or the ankle's centre, to the toe; z that of the axes of the ankle, square to x."""
    x = _unit(toe - heel)
    z = _upright(ankle[..., :, 2], x)
    return np.stack((x, np.cross(z, x), z), axis=-1)


def thorax_frame(c7: Vector, t10: Vector, clavicle: Vector, sternum: Vector) -> Vector:
    """Axes of the thorax: y up from the middle of its lower two markers to that of its upper two, x forward in their plane."""
    y = _unit(0.5 * (clavicle + c7) - 0.5 * (sternum + t10))
    x = _upright(0.5 * (clavicle + sternum) - 0.5 * (c7 + t10), y)
    return np.stack((x, y, np.cross(x, y)), axis=-1)


def _unit(vectors: Vector) -> Vector:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True))


def _upright(vectors: Vector, along: Vector) -> Vector:
    """Unit vectors: the part of these that is upright on unit vectors."""
    return _unit(vectors - np.sum(vectors * along, axis=-1, keepdims=True) * along)
