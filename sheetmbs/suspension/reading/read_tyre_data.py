"""The sheet Tyre data: points of tyres in the axes of ISO 8855, whatever axes and headers they are written with."""

from __future__ import annotations

from collections.abc import Mapping
from math import degrees, isnan, pi

from sheetmbs.problems.errors import Problem
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList, place_of, quoted
from sheetmbs.tyres.tyre import MAX_SLIP_ANGLE
from sheetmbs.tyres.tyre_points import ISO, SAE, TyrePoint, in_iso
from sheetmbs.workbook.cells.cells import CellKind
from sheetmbs.workbook.reading.input_table import InputTable, Record

SLIP = "SA"
"""the header by which data of test consortia is known"""
CONSORTIUM = {
    "alpha": (SLIP, pi / 180.0),
    "gamma": ("IA", pi / 180.0),
    "kappa": ("SL", 1.0),
    "pressure": ("P", 1e3),
    "speed": ("V", 1.0 / 3.6),
}
"""headers of such data by columns of ours, with the size of a number that has no unit"""
NUMBERS = ("fz", "alpha", "kappa", "gamma", "pressure", "speed", "fx", "fy", "mz")
LARGE_ANGLE, LARGE_RATIO, SMALL_LOAD, SMALL_PRESSURE = 0.8, 2.0, 20.0, 1e4
"""rad, 1, N and Pa: beyond them another unit was meant, in all likelihood"""


def read_tyre_data(
    table: InputTable, names: Mapping[str, str], idle: frozenset[str], report: ProblemList
) -> dict[str, list[TyrePoint] | None]:
    """Points by the folded names of tyres, None where one of them is wrong, which is reported.

    names: of the tyres that count; idle: folded, of those that do not.
    """
    found: dict[str, list[TyrePoint]] = {}
    wrong: set[str] = set()
    is_consortium = any(record.given(SLIP) for record in table.records())
    first: Record | None = None
    for record in table.records():
        tyre = record.text("tyre")
        record.settle("notes")
        if not tyre or fold(tyre) in idle:
            record.settle(*(column.name for column in table.schema.columns))
        elif fold(tyre) not in names:
            mend = report.did_you_mean(tyre, list(names.values()), "add it to the sheet Tyres")
            report.error("unknown-tyre", record.place("tyre"), quoted(tyre), "there is no such tyre", mend)
            record.settle(*(column.name for column in table.schema.columns))
        else:
            first = first or record
            point = _point(record, is_consortium=is_consortium)
            if point is None:
                wrong.add(fold(tyre))
            else:
                found.setdefault(fold(tyre), []).append(point)
        record.finish()
    if is_consortium and first is not None:
        _tell_assumed(first, report)
    for points in found.values():
        _warn_of_units(points, report)
    return {**found, **dict.fromkeys(wrong)}


def _tell_assumed(record: Record, report: ProblemList) -> None:
    """Say once what a column SA stands for."""
    own = [f"{name} in {unit}" for name, unit in (("SA", "deg"), ("IA", "deg"), ("P", "kPa"), ("V", "km/h"))]
    told = f"axes of SAE J670 where axes is blank; numbers without a unit: {', '.join(own)}, forces in N"
    place = record.place(SLIP)
    report.add(
        place, Problem("assumed-axes", "note", str(place), "the column SA", told, "fill in axes or units otherwise")
    )


def _point(record: Record, *, is_consortium: bool) -> TyrePoint | None:
    """A point in SI and ISO axes; None where a cell is wrong, which is reported."""
    values: dict[str, float | None] = {}
    places: dict[str, str] = {}
    for name in NUMBERS:
        column, value = _number(record, name)
        values[name] = value
        places[name] = record.cell_text(column)
    axes = record.choice("axes") if record.given("axes") else (SAE if is_consortium else ISO)
    record.settle("axes")
    sweep = record.text("sweep")
    if not axes or values["fz"] is None or any(value is not None and isnan(value) for value in values.values()):
        return None
    alpha, kappa, gamma = (values[name] or 0.0 for name in ("alpha", "kappa", "gamma"))
    optional = {name: values[name] for name in ("pressure", "speed", "fx", "fy", "mz")}
    point = in_iso(TyrePoint(places, values["fz"], alpha, kappa, gamma, **optional, sweep=sweep), axes)
    return point if _is_possible(point, axes, record) else None


def _number(record: Record, name: str) -> tuple[str, float | None]:
    """A number in SI, by its own column or that of test consortia, with the column."""
    if name not in CONSORTIUM:
        return name, record.number(name)
    other, size = CONSORTIUM[name]
    if not record.given(other):
        record.settle(other)
        return name, record.number(name)
    if record.given(name):
        rule = f"{other} and {name} say the same"
        record.refuse("given-twice", other, rule, f"clear {other} or {name}")
    record.settle(name)
    value, cell, field = record.number(other, is_in_si=False), record.cell(other), record.table.fields[other]
    is_plain = field.unit is None and cell is not None and cell.kind is CellKind.NUMBER
    return other, value * size if value is not None and is_plain else value


def _is_possible(point: TyrePoint, axes: str, record: Record) -> bool:
    if point.load <= 0.0:
        sign = "below" if axes == SAE else "above"
        rule = f"in {axes} axes a tyre that carries a load has fz {sign} 0"
        fix = "correct fz, or write the axes of the data in axes: ISO, SAE or adapted SAE"
        record.refuse("out-of-range", "fz", rule, fix)
    elif abs(point.alpha) > MAX_SLIP_ANGLE:
        column = SLIP if record.given(SLIP) else "alpha"
        rule = f"a slip angle is within 90 deg, and this is {degrees(abs(point.alpha)):.4g} deg"
        record.refuse("out-of-range", column, rule, "write deg in the units row if degrees are meant")
    elif point.pressure is not None and point.pressure <= 0.0:
        record.refuse("out-of-range", "P" if record.given("P") else "pressure", "a pressure is above 0", "correct it")
    else:
        return True
    return False


def _warn_of_units(points: list[TyrePoint], report: ProblemList) -> None:
    """Warn once for each tyre of angles in degrees, ratios in percent, loads in kN and pressures in kPa without their units."""
    checks = (
        ("alpha", lambda p: abs(p.alpha) > LARGE_ANGLE, "a slip angle of more than 45 deg", "deg"),
        ("gamma", lambda p: abs(p.gamma) > LARGE_ANGLE, "a camber of more than 45 deg", "deg"),
        ("kappa", lambda p: abs(p.kappa) > LARGE_RATIO, "a slip ratio of more than 200 %", "%"),
        ("fz", lambda p: p.load < SMALL_LOAD, f"a load below {SMALL_LOAD:g} N", "kN"),
        (
            "pressure",
            lambda p: p.pressure is not None and p.pressure < SMALL_PRESSURE,
            "a pressure below 0.1 bar",
            "kPa",
        ),
    )
    for column, is_unlikely, what, unit in checks:
        unlikely = [point for point in points if is_unlikely(point)]
        if unlikely:
            place = unlikely[0].places[column]
            rule = f"{what} is not likely: a number without a unit is in SI"
            count = f"{column} of {len(unlikely)} of {len(points)} points"
            report.warning(
                "unlikely-unit", place_of(place), count, rule, f"write {unit} in the units row if that is meant"
            )
