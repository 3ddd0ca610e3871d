"""Bodies that settings name and a type of suspension has not: refused at their cells, never left out in silence."""

from __future__ import annotations

from sheetmbs.schema.problem_list import ProblemList, quoted
from sheetmbs.suspension.layout.car import AxleData
from sheetmbs.suspension.reading.read_suspension_settings import GivenSettings

BEARERS = ("rod on", "damper on")


def check_spring_mounts(axle: AxleData, given: GivenSettings, report: ProblemList) -> None:
    """Report bodies that this type of suspension has not, as bearers of rod or damper."""
    for name in BEARERS:
        place, value = given.places[axle.name].get(name), axle.word(name)
        if place is not None and value not in axle.type.carriers:
            rule = f"a {axle.type.name} has {', '.join(axle.type.carriers)}"
            report.error(
                "unknown-value", place, f"{name}: {quoted(value)}", rule, "name one of these, or clear the cell"
            )
