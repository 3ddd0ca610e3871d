"""What statics need of an axle at n poses, over the travels of both wheels, with derivatives up to the second.

A quantity f has value (n, ..), first (n, 2, ..) and second (n, 2, 2, ..), by the travels of the left and of the right wheel.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sheetmbs.engine.car_on_road import PER_WHEEL
from sheetmbs.engine.records import Floats
from sheetmbs.suspension.elastic.spring_elements import (
    AxleLaws,
    Element,
    measured_elements,
    stiffness,
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
    """An axle. fixed: what its vectors are; vectors: (n, vectors, 7, 3) as that has them. elements: at its poses."""

    swept: SweptAxle
    fixed: AxleVectors
    vectors: Floats
    elements: Sequence[Element]

    @cached_property
    def wheels(self) -> Mapping[str, WheelState]:
        """Wheels of the axle by side."""
        found = {}
        for number, side in enumerate(SIDES):
            centre, spin, turning = (self._moving(PER_WHEEL * number + each) for each in range(PER_WHEEL))
            wheel = self.swept.wheels[side]
            found[side] = WheelState(wheel.s, wheel.radius, centre, spin, turning.first)
        return found

    @cached_property
    def masses(self) -> Sequence[tuple[float, Moving]]:
        """Unsprung masses with their places."""
        first = PER_WHEEL * len(SIDES)
        return [(mass.mass, self._moving(first + number)) for number, mass in enumerate(self.fixed.masses)]

    @property
    def stiffness(self) -> Floats:
        """(n, 2, 2) of its elements over the travels of both wheels."""
        return stiffness(self.elements) if self.elements else np.zeros((len(self.vectors), 2, 2))

    def _moving(self, number: int) -> Moving:
        own = self.vectors[:, number]
        return Moving(own[:, 0], own[:, 1:3], own[:, 3:].reshape(-1, 2, 2, 3))


def axle_state(swept: SweptAxle, laws: AxleLaws, fixed: AxleVectors) -> AxleState:
    """An axle at its poses."""
    vectors = fixed.carried(swept)
    return AxleState(swept, fixed, vectors, tuple(measured_elements(fixed.spans, laws, fixed.measured(vectors))))
