"""What statics need of an axle at n poses, over the travels of both wheels, with derivatives up to the second.

A quantity f has value (n, ..), first (n, 2, ..) and second (n, 2, 2, ..), by the travels of the left and of the right wheel.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.engine.car_on_road import PER_WHEEL
from sheetmbs.engine.records import Floats
from sheetmbs.suspension.elastic.spring_elements import (
    AxleLaws,
    Element,
    measured_elements,
    stiffness,
    work_on_travels,
)
from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.layout.car import SIDES
from sheetmbs.suspension.loads.axle_vectors import AxleVectors


@dataclass(frozen=True, eq=False)
class Moving:
    """A vector over both travels: value (n, 3), first (n, 2, 3), second (n, 2, 2, 3)."""

    value: Floats
    first: Floats
    second: Floats


@dataclass(frozen=True, eq=False)
class WheelState:
    """A wheel. s: +1 left, -1 right; turning: (n, 2, 3) angular velocity of the carrier."""

    s: float
    radius: float
    centre: Moving
    spin: Moving
    turning: Floats


@dataclass(frozen=True, eq=False)
class AxleState:
    """An axle. vectors: (n, vectors, 7, 3) as `AxleVectors` has them. masses: with their places. elements: at its poses.

    elastic: (n, 2) what its elements do on the travels; stiffness: (n, 2, 2).
    """

    swept: SweptAxle
    vectors: Floats
    wheels: Mapping[str, WheelState]
    masses: Sequence[tuple[float, Moving]]
    elements: Sequence[Element]
    elastic: Floats
    stiffness: Floats


def axle_state(swept: SweptAxle, laws: AxleLaws, fixed: AxleVectors) -> AxleState:
    """An axle at its poses."""
    count = len(swept.placing.rack)
    vectors = fixed.carried(swept)
    parts = tuple(measured_elements(fixed.spans, laws, fixed.measured(vectors)))
    Q, K = (work_on_travels(parts), stiffness(parts)) if parts else (np.zeros((count, 2)), np.zeros((count, 2, 2)))
    wheels = {}
    for number, side in enumerate(SIDES):
        centre, spin, turning = (_moving(vectors, PER_WHEEL * number + each) for each in range(PER_WHEEL))
        wheel = swept.wheels[side]
        wheels[side] = WheelState(wheel.s, wheel.radius, centre, spin, turning.first)
    first = PER_WHEEL * len(SIDES)
    masses = [(mass.mass, _moving(vectors, first + number)) for number, mass in enumerate(fixed.masses)]
    return AxleState(swept, vectors, wheels, masses, parts, Q, K)


def _moving(vectors: Floats, number: int) -> Moving:
    own = vectors[:, number]
    return Moving(own[:, 0], own[:, 1:3], own[:, 3:].reshape(-1, 2, 2, 3))
