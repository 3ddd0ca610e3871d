"""Accelerations under which a car falls over, whatever its springs do: as a rigid body it would lift all wheels of a side.

Springs only make it fall earlier: their lean takes the centre of gravity outward.
"""

from __future__ import annotations

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.layout.mass_data import GRAVITY
from sheetmbs.suspension.loads.car_balance import Demand
from sheetmbs.suspension.loads.car_masses import CarMasses
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
    rolling = masses.mass * GRAVITY * masses.height * np.abs(demand.acceleration[:, 1])
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
    weight = masses.mass * GRAVITY * (az * (masses.gravity_point[0] - there[0]) - ax * masses.height)
    return np.asarray(weight / lever + demand.downforce[name])
