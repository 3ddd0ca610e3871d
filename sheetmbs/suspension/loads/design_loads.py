"""The load cases of one design: its own, or the default ones where its masses are known."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sheetmbs.model import Model
from sheetmbs.problems.errors import Problem
from sheetmbs.suspension.elastic.spring_elements import AxleLaws
from sheetmbs.suspension.kinematics.axle_system import AxleSystem
from sheetmbs.suspension.layout.car import CarData
from sheetmbs.suspension.layout.load_case import LoadCase
from sheetmbs.suspension.layout.mass_data import missing_for_loads
from sheetmbs.suspension.loads.axle_statics import is_holdable
from sheetmbs.suspension.loads.car_masses import car_masses
from sheetmbs.suspension.loads.default_cases import default_cases
from sheetmbs.suspension.loads.resting_poses import StandingCar
from sheetmbs.suspension.loads.solve_loads import SolvedLoads, solve_loads


def design_loads(
    car: CarData,
    model: Model,
    systems: Mapping[str, AxleSystem],
    laws: Mapping[str, AxleLaws],
    given: tuple[LoadCase, ...],
    lock: float,
) -> SolvedLoads:
    """Solve the cases of a design. lock: rack travel that counts as full lock, m."""
    masses = car_masses(car, model)
    cases = given
    if not given and not missing_for_loads(car, along=True) and all(map(is_holdable, car.axles)):
        brakes = len(car.axles) == 1 or car.number("brake front") is not None
        cases = default_cases(_to_the_left(systems) * lock, brakes=brakes)
    if masses is None or not cases:
        return SolvedLoads((), (), (), ())
    return solve_loads(StandingCar(car, systems, laws, masses), cases)


def _to_the_left(systems: Mapping[str, AxleSystem]) -> float:
    """+1 where the rack steers to the left as it goes there, -1 where it steers to the right, 0 without steering."""
    for system in systems.values():
        if system.axle.is_steered:
            wheel = system.at_design["left"]
            return -1.0 if wheel.spin.x.first[0, wheel.rack_at] > 0.0 else 1.0  # w_x forward: toe-in, to the right
    return 0.0


def load_problems(loads: SolvedLoads, axles: CarData) -> Iterator[Problem]:
    """What must be said of cases: those that have no pose, and axles whose travels nothing holds."""
    for case, mark, failed in zip(loads.cases, loads.marks, loads.failed, strict=True):
        if failed and case.cell:  # of a default case nobody asked for, the sheet of loads tells
            mend = "look at springs, stops and gaps, or lower the accelerations"
            yield Problem("no-pose", "warning", case.cell, f"load case {case.name}", mark, mend)
    for axle in axles.axles if loads.cases else ():
        if not is_holdable(axle):
            found = f"no spring and no damper point of the {axle.name} axle"
            rule = "nothing holds the travel of its wheels, so its members carry no known load"
            mend = "add damper points to Hardpoints, and a spring to Suspension springs"
            yield Problem("nothing-holds", "note", axle.cells.get("type", "Suspension"), found, rule, mend)
