"""The numbers by which kernels know the kinds of things; free of numba, so that declarations can use them."""

from __future__ import annotations

from enum import IntEnum


class BodyKind(IntEnum):
    """How a body moves; each kind has one file of kinematics."""

    GROUND = 0
    PLANAR = 1


class RowKind(IntEnum):
    """Kinds of constraint rows; each has one file in `engine/rows`."""

    COINCIDENT = 0
    PERPENDICULAR = 1
    IN_PLANE = 2
    DISTANCE = 3
    ANGLE = 4
    COORDINATE = 5
