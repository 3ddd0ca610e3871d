"""Models of generated rows, of which a study makes thousands: cars that differ in numbers generate the same cells.

The first car of a design is read as any workbook. Of every further one the cells are held against those of the first, and only
what differs is read again; where another cell is there, or none, all is.
"""

from __future__ import annotations

from collections.abc import Hashable, Mapping

from sheetmbs.model.model import Model
from sheetmbs.schema.cell import Cell, CellKind, column_letters
from sheetmbs.schema.input_columns import SHEETS_BY_FOLD
from sheetmbs.schema.names import fold
from sheetmbs.workbook.cells.cells import Book, CellAt, CellSheet, CellValue
from sheetmbs.workbook.reading.incremental_reader import IncrementalReader
from sheetmbs.workbook.reading.read_workbook import build_model

PLAIN = (CellKind.NUMBER, CellKind.TEXT)


class KnownModels:
    """The first model of each kind of generated rows, to be read again with others' numbers."""

    def __init__(self) -> None:
        self._first: dict[Hashable, tuple[Book, IncrementalReader]] = {}

    def of(self, kind: Hashable, book: Book) -> Model:
        """The model in a workbook with generated rows, of later ones without warnings. kind: which workbooks are alike.

        Raises WorkbookError with everything that is wrong.
        """
        if kind not in self._first:
            model = build_model(book)
            self._first[kind] = book, IncrementalReader(book)
            return model
        before, again = self._first[kind]
        changed = _differences(before, book)
        return build_model(book) if changed is None else again.model(changed)


def _differences(before: Book, book: Book) -> Mapping[CellAt, CellValue] | None:
    """Cells of a workbook with other values than before; None where another cell is there, or none."""
    if list(book.sheets) != list(before.sheets):
        return None
    found: dict[CellAt, CellValue] = {}
    for name, sheet in book.sheets.items():
        if sheet is before.sheets[name] or fold(name) not in SHEETS_BY_FOLD:
            continue
        cells = _changed_cells(before.sheets[name], sheet)
        if cells is None:
            return None
        found.update(((name, f"{column_letters(cell.column)}{cell.row}"), cell.value) for cell in cells)
    return found


def _changed_cells(before: CellSheet, sheet: CellSheet) -> list[Cell] | None:
    if list(before.rows) != list(sheet.rows):
        return None
    found: list[Cell] = []
    for row, cells in sheet.rows.items():
        known = before.rows[row]
        if known is cells:
            continue
        if known.keys() != cells.keys():
            return None
        others = [(known[column], cell) for column, cell in cells.items() if known[column] != cell]
        if not all(_is_plain(old) and _is_plain(new) for old, new in others):
            return None
        found += [cell for _, cell in others]
    return found


def _is_plain(cell: Cell) -> bool:
    return cell.kind in PLAIN and not cell.merged and not cell.as_percent
