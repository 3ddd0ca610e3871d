"""The pelvis by its four spines, and the hip's centre in it: regressions of Harrington and of Bell.

Axes: origin midway between the anterior spines, z to the subject's right, y up and normal to the plane of the spines.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
MM = 1e-3


def pelvis_axes(right: Vector, left: Vector, back: Vector) -> tuple[Vector, Vector]:
    """Origin (n, 3) and axes x, y, z as rows (n, 3, 3). right, left: anterior spines; back: middle of the posterior."""
    origin = 0.5 * (right + left)
    z = _unit(right - left)
    ahead = origin - back
    y = _unit(np.cross(z, ahead))
    return origin, np.stack([np.cross(y, z), y, z], axis=-2)


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


def _unit(vectors: Vector) -> Vector:
    return np.asarray(vectors / np.linalg.norm(vectors, axis=-1, keepdims=True))


def _mean_distance(one: Vector, other: Vector) -> float:
    return float(np.nanmean(np.linalg.norm(one - other, axis=-1)))
