"""Corners of a car as models of their own: given travel and rack, each closes without the others.

Four systems of three to six bodies are solved instead of one of twenty-four. The chassis stands still, so it becomes ground.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sheetmbs.elements.marker import GROUND, Marker
from sheetmbs.elements.rotation import matrix_of
from sheetmbs.model import Body, Driver, Model, Quadratic
from sheetmbs.suspension.generated.generate import rack_driver, travel_driver
from sheetmbs.suspension.layout.car import AxleData
from sheetmbs.suspension.layout.type_table import CHASSIS, RACK


def corner_model(model: Model, axle: AxleData, side: str) -> Model:
    """The bodies of one corner, its rack among them, with their joints and the drivers of travel and rack."""
    chassis = next(body for body in model.bodies if body.name == CHASSIS)
    corner = f"{axle.corner(side)} "
    names = {body.name for body in model.bodies if body.name.startswith(corner)} | {f"{axle.name} {RACK}"}
    inside = names | {CHASSIS, GROUND}

    def is_inside(*markers: Marker) -> bool:
        return all(marker.body in inside for marker in markers) and any(marker.body in names for marker in markers)

    return replace(
        model,
        bodies=tuple(_weightless(body) for body in model.bodies if body.name in names),
        points=(),
        joints=tuple(
            replace(joint, i=_on_ground(joint.i, chassis), j=_on_ground(joint.j, chassis))
            for joint in model.joints
            if is_inside(joint.i, joint.j)
        ),
        drivers=tuple(_held(driver) for driver in model.drivers if driver.name in driver_names(axle, side)),
        forces=(),
        force_series=(),
        springs=(),
        clearances=(),
        charts=(),
    )


def driver_names(axle: AxleData, side: str) -> tuple[str, ...]:
    """Drivers of a corner in the order of the values that its poses are asked for."""
    travel = travel_driver(axle, side)
    return (travel, rack_driver(axle)) if axle.is_steered else (travel,)


def _held(driver: Driver) -> Driver:
    return replace(driver, motion=Quadratic(0.0, 0.0, 0.0))


def _weightless(body: Body) -> Body:
    """A body of which geometry alone counts."""
    return replace(body, mass=None, inertia=None, velocity=np.zeros(3), angular_velocity=np.zeros(3))


def _on_ground(marker: Marker, chassis: Body) -> Marker:
    """A marker of the chassis as one of the ground, which stands where the chassis does."""
    if marker.body != CHASSIS:
        return marker
    turn = matrix_of(chassis.euler)
    return Marker(GROUND, chassis.position + turn @ marker.origin, turn @ marker.axes)
