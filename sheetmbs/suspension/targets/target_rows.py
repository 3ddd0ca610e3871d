"""The sheet Targets: a value, a band or a curve for a metric, at design, over a sweep, of a load case or a row of Handling."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from math import inf, isnan
from typing import NamedTuple

from sheetmbs.measured.residuals import RMS_PREFIX
from sheetmbs.model.model import Curve
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, ProblemList, quoted
from sheetmbs.schema.units import ANGLE_PER_G, EVERY_DIMENSION, FREQUENCY, RATIO, Dimension, parse_unit
from sheetmbs.suspension.metrics.columns import SWEPT
from sheetmbs.suspension.metrics.metric import HERTZ, PER_G, size
from sheetmbs.workbook.cells.cells import CellKind
from sheetmbs.workbook.reading.context import Context
from sheetmbs.workbook.reading.input_table import InputTable, Record

LOOK_UP = {"metric": "look up the columns of the sheets mbs Sweep, or mbs Handling Metrics"}
AIMS = ("value", "min", "max", "curve")
NUMBERS = ("value", "min", "max", "tolerance")
OWN = {HERTZ: FREQUENCY, PER_G: ANGLE_PER_G}
"""dimensions of units of metrics that say something else than their symbols do"""
USUAL_SI_RANGES = {"deg": (0.0, 0.5), PER_G: (0.0, 0.5), "mm": (0.0, 5.0), "%": (0.0, 5.0), "N/mm": (100.0, inf)}
"""rad, m, 1, N/m: a number without a unit that is smaller or larger was hardly meant in SI, in which it counts"""


@dataclass(frozen=True)
class Target:
    """A row. metric: name of the column. unit: of it, in which all numbers are but the curve, which is in SI.

    sweep: ``""`` the value at design, unless case names a load case or a row of Handling. x: column over which a curve is
    given, ``""`` the sweep's first quantity. tolerance: None where none is given. place: of its metric.
    """

    metric: str
    unit: str
    sweep: str
    x: str
    place: Place
    value: float | None = None
    least: float | None = None
    most: float | None = None
    curve: Curve | None = None
    tolerance: float | None = None
    weight: float = 1.0
    case: str = ""
    is_handling: bool = False
    """whether the case is a row of Handling"""

    @property
    def over(self) -> str:
        """The sweep, load case or row of Handling in which the metric is meant; ``""`` at design."""
        return self.sweep or self.case


@dataclass(frozen=True)
class Known:
    """What targets of a design may name. units: of its metrics by column. sweeps: the columns that say what their rows are.

    loads, handling: units of columns or metrics, by name of the load case or of the row of Handling.
    """

    units: Mapping[str, str]
    sweeps: Mapping[str, tuple[str, ...]]
    loads: Mapping[str, Mapping[str, str]] = field(default_factory=dict)
    handling: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def places(self, sweep: str) -> Iterator[TargetPlace]:
        """What a target with this sweep may be of, in the order in which it is looked up; the text may be blank."""
        if not sweep:
            yield TargetPlace(units=self.units)
        for name in self.sweeps:
            yield TargetPlace(sweep=name, units=self.units)
        for name, units in self.loads.items():
            yield TargetPlace(case=name, units=units)
        for name, units in self.handling.items():
            yield TargetPlace(case=name, is_handling=True, units=units)


class TargetPlace(NamedTuple):
    """Where a target is looked up. units: of what can be named there; see `Target`."""

    units: Mapping[str, str]
    sweep: str = ""
    case: str = ""
    is_handling: bool = False

    @property
    def name(self) -> str:
        """Name of the sweep, load case or row, ``""`` of the design pose."""
        return self.sweep or self.case


def read_targets(table: InputTable, known: Known, curves: Context, report: ProblemList) -> tuple[Target, ...]:
    """The targets of a design that count."""
    found = [_target(record, known, curves, report) for record in table.records() if record.is_active]
    return tuple(target for target in found if target is not None)


def _target(record: Record, known: Known, curves: Context, report: ProblemList) -> Target | None:
    text = record.text("metric")
    over, x = record.text("sweep"), record.text("x")
    record.settle("design", *AIMS, "tolerance")
    if not text:
        return None
    found = _meant(record, text, over, known, report)
    sweep = "" if found is None else found[1].sweep
    if x and not sweep and (found is not None or not record.given("sweep")):
        rule = "a target without a sweep is for the value at design alone"
        if found is not None and found[1].case:
            rule = f"{found[1].case} has one value of {found[0]}, which goes over no column"
        report.warning("unused-value", record.place("x"), f"x: {quoted(x)}", rule, "name the sweep, or clear the cell")
    if x and sweep:
        names = {**dict.fromkeys(known.sweeps[sweep]), **known.units}
        x = _named(record, "x", x, names, "there is no such column", report)
    if found is None or (record.given("x") and not x) or not _is_one_aim(record, has_sweep=bool(sweep)):
        return None
    metric, meaning = found
    unit = meaning.units[metric]
    dimension = _dimension(unit)
    numbers = {name: _number(record, name, unit, dimension, report) for name in NUMBERS}
    over_x = _dimension(_unit_of_x(x or known.sweeps[sweep][0], known)) if sweep else RATIO
    curve = _curve(record, over_x, dimension, curves) if record.given("curve") else None
    weight = record.number_or("weight", 1.0)
    record.finish()
    if any(number is not None and isnan(number) for number in (*numbers.values(), weight)):
        return None
    if record.given("curve") and curve is None:
        return None
    least, most = numbers["min"], numbers["max"]
    if not _is_sound(record, {**numbers, "weight": weight}):
        return None
    limits = (numbers["value"], least, most, curve, numbers["tolerance"], weight)
    along = x if sweep else ""
    found_in = meaning.case, meaning.is_handling
    return Target(metric, unit, sweep, along, record.place("metric"), *limits, *found_in)


def _meant(record: Record, text: str, over: str, known: Known, report: ProblemList) -> tuple[str, TargetPlace] | None:
    """The metric of a row and where it is meant: the first that has it of sweeps, load cases and rows of Handling.

    A blank sweep is the design pose, or else the first row of Handling. What is not found is reported.
    """
    places = [each for each in known.places(over) if fold(each.name) == fold(over)]
    if not over:
        places += [each for each in known.places(over) if each.is_handling]
    for place in places:
        metric = next((name for name in place.units if fold(name) == fold(text)), "")
        if metric:
            return metric, place
    if not places:
        names = {each.name: None for each in known.places(over)}
        _named(record, "sweep", over, names, "there is no such sweep, load case or row of Handling", report)
        return None
    metrics = {name: None for place in places for name in place.units}
    if fold(text).startswith(RMS_PREFIX):
        measured = {name: None for name in metrics if name.startswith(RMS_PREFIX)}
        _named(record, "metric", text, measured, "no row of the sheet Measurements has this name", report)
    elif not any(fold(name) == fold(text) for name in metrics):
        _named(record, "metric", text, metrics, "there is no such column", report)
    return None


def _is_sound(record: Record, numbers: Mapping[str, float | None]) -> bool:
    """Whether its numbers go together; reported where they do not."""
    least, most = numbers["min"], numbers["max"]
    if least is not None and most is not None and least > most:
        record.refuse("out-of-range", "max", "max is not below min", "swap them, or correct one")
        return False
    below = [name for name in ("tolerance", "weight") if (numbers[name] or 0.0) < 0.0]
    for name in below:
        record.refuse("out-of-range", name, f"{name} is 0 or more", "correct it")
    return not below


def _named(record: Record, column: str, text: str, names: Mapping[str, object], rule: str, report: ProblemList) -> str:
    """The exact name that a text means, ``""`` where it is none, which is reported with the nearest."""
    exact = next((name for name in names if fold(name) == fold(text)), "")
    if not exact:
        owners = [name for name in names if fold(name.rpartition(".")[2]) == fold(text)]  # of a wheel, an axle
        mend = f"write {' or '.join(owners)}"
        if not owners:
            mend = report.did_you_mean(text, list(names), LOOK_UP.get(column, "write one of those that there are"))
        report.error(f"unknown-{column}", record.place(column), f"{column}: {quoted(text)}", rule, mend)
    return exact


def _is_one_aim(record: Record, *, has_sweep: bool) -> bool:
    """Whether a row has one value, one band or one curve; reported where it has not."""
    given = [name for name in AIMS if record.given(name)]
    kinds = {"band" if name in ("min", "max") else name for name in given}
    if len(kinds) > 1:
        record.refuse(
            "given-twice", given[-1], "a target is one value, or min and max, or one curve", "clear the others"
        )
    elif not kinds:
        record.refuse("missing-value", "value", "a target is a value, min and max, or a curve", "fill in one of them")
    elif kinds == {"curve"} and not has_sweep:
        record.refuse("missing-value", "sweep", "a curve is followed over a sweep", "name the sweep")
    return len(kinds) == 1 and (has_sweep or kinds != {"curve"})


def _dimension(unit: str) -> Dimension:
    """What a quantity shown in a unit is."""
    if unit in OWN:
        return OWN[unit]
    exponents = parse_unit(unit).exponents
    if not any(exponents):
        return RATIO
    named = (each for each in EVERY_DIMENSION if each.exponents == exponents and not each.own)
    return next(named, Dimension(f"a quantity in {unit}", exponents, unit, unit))


def _unit_of_x(column: str, known: Known) -> str:
    return SWEPT[column] if column in SWEPT else known.units[column]


def _number(record: Record, name: str, unit: str, dimension: Dimension, report: ProblemList) -> float | None:
    """A number of a row in the unit of its metric."""
    number = record.number(name, dimension)
    if number is None or isnan(number):
        return number
    cell, field = record.cell(name), record.table.fields[name]
    is_bare = cell is not None and cell.kind is CellKind.NUMBER and field.unit is None
    least, most = USUAL_SI_RANGES.get(unit, (0.0, inf))
    is_meant = abs(number) <= most and (abs(number) >= least or name == "tolerance" or not number)
    if is_bare and not is_meant:
        rule = f"a number without a unit is in SI, which makes this {number / size(unit):.4g} {unit}"
        mend = f"write {number:g} {unit}, if that is meant"
        report.warning("target-in-si", record.place(name), f"{name}: {number:g}", rule, mend)
    return number / size(unit)


def _curve(record: Record, over: Dimension, gives: Dimension, curves: Context) -> Curve | None:
    """The curve that a row names, in SI."""
    name = curves.curve(record, "curve", over, gives, over_time=False)
    known = curves.given_curves.get(name) if name else None
    return None if known is None else known.curve
