"""Sheets that are made up as they would be read from a file."""

from __future__ import annotations

from collections.abc import Sequence

from sheetmbs.schema.filled import Cell as FilledCell
from sheetmbs.schema.filled import FilledSheet
from sheetmbs.workbook.cells.cell_rows import NO_NUMBERS, Row, SheetRows
from sheetmbs.workbook.cells.cells import Cell, CellKind, CellSheet


def filled_cells(filled: FilledSheet) -> CellSheet:
    """The cells of an input sheet."""
    units = filled.in_units
    heads = [f"{head} [{units[head]}]" if head in units else head for head in filled.headers]
    return cells_of_rows(filled.name, (heads, *filled.rows))


def cells_of_rows(name: str, lines: Sequence[Sequence[FilledCell]]) -> CellSheet:
    """The cells of a sheet with these rows, from the first on; None is blank."""
    rows: dict[int, Row] = {}
    for row, values in enumerate(lines, start=1):
        given = ((column, value) for column, value in enumerate(values, start=1) if value is not None)
        rows[row] = {column: _cell(row, column, value) for column, value in given}
    return CellSheet(name, SheetRows(NO_NUMBERS, rows), hidden=False)


def _cell(row: int, column: int, value: str | float) -> Cell:
    return Cell(row, column, CellKind.TEXT if isinstance(value, str) else CellKind.NUMBER, value)
