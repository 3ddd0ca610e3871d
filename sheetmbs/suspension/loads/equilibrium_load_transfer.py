"""The load that goes to the outer wheels at 1 g, by the equilibrium of the whole car: beside what the linear method says."""

from __future__ import annotations

from collections.abc import Mapping

from sheetmbs.schema.units import parse_unit
from sheetmbs.suspension.elastic.spring_elements import AxleLaws
from sheetmbs.suspension.kinematics.axle_system import AxleSystem
from sheetmbs.suspension.layout.car import SIDES, CarData
from sheetmbs.suspension.layout.load_case import LoadCase
from sheetmbs.suspension.layout.mass_data import missing_for_loads
from sheetmbs.suspension.loads.axle_statics import is_holdable
from sheetmbs.suspension.loads.car_masses import car_masses
from sheetmbs.suspension.loads.solve_loads import solve_loads
from sheetmbs.suspension.loads.standing_car import StandingCar

TO_THE_LEFT = LoadCase("1 g", "", ay=1.0)


def transfer_at_one_g(
    car: CarData, systems: Mapping[str, AxleSystem], laws: Mapping[str, AxleLaws]
) -> dict[str, float]:
    """Half of what the right wheel of each axle carries more than the left one, N; none where nothing tells it."""
    masses = car_masses(car)
    is_told = len(car.axles) > 1 and not missing_for_loads(car, along=True) and all(map(is_holdable, car.axles))
    if masses is None or not is_told or not all(axle.is_sprung for axle in car.axles):
        return {}
    found = solve_loads(StandingCar(car, systems, laws, masses), (TO_THE_LEFT,))
    if found.failed[0]:
        return {}
    size = parse_unit(car.units.of("N")).size
    loads = {axle.name: [found.column(f"{axle.corner(side)}.fz")[0] * size for side in SIDES] for axle in car.axles}
    return {axle: 0.5 * float(right - left) for axle, (left, right) in loads.items()}
