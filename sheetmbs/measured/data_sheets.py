"""Sheets of readings: headers in row 1, units in row 2, then numbers as a rig or logger gives them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sheetmbs.measured.measurement import Floats
from sheetmbs.schema.cell import CellKind, Place
from sheetmbs.schema.measured_inputs import DATA_SHEET, is_data_sheet
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList, quoted, shown
from sheetmbs.schema.validate import ValueFault, quantity
from sheetmbs.workbook.cells.cells import Book, CellSheet
from sheetmbs.workbook.reading.fields import UNITS_ROW, Header, headers, is_empty, is_sound
from sheetmbs.workbook.reading.input_table import is_comment


@dataclass(eq=False)
class DataSheet:
    """A sheet of readings. heads: its headers from left to right. first_row: of the numbers."""

    cells: CellSheet
    heads: Sequence[Header]
    first_row: int
    _read: dict[int, Floats] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """Name of the sheet."""
        return self.cells.name

    @property
    def own_name(self) -> str:
        """What stands behind Measured in its name."""
        return self.name.strip()[len(DATA_SHEET) :].strip(" _-")

    @property
    def rows(self) -> list[int]:
        """Rows of numbers, but for comments."""
        first = min((head.place.column for head in self.heads), default=1)
        return [
            row
            for row in self.cells.rows
            if row >= self.first_row and not is_comment(self.cells.rows.others.get(row, {}), first)
        ]

    def find(self, text: str) -> Header | None:
        """The header that a text means."""
        wanted = fold(text)
        return next((head for head in self.heads if wanted in (fold(head.name), fold(head.text))), None)

    def unit(self, head: Header) -> tuple[str, Place]:
        """The unit of a column as written, ``""`` where it has none, and where it stands."""
        cell = self.cells.rows.cell(UNITS_ROW, head.place.column) if self.first_row > UNITS_ROW else None
        if cell is not None and not is_empty(cell):
            return str(cell.value).strip(), Place(self.name, UNITS_ROW, head.place.column)
        return (head.unit or "").strip(), head.place

    def column(self, head: Header, report: ProblemList) -> Floats:
        """(rows,) numbers of a column, NaN where it is blank. A cell that is no number is reported once."""
        column = head.place.column
        if column not in self._read:
            self._read[column] = self._numbers(column, head, report)
        return self._read[column]

    def _numbers(self, column: int, head: Header, report: ProblemList) -> Floats:
        rows = self.rows
        wanted = set(rows)
        for row, cells in self.cells.rows.others.items():
            cell = cells.get(column)
            if row not in wanted or is_empty(cell):
                continue
            place = Place(self.name, row, column)
            if cell is None or not is_sound(cell, place, report):
                continue
            rule, mend = (
                "a reading is a number, in the unit of row 2",
                "enter the number, or clear the cell: no reading",
            )
            if cell.kind is CellKind.TEXT:
                try:
                    quantity(str(cell.value), ())
                except ValueFault as fault:
                    if fault.code == "number-as-text":
                        rule, mend = fault.problem, fault.mend
            report.error("text-in-data", place, f"{head.text}: {shown(cell)}", rule, mend)
        return np.asarray(self.cells.rows.numbers.table(rows, [column])[0] if rows else np.zeros(0))

    @property
    def row_numbers(self) -> NDArray[np.int64]:
        """(rows,) numbers of its rows in the sheet."""
        return np.array(self.rows, dtype=np.int64)


def data_sheets(book: Book) -> list[DataSheet]:
    """All sheets that may hold readings, in the order of the tabs."""
    return [_data_sheet(book.sheets[name]) for name in book.sheets if is_data_sheet(name)]


def _data_sheet(cells: CellSheet) -> DataSheet:
    units = [cell for cell in cells.rows.get(UNITS_ROW, {}).values() if not is_empty(cell)]
    is_of_numbers = bool(units) and all(cell.kind is CellKind.NUMBER for cell in units)
    # headers that cannot be read are those of columns that nobody asks for
    return DataSheet(cells, headers(cells, ProblemList(())), UNITS_ROW if is_of_numbers else UNITS_ROW + 1)


def report_column(sheet: DataSheet, head: Header, report: ProblemList) -> bool:
    """Whether the first rows of a column that is used can be read; what is wrong with them is reported."""
    cell = sheet.cells.rows.cell(UNITS_ROW, head.place.column) if sheet.first_row > UNITS_ROW else None
    if cell is not None and not is_empty(cell) and cell.kind is not CellKind.TEXT:
        rule, mend = "row 2 holds units; numbers begin in row 3", "move the numbers down, or clear the cell"
        report.error("unreadable-unit", Place(sheet.name, UNITS_ROW, head.place.column), shown(cell), rule, mend)
        return False
    same = [each for each in sheet.heads if fold(each.name) == fold(head.name)]
    if len(same) > 1:
        rule, mend = f"the same header stands at {same[0].place}", "rename one of them"
        report.error("duplicate-header", same[1].place, quoted(head.text), rule, mend)
    return len(same) == 1
