"""An axle a little way along a parameter: its wheels with every body moved as the closing rows say."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.kinematics.jets import Vec, vec
from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.kinematics.wheel import Wheel
from sheetmbs.suspension.layout.car import SIDES, AxleData, Vector
from sheetmbs.suspension.sensitivity.body_shifts import BodyShifts, Orders, Parameter, body_shifts, orders, shift_of
from sheetmbs.suspension.sensitivity.closing_rows import ClosedAxle


@dataclass(frozen=True, eq=False)
class ShiftedPlaces:
    """Hardpoints of a wheel and how they move by every parameter, each found when it is first asked for. wheel: unchanged."""

    wheel: Wheel
    shifts: BodyShifts
    parameters: Sequence[Parameter]
    _found: dict[str, tuple[Orders, Orders]] = field(default_factory=dict)

    def at(self, name: str, number: int, step: float) -> Vec:
        """A hardpoint with one parameter changed."""
        if name not in self._found:
            point = self.wheel.axle.points[self.wheel.side][name]
            place = self.wheel.hardpoint(name)
            moved = self.shifts.of_place(self.wheel.axle.body_name(point.on, self.wheel.side), place)
            for each, parameter in enumerate(self.parameters):
                if parameter.point == name:
                    own = self.wheel.direction_on(point.on, shift_of(self.wheel, parameter))
                    for order, part in zip(moved, orders(own), strict=True):
                        order[..., each, :] += part
            self._found[name] = orders(place), moved
        place_, moved_ = self._found[name]
        return vec(*(here + step * by[..., number, :] for here, by in zip(place_, moved_, strict=True)))


@dataclass(frozen=True, eq=False)
class VariedWheel(Wheel):
    """A wheel whose bodies have moved by ``step`` along a parameter. number: of it among those of the shifts."""

    places: ShiftedPlaces
    number: int
    step: float

    @property
    def shifts(self) -> BodyShifts:
        """How bodies move."""
        return self.places.shifts

    def hardpoint(self, name: str) -> Vec:
        """A hardpoint of this corner."""
        if name not in self._hardpoints:
            self._hardpoints[name] = self.places.at(name, self.number, self.step)
        return self._hardpoints[name]

    def direction_on(self, body: str, along: Vector) -> Vec:
        """A direction fixed on a body, given as drawn (3,)."""
        direction = super().direction_on(body, along)
        _moved, turned = self.shifts.of(self.axle.body_name(body, self.side), self.number)
        return direction + turned.cross(direction) * self.step

    @cached_property
    def twist(self) -> tuple[Floats, Floats]:
        """Velocity of W and angular velocity of the wheel carrier per unit of each driver of the corner, (n, d, 3) each.

        omega = sum of e x de over three directions fixed on it, halved.
        """
        omega = np.zeros((len(self.poses), self.drivers, 3))
        for axis in np.eye(3):
            fixed = super().direction_on(self.axle.wheel_carrier, axis)
            _moved, turned = self.shifts.of(self.axle.body_name(self.axle.wheel_carrier, self.side), self.number)
            now = fixed + turned.cross(fixed) * self.step
            omega = omega + 0.5 * np.cross(now.value[:, None, :], now.first)
        return self.centre.first[:, :-1], omega[:, :-1]


def shifted_places(swept: SweptAxle, parameters: Sequence[Parameter]) -> dict[str, ShiftedPlaces]:
    """How the hardpoints of either wheel move by every parameter."""
    axle = _undrawn(swept.axle)
    found = {}
    for side, wheel in swept.wheels.items():
        sides = SIDES if swept.system.is_coupled else (side,)
        views = {each: replace(wheel, axle=axle, side=each) for each in sides}
        found[side] = ShiftedPlaces(views[side], body_shifts(ClosedAxle(views), parameters), parameters)
    return found


def _undrawn(axle: AxleData) -> AxleData:
    """An axle as it stands, as if it were drawn so."""
    spins = {side: axle.spin_axis(side) for side in SIDES}
    return replace(axle, drawn=None, spins=spins)


def moved_axle(swept: SweptAxle, parameter: Parameter, step: float) -> AxleData:
    """An axle as it stands, as if it were drawn so, with a hardpoint moved by ``step``."""
    axle = _undrawn(swept.axle)
    if not parameter.point:
        return axle
    points = {side: dict(axle.points[side]) for side in SIDES}
    for side, wheel in swept.wheels.items():
        old = points[side][parameter.point]
        points[side][parameter.point] = replace(old, position=old.position + step * shift_of(wheel, parameter))
    return replace(axle, points=points)


def varied_axle(swept: SweptAxle, places: Mapping[str, ShiftedPlaces], number: int, step: float) -> SweptAxle:
    """An axle with one parameter changed by ``step``. number: of the parameter among those of the places."""
    axle = moved_axle(swept, places[SIDES[0]].parameters[number], step)
    wheels: dict[str, Wheel] = {
        side: VariedWheel(axle, side, wheel.poses, wheel.roll, wheel.pitch, places[side], number, step)
        for side, wheel in swept.wheels.items()
    }
    return replace(swept, system=replace(swept.system, axle=axle), wheels=wheels)
