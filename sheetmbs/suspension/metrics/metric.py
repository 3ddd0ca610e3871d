"""What a metric is, and what it is found from: a wheel with its axle, an axle, or an element, over the poses that it reached.

Columns of results, the sheet of definitions and the guide are made from the declaration of a metric.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cache, cached_property
from math import nan
from typing import Any, Generic, TypeVar

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.schema.suspension_inputs import SpringKind
from sheetmbs.schema.units import parse_unit
from sheetmbs.suspension.elastic.kinds.corner_spring import ends_of
from sheetmbs.suspension.elastic.kinds.u_bar import bar_turn
from sheetmbs.suspension.elastic.spring_elements import AxleLaws, Element, elements, stiffness, stiffness_of_each
from sheetmbs.suspension.kinematics.jets import Jet
from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.kinematics.wheel import Wheel
from sheetmbs.suspension.layout.car import SIDES, AxleData, CarData, computed_once
from sheetmbs.suspension.layout.mass_data import corner_load
from sheetmbs.suspension.metrics.centres import Centres, RollCentre, across_road, centres, meet_of_planes, roll_centre

Found = Jet | Floats | None
"""values at n poses, SI, with derivatives where they have them, NaN where a pose has none; None: there is no such metric"""
Of = TypeVar("Of")
Known = TypeVar("Known")

DEG, MM, PERCENT, NEWTON, RATE, HERTZ, PER_G = "deg", "mm", "%", "N", "N/mm", "Hz", "deg/g"
SLOPE = "mm/mm"
OVER_G = "/g"
"""per acceleration of gravity, which as a unit of inputs is a gram"""


@dataclass(frozen=True)
class Metric(Generic[Of]):
    """A metric. definition: its formula. sign: what + means. reference: what it is relative to. others: names elsewhere.

    name: of its column; ``{}`` stands for the name of an element. unit: in which it is shown. find: at all poses, in SI.
    needs: settings without which its cells are empty.
    """

    name: str
    definition: str
    sign: str
    unit: str
    find: Callable[[Of], Found]
    reference: str = ""
    others: str = ""
    needs: tuple[str, ...] = ()


def of_known(get: Callable[[Of], Known | None], find: Callable[[Of, Known], Found]) -> Callable[[Of], Found]:
    """Find a metric from something that not every wheel, axle or car has; None where it has none."""

    def found(of: Of) -> Found:
        known = get(of)
        return None if known is None else find(of, known)

    return found


@cache
def size(unit: str) -> float:
    """How large one of a unit of a metric is in SI."""
    return 1.0 if unit == HERTZ else parse_unit(unit.removesuffix(OVER_G)).size


def values(found: Jet | Floats) -> Floats:
    """The values at n poses of what a metric found."""
    return found.value if isinstance(found, Jet) else found


CORNER_LOAD = "corner load"
SPRING, DAMPER, U_BAR = SpringKind.SPRING, SpringKind.DAMPER, SpringKind.U_BAR


@dataclass(frozen=True, eq=False)
class AxlePoses:
    """An axle over the poses that it reached. laws: of its elements by name and side."""

    car: CarData
    swept: SweptAxle
    laws: AxleLaws

    @cached_property
    def known(self) -> dict[object, Any]:
        """What has been found of it, by what finds it."""
        return {}

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
        """Both wheels, made again: an axle that kept them would keep itself, and all its arrays until the next collection."""
        return tuple(CornerPoses(self, side) for side in SIDES)

    @cached_property
    def elements(self) -> list[Element]:
        """Springs, stops and bars, and dampers, whose gas force carries too."""
        return list(elements(self.swept, self.laws))

    @cached_property
    def stiffness(self) -> Floats | None:
        """(n, 2, 2) K over the travels of both wheels; None where no spring is given."""
        return stiffness(self.elements) if self.axle.is_sprung and self.elements else None

    @cached_property
    def element_stiffness(self) -> Floats:
        """(elements, n, 2, 2) what each element adds to K."""
        return stiffness_of_each(self.elements)

    @cached_property
    def element_roll_stiffness(self) -> Floats:
        """(elements, n) what each element adds to the roll stiffness, N m/rad."""
        return self.along_roll(self.element_stiffness)

    @cached_property
    def roll_motion(self) -> Floats:
        """(n, 2) V: travel of both wheels per roll on the road, m/rad."""
        return self.swept.roll_slopes

    def along_roll(self, matrix: Floats) -> Floats:
        """(.., n) V' K V along the roll motion in which both wheels stay on the road, N m/rad. matrix: (.., n, 2, 2)."""
        V = self.roll_motion
        return np.asarray(np.einsum("ni,...nij,nj->...n", V, matrix, V))

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

    @cached_property
    def known(self) -> dict[object, Any]:
        """What has been found of it, by what finds it."""
        return {}

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


@computed_once
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


@dataclass(frozen=True, eq=False)
class ElementGroup:
    """The elements of one row of Suspension springs, on both sides where it has them, over poses."""

    of_axle: AxlePoses
    name: str

    @property
    def numbers(self) -> list[int]:
        """Where the elements of the row stand among those of the axle, on both sides."""
        return [number for number, each in enumerate(self.of_axle.elements) if each.name == self.name]
