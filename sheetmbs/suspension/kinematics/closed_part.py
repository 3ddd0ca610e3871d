"""A part of an axle that closes by itself, ready to be posed: lowered once, walked through from its design pose.

Given travel and rack, a corner closes without the other: four systems of three to six bodies are then solved instead of one of
twenty-four. The chassis stands still, so it becomes ground, and the rack is driven, so it joins nothing. Where something else
joins both sides they are posed together.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.driven_positions import DrivenModel, Poses
from sheetmbs.analysis.start.structure import find_structure
from sheetmbs.elements.joints.distance import DISTANCE
from sheetmbs.elements.marker import GROUND, Marker
from sheetmbs.elements.rotation import matrix_of
from sheetmbs.engine.records import Floats
from sheetmbs.lower import Lowered, lower
from sheetmbs.model.model import Body, Driver, Model, Quadratic
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.suspension.generated.generate import rack_driver, travel_driver
from sheetmbs.suspension.layout.car import SIDES, AxleData
from sheetmbs.suspension.layout.type_table import CHASSIS, RACK, WHEEL_CENTRE

Sides = tuple[str, ...]


def closed_parts(model: Model, axle: AxleData) -> tuple[Sides, ...]:
    """Which sides of an axle are posed together: each alone, or both."""
    left, right = (_joined_to(model, axle, side) for side in SIDES)
    return (SIDES,) if left & right else tuple((side,) for side in SIDES)


def part_model(model: Model, axle: AxleData, sides: Sides) -> Model:
    """The bodies of a part and the rack, with their joints and the drivers of travel and rack."""
    chassis = next(body for body in model.bodies if body.name == CHASSIS)
    stands = chassis.position, matrix_of(chassis.euler)
    moving = set().union(*(_joined_to(model, axle, side) for side in sides))
    names = moving | ({_rack(axle)} if axle.is_steered else set())
    wanted = driver_names(axle, sides)
    drivers = {driver.name: driver for driver in model.drivers}
    return replace(
        model,
        bodies=tuple(_weightless(body) for body in model.bodies if body.name in names),
        points=(),
        joints=tuple(
            replace(joint, i=_on_ground(joint.i, *stands), j=_on_ground(joint.j, *stands))
            for joint in model.joints
            if {joint.i.body, joint.j.body} & names and {joint.i.body, joint.j.body} <= names | {CHASSIS, GROUND}
        ),
        drivers=tuple(_held(drivers[name]) for name in wanted),
        forces=(),
        force_series=(),
        springs=(),
        clearances=(),
        charts=(),
    )


def driver_names(axle: AxleData, sides: Sides) -> tuple[str, ...]:
    """Drivers of a part in the order of the values that its poses are asked for: travels, then the rack."""
    travels = tuple(travel_driver(axle, side) for side in sides)
    return (*travels, rack_driver(axle)) if axle.is_steered else travels


def _rack(axle: AxleData) -> str:
    return f"{axle.name} {RACK}"


def _joined_to(model: Model, axle: AxleData, side: str) -> set[str]:
    """Bodies that joints join to the wheel carrier of a side, but not through chassis or rack."""
    beside: dict[str, set[str]] = {}
    for joint in model.joints:
        beside.setdefault(joint.i.body, set()).add(joint.j.body)
        beside.setdefault(joint.j.body, set()).add(joint.i.body)
    found, open_ends = set[str](), {axle.body_name(axle.wheel_carrier, side)}
    while open_ends:
        body = open_ends.pop()
        found.add(body)
        open_ends |= beside.get(body, set()) - found - {CHASSIS, GROUND, _rack(axle)}
    return found


def _held(driver: Driver) -> Driver:
    return replace(driver, motion=Quadratic(0.0, 0.0, 0.0))


def _weightless(body: Body) -> Body:
    """A body of which geometry alone counts."""
    return replace(body, mass=None, inertia=None, velocity=np.zeros(3), angular_velocity=np.zeros(3))


def _on_ground(marker: Marker, position: Floats, turn: Floats) -> Marker:
    """A marker of the chassis, which stands so, as one of the ground."""
    if marker.body != CHASSIS:
        return marker
    return Marker(GROUND, position + turn @ marker.origin, turn @ marker.axes)


MIN_PIVOT_RATIO = 1e-6
"""pivot of J J^T over its diagonal entry above which no row of J counts as a sum of the others"""
MAX_START_DISTANCE = 1e-3
"""m, of drivers, from which on a walk that has been made is where the rows of another begin"""
MAX_KNOWN_WALKS = 8
"""how many walks are kept"""


@dataclass(frozen=True, eq=False)
class ClosedPart:
    """One corner, or both of an axle that something joins. q: the pose of its hardpoints; u: values of its drivers there, m.

    design: their values at design, which differ where adjustments have changed it.
    """

    sides: Sides
    driven: DrivenModel
    q: Floats
    u: Floats
    design: Floats

    def posed(self, moved: Floats) -> tuple[Poses, slice]:
        """Poses at what the drivers move from design (n, d), m, and which rows were reached: those around the nearest to it.

        They are found outward from that row in both directions, or each from its pose of a walk made before that came near;
        sweeps share walks, and searches for travels end close to where they have just been.
        """
        wanted = np.ascontiguousarray(self.design + moved)
        for known in reversed(self._walks):
            if len(known) == len(wanted) and len(known) and np.max(np.abs(known.value - wanted)) <= MAX_START_DISTANCE:
                found, reached = self.driven.each(wanted, known)
                if reached.all():
                    if found is not known:
                        self._walks.append(found)
                    return found, slice(0, len(wanted))
        middle = int(np.argmin(np.sum((wanted - self.u) ** 2, axis=1))) if len(wanted) else 0
        found, rows = self.driven.around(wanted, self.q, self.u, middle)
        if rows == slice(0, len(wanted)):
            self._walks.append(found)
        return found, rows

    @cached_property
    def _walks(self) -> deque[Poses]:
        """Walks of which all rows were reached, the last ones; the first is the pose from which all begin."""
        return deque([self.at_start], maxlen=MAX_KNOWN_WALKS)

    def posed_each(self, moved: Floats, before: Poses | None) -> tuple[Poses, NDArray[np.bool_]]:
        """The same of rows in any order, each from its pose before, or from design, and whether each was reached.

        before: with derivatives by the drivers. Rows that were not reached stay on their way.
        """
        wanted = np.ascontiguousarray(self.design + moved)
        return self.driven.each(wanted, self.at_start.repeated(len(moved)) if before is None else before)

    @cached_property
    def at_start(self) -> Poses:
        """The pose from which others are found."""
        return self.driven.around(self.u[None], self.q, self.u)[0]


def _is_determined(part: ClosedPart) -> bool:
    """Whether travel and rack surely determine a part: it has as many rows as velocities, none of them near the others."""
    system = part.driven.system
    if len(system.arrays.row) != len(system.arrays.scale) or not len(part.at_start):
        return False
    return bool(system.work.pivot_ratio[0] > MIN_PIVOT_RATIO)


def _check_freedom(lowered: Lowered, axle: AxleData, sides: Sides, drivers: int) -> None:
    """Raise WorkbookError unless the members leave just what travel and rack determine: by rank, at design and nearby."""
    structure = find_structure(lowered, lowered.bodies.q, 0.0)
    left = structure.degrees_of_freedom + drivers - structure.redundant
    if structure.undriven == 0 and structure.redundant == 0:
        return
    links = [joint.name for joint in lowered.model.joints if joint.type == DISTANCE.name]
    owner = f"the {axle.name} axle" if len(sides) > 1 else f"{axle.corner(sides[0])}, {axle.type.name}"
    what = f"{len(links)} links" if len(sides) > 1 else f"{len(lowered.model.joints)} joints and links"
    freedom = f"{left} degree{'s' if left != 1 else ''} of freedom"
    rule = f"{what} leave {freedom}, and travel{' and rack' if axle.is_steered else ''} take {drivers}"
    if left > drivers:
        mend = "add a member, or analyse a suspension that bushings hold with analysis = equilibrium"
    else:
        twice = ", ".join(structure.redundant_names[:4])
        mend = (
            f"take one away, or make it elastic: a row of Suspension springs with its name, kind spring and k ({twice})"
        )
    raise WorkbookError(Problem("wrong-freedom", "error", axle.cells.get("type", "Suspension"), owner, rule, mend))


def closed_part(model: Model, axle: AxleData, sides: Sides) -> ClosedPart:
    """A part of a car as generated, at its design pose. Raises WorkbookError where travel and rack do not determine it."""
    lowered = lower(part_model(model, axle, sides))
    drivers = driver_names(axle, sides)
    u, design = (
        np.array([*(float(each.points[side][WHEEL_CENTRE].position[2]) for side in sides), 0.0][: len(drivers)])
        for each in (axle, axle.as_drawn)
    )
    part = ClosedPart(sides, DrivenModel(lowered, drivers), lowered.bodies.q.copy(), u, design)
    if not _is_determined(part):
        _check_freedom(lowered, axle, sides, len(drivers))
    return part
