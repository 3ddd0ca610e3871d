"""A workbook read again and again with other numbers in its cells, as a study does.

Where only numbers and expressions of elements change, only rows with changed cells and what is placed by them are read again:
names, headers and what refers to what stay. Any other change, and whatever is wrong then, goes the way of a workbook read for
the first time.
"""

from __future__ import annotations

from collections.abc import Mapping

from sheetmbs.model.model import Model
from sheetmbs.schema.cell import Cell, CellKind
from sheetmbs.workbook.cells.cell_rows import Row
from sheetmbs.workbook.cells.cells import Book, CellAt, CellValue, changed_cells, with_cells
from sheetmbs.workbook.reading.fields import UNITS_ROW
from sheetmbs.workbook.reading.input_table import InputTable
from sheetmbs.workbook.reading.read_workbook import (
    build_model,
    check_drivers,
    checked_model,
    open_reading,
    read_elements,
)

Changed = Mapping[CellAt, CellValue]


class IncrementalReader:
    """The model of one case of a workbook. case: None that of a plain run. analysis: in place of the setting."""

    def __init__(self, book: Book, analysis: str | None = None, case: str | None = None) -> None:
        self._book = book
        self._asked = analysis, case
        self._context = open_reading(book, analysis, case)
        checked_model(book, self._context)
        self._is_sound = not self._context.report.has_errors
        self._context.parts.is_complete = True
        self._inputs = {sheet.name for sheet in self._context.sheets.values()}
        as_in_file = {sheet.name for sheet in self._context.sheets.values() if book.sheets[sheet.name] is sheet}
        self._tables = {
            table.cells.name: _Rows(table)
            for table in self._context.tables.values()
            if table.named is not None and table.cells is not None and table.cells.name in as_in_file
        }

    def model(self, changed: Changed) -> Model:
        """The model with changed cells, else as `build_model` gives it. Warnings are left out.

        Raises WorkbookError with everything that is wrong.
        """
        rows = self._changed_rows(changed) if self._is_sound else None
        if rows is None:
            return self._read_whole(changed)
        self._context.report.forget()
        for tab, table in self._tables.items():
            table.table.changed = rows.get(tab, {})
        model = read_elements(self._book, self._context)
        if not self._context.report.has_errors:
            check_drivers(model, self._context)
        return self._read_whole(changed) if self._context.report.has_errors else model

    def _read_whole(self, changed: Changed) -> Model:
        return build_model(with_cells(self._book, changed), *self._asked)

    def _changed_rows(self, changed: Changed) -> Mapping[str, Mapping[int, Row]] | None:
        """Rows of elements with changed cells, by sheet; None where something changes that others may depend on."""
        rows: dict[str, dict[int, dict[int, Cell]]] = {}
        read = {place: value for place, value in changed.items() if place[0] in self._inputs}
        for tab, cell in changed_cells(self._book, read):
            table = self._tables.get(tab)
            if table is None or not table.is_known(cell):
                return None
            if table.counts(cell):
                of_sheet = rows.setdefault(tab, {})
                if cell.row not in of_sheet:
                    of_sheet[cell.row] = dict(table.rows[cell.row])
                of_sheet[cell.row][cell.column] = cell
        return rows


class _Rows:
    """The rows of a table as they were read first. rows: those that count."""

    def __init__(self, table: InputTable) -> None:
        self.table = table
        self.rows = {record.row: record.cells for record, _name in table.named or ()}
        self._others = {record.row for record in table.records()} - self.rows.keys()
        self._cells = {} if table.cells is None else table.cells.rows
        places = {name: field.header.place.column for name, field in table.fields.items()}
        self._columns = {table.headers.first_column, *places.values()}
        self._numeric = {places[name] for name, field in table.fields.items() if field.column.is_numeric}
        self._naming = {table.headers.first_column, *(places.get(name, 0) for name in ("name", "active"))}

    def is_known(self, cell: Cell) -> bool:
        """Whether a changed cell changes at most what its own row is made into."""
        if cell.row in self._others:  # a row that does not count in this case
            return cell.row > UNITS_ROW and cell.column not in self._naming
        if cell.column not in self._columns:  # under no header of ours, such as the user's own sums
            return self._stays_number(cell)
        is_numeric = cell.column in self._numeric and cell.row in self.rows
        return is_numeric and (cell.row > UNITS_ROW or self._stays_number(cell))

    def _stays_number(self, cell: Cell) -> bool:
        before = self._cells.get(cell.row, {}).get(cell.column)
        return before is not None and _is_number(before) and _is_number(cell)

    def counts(self, cell: Cell) -> bool:
        """Whether its row is made into something else."""
        return cell.row in self.rows and cell.column in self._columns


def _is_number(cell: Cell) -> bool:
    return cell.kind is CellKind.NUMBER and not cell.merged
