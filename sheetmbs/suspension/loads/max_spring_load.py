"""What springs and stops of an axle can carry from design into bump: a case that asks for more has no pose it could come to.

A contact carries N(z) = sum F l' + m g for the travel z. Forces in the plane of the road do work on travels too, through what
links make of them; where their slopes are below one half, they carry at most half of those forces.
"""

from __future__ import annotations

import numpy as np

from sheetmbs.suspension.elastic.load_controlled_sweeps import contact_loads
from sheetmbs.suspension.elastic.spring_elements import AxleLaws
from sheetmbs.suspension.kinematics.axle_system import AxleSystem, level_placing
from sheetmbs.suspension.kinematics.sweeps import swept_at, swept_at_design
from sheetmbs.suspension.layout.car import SIDES
from sheetmbs.suspension.layout.mass_data import GRAVITY
from sheetmbs.suspension.loads.car_balance import Demand
from sheetmbs.suspension.loads.rollover_limit import axle_load
from sheetmbs.suspension.loads.standing_car import StandingCar

REACH, POSES = 0.5, 41
"""bump travel over the tyre radius, and poses over it"""
BY_LINKS = 0.5
"""share of forces in the plane of the road that links may carry"""
SLACK = 1.02
"""of what poses between the tried ones may carry more"""


def is_weak(standing: StandingCar) -> bool:
    """Whether the springs of an axle carry less than half its load at design: most cases then ask for too much."""
    for number, (name, system) in enumerate(standing.systems.items()):
        carried = float(np.sum(contact_loads(swept_at_design(system), standing.laws[name])))
        if carried < 0.5 * float(np.sum(standing.design_load[2 * number : 2 * number + 2])):
            return True
    return False


def max_spring_load(system: AxleSystem, laws: AxleLaws) -> tuple[float, float]:
    """The first peak of the load of both contacts of an axle that does not roll, N, and the travel where that is, m."""
    axle = system.axle
    reach = REACH * (axle.number("tyre radius") or 0.0)
    moved = np.linspace(0.0, reach, POSES)
    travel = {side: axle.standing(side) + moved for side in SIDES}
    swept = swept_at(system, level_placing(travel, np.zeros(POSES)))
    carried = np.sum(contact_loads(swept, laws), axis=1)
    falls = np.flatnonzero(np.diff(carried) < 0.0)
    at = int(falls[0]) if len(falls) else len(carried) - 1
    return float(carried[at]), float(np.mean([swept.travel[side][at] for side in SIDES]))


def overloads(standing: StandingCar, demand: Demand) -> list[str]:
    """Sentence for each case that an axle cannot carry; ``""`` where it may."""
    told = [""] * len(demand.acceleration)
    masses = standing.masses
    az = demand.acceleration[:, 2]
    for number, (name, system) in enumerate(standing.systems.items()):
        given = np.sum(demand.load[:, 2 * number : 2 * number + 2], axis=1)
        wanted = np.where(np.isnan(given), axle_load(masses, demand, name), given)
        along, side = demand.forces[name].shared(np.repeat(wanted[:, None], 2, axis=1))
        plane = np.sum(np.hypot(along, side), axis=1)
        weight = GRAVITY * sum(point.mass for point in masses.unsprung[name])
        most, travel = max_spring_load(system, standing.laws[name])
        for case in np.flatnonzero(wanted - BY_LINKS * plane > SLACK * most + (az - 1.0) * weight):
            told[case] = told[case] or (
                f"springs and stops of the {name} axle carry at most {most:.0f} N on the road, at "
                f"{travel * 1e3:+.0f} mm of travel, and the case asks for {wanted[case]:.0f} N"
            )
    return told
