"""An axle a little way along every parameter at once: its wheels with every body moved as the closing rows say.

Where rows of the workbook's own join the bodies, the axle is generated again for each parameter by itself and posed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, partial

import numpy as np

from sheetmbs.engine.carried_vectors import VariedBody, vary_vector
from sheetmbs.engine.records import Floats
from sheetmbs.suspension.kinematics.axle_system import AxleSystem, Placing
from sheetmbs.suspension.kinematics.body_motion import BodyMotion
from sheetmbs.suspension.kinematics.jets import Vec
from sheetmbs.suspension.kinematics.sweeps import SweptAxle, swept_at
from sheetmbs.suspension.kinematics.wheel import Wheel
from sheetmbs.suspension.layout.car import SIDES, AxleData, Hardpoint, LazyItems, Vector
from sheetmbs.suspension.sensitivity.body_shifts import BodyShifts, Parameter, body_shifts, by_owner, signs_of
from sheetmbs.suspension.sensitivity.loop_closure_jacobian import ClosedAxle

SIGNS = (1.0, -1.0)
"""steps to either side along every parameter: all poses of the first sign stand before those of the second"""


@dataclass(frozen=True, eq=False)
class VariedMotion(BodyMotion):
    """A body at n poses for every sign, parameter and pose, in that order, moved by a step along each."""

    body: VariedBody

    def _along(self, along: Vector, *, is_point: bool) -> Vec:
        found = np.empty((*self.position.shape[:2], len(SIGNS) * self.position.shape[2] * self.body.count))
        vary_vector(self.body, np.ascontiguousarray(np.atleast_2d(along).T), is_point, found)
        return Vec(found)


@dataclass(frozen=True, eq=False)
class VariedWheel(Wheel):
    """A wheel at n poses for every sign, parameter and pose, in that order, its bodies moved by ``step`` along each.

    axle: with points of as many places. wheel: unchanged, over n poses alone. some: which of the shifted parameters.
    """

    wheel: Wheel
    shifts: BodyShifts
    some: range
    step: float

    def _motion(self, name: str) -> BodyMotion | None:
        here = self.wheel.body_motion(name)
        if here is None:
            return None
        at, some = self.shifts.place(name), self.some
        body = VariedBody(here.position, here.turn, self.shifts.moved, at, some.start, len(some), self.step)
        return VariedMotion(here.start, here.position, here.turn, body)

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


@dataclass(frozen=True, eq=False)
class ShiftedAxle:
    """An axle at its poses, as if it were drawn as it stands, and how its bodies move per unit of each parameter."""

    swept: SweptAxle
    parameters: Sequence[Parameter]

    @cached_property
    def axle(self) -> AxleData:
        """What it is made of."""
        return _undrawn(self.swept.axle)

    @cached_property
    def sides(self) -> Mapping[str, tuple[Wheel, BodyShifts]]:
        """Each wheel, and motions with the derivatives of that wheel."""
        return LazyItems(SIDES, partial(_shifted, self.swept, self.axle, self.parameters))


def _shifted(swept: SweptAxle, axle: AxleData, parameters: Sequence[Parameter], side: str) -> tuple[Wheel, BodyShifts]:
    sides = SIDES if swept.system.is_coupled else (side,)
    views = {each: replace(swept.wheels[side], axle=axle, side=each) for each in sides}
    return views[side], body_shifts(ClosedAxle(views), parameters)


def varied_axle(shifted: ShiftedAxle, some: range, step: float, design: SweptAxle | None = None) -> SweptAxle:
    """An axle at its poses with each of some parameters changed by ``step`` to either side.

    design: the same of the axle at its design pose; None where this is that.
    """
    swept, at = shifted.swept, shifted.swept.placing
    axle = _with_all(shifted.axle, shifted.parameters[some.start : some.stop], step, len(at.rack))
    placing = at.repeated(len(SIGNS) * len(some))

    def wheel(side: str) -> Wheel:
        here, shifts = shifted.sides[side]
        return VariedWheel(axle, side, here.poses, placing.roll, placing.pitch, here, shifts, some, step)

    system = replace(swept.system, axle=axle)
    return SweptAxle(system, LazyItems(SIDES, wheel), slice(0, len(placing.rack)), placing, design=design)


def _with_all(axle: AxleData, parameters: Sequence[Parameter], step: float, count: int) -> AxleData:
    """An axle whose points have a place for every sign, parameter and pose: (n, 3) each."""
    owners = by_owner(parameters)

    def moved(side: str, name: str) -> Hardpoint:
        point, by = axle.points[side][name], np.zeros((len(SIGNS), len(parameters), 3))
        if (name, "") in owners:
            numbers, axes = owners[name, ""]
            by[:, numbers, axes] = np.multiply.outer(SIGNS, step * signs_of(axle, side, name)[axes])
        return replace(point, position=np.repeat((point.position + by).reshape(-1, 3), count, axis=0))

    return replace(axle, points={side: LazyItems(axle.points[side], partial(moved, side)) for side in SIDES})


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
    for side in SIDES:
        old, along = points[side][parameter.point], np.eye(3)[parameter.axis]
        shift = along * signs_of(axle, side, parameter.point)
        points[side][parameter.point] = replace(old, position=old.position + step * shift)
    return replace(axle, points=points)


STEP = 1e-5
"""m: its square is far below what is asked for, and poses are good to 1e-15 m"""


@dataclass(frozen=True, eq=False)
class AxleGenerator:
    """What generates an axle again. make: from its data and a member, ``""`` none, longer by so much, m. members: it has."""

    make: Callable[[AxleData, str, float], AxleSystem]
    members: frozenset[str]


def finite_difference_axle(swept: SweptAxle, generator: AxleGenerator, parameter: Parameter, step: float) -> SweptAxle:
    """An axle with one parameter changed by ``step``, its wheels at the same travels from where they then are at design.

    Raises WorkbookError or ArithmeticError where it does not go together so.
    """
    axle = moved_axle(swept, parameter, step)
    system = generator.make(axle, parameter.member, step)
    at = swept.placing
    travel = {side: values - swept.axle.standing(side) for side, values in at.travel.items()}
    found = swept_at(system, Placing(travel, at.rack, at.roll, at.pitch))
    if found.rows != swept.rows:
        raise ArithmeticError(f"the linkage does not close with {parameter.name} changed by {1e3 * step:g} mm")
    return found
