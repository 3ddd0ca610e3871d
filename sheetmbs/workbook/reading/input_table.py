"""A table sheet as records, one per row, and the rows that count under their names."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from math import isfinite, isnan, nan, pi
from typing import Any, TypeVar

from sheetmbs.model.model import Formula
from sheetmbs.schema.column import Dimensionality, Sheet
from sheetmbs.schema.expression import ExpressionError, parse
from sheetmbs.schema.meanings import means_totals, means_units, names_column
from sheetmbs.schema.names import fold, name_fault
from sheetmbs.schema.problem_list import Place, ProblemList, quoted, shown
from sheetmbs.schema.units import ANGLE, Dimension
from sheetmbs.schema.validate import ValueFault, choice, flag, has_unit, unknown_value
from sheetmbs.workbook.cells.cell_rows import Row
from sheetmbs.workbook.cells.cells import Cell, CellKind, CellSheet
from sheetmbs.workbook.reading.cases import Cases
from sheetmbs.workbook.reading.fields import (
    MAX_NAMED_HEADERS,
    UNITS_ROW,
    Field,
    first_text,
    in_si,
    is_blank,
    is_empty,
    is_sound,
    number,
)
from sheetmbs.workbook.reading.registry import Absent, Registry, Variables
from sheetmbs.workbook.reading.table_headers import UNITS, TableHeaders, holds_units, is_sheet_empty, is_stray

NO_CASES = Cases()
IGNORED = ("notes", "active")
TURN = 2.0 * pi
Answer = TypeVar("Answer")
Question = tuple[str | tuple[str, ...], object]
"""the column or columns, and what is asked about them"""


class InputTable:
    """A sheet of records. cells: None where the workbook has no such sheet; it then has no records. cases: which rows count.

    fields: the columns that are there, by name. strays: rows of units that stand too low, which have been reported.
    repeated: rows that repeat the headers, and totals: rows that add up others, which have been reported too.
    named: the rows that count with their names, once they have been read. changed: rows with other numbers by row, since then.
    """

    def __init__(
        self,
        schema: Sheet,
        cells: CellSheet | None,
        report: ProblemList,
        dimension: Dimensionality,
        cases: Cases = NO_CASES,
    ) -> None:
        self.schema = schema
        self.report = report
        self.dimension = dimension
        self.cases = cases
        self.cells = cells
        self.headers = TableHeaders(schema, cells, report, dimension)
        self.fields = self.headers.fields
        self.strays: set[int] = set()
        self.repeated: set[int] = set()
        self.totals: set[int] = set()
        self.named: list[tuple[Record, str]] | None = None
        self.changed: Mapping[int, Row] = {}

    @property
    def lacks_names(self) -> bool:
        """Whether the column of names, or the whole sheet, is missing although it must be there."""
        is_expected = self.schema.required or (self.cells is not None and not is_sheet_empty(self.cells))
        return is_expected and "name" not in self.fields

    def records(self) -> Iterator[Record]:
        """Every row that says something: not blank, no comment, not the units row; switched off ones too."""
        if self.cells is None:
            return
        known = {field.header.place.column for name, field in self.fields.items() if name not in IGNORED}
        for row, cells in self.cells.rows.items():
            if row < UNITS_ROW or (row == UNITS_ROW and self.headers.has_units_row):
                continue
            if not any(column in known and not is_empty(cell) for column, cell in cells.items()):
                continue
            if is_comment(cells, self.headers.first_column) or self._repeats_headers(row, cells):
                continue
            if not self._is_stray(row, cells) and not self._is_of_totals(row, cells):
                yield Record(self, row, cells)

    def renewed(self, record: Record) -> Record:
        """A row as it stands now."""
        cells = self.changed.get(record.row)
        return record if cells is None else record.with_cells(cells)

    def _is_stray(self, row: int, cells: Row) -> bool:
        """Whether a row without a name, or named units, is a units row that stands too low, which is reported once."""
        first = self.fields.get(self.schema.columns[0].name)
        at = first.header.place.column if first else self.headers.first_column
        name = first_text(cells, at)
        if row in self.strays or (name and fold(name) not in UNITS and not means_units(name)):
            return row in self.strays
        numbers = [cells.get(field.header.place.column) for field in self.fields.values() if field.column.is_numeric]
        if row - 1 in self.repeated and holds_units(numbers):  # it stands right once that row is deleted
            self.strays.add(row)
            return True
        place = Place(self.cells.name if self.cells else self.schema.name, row, at)
        if is_stray(numbers, place, self.report):
            self.strays.add(row)
        return row in self.strays

    def _filled(self, cells: Row) -> dict[str, Cell]:
        """The cells of a row that hold something and count, by the names of their columns."""
        found = {
            name: cells.get(field.header.place.column) for name, field in self.fields.items() if name not in IGNORED
        }
        return {name: cell for name, cell in found.items() if cell is not None and not is_empty(cell)}

    def _repeats_headers(self, row: int, cells: Row) -> bool:
        """Whether a row holds the headers once more, perhaps in another language, which is reported once."""
        filled = self._filled(cells)
        if row in self.repeated or len(filled) < 2 or any(cell.kind is not CellKind.TEXT for cell in filled.values()):
            return row in self.repeated
        columns = {name: self.fields[name].column for name in filled}
        texts = {name: str(cell.value) for name, cell in filled.items()}
        if any(fold(texts[name]) in map(fold, column.choices) for name, column in columns.items()):
            return False
        same = [name for name, column in columns.items() if names_column(texts[name], column, self.schema)]
        is_certain = len(same) == len(filled) or len(same) > 2 or any(columns[name].is_numeric for name in same)
        if not (is_certain and 2 * len(same) > len(filled) and len(same) > 1):
            return False
        self.repeated.add(row)
        place = Place(
            self.cells.name if self.cells else self.schema.name, row, min(cell.column for cell in filled.values())
        )
        found = ", ".join(quoted(texts[name]) for name in list(filled)[:MAX_NAMED_HEADERS])
        problem = f"row {row} repeats the headers of row 1, which alone are read"
        self.report.error("repeated-header", place, found, problem, f"delete row {row}, or begin it with #")
        return True

    def _is_of_totals(self, row: int, cells: Row) -> bool:
        """Whether a row only adds up others: named so, it leaves most of what they all fill in blank. It is reported once."""
        at = self.fields.get(self.schema.columns[0].name)
        name = first_text(cells, at.header.place.column) if at else ""
        if row in self.totals or not means_totals(name):
            return row in self.totals
        others = [
            set(self._filled(each))
            for number, each in (self.cells.rows.items() if self.cells else ())
            if number > UNITS_ROW - (not self.headers.has_units_row) and number != row and self._filled(each)
        ]
        common = set.intersection(*others) if others else set()
        if 2 * len(common - set(self._filled(cells))) < len(common) or len(common) < 2:
            return False
        self.totals.add(row)
        place = Place(self.cells.name if self.cells else self.schema.name, row, at.header.place.column if at else 1)
        problem = f"this seems to be a row of totals, and {self.schema.name} reads every row as one of its own"
        mend = "begin its name with #, as of a remark, or move it to another sheet"
        self.report.error("totals-row", place, f"the row {quoted(name)}", problem, mend)
        return True


def is_comment(row: Row, column: int) -> bool:
    """Whether a row's first cell starts with ``#``. An Excel error such as ``#REF!`` is not text, so no comment."""
    return first_text(row, column).startswith("#")


def named_records(table: InputTable, registry: Registry) -> Iterator[tuple[Record, str]]:
    """The rows that count and their names, entered in ``registry``; a name is ``""`` where it is wrong.

    Where a table is read again with other numbers, its rows and names are those of the first time.
    """
    if table.named is not None:
        for record, name in table.named:
            yield table.renewed(record), name
        return
    registry.is_complete = registry.is_complete and not table.lacks_names
    named: list[tuple[Record, str]] = []
    for record in list(table.records()):
        if record.is_active:
            named.append((record, record.name(registry)))
            yield named[-1]
        else:
            absence = table.cases.absence(record.raw_text("active"))
            registry.add_switched_off(record.raw_text("name"), Absent(record.place("name"), *absence))
    table.named = named


class Record:
    """One row of a table. A wrong value is reported when it is asked for; what is returned then goes on harmlessly.

    Answers are kept: a row that has not changed is asked again where what it refers to has.
    """

    def __init__(self, table: InputTable, row: int, cells: Row) -> None:
        self.table = table
        self.report = table.report
        self.row = row
        self.cells = cells
        self._asked: set[str] = {"active", "notes"}
        self._is_nameless = False
        self._is_finished = False
        self._answers: dict[Question, Any] = {}
        self._unmoved: dict[frozenset[int], dict[Question, Any]] = {}  # by the columns whose cells are others

    def with_cells(self, cells: Row) -> Record:
        """The row with other numbers, perhaps in cells that were blank; what was asked of cells that stay is known."""
        found, before = Record(self.table, self.row, cells), self.cells
        columns = frozenset([column for column, cell in cells.items() if before.get(column) is not cell])
        if columns not in self._unmoved:
            moved = {name for name, field in self.table.fields.items() if field.header.place.column in columns}
            self._unmoved[columns] = {key: each for key, each in self._answers.items() if not _are_among(key[0], moved)}
        found._answers = self._unmoved[columns].copy()
        found._is_finished = self._is_finished
        return found

    def of_columns(self, columns: tuple[str, ...], question: object, find: Callable[[], Answer]) -> Answer:
        """The answer to a question about several columns and nothing else, found once; nobody may change it."""
        return self._once((columns, question), find)

    def _once(self, key: Question, find: Callable[[], Answer]) -> Answer:
        """The answer to a question about these cells, found once."""
        answers = self._answers
        if key not in answers:
            answers[key] = find()
        found: Answer = answers[key]
        return found

    def place(self, name: str) -> Place:
        """The cell of a column in this row; the row's first column where the sheet has no such column."""
        field = self.table.fields.get(name)
        column = field.header.place.column if field else self._first_column()
        return Place(self.table.schema.name if self.table.cells is None else self.table.cells.name, self.row, column)

    def _first_column(self) -> int:
        field = self.table.fields.get(self.table.schema.columns[0].name)
        return field.header.place.column if field else self.table.headers.first_column

    def cell_text(self, name: str) -> str:
        """Address of the cell of a column, as text."""
        return self._once((name, "address"), lambda: str(self.place(name)))

    def given(self, name: str) -> bool:
        """Whether something stands in a column's cell."""
        return self.cell(name) is not None

    def cell(self, name: str) -> Cell | None:
        """The cell of a column, unchecked; None where it is blank."""
        field = self.table.fields.get(name)
        cell = self.cells.get(field.header.place.column) if field else None
        return None if is_blank(cell) else cell

    def _ask(self, name: str) -> Cell | None:
        """The cell of a column, None where blank; a blank one that must be filled in is reported."""
        self._asked.add(name)
        cell = self.cell(name)
        if cell is None and name in self.table.fields and self.table.schema.column(name).required:
            is_first = name == self.table.schema.columns[0].name
            mend = (
                "fill it in, clear the row, or begin it with # if it is a remark"
                if is_first
                else "fill it in, or clear the row"
            )
            self.missing(name, f"{name} must be filled in", mend)
        return cell

    def missing(self, name: str, problem: str, mend: str) -> None:
        """Report that a column is blank in this row, or once for all rows that its header is wrong.

        Of a row without a name, which may be none of an element, nothing more is said.
        """
        headers = self.table.headers
        is_told = name not in self.table.fields and (headers.is_reported(name) or headers.report_absent(name))
        if self._is_nameless or is_told:
            return
        self._is_nameless = name == self.table.schema.columns[0].name
        if self.is_emptied(name):
            mend = "correct the formula so that it gives a value, or enter the value"
        self.report.error("missing-value", self.place(name), self.blank(name), problem, mend)

    def refuse(self, code: str, name: str, problem: str, mend: str) -> None:
        """Report a value that breaks a rule of the row as a whole."""
        cell = self.cell(name)
        found = f"{name}: {_value(cell)}" if cell is not None else self.blank(name)
        self.report.error(code, self.place(name), found, problem, mend)

    def is_emptied(self, name: str) -> bool:
        """Whether a formula in the cell of a column gives an empty text, so that the cell counts as blank."""
        field = self.table.fields.get(name)
        cell = self.cells.get(field.header.place.column) if field else None
        return cell is not None and cell.from_formula

    def blank(self, name: str) -> str:
        """The words for a blank cell of a column."""
        return f"{name} is blank" + (": its formula gives an empty text" if self.is_emptied(name) else "")

    def settle(self, *names: str) -> None:
        """Count columns as dealt with, for instance because a problem has been reported that covers them."""
        self._asked.update(names)

    @property
    def is_active(self) -> bool:
        """Whether the row counts, always or in the chosen case."""
        cell = self.cell("active")
        if cell is None:
            return True
        if cell.kind is not CellKind.TEXT or cell.merged:
            return self.flag("active", default=True)
        try:
            return self.table.cases.counts(str(cell.value))
        except ValueFault as fault:
            found = f"active: {_value(cell)}"
            self.report.error(fault.code, self.place("active"), found, fault.problem, fault.mend)
            return True

    def number(self, name: str, dimension: Dimension | None = None, *, is_in_si: bool = True) -> float | None:
        """The number of a column in SI: None where blank, NaN where it is wrong (and reported).

        is_in_si: whether a number without a unit is one in SI, so that an angle of many turns is likely a mistake.
        """
        return self._once((name, dimension), lambda: self._number(name, dimension, is_in_si=is_in_si))

    def _number(self, name: str, dimension: Dimension | None, *, is_in_si: bool) -> float | None:
        cell = self._ask(name)
        if cell is None:
            return None
        value = number(cell, self.table.fields[name], dimension, self.place(name), self.report)
        if is_in_si:
            self._warn_of_degrees(name, cell, dimension)
        return value

    def _warn_of_degrees(self, name: str, cell: Cell, dimension: Dimension | None) -> None:
        """Warn of a round angle of more than a turn that has no unit: it is likely given in degrees."""
        value = float(cell.value) if cell.kind is CellKind.NUMBER and not cell.merged else 0.0
        if abs(value) <= TURN or not isfinite(value) or not (2.0 * value).is_integer():
            return
        field = self.table.fields[name]
        dimensions = (dimension,) if dimension else field.column.dimensions
        if dimensions == (ANGLE,) and field.sound and not field.unit and not self.table.strays:
            problem = f"an angle without a unit is in rad, and this is {abs(value) / TURN:.3g} turns"
            mend = f"write {value:g} deg, or deg in the units row, if degrees are meant"
            self.report.warning("angle-in-rad", self.place(name), f"{name}: {shown(cell)}", problem, mend)

    def number_or(self, name: str, default: float, dimension: Dimension | None = None) -> float:
        """The number of a column in SI, or what a blank cell means."""
        value = self.number(name, dimension)
        return default if value is None else value

    def text(self, name: str) -> str:
        """The text of a column, ``""`` where it is blank or wrong. A whole number counts as text: it may be a name."""
        cell = self._ask(name)
        return "" if cell is None else text_of(cell, name, self.place(name), self.report)

    def raw_text(self, name: str) -> str:
        """The content of a column as text, unchecked."""
        cell = self.cell(name)
        return cell_as_text(cell) if cell is not None and cell.kind in (CellKind.TEXT, CellKind.NUMBER) else ""

    def name(self, registry: Registry) -> str:
        """The element's own name, entered in ``registry``; ``""`` where it cannot be a name, which is reported."""
        text = self.text("name")
        fault = name_fault(text) if text else None
        if fault:
            code, problem, mend = fault
            self.report.error(code, self.place("name"), quoted(text), problem, mend)
        if fault or not text:
            registry.add_nameless(text)
            return ""
        return text if registry.add(text, self.place("name")) else ""

    def choice(self, name: str, offered: Sequence[str] = ()) -> str:
        """The word in a column, the default where it is blank, ``""`` where it is none of the choices.

        offered: those of the choices that a message names, if not all.
        """
        return self._once((name, "choice"), lambda: self._choice(name, offered))

    def _choice(self, name: str, offered: Sequence[str]) -> str:
        column = self.table.schema.column(name)
        if not self.given(name):
            self._ask(name)
            return column.default
        text = self.text(name)
        try:
            return choice(text, column.choices) if text else ""
        except ValueFault:
            fault = unknown_value(text, offered or column.choices)
            self.report.error(fault.code, self.place(name), f"{name}: {quoted(text)}", fault.problem, fault.mend)
            return ""

    def flag(self, name: str, *, default: bool = False) -> bool:
        """Yes or no, ``default`` where blank or wrong."""
        return self._once((name, default), lambda: self._flag(name, default=default))

    def _flag(self, name: str, *, default: bool) -> bool:
        cell = self._ask(name)
        return default if cell is None else flag_of(cell, self.place(name), self.report, default=default)

    def reference(self, name: str, registry: Registry) -> str | None:
        """Exact name of the element a column refers to, None where it is blank or there is none, which is reported."""
        return self._once((name, registry), lambda: self._reference(name, registry))

    def _reference(self, name: str, registry: Registry) -> str | None:
        text = self.text(name)
        if not text:
            return None
        return registry.resolve(text, self.place(name), ground=self.table.schema.column(name).ground)

    def formula(self, name: str, dimension: Dimension, variables: Variables | None) -> float | Formula | None:
        """A number or an expression; the column's unit is that of either. variables: motion columns that may be used."""
        cell = self._ask(name)
        if cell is None:
            return None
        field, place = self.table.fields[name], self.place(name)
        if cell.kind is not CellKind.TEXT or cell.merged or has_unit(str(cell.value)):
            return number(cell, field, dimension, place, self.report)
        formula = self._parsed(name, cell, field, dimension, variables)
        return nan if formula is None else formula

    def expression(self, name: str, unit_from: str, dimension: Dimension) -> Formula | None:
        """An expression of time, in the unit of another column; None where blank or wrong, which is reported."""
        cell = self._ask(name)
        if cell is None:
            return None
        if cell.kind is CellKind.NUMBER:
            # a plain number is the simplest expression; its text form goes the same way
            cell = Cell(cell.row, cell.column, CellKind.TEXT, repr(float(cell.value)), cell.merged)
        if not is_sound(cell, self.place(name), self.report):
            return None
        if cell.kind is not CellKind.TEXT:
            problem, mend = f"{name} is an expression of t", "write it as text"
            self.report.error("not-an-expression", self.place(name), shown(cell), problem, mend)
            return None
        return self._parsed(name, cell, self.table.fields.get(unit_from, self.table.fields[name]), dimension, None)

    def _parsed(
        self, name: str, cell: Cell, field: Field, dimension: Dimension, variables: Variables | None
    ) -> Formula | None:
        place, text = self.place(name), str(cell.value)
        try:
            scale = in_si(1.0, field, dimension)
        except ValueFault as fault:
            unit = field.unit.text if field.unit else ""
            problem = (
                f"the unit {unit} of the column {field.column.name} does not fit this row, which needs {dimension.name}"
            )
            mend = f"remove that unit and write units in the cells of {field.column.name} instead"
            self.report.error(fault.code, place, shown(cell), problem, mend)
            return None
        unknown: list[str] = []

        def is_known(variable: str) -> bool:
            known = variables is not None and variables(variable)
            if not known:
                unknown.append(variable)
            return known

        try:
            expression = parse(text, is_known if variables else None)
        except ExpressionError as error:
            code, mend = "wrong-expression", error.mend
            if unknown and variables is not None:
                code, mend = "unknown-motion-column", variables.advice(unknown[-1]) or mend
            elif variables is not None:
                mend = variables.completed(error.found.partition("'")[2].partition("'")[0]) or mend
            self.report.error(code, place, error.found, error.problem, mend)
            return None
        if variables is not None:
            self._warn_of_ambiguous(expression.variables, variables, place)
            expression = replace(expression, variables=tuple(map(variables.exact, expression.variables)))
        return Formula(expression, scale, str(place))

    def _warn_of_ambiguous(self, names: tuple[str, ...], variables: Variables, place: Place) -> None:
        for name in names:
            if variables.is_ambiguous(name):
                problem = "a body and a point have this name; the body counts"
                self.report.warning("ambiguous-name", place, quoted(name), problem, "give one of them another name")

    def finish(self) -> None:
        """Warn of filled cells that nobody asked for: what stands there does not count in this row."""
        if self._is_finished:
            return
        self._is_finished = True
        for name, field in self.table.fields.items():
            cell = self.cell(name)
            if name in self._asked or cell is None or not is_sound(cell, self.place(name), self.report):
                continue
            if cell.kind is CellKind.NUMBER and (cell.value == 0 or isnan(float(cell.value))):
                continue
            here = self.table.dimension in field.column.models
            problem = (
                f"{name} is not used in this row" if here else f"{name} counts in {field.column.models[0]} models only"
            )
            meant = "" if here else self.table.headers.stands_for(field)
            if not self.table.headers.is_reported(meant):
                mend = f"write it in a column {meant}, or clear the cell" if meant else "clear the cell"
                self.report.warning("unused-value", self.place(name), shown(cell), problem, mend)


def _are_among(asked: str | tuple[str, ...], moved: set[str]) -> bool:
    """Whether what an answer is about has changed. asked: a column or several."""
    return asked in moved if isinstance(asked, str) else not moved.isdisjoint(asked)


def _value(cell: Cell) -> str:
    """The content of a cell, behind the name of its column."""
    return quoted(str(cell.value)) if cell.kind is CellKind.TEXT else shown(cell)


def text_of(cell: Cell, name: str, place: Place, report: ProblemList) -> str:
    """The text in a cell of a column, ``""`` where it is none, which is reported. A whole number counts as text."""
    if not is_sound(cell, place, report):
        return ""
    if cell.kind in (CellKind.TEXT, CellKind.NUMBER):
        return cell_as_text(cell)
    report.error("not-a-text", place, shown(cell), f"{name} is a text", "write it as text, in a cell formatted so")
    return ""


def flag_of(cell: Cell, place: Place, report: ProblemList, *, default: bool) -> bool:
    """Yes or no in a cell, ``default`` where it is neither, which is reported."""
    if not is_sound(cell, place, report):
        return default
    if cell.kind is CellKind.BOOLEAN:
        return bool(cell.value)
    try:
        return flag(cell_as_text(cell))
    except ValueFault as fault:
        report.error(fault.code, place, shown(cell), fault.problem, fault.mend)
        return default


def cell_as_text(cell: Cell) -> str:
    """Text of a text or number cell; a whole number has no decimals."""
    if cell.kind is CellKind.NUMBER:
        value = float(cell.value)
        return str(int(value)) if value.is_integer() else repr(value)
    return str(cell.value).strip()
