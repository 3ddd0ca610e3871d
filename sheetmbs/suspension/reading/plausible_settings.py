"""Settings that can hardly be meant: an angle in another unit, a share, a rate, a mass that others contradict."""

from __future__ import annotations

from collections.abc import Iterator
from math import degrees, radians

from sheetmbs.schema.problem_list import Place, ProblemList, place_of
from sheetmbs.suspension.layout.car import AxleData, CarData
from sheetmbs.suspension.layout.mass_data import GRAVITY
from sheetmbs.suspension.reading.plausible_springs import CODE, warn_of_springs

SHARES = 0.2, 0.8
"""of the weight on the front axle"""
ANGLES = {"camber": radians(15.0), "toe": radians(10.0)}
TYRE_RATES = 1e4, 5e6
"""N/m"""
LONGEST = {"rack per turn": 0.5, "rim diameter": 1.0, "thread pitch": 0.02}
"""m"""
SIZES = ("tyre radius", "tyre rate", "rack per turn", "rim diameter", "thread pitch")
"""settings of an axle that are divided by, or measure nothing where they are 0"""
HIGHEST = 5.0
"""height of the centre of gravity over a tyre radius"""
APART = 0.2
"""of its load, by which that of a wheel may differ from what mass and weight front say"""


def warn_of_settings(car: CarData, report: ProblemList) -> None:
    """Add a warning at its cell for every value that can hardly be meant, and an error for those that nothing can have."""
    for cell, found, rule, mend in (*_of_car(car), *(each for axle in car.axles for each in _of_axle(car, axle))):
        report.warning(CODE, place_of(cell), found, rule, mend)
    _check_sizes(car, report)
    if len(car.axles) > 1 and car.number("wheelbase") is None:
        rule = "a car of two axles needs it for anti effects, load transfer and load cases, which are left empty"
        report.warning("missing-setting", Place("Suspension"), "no wheelbase", rule, "add a row wheelbase")
    for axle in car.axles:
        warn_of_springs(car, axle, report)


def _of_car(car: CarData) -> Iterator[tuple[str, str, str, str]]:
    """Cell, what was found, rule and mend."""
    share = car.number("weight front")
    if share is not None and not SHARES[0] <= share <= SHARES[1]:
        found = f"weight front: {share * 100.0:.4g} %"
        rule = "between a fifth and four fifths of the weight stand on the front axle"
        yield car.cells["weight front"], found, rule, "correct the number or its unit"
    height = car.number("cg height")
    radius = max(axle.number("tyre radius") or 0.0 for axle in car.axles)
    if height and not 0.0 < height <= HIGHEST * radius:
        found = f"cg height: {height * 1e3:.4g} mm"
        rule = f"it is above the road, by less than {HIGHEST:g} tyre radii of {radius * 1e3:.4g} mm"
        yield car.cells["cg height"], found, rule, "look at its unit: a number without one counts in m"


def _of_axle(car: CarData, axle: AxleData) -> Iterator[tuple[str, str, str, str]]:
    """The same of an axle."""
    for name, most in ANGLES.items():
        angle = axle.number(name) or 0.0
        if abs(angle) > most:
            found, rule = f"{name}: {degrees(angle):.4g} deg", f"its size is {degrees(most):.0f} deg at most"
            yield axle.cells[name], found, rule, "look at its unit: a number without one counts in rad"
    for name, most in LONGEST.items():
        length = axle.number(name) or 0.0
        if abs(length) > most:
            found, rule = f"{name}: {length * 1e3:.4g} mm", f"its size is {most * 1e3:g} mm at most"
            yield axle.cells[name], found, rule, "look at its unit: a number without one counts in m"
    rate = axle.number("tyre rate")
    if rate and not TYRE_RATES[0] <= rate <= TYRE_RATES[1]:
        found, (low, high) = f"tyre rate: {rate * 1e-3:.4g} N/mm", TYRE_RATES
        rule = f"it is between {low * 1e-3:g} and {high * 1e-3:g} N/mm"
        yield axle.cells["tyre rate"], found, rule, "look at its unit: a number without one counts in N/m"
    given, mass, share = axle.number("corner load"), car.number("mass"), car.number("weight front")
    if given is not None and mass is not None and share is not None:
        follows = 0.5 * mass * GRAVITY * (share if axle.name == "front" else 1.0 - share)
        if abs(given - follows) > APART * follows:
            found = f"corner load: {given:.5g} N"
            rule = f"mass and weight front say {follows:.5g} N"
            yield axle.cells["corner load"], found, rule, "correct one of them, or leave corner load blank"


def _check_sizes(car: CarData, report: ProblemList) -> None:
    """Errors of sizes that are nothing, and of wheels that weigh more than their car."""
    owners: list[tuple[CarData | AxleData, tuple[str, ...]]] = [(car, ("mass", "wheelbase", "cg height"))]
    owners += [(axle, SIZES) for axle in car.axles]
    for each, names in owners:
        for name in names:
            if each.number(name) == 0.0:
                rule, mend = f"{name} is not 0", "correct the value or its unit, or clear the cell"
                report.error("out-of-range", place_of(each.cells[name]), f"{name}: 0", rule, mend)
    mass = car.number("mass")
    wheels = 2.0 * sum(axle.number("unsprung mass") or 0.0 for axle in car.axles)
    if mass and wheels >= mass:
        rule = f"the wheels alone, by unsprung mass of one corner each, weigh {wheels:.4g} kg"
        mend = "correct mass or unsprung mass, and their units"
        report.error("out-of-range", place_of(car.cells["mass"]), f"mass: {mass:.4g} kg", rule, mend)
