"""Where the planes of both arms of a wheel meet in front view and in side view, of types that have two planes."""

from __future__ import annotations

import numpy as np

from sheetmbs.elements.rotation import cross
from sheetmbs.engine.records import Floats
from sheetmbs.suspension.kinematics.wheel import Wheel


def _planes(wheel: Wheel) -> list[tuple[Floats, Floats]] | None:
    """A point and the unit normal of both planes, (n, 3) each; None where the type has not two."""
    found = []
    for points in wheel.axle.type.planes:
        first, *others = (wheel.hardpoint(name).value for name in points)
        normal = others[0] - first
        if len(others) > 1:
            normal = cross(normal, others[1] - first)
        found.append((first, normal / np.linalg.norm(normal, axis=1, keepdims=True)))
    return found or None


def meet_of_planes(wheel: Wheel, across: int) -> Floats | None:
    """(n, 3) homogeneous: where the planes meet in the plane through W square to x (across 0) or to y (across 1).

    Its coordinates are y, z and weight, or x, z and weight; weight 0 means the direction to infinity.
    """
    planes = _planes(wheel)
    if planes is None:
        return None
    kept = [axis for axis in range(3) if axis != across]
    at = wheel.centre.value[:, across]
    lines = []
    for point, normal in planes:
        level = np.sum(normal * point, axis=1) - normal[:, across] * at
        lines.append(np.column_stack((normal[:, kept[0]], normal[:, kept[1]], -level)))
    return cross(lines[0], lines[1])
