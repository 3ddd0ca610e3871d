"""The sheet Targets: a value, a band or a curve for a metric, at design or over a sweep."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from math import inf, isnan

from sheetmbs.model.model import Curve
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, ProblemList, quoted
from sheetmbs.schema.units import ANGLE_PER_G, EVERY_DIMENSION, FREQUENCY, RATIO, Dimension, parse_unit
from sheetmbs.suspension.metrics.columns import SWEPT
from sheetmbs.suspension.metrics.metric import HERTZ, PER_G, size
from sheetmbs.workbook.cells.cells import CellKind
from sheetmbs.workbook.reading.context import Context
from sheetmbs.workbook.reading.input_table import InputTable, Record

AIMS = ("value", "min", "max", "curve")
NUMBERS = ("value", "min", "max", "tolerance")
OWN = {HERTZ: FREQUENCY, PER_G: ANGLE_PER_G}
"""dimensions of units of metrics that say something else than their symbols do"""
USUAL_SI_RANGES = {"deg": (0.0, 0.5), PER_G: (0.0, 0.5), "mm": (0.0, 5.0), "%": (0.0, 5.0), "N/mm": (100.0, inf)}
"""rad, m, 1, N/m: a number without a unit that is smaller or larger was hardly meant in SI, in which it counts"""


@dataclass(frozen=True)
class Target:
    """A row. metric: name of the column. unit: of it, in which all numbers are but the curve, which is in SI.

    sweep: ``""`` the value at design. x: column over which a curve is given, ``""`` the sweep's first quantity. tolerance: None
    where none is given. place: of its metric.
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


@dataclass(frozen=True)
class Known:
    """What targets of a design may name. units: of its metrics by column. sweeps: the columns that say what their rows are."""

    units: Mapping[str, str]
    sweeps: Mapping[str, tuple[str, ...]]


def read_targets(table: InputTable, known: Known, curves: Context, report: ProblemList) -> tuple[Target, ...]:
    """The targets of a design that count."""
    found = [_target(record, known, curves, report) for record in table.records() if record.is_active]
    return tuple(target for target in found if target is not None)


def _target(record: Record, known: Known, curves: Context, report: ProblemList) -> Target | None:
    text = record.text("metric")
    sweep, x = record.text("sweep"), record.text("x")
    record.settle("design", *AIMS, "tolerance")
    if not text:
        return None
    metric = _named(record, "metric", text, known.units, "there is no such column", report)
    if sweep:
        sweep = _named(record, "sweep", sweep, known.sweeps, "there is no such sweep", report)
    if x and not record.given("sweep"):
        rule = "a target without a sweep is for the value at design alone"
        report.warning("unused-value", record.place("x"), f"x: {quoted(x)}", rule, "name the sweep, or clear the cell")
    if x and sweep:
        x = _named(
            record, "x", x, {**dict.fromkeys(known.sweeps[sweep]), **known.units}, "there is no such column", report
        )
    if not metric or (record.given("sweep") and not sweep) or (record.given("x") and not x):
        return None
    if not _is_one_aim(record, has_sweep=bool(sweep)):
        return None
    unit = known.units[metric]
    dimension = _dimension(unit)
    numbers = {name: _number(record, name, unit, dimension, report) for name in NUMBERS}
    over = _dimension(_unit_of_x(x or known.sweeps[sweep][0], known)) if sweep else RATIO
    curve = _curve(record, over, dimension, curves) if record.given("curve") else None
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
    return Target(metric, unit, sweep, x, record.place("metric"), *limits)


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
            mend = report.did_you_mean(text, list(names), "look up the columns of the sheets mbs Sweep")
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
