"""Markers: the point and axes at which an element takes hold of a body.

Along a joint's axis lies the marker's third axis, as in Nikravesh (1988), sec. 7.3; in a planar model that is the global z
for a revolute joint and the direction of sliding for a translational one.
"""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements.rotation import size_of

Vector = NDArray[np.float64]
GROUND = "ground"
STEEP = 0.9  # sine of the angle of an axis above the x-y plane from which on x stands for z


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

    axis: (3,), any length but zero. Returns (3, 3). The second column is the part of z across the axis, of a steep axis
    its product with x: for an axis in the x-y plane z itself, so that a planar mechanism keeps its rows in its plane.
    """
    third = np.asarray(axis, dtype=np.float64)
    x, y, z = (third / size_of(third)).tolist()
    across = np.array((0.0 - x * z, 0.0 - y * z, 1.0 - z * z) if abs(z) < STEEP else (0.0, z, 0.0 - y))
    a, b, c = (across / size_of(across)).tolist()
    return np.array([[b * z - c * y, a, x], [c * x - a * z, b, y], [a * y - b * x, c, z]])
