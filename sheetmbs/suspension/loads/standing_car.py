"""A car that can be put on its wheels: its axles, laws and masses, with what statics read off its axles at many poses.

What is read off an axle is fixed on bodies: its wheels, its masses and the ends of its elements. What that is follows from the
axle once, and where it is from the poses, by a few kernels. A quantity f has value (n, ..), first (n, 2, ..) and second
(n, 2, 2, ..), by the travels of the left and of the right wheel. The rows of a vector are its value, these two first
derivatives, and four second ones; where the rack counts too there are three ways and nine.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from sheetmbs.engine.car_on_road import PER_WHEEL, CarParts
from sheetmbs.engine.carried_vectors import (
    DIRECTION,
    ON_GROUND,
    POINT,
    TURNING,
    FixedVectors,
    carry_vectors,
    measure_distances,
    project_directions,
)
from sheetmbs.engine.records import Floats
from sheetmbs.suspension.elastic.element_kind import Measure, Measured, PointDistance
from sheetmbs.suspension.elastic.kinds.blade_bar import LINK_END, Blade, BladeLength
from sheetmbs.suspension.elastic.spring_elements import AxleLaws, Element, element_spans, measured_elements, stiffness
from sheetmbs.suspension.kinematics.axle_system import AxleSystem, level_placing
from sheetmbs.suspension.kinematics.body_motion import BodyTurn
from sheetmbs.suspension.kinematics.jets import Jet, Vec, arctan2
from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.kinematics.wheel import Wheel
from sheetmbs.suspension.layout.car import SIDES, CarData, MassPoint, Vector
from sheetmbs.suspension.layout.mass_data import CarMasses, corner_load
from sheetmbs.suspension.layout.type_table import WHEEL_CENTRE

ROWS = 7
MIN_ROLL_SLOPE = 1e-6
"""m/m or rad/m, from which on an element works in roll"""


class _Fixed(NamedTuple):
    """One vector: its place among all, its kind, where its body stands in q and v, principal axes there, and it in its body."""

    target: int
    kind: int
    at_q: int
    at_v: int
    axes: Floats
    local: Vector


class AxleVectors:
    """The vectors of an axle: of each wheel as `PER_WHEEL` says, then the place of each mass, then what elements need.

    like: the axle at any poses; all others are of the same bodies. masses: that it carries. with_rack: derivatives by the
    rack, too.
    """

    def __init__(self, like: SweptAxle, masses: Sequence[MassPoint], *, with_rack: bool = False) -> None:
        self._like, self._axle, self._with_rack = like, like.axle, with_rack
        self._ways = len(SIDES) + with_rack
        self._rows = 1 + self._ways + self._ways**2
        self._fixed: dict[str, list[_Fixed]] = {side: [] for side in SIDES}
        self._count = 0
        self.masses = tuple(masses)
        for side in SIDES:
            carrier = self._axle.body_name(self._axle.wheel_carrier, side)
            self._point(side, WHEEL_CENTRE)
            self._fix(side, carrier, self._axle.spin_axis(side), DIRECTION)
            self._fix(side, carrier, np.zeros(3), TURNING)
        for mass in self.masses:
            if mass.point:
                self._point(mass.side, mass.point)
            else:
                self._fix(mass.side, mass.body, mass.at, POINT)
        self.spans = element_spans(self._axle)
        self._ends: dict[PointDistance, tuple[int, int]] = {}
        self._turned: dict[BodyTurn, tuple[int, int, int]] = {}
        self._blades: dict[Blade, dict[str, int]] = {}
        for _row, span in self.spans:
            for of in (span.of, span.less):
                self._span(of)
            if isinstance(span.of, BladeLength) and span.of.blade not in self._blades:
                self._blades[span.of.blade] = {side: self._point(side, LINK_END) for side in SIDES}
        self._pairs = np.array(list(self._ends.values()), dtype=np.int64).reshape(-1, 2)
        projected = [pair for arm, ahead, beside in self._turned.values() for pair in ((arm, beside), (arm, ahead))]
        self._projected = np.array(projected, dtype=np.int64).reshape(-1, 2)
        self._of_parts = {
            sides: self._bundle(sides, [each for side in sides for each in self._fixed[side]])
            for sides in (part.sides for part in like.system.parts)
        }

    def _basis(self, wheel: Wheel) -> Floats:
        """(ways, d) how the travels, and the rack where it counts, move the drivers of a wheel."""
        if not self._with_rack:
            return wheel.to_both
        rack = np.zeros((1, wheel.drivers))
        if self._axle.is_steered:
            rack[0, wheel.rack_at] = 1.0
        return np.concatenate((wheel.to_both, rack))

    def _point(self, side: str, name: str) -> int:
        point = self._axle.points[side][name]
        return self._fix(side, self._axle.body_name(point.on, side), point.position, POINT)

    def _fix(self, side: str, body: str, at: Vector, kind: int) -> int:
        """A vector more on a body of this full name, given where it is at design; its place among all."""
        lowered = self._like.wheels[side].poses.lowered
        number = lowered.bodies.names.get(body)
        if number is None:
            own = _Fixed(self._count, kind, ON_GROUND, ON_GROUND, np.eye(3), at)
        else:
            record = lowered.bodies.records[number]
            local = at - lowered.model.bodies[number - 1].position if kind == POINT else at
            own = _Fixed(self._count, kind, int(record.q), int(record.v), lowered.bodies.axes[number], local)
        self._fixed[side].append(own)
        self._count += 1
        return self._count - 1

    def _span(self, of: Measured | None) -> None:
        """Fix what a length or an angle is measured between."""
        if isinstance(of, PointDistance) and of not in self._ends:
            first, second = (self._point(*end) for end in (of.first, of.second))
            self._ends[of] = first, second
        elif isinstance(of, BodyTurn) and of not in self._turned:
            body, base = (self._axle.body_name(name, of.side) if name else "" for name in (of.body, of.base))
            arm = self._fix(of.side, body, of.arm, DIRECTION)
            ahead, beside = (self._fix(of.side, base, along, DIRECTION) for along in (of.ahead, of.beside))
            self._turned[of] = arm, ahead, beside

    def _bundle(self, sides: tuple[str, ...], fixed: Sequence[_Fixed]) -> FixedVectors:
        """Those of a part of the axle, whose poses those of its first wheel are."""
        places = np.array([each[:4] for each in fixed], dtype=np.int64)
        target, kind, at_q, at_v = map(np.ascontiguousarray, places.T)
        return FixedVectors(
            target=target,
            kind=kind,
            at_q=at_q,
            at_v=at_v,
            axes=np.stack([each.axes for each in fixed]),
            local=np.stack([each.local for each in fixed]),
            basis=np.ascontiguousarray(
                self._basis(self._like.wheels[sides[0]])[:, :-1]
            ),  # roll turns the road, and no body
            orientation=np.zeros((3, 3)),
            velocity=np.zeros((self._ways, 3)),
            spin=np.zeros((self._ways, 3)),
        )

    def carried(self, swept: SweptAxle) -> Floats:
        """(n, vectors, rows, 3) of all of them."""
        out = np.zeros((len(swept.placing.rack), self._count, self._rows, 3))
        for sides, fixed in self._of_parts.items():
            poses = swept.wheels[sides[0]].poses
            q, first, second = map(np.ascontiguousarray, (poses.q, poses.first, poses.second))
            carry_vectors(fixed, q, first, second, out)
        for number, mass in enumerate(self.masses):
            if mass.slides_on:
                wheel = swept.wheels[mass.side]
                place = wheel.mass_place(mass)
                out[:, len(SIDES) * PER_WHEEL + number] = np.moveaxis(
                    place.rebased(self._basis(wheel)[:, : place.drivers]).rows, 2, 0
                ).transpose(0, 2, 1)
        return out

    def measured(self, vectors: Floats) -> Measure:
        """What measures lengths and angles at the poses of these vectors."""
        count = len(vectors)
        lengths = np.empty((len(self._pairs), self._rows, count))
        projected = np.empty((len(self._projected), self._rows, count))
        measure_distances(vectors, self._pairs, lengths)
        project_directions(vectors, self._projected, projected)
        found: dict[Measured, Jet] = dict(zip(self._ends, map(Jet, lengths), strict=True))
        for number, turn in enumerate(self._turned):
            found[turn] = arctan2(Jet(projected[2 * number]), Jet(projected[2 * number + 1]))
        for blade, ends in self._blades.items():
            pose = blade.pose({side: Vec(np.ascontiguousarray(vectors[:, at].T)) for side, at in ends.items()})
            found |= {BladeLength(side, blade): length for side, length in pose.lengths.items()}
        return found.__getitem__


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
            if wheel.hub_spin is not None:  # the axis of a wheel whose bearing gives way is not that of its carrier
                spin = replace(spin, value=wheel.spin.value)
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


Mask = NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class StandingCar:
    """A car that can be put on its wheels."""

    car: CarData
    systems: Mapping[str, AxleSystem]
    laws: Mapping[str, AxleLaws]
    masses: CarMasses
    with_rack: bool = False
    """whether what is read off its axles has derivatives by the rack"""

    @cached_property
    def tyre(self) -> Vector:
        """(wheels,) vertical rates, inf where rigid."""
        return np.array([axle.number("tyre rate") or np.inf for axle in self.car.axles for _side in SIDES])

    @cached_property
    def design_load(self) -> Vector:
        """(wheels,) contact loads at design."""
        return np.array([corner_load(self.car, axle) or 0.0 for axle in self.car.axles for _side in SIDES])

    @cached_property
    def design_travel(self) -> Vector:
        """(wheels,) at which adjustments leave the wheels."""
        return np.array([axle.standing(side) for axle in self.car.axles for side in SIDES])

    @cached_property
    def _vectors(self) -> dict[str, AxleVectors]:
        """What is read off each axle, known from its first poses on."""
        return {}

    @cached_property
    def parts(self) -> CarParts:
        """What its balance is made of."""
        masses, wheels = self.masses, [(axle, side) for axle in self.car.axles for side in SIDES]
        unsprung = [(number, each) for number, axle in enumerate(self.systems) for each in masses.unsprung[axle]]
        return CarParts(
            s=np.array([1.0 if side == "left" else -1.0 for _axle, side in wheels]),
            radius=np.array([axle.number("tyre radius") or 0.0 for axle, _side in wheels]),
            softness=1.0 / self.tyre,
            design_load=self.design_load,
            shift=np.array([masses.shift[name] for name in self.systems]),
            carrier=np.array([number for number, _mass in unsprung], dtype=np.int64),
            amount=np.array([mass.mass for _number, mass in unsprung], dtype=np.float64),
            downforce_at=np.array([masses.downforce[name] for name in self.systems]),
            sprung_mass=float(masses.sprung_mass),
            sprung_at=np.array(masses.sprung_point, dtype=np.float64),
            mass=float(masses.mass),
        )

    @cached_property
    def at_design(self) -> dict[str, AxleState]:
        """Return its axles at design, or as adjustments have assembled them."""
        return {
            name: self.state_of(SweptAxle(system, system.at_design, slice(0, 1), system.design_placing))
            for name, system in self.systems.items()
        }

    @cached_property
    def holds_roll(self) -> bool:
        """Whether an element of any axle works at design as its wheels go against each other."""
        return any(
            abs(float(part.length.first[0, 0] - part.length.first[0, 1])) > MIN_ROLL_SLOPE and bool(part.stiffness[0])
            for state in self.at_design.values()
            for part in state.elements
        )

    def states(
        self, travel: Floats, rack: Floats, before: Mapping[str, AxleState] | None = None
    ) -> tuple[dict[str, AxleState], Mask]:
        """Axles at travels (n, wheels) and rack positions (n,), found from where they stood before, and which were reached.

        The others stand as far on their way as the linkage goes.
        """
        found, reached = {}, np.ones(len(rack), dtype=bool)
        for number, (name, system) in enumerate(self.systems.items()):
            own = travel[:, 2 * number : 2 * number + 2]
            placing = level_placing(dict(zip(SIDES, own.T, strict=True)), rack)
            wheels, is_reached = system.wheels_at_each(placing, before[name].swept.wheels if before else None)
            reached &= is_reached
            found[name] = self.state_of(SweptAxle(system, wheels, slice(0, len(rack)), placing))
        return found, reached

    def state_of(self, swept: SweptAxle) -> AxleState:
        """What is read off an axle at its poses."""
        name = swept.axle.name
        if name not in self._vectors:
            self._vectors[name] = AxleVectors(swept, self.masses.unsprung[name], with_rack=self.with_rack)
        return axle_state(swept, self.laws[name], self._vectors[name])
