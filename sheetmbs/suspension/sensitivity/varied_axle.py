"""An axle a little way along every parameter at once: its wheels with every body moved as the closing rows say."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.kinematics.axle_system import Placing
from sheetmbs.suspension.kinematics.body_motion import BodyMotion
from sheetmbs.suspension.kinematics.jets import Vec
from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.kinematics.wheel import FoundWheels, Wheel
from sheetmbs.suspension.layout.car import SIDES, AxleData, Hardpoint
from sheetmbs.suspension.sensitivity.body_shifts import (
    BodyShifts,
    Parameter,
    body_shifts,
    by_owner,
    shift_of,
    signs_of,
)
from sheetmbs.suspension.sensitivity.closing_rows import ClosedAxle

SIGNS = (1.0, -1.0)
"""steps to either side along every parameter; poses of the first sign stand before those of the second"""


@dataclass(frozen=True, eq=False)
class VariedWheel(Wheel):
    """A wheel at n poses for every sign and parameter, one behind the other, its bodies moved by ``step`` along each.

    axle: with points of as many places. wheel: unchanged, over n poses alone.
    """

    wheel: Wheel
    shifts: BodyShifts
    step: float

    def _motion(self, name: str) -> BodyMotion | None:
        """The motion of a body: each of its axes c and its origin X moved by theta x c and d0 + theta x X."""
        if name not in self._bodies:
            here = self.wheel.body_motion(name)
            self._bodies[name] = None if here is None else self._varied(name, here)
        return self._bodies[name]

    def _varied(self, name: str, here: BodyMotion) -> BodyMotion:
        place, *axes = (Vec(np.tile(rows, self.shifts.parameters)) for rows in (here.position, *here.turn))
        moved, turned = self.shifts.of(name)
        rows, count = place.rows.shape[1:]
        position, turn = np.empty((3, rows, 2, count)), np.empty((3, 3, rows, 2, count))
        self._to_either_side(place, moved + turned.cross(place), position)
        for axis, found in zip(axes, turn, strict=True):
            self._to_either_side(axis, turned.cross(axis), found)
        return BodyMotion(here.start, position.reshape(3, rows, -1), turn.reshape(3, 3, rows, -1))

    def _to_either_side(self, place: Vec, moved: Vec, found: Floats) -> None:
        by = self.step * moved.rows
        for number, go in enumerate((np.add, np.subtract)):
            go(place.rows, by, out=found[:, :, number])

    @cached_property
    def twist(self) -> tuple[Floats, Floats]:
        """Velocity of W and angular velocity of the wheel carrier per unit of each driver of the corner, (n, d, 3) each.

        omega = sum of e x de over three directions fixed on it, halved.
        """
        omega = np.zeros((self.count, self.drivers, 3))
        for axis in np.eye(3):
            fixed = self.direction_on(self.axle.wheel_carrier, axis)
            omega = omega + 0.5 * np.cross(fixed.value[:, None, :], fixed.first)
        return self.centre.first[:, :-1], omega[:, :-1]


def varied_axle(
    swept: SweptAxle, parameters: Sequence[Parameter], step: float, design: SweptAxle | None = None
) -> SweptAxle:
    """An axle at its poses with every parameter changed by ``step`` to either side.

    design: the same of the axle at its design pose; None where this is that.
    """
    undrawn, count = _undrawn(swept.axle), len(swept.placing.rack)
    axle = _with_all(swept, undrawn, parameters, step, count)
    copies = len(SIGNS) * len(parameters)
    at = swept.placing
    placing = Placing(
        {side: np.tile(values, copies) for side, values in at.travel.items()},
        *(np.tile(values, copies) for values in (at.rack, at.roll, at.pitch)),
    )

    def wheel(side: str) -> Wheel:
        sides = SIDES if swept.system.is_coupled else (side,)
        views = {each: replace(swept.wheels[side], axle=undrawn, side=each) for each in sides}
        shifts = body_shifts(ClosedAxle(views), parameters)
        poses = swept.wheels[side].poses
        return VariedWheel(axle, side, poses, placing.roll, placing.pitch, views[side], shifts, step)

    system = replace(swept.system, axle=axle)
    return SweptAxle(system, FoundWheels(wheel), slice(0, copies * count), placing, design=design)


def _with_all(swept: SweptAxle, axle: AxleData, parameters: Sequence[Parameter], step: float, count: int) -> AxleData:
    """An axle whose points have a place for every sign, parameter and pose: (n, 3) each."""
    points: dict[str, dict[str, Hardpoint]] = {}
    owners = by_owner(parameters)
    for side, wheel in swept.wheels.items():
        points[side] = {}
        for name, point in axle.points[side].items():
            by = np.zeros((len(SIGNS), len(parameters), 3))
            if (name, "") in owners:
                numbers, axes = owners[name, ""]
                by[:, numbers, axes] = np.multiply.outer(SIGNS, step * signs_of(wheel, name)[axes])
            places = (point.position + by).reshape(-1, 3)
            points[side][name] = replace(point, position=np.repeat(places, count, axis=0))
    return replace(axle, points=points)


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
