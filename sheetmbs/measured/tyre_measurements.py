"""Rows of Measurements whose readings are forces of a tyre: they stand on the sheet Tyre data, which the tyre names."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import inf, isnan

import numpy as np

from sheetmbs.measured.measurement import Floats, OffsetRule
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema import units as u
from sheetmbs.schema.measured_inputs import MEASUREMENTS
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList, quoted
from sheetmbs.schema.tyre_inputs import TYRES
from sheetmbs.tyres.measured_tyre import MeasuredTyre
from sheetmbs.workbook.cells.cells import Book, CellKind
from sheetmbs.workbook.reading.input_table import InputTable, Record

FORCES = ("fx", "fy", "mz")
INPUTS = {"kappa": u.RATIO, "alpha": u.ANGLE, "gamma": u.ANGLE, "fz": u.FORCE, "pressure": u.PRESSURE}
"""by which readings can be chosen, in SI"""
NOT_FORCES = ("fz", "mx", "my", "alpha", "kappa", "gamma", "pressure")
"""columns of tyres of which nothing is measured in this way"""
UNITS = {"fx": "N", "fy": "N", "mz": "N*m"}
NOT_READ = ("sheet", "column", "over_column", "over_scale", "over_offset", "branch")
"""columns of Measurements that say nothing of a tyre"""


@dataclass(frozen=True, eq=False)
class TyreMeasurement:
    """Readings of one force of a tyre.

    force: fx, fy or mz. points: (n,) places of its readings among the points of the tyre. y: (n,) readings in SI and ISO axes,
    after sign, scale and an offset that is a number. sd: None where it is not given.
    place: of the row.
    """

    name: str
    tyre: MeasuredTyre
    force: str
    points: np.ndarray[tuple[int, ...], np.dtype[np.intp]]
    y: Floats
    sd: float | None
    offset: OffsetRule
    place: str
    of_place: str
    sweep: str = ""

    @property
    def of(self) -> str:
        """The column as the row names it."""
        return f"{self.tyre.tyre.name}.{self.force}"

    @property
    def free_constants(self) -> int:
        """How many degrees of freedom its offset costs."""
        return 1 if self.offset == "fit" else 0

    @property
    def unit(self) -> str:
        """The unit of its readings."""
        return UNITS[self.force]


def tyre_names(book: Book) -> frozenset[str]:
    """The folded names on the sheet Tyres of a workbook."""
    report = ProblemList(book.sheets)
    table = InputTable(TYRES, book.find_sheet(TYRES.name), report, "3D")
    return frozenset(fold(record.raw_text("name")) for record in table.records())


def is_of_tyre(record: Record, tyres: frozenset[str]) -> bool:
    """Whether a row of Measurements is about a tyre, whose name may also be that of a wheel or an axle."""
    tyre, dot, force = record.raw_text("of").rpartition(".")
    return bool(dot) and fold(tyre) in tyres and fold(force) in (*FORCES, *NOT_FORCES)


def tyre_units(book: Book) -> dict[str, str]:
    """The units of measured forces of tyres, by the names of the rows of Measurements that count and are about them."""
    tyres = tyre_names(book)
    report = ProblemList(book.sheets)
    table = InputTable(MEASUREMENTS, book.find_sheet(MEASUREMENTS.name), report, "3D")
    return {
        record.raw_text("name"): UNITS.get(fold(record.raw_text("of").rpartition(".")[2]), "")
        for record in table.records()
        if record.is_active and is_of_tyre(record, tyres)
    }


def read_tyre_measurements(
    book: Book, tyres: Sequence[MeasuredTyre], *, is_fit: bool = False, is_part: bool = False, is_alone: bool = False
) -> tuple[TyreMeasurement, ...]:
    """The measurements of tyres. tyres: of the workbook. is_fit: whether no other columns may be fitted beside them.

    is_part: rows about other tyres are left out. is_alone: whether the workbook has nothing else that could be measured.
    Raises WorkbookError with all that is wrong, each at its cell.
    """
    report = ProblemList(book.sheets)
    table = InputTable(MEASUREMENTS, book.find_sheet(MEASUREMENTS.name), report, "3D")
    named = tyre_names(book)
    by_name = {fold(each.tyre.name): each for each in tyres}
    found: list[TyreMeasurement] = []
    for record in table.records():
        if not record.is_active or (is_part and fold(record.raw_text("of").rpartition(".")[0]) not in by_name):
            continue
        if not is_of_tyre(record, named):
            if is_alone or (is_fit and fold(record.raw_text("of").rpartition(".")[0]) in by_name):
                _refuse_unknown(record, by_name, report)
            elif is_fit:
                _refuse_other(record, report)
        else:
            own = _measurement(record, by_name, report)
            if own is not None and any(fold(each.name) == fold(own.name) for each in found):
                rule = "another measurement has the same name"
                record.refuse("duplicate-name", "name", rule, "give one of them another name")
            elif own is not None:
                found.append(own)
    if report.has_errors:
        raise WorkbookError(report.problems())
    return tuple(found)


def _refuse_other(record: Record, report: ProblemList) -> None:
    """Report a row beside those of tyres that is about something else, if it asks to be fitted."""
    if record.given("sd"):
        rule = "a study fits tyres, or other columns: tyres are measured in other rows of this sheet"
        mend = "switch the rows of the other kind off in the column active, and fit these in a study of their own"
        report.error("mixed-fit", record.place("of"), f"of: {quoted(record.raw_text('of'))}", rule, mend)


def _refuse_unknown(record: Record, tyres: Mapping[str, MeasuredTyre], report: ProblemList) -> None:
    """Report a row that is about none of the forces that there are."""
    of = record.raw_text("of")
    known = [f"{each.tyre.name}.{force}" for each in tyres.values() for force in FORCES]
    rule = "of a tyre fx, fy and mz are measured"
    mend = report.did_you_mean(of, known, f"write one of {', '.join(known)}")
    report.error("unknown-result", record.place("of"), f"of: {quoted(of)}", rule, mend)


def _measurement(record: Record, tyres: Mapping[str, MeasuredTyre], report: ProblemList) -> TyreMeasurement | None:
    name, of = record.text("name"), record.text("of")
    text, _dot, force = of.rpartition(".")
    tyre, force = tyres.get(fold(text)), fold(force)
    if tyre is None:
        rule, mend = "this tyre is switched off, or of another design", "name a tyre of the workbook's own design"
        report.error("unknown-tyre", record.place("of"), f"of: {quoted(of)}", rule, mend)
        return None
    if force not in FORCES:
        rule, mend = "of a tyre fx, fy and mz are measured", f"write {', '.join(f'{text}.{e}' for e in FORCES)}"
        report.error("unknown-result", record.place("of"), f"of: {quoted(of)}", rule, mend)
        return None
    _note_unread(record, report)
    dimension = u.MOMENT if force == "mz" else u.FORCE
    sign, scale = record.number_or("sign", 1.0), record.number_or("scale", 1.0)
    sd = record.number("sd", dimension)
    if sd is not None and sd <= 0.0:
        record.refuse("out-of-range", "sd", "a standard deviation is greater than 0", "correct it, or clear the cell")
    if abs(sign) != 1.0 and not isnan(sign):
        record.refuse("out-of-range", "sign", "a sign is 1 or -1", "write 1 or -1; a factor belongs in scale")
    if scale == 0.0:
        record.refuse("out-of-range", "scale", "scale is not 0, for all values would be one", "correct it")
    over = _over(record, force, report)
    offset, offset_rule = _offset(record, dimension)
    low, high = (record.number(column, INPUTS[over]) for column in ("from", "to"))
    sweep = record.text("sweep")
    record.finish()
    points, values = _readings(tyre, force, over, (low, high, sweep))
    if not len(points):
        _tell_no_reading(record, tyre, force, sweep, report)
        return None
    y = sign * scale * values + offset
    places = record.cell_text("name"), record.cell_text("of")
    return TyreMeasurement(name, tyre, force, points, y, sd, offset_rule, *places, sweep)


def _note_unread(record: Record, report: ProblemList) -> None:
    for column in NOT_READ:
        if record.given(column):
            place = record.place(column)
            found = f"{column}: {record.raw_text(column)}"
            rule = "readings of a tyre stand on the sheet Tyre data, so it has no effect"
            report.add(place, Problem("unused-value", "note", str(place), found, rule, ""))
    record.settle(*NOT_READ)


def _over(record: Record, force: str, report: ProblemList) -> str:
    text = fold(record.text("over"))
    if not text:
        return "kappa" if force == "fx" else "alpha"
    if text not in INPUTS:
        mend = report.did_you_mean(text, list(INPUTS), f"write one of {', '.join(INPUTS)}")
        rule = "readings of a tyre are chosen by one of its inputs"
        report.error("unknown-result", record.place("over"), f"over: {quoted(text)}", rule, mend)
        return "alpha"
    return text


def _offset(record: Record, dimension: u.Dimension) -> tuple[float, OffsetRule]:
    cell = record.cell("offset")
    if cell is None or cell.kind is CellKind.NUMBER:
        value = record.number("offset", dimension) if cell is not None else None
        record.settle("offset")
        return value or 0.0, "number"
    text = fold(str(cell.value))
    record.settle("offset")
    if text != "fit":
        rule = "of a tyre an offset is a number, or fit: a constant found by least squares"
        record.refuse("out-of-range", "offset", rule, "write a number or fit")
    return 0.0, "fit" if text == "fit" else "number"


def _readings(
    tyre: MeasuredTyre, force: str, over: str, chosen: tuple[float | None, float | None, str]
) -> tuple[np.ndarray[tuple[int, ...], np.dtype[np.intp]], Floats]:
    """Places and values of the readings that are used. chosen: least and largest input, and the label of a sweep."""
    low, high, sweep = chosen
    least, most = -inf if low is None else low, inf if high is None else high
    places, values = [], []
    for place, point in enumerate(tyre.points):
        value = getattr(point, force)
        x = point.load if over == "fz" else getattr(point, over)
        x = tyre.tyre.pressure if x is None else x
        if value is not None and least <= x <= most and (not sweep or fold(point.sweep) == fold(sweep)):
            places.append(place)
            values.append(value)
    return np.array(places, dtype=np.intp), np.array(values, dtype=float)


def _tell_no_reading(record: Record, tyre: MeasuredTyre, force: str, sweep: str, report: ProblemList) -> None:
    labels = list(dict.fromkeys(point.sweep for point in tyre.points if point.sweep))
    if sweep and all(fold(sweep) != fold(each) for each in labels):
        mend = report.did_you_mean(sweep, labels, "clear the cell: all rows of the tyre are used then")
        rule = "no row of Tyre data of this tyre has such a label in its column sweep"
        report.error("unknown-sweep", record.place("sweep"), f"sweep: {quoted(sweep)}", rule, mend)
        return
    rule = f"no row of Tyre data holds {force} of the tyre {quoted(tyre.tyre.name)} within from, to and sweep"
    mend = f"add readings in the column {force}, or correct from, to and sweep"
    report.error("no-readings", record.place("of"), f"of: {record.raw_text('of')}", rule, mend)
