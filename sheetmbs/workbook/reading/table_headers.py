"""The headers of a table sheet: its columns, its row of units, and what unknown headers seem to stand for."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from sheetmbs.schema.cell import Cell
from sheetmbs.schema.column import ColumnKind, Dimensionality, Sheet
from sheetmbs.schema.meanings import column_meant, header_advice, means_units
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, ProblemList, quoted
from sheetmbs.schema.settings import SETTINGS_BY_FOLD, SETTINGS_SHEET
from sheetmbs.schema.units import UnitError, parse_unit
from sheetmbs.schema.validate import BARE_NUMBER, is_blank_unit
from sheetmbs.workbook.cells.cells import CellKind, CellSheet
from sheetmbs.workbook.reading.fields import (
    UNITS_ROW,
    Field,
    Header,
    Meaning,
    columns_in_use,
    first_text,
    headers,
    is_empty,
    make_field,
    report_missing_columns,
    report_no_headers,
    warn_of_missing_headers,
)

UNITS = ("units", "unit")


def has_units_row(cells: CellSheet, found: list[Header], schema: Sheet, first: int, report: ProblemList) -> bool:
    """Whether row 2 of a table holds units. Its first cell should say so; one that does not is taken so if nothing else fits.

    first: the column in which the sheet's rows begin.
    """
    row = cells.rows.get(UNITS_ROW, {})
    known = [(header.place.column, column) for header in found if (column := schema.by_fold.get(fold(header.name)))]
    names = next((at for at, column in known if column is schema.columns[0]), first)
    titles = [first_text(row, first), first_text(row, names)]
    if any(fold(title.strip("[]():. ")) in UNITS for title in titles):
        return True
    place = Place(cells.name, UNITS_ROW, names)
    numbers = [row.get(at) for at, column in known if column.is_numeric]
    others = [row.get(at) for at, column in known if not column.is_numeric and at != names]
    says_so = any(means_units(title) for title in titles)
    if not says_so and not (holds_units(numbers) and holds_units(others, or_nothing=True)):
        return False
    title = titles[1]
    found_text = f"{quoted(title)} and units" if title else "units, and nothing in the first cell"
    mend = "write units in its first cell"
    if says_so or is_blank_unit(title) or title.startswith(("[", "(")):
        report.warning("units-row", place, found_text, "this row is read as the units row", mend)
        return True
    if any(not is_empty(row.get(at)) for at, column in known if column.kind is ColumnKind.FORMULA):
        return False  # t is a tonne, and a time in an expression
    problem = "a row of units has the word units in its first cell, and a row of values has numbers"
    report.error("units-row", place, found_text, problem, mend + ", or enter the numbers")
    return True


def holds_units(cells: Iterable[Cell | None], *, or_nothing: bool = False) -> bool:
    """Whether some cells hold units and nothing else. or_nothing: whether all of them may be blank."""
    texts = []
    for cell in cells:
        if is_empty(cell):
            continue
        if cell is None or cell.kind is not CellKind.TEXT:
            return False
        texts.append(str(cell.value))
    real = [text for text in texts if not is_blank_unit(text)]
    return (bool(real) or or_nothing) and all(map(_is_unit, real))


def _is_unit(text: str) -> bool:
    if text[:1].isdigit() and not text.startswith("1/"):  # 1 mm is a value, and 1/s a unit
        return False
    try:
        return any(parse_unit(text).exponents) or "%" in text
    except UnitError:
        return False


def is_stray(cells: Iterable[Cell | None], place: Place, report: ProblemList) -> bool:
    """Whether a row below row 2 holds nothing but units, which is reported. cells: those of its columns of numbers."""
    if place.row <= UNITS_ROW or not holds_units(cells):
        return False
    problem = f"units belong in row {UNITS_ROW}, right below the headers"
    report.error("units-row", place, "a row of units", problem, f"move it to row {UNITS_ROW}, or delete it")
    return True


class TableHeaders:
    """The headers of a table sheet, read and checked. cells: None where the workbook has no such sheet.

    fields: the columns that are there, by name. meant: columns that are not there and for which unknown headers seem to
    stand. first_column: in which the rows begin.
    """

    def __init__(self, schema: Sheet, cells: CellSheet | None, report: ProblemList, dimension: Dimensionality) -> None:
        self.schema = schema
        self.report = report
        self.dimension = dimension
        self.cells = cells
        self.fields: dict[str, Field] = {}
        self.meant: dict[str, Meaning] = {}
        self.first_column = 1
        self.has_units_row = False
        self._absent: set[str] = set()
        if cells is not None and not is_sheet_empty(cells):
            self._read(cells)

    def _read(self, cells: CellSheet) -> None:
        found = headers(cells, self.report)
        warn_of_missing_headers(cells, found, self.report)
        self.first_column = first_column(cells, found)
        self.has_units_row = has_units_row(cells, found, self.schema, self.first_column, self.report)
        units_row = cells.rows.get(UNITS_ROW, {}) if self.has_units_row else {}
        by_name: dict[str, Header] = {}
        for header in found:
            column = self.schema.by_fold.get(fold(header.name))
            if column is None:
                continue
            if column.name in by_name:
                problem = f"the column {column.name} stands at {by_name[column.name].place} already"
                found_text = f"the header {quoted(header.text)}"
                self.report.error("duplicate-header", header.place, found_text, problem, "delete one of the two")
            else:
                by_name[column.name] = header
                self.fields[column.name] = make_field(column, header, units_row, self.report)
        self._find_meanings(found)
        missing = [
            column
            for column in self.schema.columns
            if column.required and column.name not in by_name and self.dimension in column.models
        ]
        if missing and not by_name and _is_data(found, self.schema):
            report_no_headers(self.schema.columns, cells, self.report)
        else:
            report_missing_columns(missing, cells, self.meant, self.report)
        self._absent.update(column.name for column in missing)

    def _find_meanings(self, found: list[Header]) -> None:
        """Report unknown headers, and note what they, and headers of the other dimension, seem to stand for."""
        taken = {name for name, field in self.fields.items() if self.dimension in field.column.models}
        for header in found:
            column = self.schema.by_fold.get(fold(header.name))
            if column is not None and self.dimension in column.models:
                continue
            meaning = column_meant(header.text, self.schema, self.dimension, taken)
            if column is None:
                self._warn_unknown(header, taken)
            if meaning:
                self.meant.setdefault(meaning.column.name, Meaning(header, meaning.header()))
                taken.add(meaning.column.name)

    def report_absent(self, *names: str, rule: str = "") -> bool:
        """Report a column that is not there, once, where an unknown header seems to stand for it. names: any of these.

        Returns whether it is so: its blank cells need no report then.
        """
        name = next((name for name in names if name in self.meant), None)
        if name is None or self.cells is None or name in self.fields:
            return False
        if name not in self._absent:
            self._absent.add(name)
            report_missing_columns([self.schema.column(name)], self.cells, self.meant, self.report, rule)
        return True

    def stands_for(self, field: Field) -> str:
        """The column of this dimension for which one of the other dimension seems to be filled in; ``""`` none."""
        return next((name for name, meaning in self.meant.items() if meaning.header is field.header), "")

    def is_reported(self, name: str) -> bool:
        """Whether a column has been reported as missing."""
        return name in self._absent

    def report_missing(self, name: str, rule: str) -> None:
        """Report a column that is not there and that some row needs, once."""
        if self.cells is not None and name not in self._absent:
            self._absent.add(name)
            report_missing_columns([self.schema.column(name)], self.cells, self.meant, self.report, rule)

    def _warn_unknown(self, header: Header, taken: Collection[str]) -> None:
        otherwise = "correct it; a column notes is for remarks"
        mend = header_advice(header.text, self.schema, self.dimension, taken, otherwise)
        found = f"the header {quoted(header.text)}"
        self.report.warning("unknown-column", header.place, found, f"{self.schema.name} has no such column", mend)


def _is_data(found: list[Header], schema: Sheet) -> bool:
    """Whether row 1 holds data in place of headers: numbers, units, or settings."""
    if schema.name == SETTINGS_SHEET.name:
        return any(fold(header.name) in SETTINGS_BY_FOLD for header in found)
    texts = [header.text for header in found]
    return any(BARE_NUMBER.fullmatch(text) for text in texts) or any(fold(text) in UNITS for text in texts)


def first_column(cells: CellSheet, found: list[Header]) -> int:
    """Number of the column in which a sheet's rows begin."""
    return min([header.place.column for header in found] + list(columns_in_use(cells)), default=1)


def is_sheet_empty(cells: CellSheet) -> bool:
    """Whether nothing at all stands on a sheet."""
    return not columns_in_use(cells)
