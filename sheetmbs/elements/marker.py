"""Markers: the point and axes at which an element takes hold of a body.

Along a joint's axis lies the marker's third axis, as in Nikravesh (1988), sec. 7.3; in a planar model that is the global z
for a revolute joint and the direction of sliding for a translational one.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements.rotation import cross, size_of

Vector = NDArray[np.float64]
GROUND = "ground"


@dataclass(frozen=True, eq=False)
class Marker:
    """A point with three axes fixed on a body.

    body: name, or ``ground``. origin: (3,) m, body coordinates (global ones on ground). axes: (3, 3), columns are the
    marker's unit axes in body coordinates; right-handed. floating: on a beam, it takes hold not of the section there but of
    the frame against which deformations count.
    """

    body: str
    origin: Vector = field(default_factory=lambda: np.zeros(3))
    axes: Vector = field(default_factory=lambda: np.eye(3))
    floating: bool = False


def triad(axis: Vector) -> Vector:
    """Right-handed unit axes whose third column is ``axis``.

    axis: (3,), any length but zero. Returns (3, 3). For an axis in the x-y plane the second column is the global z, so a
    planar mechanism keeps its rows in its plane.
    """
    third = np.asarray(axis, dtype=np.float64)
    third = third / size_of(third)
    helper = np.array([0.0, 0.0, 1.0]) if abs(third[2]) < 0.9 else np.array([1.0, 0.0, 0.0])
    second = helper - third * (helper @ third) if abs(third[2]) < 0.9 else cross(third, helper)
    found = np.empty((3, 3))
    found[:, 1] = second / size_of(second)
    found[:, 2] = third
    found[:, 0] = cross(found[:, 1], third)
    return found
