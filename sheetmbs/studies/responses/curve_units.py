"""Whether the units of a target curve are those of the columns that are to follow it."""

from __future__ import annotations

from collections.abc import Iterator

from sheetmbs.problems.errors import Problem
from sheetmbs.schema.units import parse_unit
from sheetmbs.studies.responses.column_response import ColumnResponse
from sheetmbs.studies.responses.response_units import ONE, measure_the_same
from sheetmbs.workbook.reading.context import GivenCurve


def curve_unit_problems(made: ColumnResponse, given: GivenCurve) -> Iterator[Problem]:
    """Errors of units that measure something else, warnings where numbers without a unit count as SI and columns do not."""
    name = given.curve.name
    axes = [("y", given.y_units, made.columns[0])]
    if made.x is not None:
        axes.insert(0, ("x", given.x_units, made.x))
    for axis, units, column in axes:
        if column.unit in ("", ONE):
            continue
        shown = parse_unit(column.unit)
        wrong = next(((place, unit) for place, unit in units if not measure_the_same(unit, shown)), None)
        if wrong is not None:
            place, unit = wrong
            rule = f"it is compared with {column.name} on {column.sheet}, which is in {column.unit}"
            mend = f"correct the unit, or name another column in {made.response.place} or x of its row"
            yield Problem("wrong-dimension", "error", str(place), f"{name}.{axis}: the unit {unit.text}", rule, mend)
        elif not units and shown.size != 1.0:
            rule = f"numbers without a unit are in SI, and {column.name}, with which they are compared, is in {column.unit}"
            mend = f"head the column {name}.{axis} [{column.unit}], if that is meant"
            yield Problem("curve-in-si", "warning", str(given.first), f"{name}.{axis} without a unit", rule, mend)
