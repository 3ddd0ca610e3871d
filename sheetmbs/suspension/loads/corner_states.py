"""What statics need of an axle at n poses, over the travels of both wheels, with derivatives up to the second.

A quantity f has value (n, ..), first (n, 2, ..) and second (n, 2, 2, ..), by the travels of the left and of the right wheel.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.elastic.spring_elements import AxleLaws, elements
from sheetmbs.suspension.kinematics.jets import Vec
from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.kinematics.wheel import Wheel
from sheetmbs.suspension.layout.car import SIDES, MassPoint


@dataclass(frozen=True, eq=False)
class Moving:
    """A vector over both travels: value (n, 3), first (n, 2, 3), second (n, 2, 2, 3); of w of them (n, w, 3) and so on."""

    value: Floats
    first: Floats
    second: Floats

    def at(self, change: Floats) -> Floats:
        """(p, n, 3) after changes of both travels (p, n, 2)."""
        halfway = self.slope_at(0.5 * change)
        return np.asarray(self.value + np.einsum("...kc,...k->...c", halfway, change))

    def slope_at(self, change: Floats) -> Floats:
        """(p, n, 2, 3) first derivatives after such changes."""
        return np.asarray(self.first + np.einsum("...klc,...l->...kc", self.second, change))

    @staticmethod
    def together(each: Sequence[Moving]) -> Moving:
        """Several as one, side by side."""
        return Moving(
            *(np.stack([getattr(one, name) for one in each], axis=1) for name in ("value", "first", "second"))
        )


@dataclass(frozen=True, eq=False)
class WheelState:
    """A wheel. s: +1 left, -1 right; turning: (n, 2, 3) angular velocity of the carrier; its derivatives (n, 2, 2, 3).

    Of w wheels s and radius are (w, 1), and all else has w behind n.
    """

    s: Floats | float
    radius: Floats | float
    centre: Moving
    spin: Moving
    turning: Floats
    turning_rate: Floats

    def turning_at(self, change: Floats) -> Floats:
        """(p, n, 2, 3) angular velocity per unit of either travel."""
        return np.asarray(self.turning + np.einsum("...klc,...l->...kc", self.turning_rate, change))

    @staticmethod
    def together(each: Sequence[WheelState]) -> WheelState:
        """Several as one, side by side."""
        s, radius = (np.array([[getattr(one, name)] for one in each]) for name in ("s", "radius"))
        centre, spin = (Moving.together([getattr(one, name) for one in each]) for name in ("centre", "spin"))
        turning, rate = (np.stack([getattr(one, name) for one in each], axis=1) for name in ("turning", "turning_rate"))
        return WheelState(s, radius, centre, spin, turning, rate)


@dataclass(frozen=True, eq=False)
class AxleState:
    """An axle. masses: with their places. elastic: (n, 2) what its elements do on the travels; stiffness: (n, 2, 2)."""

    swept: SweptAxle
    wheels: Mapping[str, WheelState]
    masses: Sequence[tuple[float, Moving]]
    elastic: Floats
    stiffness: Floats


def axle_state(swept: SweptAxle, laws: AxleLaws, masses: Sequence[MassPoint]) -> AxleState:
    """An axle at its poses."""
    count = len(swept.placing.rack)
    elastic, stiffness = np.zeros((count, 2)), np.zeros((count, 2, 2))
    for part in elements(swept, laws):
        elastic -= part.force[:, None] * part.length.first
        stiffness += part.elastic + part.geometric
    wheels = {side: _wheel_state(swept.wheels[side]) for side in SIDES}
    carried = [(mass.mass, _carried(mass, swept.wheels[mass.side], wheels[mass.side])) for mass in masses]
    return AxleState(swept, wheels, carried, elastic, stiffness)


def _wheel_state(wheel: Wheel) -> WheelState:
    name = wheel.axle.body_name(wheel.axle.wheel_carrier, wheel.side)
    basis = wheel.to_both[:, :-1]  # roll turns the road, and no body
    turning = np.einsum("ik,nkc->nic", basis, wheel.poses.twist(name)[1])
    rate = np.einsum("ik,nklc,jl->nijc", basis, wheel.poses.twist_rate(name)[1], basis)
    return WheelState(wheel.s, wheel.radius, _moving(wheel, wheel.centre), _moving(wheel, wheel.spin), turning, rate)


def _carried(mass: MassPoint, wheel: Wheel, state: WheelState) -> Moving:
    """Where a mass is: most are at the middle of the wheel."""
    place = wheel.mass_place(mass)
    return state.centre if place is wheel.centre else _moving(wheel, place)


def _moving(wheel: Wheel, of: Vec) -> Moving:
    """A vector of a wheel over both travels."""
    found = of.rebased(wheel.to_both[:, : of.drivers])
    return Moving(found.value, found.first, found.second)
