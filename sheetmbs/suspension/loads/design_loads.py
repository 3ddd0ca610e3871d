"""The load cases of one design, its own or the default ones, the heights at which it stands, and load transfer at 1 g."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from sheetmbs.problems.errors import Problem
from sheetmbs.schema.units import parse_unit
from sheetmbs.suspension.compliance.elastic_axle import ElasticAxle
from sheetmbs.suspension.elastic.spring_elements import AxleLaws
from sheetmbs.suspension.kinematics.axle_system import AxleSystem
from sheetmbs.suspension.kinematics.steering_sense import rack_to_the_left
from sheetmbs.suspension.layout.car import SIDES, SOLVE_HEIGHT, CarData
from sheetmbs.suspension.layout.load_case import LoadCase, default_cases
from sheetmbs.suspension.layout.mass_data import car_masses, missing_for_loads
from sheetmbs.suspension.loads.axle_statics import is_holdable
from sheetmbs.suspension.loads.car_balance import Demand
from sheetmbs.suspension.loads.load_limits import FALLS
from sheetmbs.suspension.loads.placed_cases import NONE_PLACED, PlacedCases
from sheetmbs.suspension.loads.resting_poses import NO_RACK, Settled, settle
from sheetmbs.suspension.loads.solve_loads import NO_LOADS, SolvedLoads, solve_loads
from sheetmbs.suspension.loads.standing_car import StandingCar
from sheetmbs.suspension.loads.wheel_forces import plane_forces


def design_loads(
    car: CarData,
    systems: Mapping[str, AxleSystem],
    laws: Mapping[str, AxleLaws],
    given: tuple[LoadCase, ...],
    lock: float,
    placed: PlacedCases = NONE_PLACED,
    elastic: Mapping[str, ElasticAxle] | None = None,
) -> SolvedLoads:
    """Solve the cases of a design. lock: rack travel that counts as full lock, m. placed: those whose pose is known.

    elastic: all axles where any has elastic parts.
    """
    masses = car_masses(car)
    cases = given
    if not given and not missing_for_loads(car, along=False) and all(map(is_holdable, car.axles)):
        brakes = len(car.axles) == 1 or car.number("brake front") is not None
        along = not missing_for_loads(car, along=True)
        cases = default_cases(rack_to_the_left(systems) * lock, brakes=brakes, along=along)
    if masses is None or not cases:
        return NO_LOADS
    return solve_loads(StandingCar(car, systems, laws, masses), cases, placed, elastic)


def standing_heights(car: CarData, systems: Mapping[str, AxleSystem], laws: Mapping[str, AxleLaws]) -> dict[str, float]:
    """How far each wheel stands from design under the weight of the car, m, + in bump; none where that is not asked for.

    It is found by the equilibrium of the whole car, and of an axle alone under its corner load.
    """
    if car.settings.get("ride height") != SOLVE_HEIGHT:
        return {}
    found = settled_at_rest(car, systems, laws)
    if found is None or found.fault[0]:
        return {}
    corners = [axle.corner(side) for axle in car.axles for side in SIDES]
    return dict(zip(corners, map(float, found.travel[0]), strict=True))


def settled_at_rest(car: CarData, systems: Mapping[str, AxleSystem], laws: Mapping[str, AxleLaws]) -> Settled | None:
    """Where a car comes to rest at 1 g on its tyres, one case; None without springs or where nothing tells its masses."""
    masses = car_masses(car)
    if masses is None or not all(axle.is_sprung for axle in car.axles):
        return None
    standing = StandingCar(car, systems, laws, masses)
    case = LoadCase("", "", pose="equilibrium")
    is_whole = len(car.axles) > 1
    load = np.full((1, 2 * len(car.axles)), np.nan) if is_whole else standing.design_load[None]
    forces = {axle.name: plane_forces(car, axle, [case]) for axle in car.axles}
    nothing = {axle.name: np.zeros(1) for axle in car.axles}
    return settle(standing, Demand(np.array([[0.0, 0.0, 1.0]]), forces, nothing, load, car.gravity), np.zeros(1))


def load_problems(loads: SolvedLoads, axles: CarData) -> Iterator[Problem]:
    """What must be said of cases: those that have no pose, and axles whose travels nothing holds."""
    for case, mark, failed in zip(loads.cases, loads.marks, loads.failed, strict=True):
        if failed and case.cell:  # of a default case nobody asked for, the sheet of loads tells
            mend = "give stiffer springs, more preload or a bump stop, or lower the accelerations"
            if mark in FALLS or case.is_on_tyres:
                mend = "lower the accelerations"
            elif mark.startswith(NO_RACK):
                mend = "steer less, or look at the unit: a length without one counts in m"
            yield Problem("no-pose", "warning", case.cell, f"load case {case.name}", mark, mend)
    for axle in axles.axles if loads.cases else ():
        if not is_holdable(axle):
            found = f"no spring and no damper point of the {axle.name} axle"
            rule = "nothing holds the travel of its wheels, so its members carry no known load"
            mend = "add damper points to Hardpoints, and a spring to Suspension springs"
            yield Problem("nothing-holds", "note", axle.cells.get("type", "Suspension"), found, rule, mend)


TO_THE_LEFT = LoadCase("1 g", "", ay=1.0)


@dataclass(frozen=True)
class RestingTurn:
    """A car at rest in a turn of 1 g to the left. roll: rad, + right side down.

    transfer: half of what the right wheel of each axle carries more than the left one, N.
    """

    roll: float
    transfer: Mapping[str, float]


def resting_turn(
    car: CarData,
    systems: Mapping[str, AxleSystem],
    laws: Mapping[str, AxleLaws],
    elastic: Mapping[str, ElasticAxle] | None = None,
) -> RestingTurn | None:
    """Roll and load transfer at 1 g by the equilibrium; None where nothing tells it. elastic: as of `design_loads`."""
    masses = car_masses(car)
    is_told = len(car.axles) > 1 and not missing_for_loads(car, along=True) and all(map(is_holdable, car.axles))
    if masses is None or not is_told or not all(axle.is_sprung for axle in car.axles):
        return None
    found = solve_loads(StandingCar(car, systems, laws, masses), (TO_THE_LEFT,), elastic=elastic)
    if found.failed[0]:
        return None
    size = parse_unit(car.units.of("N")).size
    loads = {axle.name: [found.column(f"{axle.corner(side)}.fz")[0] * size for side in SIDES] for axle in car.axles}
    roll = float(found.column("roll")[0]) * parse_unit(car.units.of("deg")).size
    return RestingTurn(roll, {axle: 0.5 * float(right - left) for axle, (left, right) in loads.items()})
