"""The parts of an axle that close by themselves: given travel and rack, a corner does so without the other.

Four systems of three to six bodies are then solved instead of one of twenty-four. The chassis stands still, so it becomes
ground, and the rack is driven, so it joins nothing. Where something else joins both sides they are posed together.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sheetmbs.elements.marker import GROUND, Marker
from sheetmbs.elements.rotation import matrix_of
from sheetmbs.engine.records import Floats
from sheetmbs.model.model import Body, Driver, Model, Quadratic
from sheetmbs.suspension.generated.generate import rack_driver, travel_driver
from sheetmbs.suspension.layout.car import SIDES, AxleData
from sheetmbs.suspension.layout.type_table import CHASSIS, RACK

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
