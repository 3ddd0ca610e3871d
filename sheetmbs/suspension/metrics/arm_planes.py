"""Where the planes of both arms of a wheel meet in front view and in side view, of types that have two planes."""

from __future__ import annotations

import numpy as np

from sheetmbs.elements.rotation import cross
from sheetmbs.engine.records import Floats
from sheetmbs.suspension.kinematics.wheel import Wheel
from sheetmbs.suspension.layout.found_once import found_once


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


@found_once
def meet_of_planes(wheel: Wheel) -> tuple[Floats, Floats] | None:
    """(n, 3) homogeneous: where the planes meet in the planes through W square to x and to y; None of types without.

    The coordinates are y, z and weight, and x, z and weight; weight 0 means the direction to infinity.
    """
    planes = _planes(wheel)
    return None if planes is None else (_meet(wheel, planes, 0), _meet(wheel, planes, 1))


def _meet(wheel: Wheel, planes: list[tuple[Floats, Floats]], across: int) -> Floats:
    kept = [axis for axis in range(3) if axis != across]
    at = wheel.centre.value[:, across]
    lines = []
    for point, normal in planes:
        level = np.sum(normal * point, axis=1) - normal[:, across] * at
        lines.append(np.column_stack((normal[:, kept[0]], normal[:, kept[1]], -level)))
    return cross(lines[0], lines[1])
