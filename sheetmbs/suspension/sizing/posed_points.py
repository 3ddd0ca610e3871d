"""Places of points and directions of bodies over many poses at once, by values alone, without derivatives."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from sheetmbs.analysis.start.poses import orientation, position
from sheetmbs.engine.records import Floats
from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.kinematics.wheel import Wheel
from sheetmbs.suspension.layout.car import SIDES, AxleData, Vector


@dataclass(frozen=True, eq=False)
class PoseGroup:
    """The poses of a sweep, or of one load case. at: the first of them in ``swept``; count: how many."""

    name: str
    swept: SweptAxle
    first: int
    count: int
    is_case: bool = False


@dataclass(frozen=True, eq=False)
class PosedAxle:
    """An axle at all poses of some groups, one behind the other."""

    axle: AxleData
    groups: tuple[PoseGroup, ...]

    @property
    def count(self) -> int:
        """Number of poses of all groups together."""
        return sum(group.count for group in self.groups)

    @cached_property
    def sides(self) -> dict[str, PosedSide]:
        """The corners of both sides at these poses."""
        return {side: PosedSide(self.axle, side, tuple(self._rows(side))) for side in SIDES}

    def _rows(self, side: str) -> Iterator[tuple[Wheel, slice]]:
        for group in self.groups:
            yield group.swept.wheels[side], slice(group.first, group.first + group.count)

    def place(self, row: int) -> tuple[PoseGroup, int]:
        """The group of a pose and its row among those that the axle reached there."""
        for group in self.groups:
            if row < group.count:
                return group, group.first + row
            row -= group.count
        raise IndexError(row)


@dataclass(frozen=True, eq=False)
class PosedSide:
    """A corner at many poses. rows: wheels, and which of their poses."""

    axle: AxleData
    side: str
    rows: Sequence[tuple[Wheel, slice]]

    @cached_property
    def _q(self) -> Floats:
        return np.concatenate([wheel.poses.q[chosen] for wheel, chosen in self.rows])

    @cached_property
    def _places(self) -> dict[str, Floats]:
        return {}

    @cached_property
    def _turns(self) -> dict[str, Floats | None]:
        return {}

    def point(self, name: str) -> Floats:
        """(n, 3) places of a hardpoint, m."""
        if name not in self._places:
            self._places[name] = self._placed(name)
        return self._places[name]

    def _placed(self, name: str) -> Floats:
        point = self.axle.points[self.side][name]
        body, lowered = self.axle.body_name(point.on, self.side), self.rows[0][0].poses.lowered
        turn = self._turn(body)
        if turn is None:
            return np.broadcast_to(point.position, (len(self._q), 3))
        number = lowered.bodies.names[body]
        return position(lowered, self._q, number) + turn @ (point.position - lowered.model.bodies[number - 1].position)

    def direction(self, at: str, along: Vector) -> Floats:
        """(n, 3) of a direction at design that is fixed on the body that carries a hardpoint."""
        turn = self._turn(self.axle.body_name(self.axle.points[self.side][at].on, self.side))
        return np.broadcast_to(along, (len(self._q), 3)) if turn is None else turn @ along

    def _turn(self, body: str) -> Floats | None:
        """(n, 3, 3) orientation of a body; None where it stands still."""
        if body not in self._turns:
            lowered = self.rows[0][0].poses.lowered
            number = lowered.bodies.names.get(body)
            self._turns[body] = None if number is None else orientation(lowered, self._q, number)
        return self._turns[body]
