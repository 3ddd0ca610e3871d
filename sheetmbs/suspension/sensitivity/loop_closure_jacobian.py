"""The equations that close an axle, by the points of its table: what each says of the bodies, and of the points themselves.

When bodies move by (d0 + theta x r) besides what their drivers do, and hardpoints P by dP, a point on body B moves by

    dX = d0_B + theta_B x X + R_B dP

and every row is a sum of g.dX over its points plus what it says of dP itself. Rows hold along all drivers, so g and X are jets.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

import numpy as np

from sheetmbs.elements.joints.distance import DISTANCE
from sheetmbs.elements.joints.revolute import REVOLUTE
from sheetmbs.elements.joints.spherical_cylindrical import SPHERICAL_CYLINDRICAL
from sheetmbs.suspension.kinematics.jets import Vec, constant
from sheetmbs.suspension.kinematics.wheel import Wheel
from sheetmbs.suspension.layout.addons import joints_of
from sheetmbs.suspension.layout.car import SIDES, Vector
from sheetmbs.suspension.layout.type_table import BLADE, CHASSIS, RACK, T_HEAD, WHEEL_CENTRE, PartJoint

BAR_END = "bar link bar"


@dataclass(frozen=True, eq=False)
class RowTerm:
    """One point in a row. body: full name; part: in the table. g: what multiplies its motion; at: where it is.

    follows: hardpoints of sides with which its place on the body moves, each by this share.
    """

    side: str
    body: str
    part: str
    follows: tuple[tuple[str, str, float], ...]
    g: Vec
    at: Vec


@dataclass(frozen=True, eq=False)
class ClosingRow:
    """A row. explicit: what multiplies the motion of hardpoints themselves, by side and name, (3,). length: of a member, m."""

    terms: tuple[RowTerm, ...]
    explicit: Mapping[tuple[str, str], Vector]
    member: str = ""
    length: float = 0.0


@dataclass(frozen=True, eq=False)
class ClosedAxle:
    """What is posed together, seen with the derivatives of one wheel. views: of its sides."""

    views: Mapping[str, Wheel]

    @property
    def any(self) -> Wheel:
        """Any one of these bodies."""
        return next(iter(self.views.values()))

    def rows(self) -> Iterator[ClosingRow]:
        """Every row: joints, then the travel of each wheel."""
        for side, wheel in self.views.items():
            for joint in joints_of(wheel.axle):
                if joint.body_j in (RACK, BLADE) and joint.is_central:
                    continue  # the rack is where its driver puts it, and a blade moves no wheel
                if not joint.is_central or side == next(iter(self.views)):
                    yield from self._joint(side, wheel, joint)
        for side, wheel in self.views.items():
            up = self._fixed(np.array([0.0, 0.0, 1.0]))
            term = self._term(side, wheel.axle.wheel_carrier, WHEEL_CENTRE, up)
            if wheel.axle.counts_at_contact:
                term = replace(term, at=wheel.contact)
            yield ClosingRow((term,), {(side, WHEEL_CENTRE): np.array([0.0, 0.0, -1.0])})

    def _fixed(self, along: Vector) -> Vec:
        """A direction that no driver turns: (3,), or (n, 3) where it differs between rows."""
        return constant(along, len(self.any.poses), self.any.drivers)

    def _term(self, side: str, part: str, point: str, g: Vec, offset: Vector | None = None) -> RowTerm:
        wheel = self.views[side]
        place = wheel.axle.points[side][point].position
        at = wheel.point_on(part, place if offset is None else place + offset)
        return RowTerm(side, wheel.axle.body_name(part, side), part, ((side, point, 1.0),), g, at)

    def _on_stem(self, side: str, part: str, g: Vec) -> RowTerm:
        """The middle between both ends of a T bar, which is on its stem."""
        wheel = self.views[side]
        ends = tuple((each, BAR_END, 1.0 / len(SIDES)) for each in SIDES)
        place = sum(share * wheel.axle.points[each][name].position for each, name, share in ends)
        body = wheel.axle.body_name(part, side)
        return RowTerm(side, body, part, ends, g, wheel.point_on(part, np.asarray(place)))

    def _joint(self, side: str, wheel: Wheel, joint: PartJoint) -> Iterator[ClosingRow]:
        i, j = joint.body_i, joint.body_j
        if joint.type == DISTANCE.name:
            yield self._distance(side, wheel, joint)
        elif joint.type == SPHERICAL_CYLINDRICAL.name:
            yield from self._strut(side, joint)
        else:
            on_i, on_j = (self._term(side, part, joint.points[0], self._fixed(np.zeros(3))) for part in (i, j))
            yield from self._alike(on_i, on_j, np.eye(3))
            if joint.type == REVOLUTE.name:
                next_i, next_j = (self._second(side, joint, part) for part in (i, j))
                yield from self._alike(next_i, next_j, _square_to(next_i.at.value - on_i.at.value))

    def _alike(self, on_i: RowTerm, on_j: RowTerm, directions: Iterable[Vector]) -> Iterator[ClosingRow]:
        """Two points that are at the same place along each direction, (3,) or (n, 3)."""
        for along in directions:
            g = self._fixed(along)
            yield ClosingRow((replace(on_i, g=g), replace(on_j, g=g * -1.0)), {})

    def _second(self, side: str, joint: PartJoint, part: str) -> RowTerm:
        """A second point on the line of a hinge, on one of its bodies."""
        zero = self._fixed(np.zeros(3))
        if joint.body_j == T_HEAD:
            return self._on_stem(side, part, zero)
        if joint.axis is not None:
            return self._term(side, part, joint.points[0], zero, np.array(joint.axis))
        return self._term(side, part, joint.points[1], zero)

    def _distance(self, side: str, wheel: Wheel, joint: PartJoint) -> ClosingRow:
        one, other = joint.points
        zero = self._fixed(np.zeros(3))
        first, second = self._term(side, joint.body_i, one, zero), self._term(side, joint.body_j, other, zero)
        apart = first.at - second.at
        points = wheel.axle.points[side]
        drawn = points[one].position - points[other].position
        return ClosingRow(
            (replace(first, g=apart), replace(second, g=apart * -1.0)),
            {(side, one): -drawn, (side, other): drawn},
            f"{wheel.axle.corner(side)} {joint.name}",
            float(np.linalg.norm(drawn)),
        )

    def _strut(self, side: str, joint: PartJoint) -> Iterator[ClosingRow]:
        """(T - A) x (B - A) = 0 with T on the chassis, A and B on the axis of the strut."""
        top, low = joint.points
        zero = self._fixed(np.zeros(3))
        on_axis, lower = self._term(side, joint.body_i, top, zero), self._term(side, joint.body_i, low, zero)
        mount = self._term(side, joint.body_j, top, zero)
        a, b = mount.at - lower.at, on_axis.at - lower.at
        for across in _square_to(b.value):
            e = self._fixed(across)
            of_a, of_b = b.cross(e), e.cross(a)
            yield ClosingRow(
                (replace(mount, g=of_a), replace(lower, g=(of_a + of_b) * -1.0), replace(on_axis, g=of_b)), {}
            )


def _square_to(along: Vector) -> tuple[Vector, Vector]:
    """Two unit directions square to each of (n, 3)."""
    unit = along / np.linalg.norm(along, axis=1, keepdims=True)
    helper = np.eye(3)[np.argmin(np.abs(unit), axis=1)]
    first = np.cross(unit, helper)
    first = first / np.linalg.norm(first, axis=1, keepdims=True)
    return first, np.cross(unit, first)


def is_moving(body: str) -> bool:
    """Whether a body of the table is one whose motion is sought."""
    return body not in (CHASSIS, RACK)
