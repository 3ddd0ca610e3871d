"""Load cases that no pose can carry: the car falls over, or its springs and stops are too weak.

As a rigid body a car falls over when all wheels of a side lift. Springs only make it fall earlier: their lean takes the centre
of gravity outward.

Springs and stops of an axle carry a contact load N(z) = sum F l' + m g at the travel z, from design into bump. Forces in the
plane of the road do work on travels too, through what links make of them; where their slopes are below one half, they carry at
most half of those forces.
"""

from __future__ import annotations

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.elastic.load_controlled_sweeps import contact_loads
from sheetmbs.suspension.elastic.spring_elements import AxleLaws
from sheetmbs.suspension.kinematics.axle_system import AxleSystem, level_placing
from sheetmbs.suspension.kinematics.sweeps import swept_at, swept_at_design
from sheetmbs.suspension.layout.car import SIDES
from sheetmbs.suspension.layout.mass_data import CarMasses
from sheetmbs.suspension.loads.car_balance import Demand
from sheetmbs.suspension.loads.standing_car import StandingCar

ROLLS = "the car rolls over"
TIPS_BACK, TIPS_FORWARD = "the car tips over its rear axle", "the car tips over its front axle"
FALLS = (ROLLS, TIPS_BACK, TIPS_FORWARD)


def rigid_rollover_limits(standing: StandingCar, demand: Demand) -> list[str]:
    """Fall of the car in each case, one of `FALLS`; ``""`` where as a rigid body it would stand, or its loads are given."""
    masses, told = standing.masses, [""] * len(demand.acceleration)
    if len(standing.systems) == 1:
        return told
    front, rear = (axle_load(masses, demand, name) for name in standing.systems)
    half = [0.5 * (axle.design_contact("left") - axle.design_contact("right"))[1] for axle in standing.car.axles]
    rolling = masses.mass * demand.gravity * masses.height * np.abs(demand.acceleration[:, 1])
    over = rolling > front * half[0] + rear * half[1]
    is_open = np.isnan(demand.load).all(axis=1)
    for falls, how in ((over, ROLLS), (rear < 0.0, TIPS_FORWARD), (front < 0.0, TIPS_BACK)):
        for case in np.flatnonzero(falls & is_open):
            told[case] = how
    return told


def axle_load(masses: CarMasses, demand: Demand, name: str) -> Floats:
    """(n,) N of an axle of a whole car, by the balance of moments about the contacts of the other one."""
    (other,) = (each for each in masses.downforce if each != name)
    here, there = masses.downforce[name], masses.downforce[other]
    lever = here[0] - there[0]
    ax, _ay, az = demand.acceleration.T
    weight = masses.mass * demand.gravity * (az * (masses.gravity_point[0] - there[0]) - ax * masses.height)
    return np.asarray(weight / lever + demand.downforce[name])


MAX_TRAVEL_SHARE, TRAVEL_POSES = 0.5, 41
"""bump travel over the tyre radius, and poses over it"""
MAX_LINK_SHARE = 0.5
"""share of forces in the plane of the road that links may carry"""
LOAD_TOLERANCE = 1.02
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
    reach = MAX_TRAVEL_SHARE * (axle.number("tyre radius") or 0.0)
    moved = np.linspace(0.0, reach, TRAVEL_POSES)
    travel = {side: axle.standing(side) + moved for side in SIDES}
    swept = swept_at(system, level_placing(travel, np.zeros(TRAVEL_POSES)))
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
        is_alone = len(standing.systems) == 1  # whose loads are all known
        wanted = given if is_alone else np.where(np.isnan(given), axle_load(masses, demand, name), given)
        along, side = demand.forces[name].shared(np.repeat(wanted[:, None], 2, axis=1))
        plane = np.sum(np.hypot(along, side), axis=1)
        weight = demand.gravity * sum(point.mass for point in masses.unsprung[name])
        most, travel = max_spring_load(system, standing.laws[name])
        for case in np.flatnonzero(wanted - MAX_LINK_SHARE * plane > LOAD_TOLERANCE * most + (az - 1.0) * weight):
            told[case] = told[case] or (
                f"springs and stops of the {name} axle carry at most {most:.0f} N on the road, at "
                f"{travel * 1e3:+.0f} mm of travel, and the case asks for {wanted[case]:.0f} N"
            )
    return told
