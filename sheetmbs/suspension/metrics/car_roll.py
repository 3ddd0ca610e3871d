"""Roll and lateral load transfer at 1 g by the linear formulas, from virtual work in the roll motion on the ground.

M = sum of F_y dy_C/droll over wheels - sum of m a_y dy/droll over masses, y in road axes; the body rolls by phi = M/(K - W)
with W = m_s g d, d the height of the sprung mass over the roll axis. Of an axle: elastic K phi/t, geometric
-sum F_y dy_C/droll/t, unsprung sum m_u a_y (z_u + dy_u/droll)/t; their sum is the balance of moments exactly.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.kinematics.wheel import Wheel
from sheetmbs.suspension.layout.car import CarData
from sheetmbs.suspension.layout.mass_data import GRAVITY, front_share, total_mass
from sheetmbs.suspension.metrics.centres import across_road, centre_velocities, contact_velocities, in_road
from sheetmbs.suspension.metrics.metric_contexts import AxlePoses

Spread = Callable[[str, Floats], Floats]
"""values of an axle over all rows of a sweep"""


@dataclass(frozen=True, eq=False)
class AxleRoll:
    """An axle at 1 g of side force over n poses, moments in N m. share: of the weight.

    stiffness: K. side_force: sum of F_y dy_C/droll. lateral: sum of m_u a_y dy_u/droll. lifted: sum of m_u a_y z_u.
    unsprung: sum of m_u and, at design, of m_u z_u. height: of the roll axis above the road here. raised: the road, m.
    """

    share: float
    stiffness: Floats
    side_force: Floats
    lateral: Floats
    lifted: Floats
    unsprung: tuple[float, float]
    height: Floats
    raised: Floats
    track: Floats


def axle_roll(of: AxlePoses, mass: float, share: float) -> AxleRoll | None:
    """None without springs. mass: of the car, kg. share: of its weight on this axle."""
    stiffness = of.roll_stiffness
    if stiffness is None:
        return None
    force = 0.5 * mass * GRAVITY * share  # F_y of either wheel, to the left
    unsprung = of.number("unsprung mass")
    inertia = unsprung * GRAVITY
    side_force, lateral, heights, raised = np.zeros((4, of.count))
    at_design = 0.0
    for wheel in (of.left, of.right):
        level = in_road(wheel, wheel.centre.value - wheel.contact.value)[1]
        side_force += force * _sideways(wheel, contact_velocities(wheel), of.roll_motion)
        lateral += inertia * (_sideways(wheel, centre_velocities(wheel), of.roll_motion) - level)
        heights += level
        raised += 0.5 * (in_road(wheel, wheel.contact.value)[1] - wheel.design_contact[2])
        at_design += float(wheel.design_centre[2] - wheel.design_contact[2])
    return AxleRoll(
        share,
        stiffness,
        side_force,
        lateral,
        inertia * heights,
        (2.0 * unsprung, unsprung * at_design),
        -side_force / (2.0 * force),
        raised,
        of.track,
    )


def _sideways(wheel: Wheel, by_travels: Floats, roll_motion: Floats) -> Floats:
    """(n,) dy/droll, along the road, of a point that moves by (n, 2, 3) with the travels of both wheels.

    That of a point as high as the road: another one moves by its height less, as the body turns about the ground.
    """
    return np.asarray(np.einsum("nk,nkx,nx->n", roll_motion, by_travels, across_road(wheel)))


@dataclass(frozen=True, eq=False)
class CarRoll:
    """A car at 1 g to the left. angle: (n,) roll, rad, + right side down. axles: by name, over all rows."""

    angle: Floats
    axles: dict[str, AxleRoll]

    def transfer(self, axle: str, part: str) -> Floats:
        """(n,) N from the left to the right wheel of an axle by ``elastic``, ``geometric`` or ``unsprung`` or in ``total``."""
        at = self.axles[axle]
        parts = {
            "elastic": at.stiffness * self.angle,
            "geometric": -at.side_force,
            "unsprung": at.lifted + at.lateral,
        }
        moment = sum(parts.values()) if part == "total" else parts[part]
        return np.asarray(moment / at.track)


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
    over_axis = above_road - (ahead * front_axle.height + (1.0 - ahead) * rear_axle.height)
    moment = sprung * GRAVITY * above_road + sum(axle.side_force - axle.lateral for axle in rolls.values())
    stiffness = front_axle.stiffness + rear_axle.stiffness
    return CarRoll(np.asarray(moment / (stiffness - sprung * GRAVITY * over_axis)), rolls)


def _spread(found: AxleRoll, spread: Spread, name: str) -> AxleRoll:
    """Over all rows of the sweep."""

    def all_rows(values: Floats) -> Floats:
        return spread(name, values)

    return replace(
        found,
        stiffness=all_rows(found.stiffness),
        side_force=all_rows(found.side_force),
        lateral=all_rows(found.lateral),
        lifted=all_rows(found.lifted),
        height=all_rows(found.height),
        raised=all_rows(found.raised),
        track=all_rows(found.track),
    )
