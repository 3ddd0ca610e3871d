"""What metrics are found from: a wheel with its axle, an axle, an element, over the poses that the axle reached."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from math import nan

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.schema.suspension_inputs import SpringKind
from sheetmbs.suspension.elastic.kinds.corner_spring import ends_of
from sheetmbs.suspension.elastic.kinds.u_bar import bar_turn
from sheetmbs.suspension.elastic.spring_elements import AxleLaws, Element, elements, stiffness
from sheetmbs.suspension.kinematics.jets import Jet
from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.kinematics.wheel import Wheel
from sheetmbs.suspension.layout.car import SIDES, AxleData, CarData
from sheetmbs.suspension.layout.found_once import found_once
from sheetmbs.suspension.layout.mass_data import corner_load
from sheetmbs.suspension.metrics.arm_planes import meet_of_planes
from sheetmbs.suspension.metrics.centres import Centres, RollCentre, across_road, centres, roll_centre

CORNER_LOAD = "corner load"
SPRING, DAMPER, U_BAR = SpringKind.SPRING, SpringKind.DAMPER, SpringKind.U_BAR


@dataclass(frozen=True, eq=False)
class AxlePoses:
    """An axle over the poses that it reached. laws: of its elements by name and side."""

    car: CarData
    swept: SweptAxle
    laws: AxleLaws

    @property
    def axle(self) -> AxleData:
        """What it is made of."""
        return self.swept.axle

    @property
    def left(self) -> Wheel:
        """Left wheel of the axle."""
        return self.swept.wheels["left"]

    @property
    def right(self) -> Wheel:
        """Right wheel of the axle."""
        return self.swept.wheels["right"]

    @property
    def corners(self) -> tuple[CornerPoses, ...]:
        """Both wheels, made anew: an axle that kept them would keep itself, and all its arrays until the next collection."""
        return tuple(CornerPoses(self, side) for side in SIDES)

    @cached_property
    def elements(self) -> list[Element]:
        """Springs, stops and bars, and dampers, whose gas force carries too."""
        return list(elements(self.swept, self.laws))

    @cached_property
    def stiffness(self) -> Floats | None:
        """(n, 2, 2) K over the travels of both wheels; None where no spring is given."""
        return stiffness(self.elements) if self.axle.is_sprung else None

    @cached_property
    def roll_motion(self) -> Floats:
        """(n, 2) V: travel of both wheels per roll on the road, m/rad."""
        return self.swept.roll_slopes

    def along_roll(self, matrix: Floats) -> Floats:
        """(n,) V' K V along the roll motion in which both wheels stay on the road, N m/rad. matrix: (n, 2, 2)."""
        V = self.roll_motion
        return np.asarray(np.einsum("ni,nij,nj->n", V, matrix, V))

    @cached_property
    def roll_stiffness(self) -> Floats | None:
        """(n,) of all elements, N m/rad; None without springs."""
        return None if self.stiffness is None else self.along_roll(self.stiffness)

    @cached_property
    def track(self) -> Floats:
        """(n,) distance of the contacts along the road, m."""
        apart = self.left.contact.value - self.right.contact.value
        return np.asarray(np.sum(apart * across_road(self.left), axis=1))

    @cached_property
    def roll_centre(self) -> RollCentre:
        """Roll centre and slopes of the contacts."""
        return roll_centre(self.left, self.right, self.roll_motion)

    @property
    def count(self) -> int:
        """Number of poses of the axle."""
        return len(self.left.roll)

    def number(self, setting: str) -> float:
        """A setting of the axle or the car; NaN where nothing tells it."""
        if setting == CORNER_LOAD:
            told = corner_load(self.car, self.axle)
        else:
            told = self.axle.number(setting)
            told = self.car.number(setting) if told is None else told
        return nan if told is None else told


@dataclass(frozen=True, eq=False)
class CornerPoses:
    """A wheel with its axle, over the poses that the axle reached."""

    of_axle: AxlePoses
    side: str

    @property
    def wheel(self) -> Wheel:
        """Wheel of this context."""
        return self.of_axle.swept.wheels[self.side]

    @property
    def axle(self) -> AxleData:
        """What its axle is made of."""
        return self.of_axle.axle

    @property
    def at(self) -> int:
        """Index of this pose in what is given over the travels of both wheels."""
        return SIDES.index(self.side)

    def length(self, kind: str) -> Jet | None:
        """Distance of the ends of the spring or of the damper; None where these are not given."""
        ends = ends_of(kind, self.axle)
        if not all(map(self.axle.has_point, ends)):
            return None
        return self.wheel.distance(*ends)

    def length_over_both(self, kind: str) -> Jet | None:
        """The same over the travels of both wheels."""
        return None if self.length(kind) is None else self.wheel.distance_over_both(*ends_of(kind, self.axle))

    @property
    def bar_angle(self) -> Jet | None:
        """Angle of the half of a U bar on this side."""
        return _bar_angle(self.wheel)

    @property
    def plane_centres(self) -> tuple[Floats, Floats] | None:
        """(n, 3) homogeneous: where the planes of the arms meet in front view and in side view; None of types without."""
        return meet_of_planes(self.wheel)

    @property
    def centres(self) -> Centres:
        """Instant centres and slopes."""
        return centres(self.wheel)

    @property
    def name(self) -> str:
        """FL, FR, RL or RR."""
        return self.axle.corner(self.side)

    def number(self, setting: str) -> float:
        """A setting of its axle or the car; NaN where nothing tells it."""
        return self.of_axle.number(setting)


@found_once
def _bar_angle(wheel: Wheel) -> Jet | None:
    return wheel.turn(bar_turn(wheel.axle, wheel.side)) if wheel.axle.has_kind(U_BAR) else None


@dataclass(frozen=True, eq=False)
class ElementPoses:
    """An element of a corner or an axle over poses."""

    of_axle: AxlePoses
    element: Element

    @property
    def owner(self) -> str:
        """The corner or axle to which it belongs."""
        side = self.element.side
        return self.of_axle.axle.corner(side) if side else self.of_axle.axle.name

    def number(self, setting: str) -> float:
        """A setting of its axle or the car; NaN where nothing tells it."""
        return self.of_axle.number(setting)
