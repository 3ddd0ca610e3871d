"""Axes of a segment from points of a standing trial: x forward, y up, z to the right (ISB: Wu et al. 2002)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

PARALLEL = 1e-3
"""sine of the angle between two directions below which they span no plane"""


def anatomical_axes(start: Vector, end: Vector, plane: Vector, order: str) -> Vector:
    """(3, 3) whose columns are x, y and z of a segment.

    start, end: (3,) in m between which the first axis runs. plane: (3,) a point in the plane of the first and the third axis.
    order: names of the axes as they are made, as ``yxz``: the second stands upright on the plane, on the side on which
    it points forward, up or to the right, and the third completes them.
    Raises ValueError where the points lie on a line, or the first two are one.
    """
    first, second, third = ("xyz".index(name) for name in order)
    length = float(np.linalg.norm(end - start))
    if length == 0.0:
        raise ValueError("the first axis runs from a point to itself")
    along, aside = (end - start) / length, plane - start
    normal = np.cross(along, aside)
    if not np.linalg.norm(normal) > PARALLEL * np.linalg.norm(aside):
        raise ValueError("the first axis and the point in its plane lie on one line")
    normal *= (1.0 if normal[second] >= 0.0 else -1.0) / np.linalg.norm(normal)
    axes = np.zeros((3, 3))
    axes[:, first], axes[:, second] = along, normal
    sign = 1.0 if (second - first) % 3 == 1 else -1.0
    axes[:, third] = sign * np.cross(along, normal)
    return axes
