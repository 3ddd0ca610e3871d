"""The standing car: what its tyres carry at 1 g, and how high its points are above the road."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np

from sheetmbs.suspension.layout.car import SIDES, CarData, Vector
from sheetmbs.suspension.layout.mass_data import car_masses
from sheetmbs.suspension.layout.type_table import CHASSIS
from sheetmbs.suspension.loads.resting_poses import Settled
from sheetmbs.suspension.loads.road import road


@dataclass(frozen=True, eq=False)
class StandingPose:
    """A car at rest. travel: m, and load: N, by corner. up: (3,) normal of the road, at a distance from the origin, m.

    shift: (3,) by axle, from the axes of its hardpoints to those of the car.
    """

    travel: Mapping[str, float]
    load: Mapping[str, float]
    up: Vector
    distance: float
    shift: Mapping[str, Vector]

    def height(self, axle: str, place: Vector) -> float:
        """How high a place on the body is above the road, m. place: (3,) in the axes of the hardpoints of an axle."""
        return float(self.up @ (place + self.shift[axle]) - self.distance)

    def mean_height(self, car: CarData, name: str) -> float:
        """How high a point of the chassis is, m: of one on either side the middle between them."""
        axle = next(each for each in car.axles if name in each.points[SIDES[0]] and is_of_chassis(each.points, name))
        return float(np.mean([self.height(axle.name, axle.points[side][name].position) for side in SIDES]))


def is_of_chassis(points: Mapping[str, Mapping[str, object]], name: str) -> bool:
    """Whether a point of an axle is fixed on the chassis."""
    return getattr(points[SIDES[0]].get(name), "on", "") == CHASSIS


def standing_pose(car: CarData, settled: Settled) -> StandingPose:
    """The car where it came to rest. settled: one case."""
    masses = car_masses(car)
    if masses is None:
        raise ValueError("a car that came to rest has masses")
    ground = road(settled.roll, settled.pitch, settled.height)
    corners = [axle.corner(side) for axle in car.axles for side in SIDES]
    travel, load = (dict(zip(corners, map(float, each[0]), strict=True)) for each in (settled.travel, settled.load))
    return StandingPose(travel, load, ground.up[0], float(ground.height[0]), masses.shift)
