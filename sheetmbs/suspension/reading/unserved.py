"""What the format lets suspension sheets say and this version does not do: refused at its cell, never left out in silence."""

from __future__ import annotations

from sheetmbs.schema.names import fold
from sheetmbs.suspension.layout.car import AxleData
from sheetmbs.suspension.reading.read_suspension_settings import GivenSettings
from sheetmbs.workbook.reading.problem_list import ProblemList, quoted

ONLY = {
    "detail": "no",
}
"""settings of which one value is served so far"""
BEARERS = ("rod on", "damper on")


def refuse_settings(given: GivenSettings, report: ProblemList) -> None:
    """Report settings with a value that has no effect yet."""
    for owner, places in given.places.items():
        for name, place in places.items():
            value = given.values[owner].get(name)
            if name in ONLY and value is not None and fold(str(value)) != ONLY[name]:
                rule = f"this version knows {name} = {ONLY[name]} only"
                report.error("not-yet", place, f"{name}: {quoted(str(value))}", rule, "clear the cell")


def check_bearers(axle: AxleData, given: GivenSettings, report: ProblemList) -> None:
    """Report bodies that this type of suspension has not, as bearers of rod or damper."""
    for name in BEARERS:
        place, value = given.places[axle.name].get(name), axle.word(name)
        if place is not None and value not in axle.type.carriers:
            rule = f"a {axle.type.name} has {', '.join(axle.type.carriers)}"
            report.error(
                "unknown-value", place, f"{name}: {quoted(value)}", rule, "name one of these, or clear the cell"
            )
