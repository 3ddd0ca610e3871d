"""Sheets whose cells are not those of a file: a workbook with changed cells, and sheets that are generated."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache

from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.cell import Cell, CellKind, row_and_column
from sheetmbs.schema.filled import Cell as FilledCell
from sheetmbs.schema.filled import FilledSheet
from sheetmbs.workbook.cells.cell_rows import NO_NUMBERS, Row, SheetRows
from sheetmbs.workbook.cells.cells import Book, CellSheet

CellValue = float | str | bool
CellAt = tuple[str, str]
"""sheet and address, ("Points", "C4")"""
ERROR_VALUES = frozenset(
    ("#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!", "#SPILL!", "#CALC!", "#GETTING_DATA")
)


class ChangedSheets(Mapping[str, CellSheet]):
    """The sheets of a workbook, of which some have changed cells; the others are parsed when they are asked for."""

    def __init__(self, before: Mapping[str, CellSheet], changed: Mapping[str, CellSheet]) -> None:
        self._before = before
        self._changed = changed

    def __getitem__(self, name: str) -> CellSheet:
        return self._changed[name] if name in self._changed else self._before[name]

    def __contains__(self, name: object) -> bool:
        return name in self._before

    def __iter__(self) -> Iterator[str]:
        return iter(self._before)

    def __len__(self) -> int:
        return len(self._before)


def with_cells(book: Book, changed: Mapping[CellAt, CellValue]) -> Book:
    """The workbook with other values in some cells; a text that Excel takes for an error value is one.

    Raises WorkbookError where there is no such sheet or address.
    """
    by_sheet: dict[str, list[Cell]] = {}
    for name, cell in changed_cells(book, changed):
        by_sheet.setdefault(name, []).append(cell)
    sheets = {
        name: replace(book.sheets[name], rows=book.sheets[name].rows.with_cells(cells))
        for name, cells in by_sheet.items()
    }
    return replace(book, sheets=ChangedSheets(book.sheets, sheets))


def changed_cells(book: Book, changed: Mapping[CellAt, CellValue]) -> Iterator[tuple[str, Cell]]:
    """The cells of a workbook that change, each with its sheet. Raises WorkbookError where there is no such cell."""
    rows_of: dict[str, Mapping[int, Row]] = {}
    for (name, address), value in changed.items():
        row, column = position(name, address)
        if name not in rows_of:
            if name not in book.sheets:
                raise _no_cell(name, address)
            rows_of[name] = book.sheets[name].rows
        yield name, _cell(row, column, value, rows_of[name].get(row, {}).get(column))


@lru_cache(maxsize=65536)
def position(sheet: str, address: str) -> tuple[int, int]:
    """Row and column of an address such as C4, from 1. Raises WorkbookError where it is none."""
    found = row_and_column(address)
    if found is None:
        raise _no_cell(sheet, address)
    return found


def _no_cell(sheet: str, address: str) -> WorkbookError:
    cell = f"{sheet}!{address}"
    return WorkbookError(Problem("no-cell", "error", cell, cell, "there is no such cell", "correct its address"))


def _cell(row: int, column: int, value: CellValue, old: Cell | None) -> Cell:
    merged = old is not None and old.merged
    if isinstance(value, bool):
        return Cell(row, column, CellKind.BOOLEAN, value, merged)
    if isinstance(value, str):
        return Cell(row, column, CellKind.ERROR if value in ERROR_VALUES else CellKind.TEXT, value, merged)
    if old is not None and old.kind is CellKind.DATE:  # its format stays, so the number is still shown as a date
        return Cell(row, column, CellKind.DATE, repr(float(value)), merged)
    return Cell(row, column, CellKind.NUMBER, float(value), merged)


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
        rows[row] = {column: _filled_cell(row, column, value) for column, value in given}
    return CellSheet(name, SheetRows(NO_NUMBERS, rows), hidden=False)


def _filled_cell(row: int, column: int, value: str | float) -> Cell:
    return Cell(row, column, CellKind.TEXT if isinstance(value, str) else CellKind.NUMBER, value)
