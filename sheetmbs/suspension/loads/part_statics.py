"""Forces on the bodies of an axle at its poses, and what joints and drivers carry of them.

A part of an axle closes by itself; what stands on the chassis stands on its ground. Everything that the chassis is given is
summed up, so that it can be compared with what road and weights put in: no load may come there past the links.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from sheetmbs.analysis.driven_positions import Carried, Poses
from sheetmbs.elements.rotation import cross
from sheetmbs.engine.records import Floats
from sheetmbs.suspension.generated.generate import travel_driver
from sheetmbs.suspension.kinematics.axle_system import AxleSystem
from sheetmbs.suspension.kinematics.closed_part import ClosedPart
from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.kinematics.wheel import Wheel
from sheetmbs.suspension.layout.car import SIDES, AxleData
from sheetmbs.suspension.layout.type_table import CHASSIS


def about_origin(at: Floats, force: Floats, moment: Floats) -> Floats:
    """(n, 6) force and moment about the origin."""
    return np.concatenate((force, moment + cross(at, force)), axis=1)


def place_of(wheel: Wheel, name: str) -> Floats:
    """(n, 3) of a hardpoint, which without derivatives takes a glance at its body."""
    point, lowered = wheel.axle.points[wheel.side][name], wheel.poses.lowered
    body = wheel.axle.body_name(point.on, wheel.side)
    if body not in lowered.bodies.names:
        return np.broadcast_to(point.position, (len(wheel.poses), 3))
    start = lowered.model.bodies[lowered.bodies.names[body] - 1].position
    return wheel.poses.place(body, point.position - start)


@dataclass(frozen=True, eq=False)
class SolvedPart:
    """A part at n poses, and what its joints and drivers carry."""

    part: ClosedPart
    poses: Poses
    carried: Carried

    def number(self, name: str, what: str = "joint") -> int | None:
        """Which of the joints or drivers this is; None where it is none of this part's."""
        named = (at for at, each in enumerate(self.poses.lowered.elements) if each.name == name and each.what == what)
        return next(named, None)

    def driver(self, name: str) -> Floats:
        """(n,) what a driver exerts along what it drives."""
        number = self.number(name, "driver")
        if number is None:
            raise ValueError(f"there is no driver {name}")
        return np.asarray(self.carried.multiplier[:, number])

    def held_travels(self, axle: AxleData) -> list[Floats]:
        """(n,) what the drivers of its travels carry, each."""
        return [self.driver(travel_driver(axle, side)) for side in self.part.sides]


class AxleForces:
    """Forces on the bodies of an axle at n poses, and on the chassis, which is the ground of its parts.

    put_in: (n, 6) force and moment about the origin of all that road and weights exert.
    """

    def __init__(self, system: AxleSystem, swept: SweptAxle) -> None:
        self._parts = system.parts
        self._poses = [swept.wheels[part.sides[0]].poses for part in system.parts]
        self._of_side = {side: number for number, part in enumerate(system.parts) for side in part.sides}
        count = len(swept.placing.rack)
        self._wrench = [np.zeros((count, len(poses.lowered.bodies.names), 6)) for poses in self._poses]
        self.put_in = np.zeros((count, 6))

    def add(self, side: str, body: str, at: Floats, force: Floats, moment: Floats) -> None:
        """A force (n, 3) at a point (n, 3) and a moment (n, 3) on a body; one that is none of this side's is the chassis."""
        self._add(side, body, about_origin(at, force, moment))

    def load(self, side: str, body: str, at: Floats, force: Floats, moment: Floats) -> None:
        """The same of what road or weights exert."""
        wrench = about_origin(at, force, moment)
        self.put_in += wrench
        self._add(side, body, wrench)

    def turn(self, side: str, body: str, moment: Floats) -> None:
        """A moment (n, 3) alone."""
        self._add(side, body, np.concatenate((np.zeros_like(moment), moment), axis=1))

    def pass_by(self, side: str, body: str, moment: Floats) -> None:
        """Let a moment (n, 3) that is on a body go to the chassis instead, past the links."""
        self.turn(side, body, -moment)
        self.turn(side, CHASSIS, moment)

    def _add(self, side: str, body: str, wrench: Floats) -> None:
        """(n, 6) about the origin."""
        number = self._of_side[side]
        self._wrench[number][:, self._poses[number].lowered.bodies.names.get(body, 0)] += wrench

    def solved(self) -> dict[str, SolvedPart]:
        """What joints and drivers carry, by side; one for both sides where they close together."""
        found = [
            SolvedPart(part, poses, part.driven.carried(poses.q, poses.generalised(wrench)))
            for part, poses, wrench in zip(self._parts, self._poses, self._wrench, strict=True)
        ]
        return {side: found[self._of_side[side]] for side in SIDES}

    def chassis(self, solved: Mapping[str, SolvedPart]) -> Floats:
        """(n, 6) force and moment about the origin that the chassis is given, of all."""
        each = {id(part): part.carried.on_ground for part in solved.values()}
        return np.asarray(sum(wrench[:, 0] for wrench in self._wrench) + sum(each.values()))
