"""Warnings of settings and springs that can hardly be meant: a share in another unit, a spring in another one."""

from __future__ import annotations

from sheetmbs.suspension.layout.car import AxleData, CarData
from sheetmbs.suspension.layout.mass_data import corner_load
from sheetmbs.workbook.reading.problem_list import ProblemList, place_of

CODE = "implausible-value"
SHARES = 0.2, 0.8
"""of the weight on the front axle"""
SQUEEZED = 1e-4, 0.6
"""m, by which the load of a wheel shortens a spring on its own"""


def warn_of_settings(car: CarData, report: ProblemList) -> None:
    """Add a warning at its cell for every value that can hardly be meant."""
    share = car.number("weight front")
    if share is not None and not SHARES[0] <= share <= SHARES[1]:
        found = f"weight front: {share * 100.0:.4g} %"
        rule = "between a fifth and four fifths of the weight stand on the front axle"
        report.warning(CODE, place_of(car.cells["weight front"]), found, rule, "correct the number or its unit")
    for axle in car.axles:
        _warn_of_springs(car, axle, report)


def _warn_of_springs(car: CarData, axle: AxleData, report: ProblemList) -> None:
    """Springs whose stiffness is that of another unit. With third springs a corner's own may be as soft as one likes."""
    load = corner_load(car, axle)
    if not load or axle.has_kind("third spring"):
        return
    for row in axle.springs:
        k = row.number("k") if row.kind == "spring" else None
        if k and not SQUEEZED[0] <= load / k <= SQUEEZED[1]:
            found = f"{row.name}: k is {k * 1e-3:.4g} N/mm"
            rule = f"the load of a wheel, {load:.4g} N, shortens it by {load / k * 1e3:.3g} mm"
            mend = "look at its unit: a number without one counts as N/m, unless row 2 says which"
            report.warning(CODE, row.places["k"], found, rule, mend)
