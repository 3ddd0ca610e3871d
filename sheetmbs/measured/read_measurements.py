"""Measurements and the sheets of readings, read against the columns that there are: all mistakes at their cells."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import inf, isnan
from typing import cast

import numpy as np

from sheetmbs.measured.data_sheets import DataSheet, data_sheets, report_column
from sheetmbs.measured.known_columns import UNKNOWN_UNIT, KnownCase, KnownSheet
from sheetmbs.measured.measurement import Floats, Measurement, OffsetRule
from sheetmbs.measured.tyre_measurements import is_of_tyre, tyre_names
from sheetmbs.measured.used_readings import Branch, branch_of, used_readings
from sheetmbs.measured.value_units import dimension_of, dimensions_of, size_of
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.measured_inputs import DATA_SHEET, MEASUREMENTS, OFFSET_RULES, is_data_sheet
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, ProblemList, quoted, shown
from sheetmbs.schema.validate import ValueFault, quantity, unit_of
from sheetmbs.workbook.cells.cells import Book, CellKind
from sheetmbs.workbook.reading.fields import Header, is_sound
from sheetmbs.workbook.reading.input_table import InputTable, Record

MOST_NAMED = 4
"""names that a sentence offers"""
MOST_LISTED = 12
"""names of all that there are, of which a sentence lists some"""
LOOK_UP = "look up the headers of the sheets mbs .."


@dataclass(frozen=True)
class ReadMeasurements:
    """The measurements of a workbook. warnings: of what may not be meant."""

    measurements: tuple[Measurement, ...] = ()
    warnings: tuple[Problem, ...] = ()


def has_measurements(book: Book) -> bool:
    """Whether a workbook may hold measured columns."""
    return any(is_data_sheet(name) or fold(name) == fold(MEASUREMENTS.name) for name in book.sheets)


def read_measurements(book: Book, known: Sequence[KnownCase], *, is_part: bool = False) -> ReadMeasurements:
    """The measurements that count, in the order of their rows, then columns of readings that have the names of ours.

    known: what there is to compare with. is_part: there is more, which another analysis computes; what is not known here is
    left out then. Raises WorkbookError with everything that is wrong, each at its cell.
    """
    report = ProblemList(book.sheets)
    reader = _Reader(data_sheets(book), known, report)
    table = InputTable(MEASUREMENTS, book.find_sheet(MEASUREMENTS.name), report, "3D")
    tyres = tyre_names(book)
    found = [reader.of_row(record) for record in table.records() if not is_of_tyre(record, tyres)]
    measurements = [each for each in (*found, *reader.of_equal_headers()) if each is not None]
    if is_part:
        return ReadMeasurements(tuple(measurements))
    if report.has_errors:
        raise WorkbookError(report.problems())
    return ReadMeasurements(tuple(measurements), tuple(report.problems()))


def measured_cases(book: Book) -> tuple[str, ...]:
    """The sweeps, cases or trials that rows of Measurements name, each once."""
    report = ProblemList(book.sheets)
    table = InputTable(MEASUREMENTS, book.find_sheet(MEASUREMENTS.name), report, "3D")
    return tuple(
        dict.fromkeys(text for record in table.records() if record.is_active and (text := record.text("sweep")))
    )


@dataclass(frozen=True)
class _Column:
    """A result column of a case: its sheet, exact name, and what rows are there."""

    case: KnownCase
    sheet: KnownSheet
    name: str

    @property
    def unit(self) -> str:
        return self.sheet.columns[self.name]


@dataclass(frozen=True)
class _Over:
    """The column of x of a measurement and its header among the readings; None where readings have no x."""

    sheet: KnownSheet
    name: str
    head: Header | None

    @property
    def unit(self) -> str:
        return self.sheet.columns[self.name] if self.name else "1"


@dataclass(frozen=True)
class _Said:
    """What is said of readings. place: of their declaration. factors: of readings, what is added, and the same of x.

    limits: least and largest x that is used. rule: by which an offset is found.
    """

    place: Place
    factors: tuple[float, float, float, float] = (1.0, 0.0, 1.0, 0.0)
    limits: tuple[float, float] = (-inf, inf)
    branch: Branch = "both"
    sd: float | None = None
    rule: OffsetRule = "number"
    offset_place: Place | None = None


class _Reader:
    """Reads measurements of one workbook."""

    def __init__(self, sheets: Sequence[DataSheet], known: Sequence[KnownCase], report: ProblemList) -> None:
        self._sheets = sheets
        self._known = known
        self._report = report
        self._names: dict[str, Place] = {}
        self._taken: set[tuple[str, int]] = set()  # columns of readings that rows name

    # ------------------------------------------------------------------ rows of Measurements
    def of_row(self, record: Record) -> Measurement | None:
        """The measurement of a row, None where it does not count or is wrong, which is reported."""
        if not record.is_active:
            self._take_silently(record)
            return None
        name, of = record.text("name"), record.text("of")
        if name:
            self._take_name(name, record.place("name"))
        data = self._data_sheet(record)
        record.settle("column")
        head = None if data is None else self._header(record, "column", data)
        if data is not None and not record.given("column"):
            rule, mend = (
                "a measurement names the header of its readings",
                "write that header, as row 1 of the sheet has it",
            )
            self._report.error("missing-value", record.place("column"), "column is blank", rule, mend)
        if data is not None and head is not None:
            self._taken.add((data.name, head.place.column))
        cases = self._cases(record, data)
        column = self._column(record, of, cases, data) if of and cases else None
        over = None if column is None or data is None else self._over_of_row(record, column, data)
        said = self._said(record, column, over)
        if column is None or over is None or said is None or data is None or head is None:
            return None
        found = self._measurement(name, column, over, (data, head), said)
        if found is not None and said.rule == "zero":
            self._check_zero(found, record)
        return found

    def _said(self, record: Record, column: _Column | None, over: _Over | None) -> _Said | None:
        """What a row says of its readings, as far as that is known; None where something is wrong, which is reported."""
        numbers = _RowNumbers(record, self._report)
        sign, scale, over_scale = numbers.sign(), numbers.scale("scale"), numbers.scale("over_scale")
        branch = record.choice("branch")
        record.settle("over", "over_column", "offset", "over_offset", "sd", "from", "to")
        record.finish()
        if column is None or over is None:
            return None
        sd = numbers.in_unit("sd", column.unit)
        if sd is not None and sd <= 0.0:
            rule, mend = "a standard deviation is greater than 0", "correct it, or clear the cell"
            record.refuse("out-of-range", "sd", rule, mend)
        offset, offset_rule = numbers.offset(column.unit)
        over_offset = numbers.in_unit("over_offset", over.unit) or 0.0
        least, most = numbers.in_unit("from", over.unit), numbers.in_unit("to", over.unit)
        if least is not None and most is not None and least > most:
            record.refuse("out-of-range", "to", "to is not below from", "swap them, or correct one")
        limits = (-inf if least is None else least, inf if most is None else most)
        if not branch or any(map(isnan, (sign, scale, offset, over_scale, over_offset, *limits, sd or 0.0))):
            return None
        offset_place = record.place("offset") if record.given("offset") else None
        factors = (sign * scale, offset, over_scale, over_offset)
        return _Said(record.place("name"), factors, limits, branch_of(branch), sd, offset_rule, offset_place)

    def _take_silently(self, record: Record) -> None:
        """Count the column of readings of a row that is switched off as named: it is not compared."""
        wanted = fold(record.raw_text("sheet"))
        for data in self._sheets:
            head = data.find(record.raw_text("column"))
            if head is not None and (not wanted or fold(data.name) == wanted):
                self._taken.add((data.name, head.place.column))

    def _take_name(self, name: str, place: Place) -> None:
        other = self._names.setdefault(fold(name), place)
        if other != place:
            rule = f"the measurement at {other} has the same name"
            self._report.error("duplicate-name", place, quoted(name), rule, "give one of them another name")

    def _data_sheet(self, record: Record) -> DataSheet | None:
        text = record.text("sheet")
        names = [sheet.name for sheet in self._sheets]
        wanted = text or DATA_SHEET
        found = [
            sheet
            for sheet in self._sheets
            if fold(sheet.name) == fold(wanted) or (text and fold(sheet.own_name) == fold(text))
        ]
        if found:
            return found[0]
        if not text and len(names) == 1:
            return self._sheets[0]
        if not names:
            rule, mend = "there is no sheet of readings", f"add a sheet {DATA_SHEET}: headers, units, then numbers"
        elif text:
            rule, mend = "there is no such sheet of readings", self._report.did_you_mean(text, names, _one_of(names))
        else:
            rule, mend = f"there are several sheets of readings, none called {DATA_SHEET}", _one_of(names)
        found_text = f"sheet: {quoted(text)}" if text else "sheet is blank"
        self._report.error("unknown-sheet", record.place("sheet"), found_text, rule, mend)
        return None

    def _header(self, record: Record, name: str, data: DataSheet) -> Header | None:
        text = record.text(name)
        if not text:
            return None
        head = data.find(text)
        if head is None:
            names = [each.name for each in data.heads]
            mend = self._report.did_you_mean(text, names, _one_of(names))
            rule = f"the sheet {data.name} has no such header in row 1"
            self._report.error("unknown-column", record.place(name), f"{name}: {quoted(text)}", rule, mend)
            return None
        return head if report_column(data, head, self._report) else None

    def _cases(self, record: Record, data: DataSheet | None) -> Sequence[KnownCase]:
        """The cases that may be meant in a row; none where it names none that there is, which is reported."""
        text = record.text("sweep")
        wanted = fold(text or (data.own_name if data is not None else ""))
        found = [case for case in self._known if wanted and fold(case.name) == wanted]
        if found or not text:
            return found or self._known
        names = [case.name for case in self._known if case.name]
        rule, mend = "this workbook has one run without a name", "clear the cell"
        if names:
            rule = "there is no such sweep, load case, trial or case"
            mend = self._report.did_you_mean(text, names, _one_of(names))
        self._report.error("unknown-sweep", record.place("sweep"), f"sweep: {quoted(text)}", rule, mend)
        return []

    def _column(self, record: Record, of: str, cases: Sequence[KnownCase], data: DataSheet | None) -> _Column | None:
        """The result column that a row names, reported where there is none."""
        given = record.raw_text("over")
        found = [column for each in cases for column in _columns(each, of)]
        if found:
            return min(found, key=lambda column: _distance(column, given, data, first=found[0].case))
        names = list(dict.fromkeys(name for each in cases for sheet in each.sheets for name in _names(sheet)))
        elsewhere = [each.name for each in self._known if any(_columns(each, of))]
        rule = "there is no such result column"
        mend = self._report.did_you_mean(of, names, LOOK_UP)
        owners = [name for name in names if fold(name.rpartition(".")[2]) == fold(of)]
        if owners and "." not in of:
            mend = f"write {' or '.join(owners[:MOST_NAMED])}"
        if elsewhere:
            rule = f"{cases[0].name} has no such column"
            mend = f"it is a column of {', '.join(elsewhere[:MOST_NAMED])}"
        self._report.error("unknown-result", record.place("of"), f"of: {quoted(of)}", rule, mend)
        return None

    def _over_of_row(self, record: Record, column: _Column, data: DataSheet) -> _Over | None:
        """What x is in a row, reported where it is nothing that is known."""
        text = record.text("over")
        record.settle("over_column")
        if column.sheet.is_one_row:
            return _Over(column.sheet, "", None)
        if text:
            sheets = (column.sheet, *(sheet for sheet in column.case.sheets if sheet is not column.sheet))
            found = [(sheet, name) for sheet in sheets for name in _exact(sheet, text)]
            found = [each for each in found if each[0] is column.sheet or _same_rows(each[0], column.sheet)]
            if not found:
                names = list(column.sheet.columns)
                rule, mend = "there is no such result column", self._report.did_you_mean(text, names, LOOK_UP)
                self._report.error("unknown-result", record.place("over"), f"over: {quoted(text)}", rule, mend)
                return None
            sheet, name = found[0]
        else:
            sheet = column.sheet
            beside = [each for each in sheet.over if data.find(each) is not None]
            name = (beside or list(sheet.over))[0]
        if record.given("over_column"):
            head = self._header(record, "over_column", data)
            return None if head is None else _Over(sheet, name, head)
        head = data.find(name)
        if head is None:
            names = [each.name for each in data.heads]
            rule = f"readings are placed by {name}, and the sheet {data.name} has no such header"
            mend = self._report.did_you_mean(name, names, "write the header of that quantity in the column over_column")
            mend = f"write {mend[13:-1]} in the column over_column" if mend.startswith("did you mean ") else mend
            self._report.error("missing-value", record.place("over_column"), "over_column is blank", rule, mend)
            return None
        return _Over(sheet, name, head) if report_column(data, head, self._report) else None

    def _check_zero(self, found: Measurement, record: Record) -> None:
        if not found.over or len(found.x) == 0 or not float(found.x.min()) <= 0.0 <= float(found.x.max()):
            rule = "the value at x = 0 is found between readings, and these do not reach it"
            record.refuse("out-of-range", "offset", rule, "write first, fit or a number")

    # ------------------------------------------------------------------ headers that are columns of ours
    def of_equal_headers(self) -> Iterator[Measurement | None]:
        """Measurements of columns of readings that have the names of ours and that no row names."""
        found = [(data, *each) for data in self._sheets for each in self._equal(data)]
        often = [fold(column.name) for _data, column, _over, _head in found]
        for data, column, over, head in found:
            name = column.name
            if often.count(fold(name)) > 1 or fold(name) in self._names:
                name = f"{name}, {data.own_name or data.name}"
            self._names.setdefault(fold(name), head.place)
            yield self._measurement(name, column, over, (data, head), _Said(head.place))

    def _equal(self, data: DataSheet) -> Iterator[tuple[_Column, _Over, Header]]:
        """Columns of a sheet of readings that are ours, with what x is beside them."""
        own = [case for case in self._known if data.own_name and fold(case.name) == fold(data.own_name)]
        alone: list[Header] = []
        has_any = False
        for head in data.heads:
            if (data.name, head.place.column) in self._taken:
                continue
            found = [column for case in own or self._known for column in _columns(case, head.name)]
            found = [each for each in found if each.name not in each.sheet.over]
            beside = [(each, over) for each in found for over in each.sheet.over if data.find(over) is not None]
            if beside:
                column, name = min(beside, key=lambda each: each[0].case is not beside[0][0].case)
                over = data.find(name)
                if over is not None and all(report_column(data, each, self._report) for each in (head, over)):
                    has_any = True
                    yield column, _Over(column.sheet, name, over), head
            elif found:
                alone.append(head)
        for head in alone if not has_any else ():
            rule = "it is a result column, and no column beside it says where it was measured"
            mend = "add a column travel, time or whatever was swept, or a row on Measurements"
            self._report.warning("no-x", head.place, quoted(head.text), rule, mend)

    # ------------------------------------------------------------------ readings
    def _measurement(
        self, name: str, column: _Column, over: _Over, source: tuple[DataSheet, Header], said: _Said
    ) -> Measurement | None:
        """A measurement from its readings, a column of a sheet; None where anything is wrong with these."""
        data, head = source
        y, x = self._values(data, head, column.unit), self._values(data, over.head, over.unit)
        if y is None or x is None:
            return None
        by, added, over_by, over_added = said.factors
        x, y = over_by * x + over_added, by * y + added
        if not np.isfinite(y).any():
            rule, mend = "there is no reading in this column", "enter the readings, or leave out the measurement"
            self._report.error("no-readings", head.place, quoted(head.text), rule, mend)
            return None
        self._warn_of_no_x(data, over.head, x, y)
        used = used_readings(x, y, said.branch, said.limits)
        if len(used.x) == 0:
            told = f"no reading of {quoted(head.text)} is used"
            self._report.error("no-readings", said.place, told, "from, to and branch leave none", "correct them")
            return None
        return Measurement(
            name,
            column.name,
            column.unit,
            column.case.name,
            column.sheet.name,
            over.name,
            over.unit,
            over.sheet.name,
            used.x,
            used.y,
            said.sd,
            said.rule,
            data.name,
            head.place.column,
            data.row_numbers[used.places],
            said.place,
            said.offset_place,
        )

    def _values(self, data: DataSheet, head: Header | None, unit: str) -> Floats | None:
        """A column of readings in a unit of ours, their numbers where it is None; None where its unit does not fit."""
        if head is None:
            return np.arange(1.0, len(data.rows) + 1.0)
        size, values = self._size(data, head, unit), data.column(head, self._report)
        return None if isnan(size) else size * values

    def _size(self, data: DataSheet, head: Header, unit: str) -> float:
        """What turns numbers of a column of readings into those of ours, NaN where its unit does not fit."""
        text, place = data.unit(head)
        dimensions = dimensions_of(unit)
        try:
            given = unit_of(text, dimensions)
        except ValueFault as fault:
            found = f"the unit {quoted(text)} of {head.name}"
            self._report.error(fault.code, place, found, fault.problem, fault.mend)
            return float("nan")
        if given is None:
            is_own = any(text in dimension.own for dimension in dimensions)  # such as Hz, which is 1 in SI
            return 1.0 / size_of(unit) if is_own else 1.0
        return given.size / size_of(unit)

    def _warn_of_no_x(self, data: DataSheet, head: Header | None, x: Floats, y: Floats) -> None:
        lacking = np.flatnonzero(np.isfinite(y) & ~np.isfinite(x))
        if head is not None and len(lacking):
            place = Place(data.name, data.rows[int(lacking[0])], head.place.column)
            found = f"{head.text} is blank beside {len(lacking)} readings"
            rule, mend = "a reading without x is not used", "fill it in, or clear the readings"
            self._report.warning("no-x", place, found, rule, mend)


class _RowNumbers:
    """The numbers of a row of Measurements. What is wrong is reported, and NaN."""

    def __init__(self, record: Record, report: ProblemList) -> None:
        self._record = record
        self._report = report

    def sign(self) -> float:
        sign = self._record.number_or("sign", 1.0)
        if not isnan(sign) and abs(sign) != 1.0:
            self._record.refuse("out-of-range", "sign", "a sign is 1 or -1", "write 1 or -1; a factor belongs in scale")
        return sign

    def scale(self, name: str) -> float:
        scale = self._record.number_or(name, 1.0)
        if scale == 0.0:
            self._record.refuse("out-of-range", name, f"{name} is not 0, for all values would be one", "correct it")
        return scale

    def in_unit(self, name: str, unit: str) -> float | None:
        """A number in a unit of ours, in which it stands where it has no unit of its own; None where it is blank."""
        record = self._record
        cell, field = record.cell(name), record.table.fields.get(name)
        if cell is None or field is None:
            record.settle(name)
            return None
        if cell.kind is CellKind.NUMBER and field.unit is None and not cell.merged:
            record.settle(name)
            return float(cell.value)
        number = record.number(name, None if unit == UNKNOWN_UNIT else dimension_of(unit))
        return None if number is None else number / size_of(unit)

    def offset(self, unit: str) -> tuple[float, OffsetRule]:
        """What is added to readings, in a unit of ours, and the rule by which an offset is found."""
        record = self._record
        cell = record.cell("offset")
        if cell is None:
            record.settle("offset")
            return 0.0, "number"
        if cell.kind is CellKind.NUMBER:
            return self.in_unit("offset", unit) or 0.0, "number"
        place = record.place("offset")
        if not is_sound(cell, place, self._report):
            return float("nan"), "number"
        text = str(cell.value)
        if fold(text) in OFFSET_RULES:
            return 0.0, cast("OffsetRule", fold(text))
        try:
            return quantity(text, dimensions_of(unit)) / size_of(unit), "number"
        except ValueFault as fault:
            rule, mend = fault.problem, fault.mend
            if fault.code == "not-a-number":
                rule = "an offset is a number, or zero, first or fit"
                mend = self._report.did_you_mean(text, OFFSET_RULES, "write one of these")
            self._report.error(fault.code, place, f"offset: {shown(cell)}", rule, mend)
            return float("nan"), "number"


def _one_of(names: Sequence[str]) -> str:
    more = " .." if len(names) > MOST_LISTED else ""
    return f"write one of {', '.join(names[:MOST_LISTED])}{more}"


def _names(sheet: KnownSheet) -> Iterator[str]:
    yield from (name for name in sheet.columns if name not in sheet.over)
    yield from sheet.aliases


def _exact(sheet: KnownSheet, text: str) -> Iterator[str]:
    """The exact name of the column that a text means on a result sheet, if there is one."""
    wanted = fold(text)
    known: Mapping[str, str] = {**{fold(name): of for name, of in sheet.aliases.items()}}
    own = next((name for name in sheet.columns if fold(name) == wanted), known.get(wanted))
    if own is not None:
        yield own


def _columns(case: KnownCase, text: str) -> Iterator[_Column]:
    for sheet in case.sheets:
        yield from (_Column(case, sheet, name) for name in _exact(sheet, text))


def _same_rows(one: KnownSheet, other: KnownSheet) -> bool:
    """Whether rows of both sheets are named by the same quantity, as those over time."""
    return one.over[:1] == other.over[:1]


def _distance(column: _Column, over: str, data: DataSheet | None, first: KnownCase) -> tuple[bool, bool, bool]:
    """How far a column is from what is meant: of the first case, over the quantity that is named or measured."""
    is_over = not over or any(True for _name in _exact(column.sheet, over))
    is_measured = data is not None and any(data.find(each) is not None for each in column.sheet.over)
    return column.case is not first, not is_over, not is_measured
