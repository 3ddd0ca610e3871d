"""What metrics of a whole car are found from, and those of an axle that need the rest of it: over all rows of a sweep.

Roll and lateral load transfer at 1 g follow the linear formulas of `elastic/linear_roll.py` at every pose.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from functools import cached_property
from math import nan

import numpy as np

from sheetmbs.engine.records import Floats, Ints
from sheetmbs.suspension.elastic.linear_roll import Part, RollingAxle, SprungMass, net_stiffness, roll_angle
from sheetmbs.suspension.kinematics.wheel import Wheel
from sheetmbs.suspension.layout.car import CarData
from sheetmbs.suspension.layout.mass_data import front_share, total_mass
from sheetmbs.suspension.metrics.centres import across_road, centre_velocities, contact_velocities, in_road
from sheetmbs.suspension.metrics.metric import AxlePoses

Spread = Callable[[str, Floats], Floats]
"""values of an axle over all rows of a sweep"""


@dataclass(frozen=True, eq=False)
class AxleRoll:
    """An axle at 1 g of side force over n poses. unsprung: sum of m_u and, at design, of m_u z_u. raised: the road, m."""

    rolling: RollingAxle
    unsprung: tuple[float, float]
    raised: Floats


def axle_roll(of: AxlePoses, mass: float, share: float) -> AxleRoll | None:
    """None without springs. mass: of the car, kg. share: of its weight on this axle."""
    stiffness = of.roll_stiffness
    if stiffness is None:
        return None
    force = 0.5 * mass * of.axle.gravity * share  # F_y of either wheel, to the left
    unsprung = of.number("unsprung mass")
    side_moment, drift, heights, raised = np.zeros((4, of.count))
    at_design = 0.0
    for wheel in (of.left, of.right):
        level = in_road(wheel, wheel.centre.value - wheel.contact.value)[1]
        side_moment += force * _sideways(wheel, contact_velocities(wheel), of.roll_motion)
        drift += unsprung * (_sideways(wheel, centre_velocities(wheel), of.roll_motion) - level)
        heights += level
        design_road = np.array([0.0, 0.0, wheel.design_contact[2]])
        raised += 0.5 * in_road(wheel, wheel.contact.value - design_road)[1]
        at_design += float(wheel.design_centre[2] - wheel.design_contact[2])
    lifted = drift + unsprung * heights
    rolling = RollingAxle(stiffness, side_moment, drift, lifted, -side_moment / (2.0 * force), of.track)
    return AxleRoll(rolling, (2.0 * unsprung, unsprung * at_design), raised)


def _sideways(wheel: Wheel, by_travels: Floats, roll_motion: Floats) -> Floats:
    """(n,) dy/droll, along the road, of a point that moves by (n, 2, 3) with the travels of both wheels.

    That of a point as high as the road: another one moves by its height less, as the body turns about the ground.
    """
    return np.asarray(np.einsum("nk,nkx,nx->n", roll_motion, by_travels, across_road(wheel)))


@dataclass(frozen=True, eq=False)
class CarRoll:
    """A car at 1 g to the left. angle: (n,) roll, rad, + right side down. axles: by name, over all rows. gravity: m/s^2.

    net_stiffness: (n,) K - W, N m/rad: that of both axles less what gravity takes of it.
    """

    angle: Floats
    axles: dict[str, RollingAxle]
    gravity: float
    net_stiffness: Floats
    carried: SprungMass

    def transfer(self, axle: str, part: Part) -> Floats:
        """(n,) N from the left to the right wheel of an axle by a part of it."""
        return self.axles[axle].moved(self.angle, self.gravity, part)


def car_roll(car: CarData, axles: Mapping[str, AxlePoses], spread: Spread) -> CarRoll | None:
    """None of a car with one axle, or without springs; NaN where settings are missing. spread: over all rows of a sweep."""
    if set(axles) != {"front", "rear"}:
        return None
    mass, front, height = (
        float("nan") if told is None else told for told in (total_mass(car), front_share(car), car.number("cg height"))
    )
    rolls: dict[str, AxleRoll] = {}
    for name, share in (("front", front), ("rear", 1.0 - front)):
        found = axle_roll(axles[name], mass, share)
        if found is None:
            return None
        rolls[name] = _spread(found, spread, name)
    front_axle, rear_axle = rolls["front"], rolls["rear"]
    sprung = mass - front_axle.unsprung[0] - rear_axle.unsprung[0]
    level = (mass * height - front_axle.unsprung[1] - rear_axle.unsprung[1]) / sprung
    ahead = (mass * front - front_axle.unsprung[0]) / sprung  # share of the sprung mass on the front axle
    above_road = level - (ahead * front_axle.raised + (1.0 - ahead) * rear_axle.raised)
    carried = SprungMass(sprung, above_road, ahead)
    angle = roll_angle(front_axle.rolling, rear_axle.rolling, carried, car.gravity, car.gravity)
    held = net_stiffness(front_axle.rolling, rear_axle.rolling, carried, car.gravity)
    return CarRoll(angle, {name: found.rolling for name, found in rolls.items()}, car.gravity, held, carried)


def _spread(found: AxleRoll, spread: Spread, name: str) -> AxleRoll:
    """Over all rows of the sweep."""
    rolling = RollingAxle(**{part: spread(name, np.asarray(values)) for part, values in vars(found.rolling).items()})
    return replace(found, rolling=rolling, raised=spread(name, found.raised))


@dataclass(frozen=True, eq=False)
class CarPoses:
    """A car over rows. axles: by name, each over the rows that it reached; reached: which of all rows these are."""

    car: CarData
    rows: int
    axles: Mapping[str, AxlePoses]
    reached: Mapping[str, Ints]

    def spread(self, axle: str, values: Floats) -> Floats:
        """Values of an axle over all rows, NaN where it was not reached."""
        if len(self.reached[axle]) == self.rows:
            return values
        found = np.full((self.rows, *values.shape[1:]), nan)
        found[self.reached[axle]] = values
        return found

    @cached_property
    def roll(self) -> CarRoll | None:
        """Roll angle at 1 g by the linear formulas."""
        return car_roll(self.car, self.axles, self.spread)

    @property
    def shares(self) -> tuple[AxleInCar, ...]:
        """Each axle as a part of the whole."""
        return tuple(AxleInCar(self, name) for name in self.axles)


@dataclass(frozen=True, eq=False)
class AxleInCar:
    """An axle as a part of its car, over all rows of a sweep."""

    of_car: CarPoses
    name: str

    @property
    def poses(self) -> AxlePoses:
        """The axle over the rows that it reached."""
        return self.of_car.axles[self.name]
