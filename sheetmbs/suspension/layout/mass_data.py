"""What the settings of a car tell of its mass: given, or from the corner loads of both axles."""

from __future__ import annotations

from sheetmbs.suspension.layout.car import AxleData, CarData

GRAVITY = 9.81


def corner_load(car: CarData, axle: AxleData) -> float | None:
    """Vertical contact load of one wheel at design, N; None where nothing tells it."""
    given = axle.number("corner load")
    if given is not None:
        return given
    mass, front = car.number("mass"), car.number("weight front")
    if mass is None or front is None:
        return None
    share = front if axle.name == "front" else 1.0 - front
    return 0.5 * mass * GRAVITY * share


def total_mass(car: CarData) -> float | None:
    """Mass of the car with its wheels, kg."""
    given, loads = car.number("mass"), _axle_loads(car)
    return given if given is not None or loads is None else sum(loads) / GRAVITY


def front_share(car: CarData) -> float | None:
    """Share of the weight on the front axle."""
    given, loads = car.number("weight front"), _axle_loads(car)
    return given if given is not None or loads is None else loads[0] / sum(loads)


def _axle_loads(car: CarData) -> tuple[float, float] | None:
    """Loads of both axles at design from their corner loads alone, N."""
    loads = [axle.number("corner load") for axle in car.axles]
    if len(loads) < 2 or loads[0] is None or loads[1] is None or loads[0] + loads[1] <= 0.0:
        return None
    return 2.0 * loads[0], 2.0 * loads[1]


def axle_weight(car: CarData, axle: AxleData) -> float | None:
    """What an axle carries at design, N: its share of the mass of the car, or of an axle alone its corner loads."""
    mass, front = total_mass(car), front_share(car)
    if mass is None or front is None:
        alone = axle.number("corner load")
        return None if alone is None else 2.0 * alone
    return mass * GRAVITY * (front if axle.name == "front" else 1.0 - front)


def missing_for_loads(car: CarData, *, along: bool) -> list[str]:
    """Settings without which wheel loads do not follow from accelerations. along: the car brakes or drives."""
    is_whole = len(car.axles) > 1
    is_told = not is_whole and not along and axle_weight(car, car.axles[0]) is not None
    wanted = {
        "mass": not is_told and total_mass(car) is None,
        "weight front": not is_told and front_share(car) is None,
        "cg height": (is_whole or along) and car.number("cg height") is None,
        "wheelbase": (is_whole or along) and car.number("wheelbase") is None,
    }
    return [name for name, is_missing in wanted.items() if is_missing]
