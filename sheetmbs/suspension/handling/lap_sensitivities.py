"""What a change of the car is worth on a lap: finite differences of the lap time by cars that are changed a little.

Each car is solved as if its cell held the other value: preloads follow the mass, as in a run of the changed workbook.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace

from sheetmbs.suspension.handling.handling_table import ReadOff
from sheetmbs.suspension.handling.tyred_car import HandlingCar
from sheetmbs.suspension.layout.car import CarData
from sheetmbs.suspension.layout.car_tyres import CarTyres
from sheetmbs.tyres.tyre import Tyre

STEP = 0.01
"""of what is changed, over its size: small beside what changes the lap otherwise, large beside the rounding of its time"""
FIRST_AREA = 0.1
"""m^2, the step of a downforce area that is 0"""
PER_MM = 1e-3


@dataclass(frozen=True)
class ChangedCar:
    """A car with one quantity changed by a step, in the unit of its sensitivity."""

    car: CarData
    tyres: CarTyres
    step: float


@dataclass(frozen=True)
class Sensitivity:
    """A metric of a lap. change: from a car and its tyres to the changed ones, None where the car has no such quantity."""

    unit: str
    what: str
    change: Callable[[CarData, CarTyres], ChangedCar | None]


def _with_setting(name: str, per: float) -> Callable[[CarData, CarTyres], ChangedCar | None]:
    def changed(car: CarData, tyres: CarTyres) -> ChangedCar | None:
        value = car.number(name)
        if not value:
            return None
        other = replace(car, settings={**car.settings, name: (1.0 + STEP) * value})
        return ChangedCar(other, tyres, STEP * value / per)

    return changed


def _with_downforce(car: CarData, tyres: CarTyres) -> ChangedCar:
    """Both axles in proportion to what they have, or equally where they have nothing."""
    areas = [-(axle.number("lift area") or 0.0) or axle.number("downforce area") or 0.0 for axle in car.axles]
    whole = sum(areas)
    shares = [area / whole for area in areas] if whole > 0.0 else [1.0 / len(areas)] * len(areas)
    step = STEP * whole if whole > 0.0 else FIRST_AREA
    axles = tuple(
        replace(axle, settings={**axle.settings, "lift area": None, "downforce area": area + share * step})
        for axle, area, share in zip(car.axles, areas, shares, strict=True)
    )
    return ChangedCar(replace(car, axles=axles), tyres, step)


def _with_friction(car: CarData, tyres: CarTyres) -> ChangedCar:
    fitted = tuple(replace(each, tyre=grippier(each.tyre, 1.0 + STEP)) for each in tyres.fitted)
    return ChangedCar(car, replace(tyres, fitted=fitted), STEP)


def grippier(tyre: Tyre, factor: float) -> Tyre:
    """The tyre with so many times its friction, as scale_mu_x and scale_mu_y make it."""
    magic, simple, table = tyre.kernel.magic, tyre.kernel.simple, tyre.kernel.table
    curves = [
        replace(each, friction_scale=factor * each.friction_scale) for each in (table.lateral, table.longitudinal)
    ]
    kernel = replace(
        tyre.kernel,
        magic=replace(magic, lmux=factor * magic.lmux, lmuy=factor * magic.lmuy),
        simple=replace(simple, friction=factor * simple.friction, friction_min=factor * simple.friction_min),
        table=replace(table, lateral=curves[0], longitudinal=curves[1]),
    )
    return replace(tyre, kernel=kernel)


SENSITIVITIES: Mapping[str, Sensitivity] = {
    "lap_time_per_mass": Sensitivity("s/kg", "mass of the car, at the same place", _with_setting("mass", 1.0)),
    "lap_time_per_cg_height": Sensitivity(
        "s/mm", "height of the centre of gravity", _with_setting("cg height", PER_MM)
    ),
    "lap_time_per_downforce_area": Sensitivity("s/m^2", "downforce area of the car, at its balance", _with_downforce),
    "lap_time_per_friction": Sensitivity(
        "s", "factor on the friction of all tyres (scale_mu_x and _y)", _with_friction
    ),
}
"""by the name of the metric"""


def lap_sensitivities(car: HandlingCar, time: float, lap_time: Callable[[HandlingCar], float]) -> Iterator[ReadOff]:
    """Sensitivities of a lap of this time, s. lap_time: of another car, s."""
    if car.remade is None:
        return
    for name, each in SENSITIVITIES.items():
        changed = each.change(car.car, car.tyres)
        other = None if changed is None else car.remade(changed.car, changed.tyres)
        if changed is not None and other is not None:
            step = f"{changed.step:.4g} {each.unit.partition('/')[2]}".strip()
            doc = f"change of lap_time per change of the {each.what}, by a step of {step}"
            yield ReadOff(name, (lap_time(other) - time) / changed.step, each.unit, doc)
