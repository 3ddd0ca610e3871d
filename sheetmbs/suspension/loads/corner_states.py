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
    """A vector over both travels: value (n, 3), first (n, 2, 3), second (n, 2, 2, 3)."""

    value: Floats
    first: Floats
    second: Floats

    def at(self, change: Floats) -> Floats:
        """(p, n, 3) after changes of both travels (p, n, 2)."""
        return np.asarray(
            self.value
            + np.einsum("nkc,pnk->pnc", self.first, change)
            + 0.5 * np.einsum("nklc,pnk,pnl->pnc", self.second, change, change)
        )

    def slope_at(self, change: Floats) -> Floats:
        """(p, n, 2, 3) first derivatives after such changes."""
        return np.asarray(self.first + np.einsum("nklc,pnl->pnkc", self.second, change))


@dataclass(frozen=True, eq=False)
class WheelState:
    """A wheel. turning: (n, 2, 3) angular velocity of the carrier; its derivatives (n, 2, 2, 3)."""

    wheel: Wheel
    centre: Moving
    spin: Moving
    turning: Floats
    turning_rate: Floats

    def turning_at(self, change: Floats) -> Floats:
        """(p, n, 2, 3) angular velocity per unit of either travel."""
        return np.asarray(self.turning + np.einsum("nklc,pnl->pnkc", self.turning_rate, change))


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
    carried = [
        (mass.mass, _moving(swept.wheels[mass.side], swept.wheels[mass.side].mass_place(mass))) for mass in masses
    ]
    wheels = {side: _wheel_state(swept.wheels[side]) for side in SIDES}
    return AxleState(swept, wheels, carried, elastic, stiffness)


def _wheel_state(wheel: Wheel) -> WheelState:
    name = wheel.axle.body_name(wheel.axle.wheel_carrier, wheel.side)
    basis = wheel.to_both[:, :-1]  # roll turns the road, and no body
    turning = np.einsum("ik,nkc->nic", basis, wheel.poses.twist(name)[1])
    rate = np.einsum("ik,nklc,jl->nijc", basis, wheel.poses.twist_rate(name)[1], basis)
    return WheelState(wheel, _moving(wheel, wheel.centre), _moving(wheel, wheel.spin), turning, rate)


def _moving(wheel: Wheel, of: Vec) -> Moving:
    """A vector of a wheel over both travels."""
    found = of.rebased(wheel.to_both[:, : of.drivers])
    return Moving(found.value, found.first, found.second)
