"""Generated rows and curves among the user's own: own cells win, what they leave blank is filled in; each knows its origin."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from sheetmbs.schema.input_columns import CURVES, SHEETS_BY_FOLD
from sheetmbs.schema.names import fold
from sheetmbs.schema.validate import NO, split_header
from sheetmbs.suspension.generated.generate import GeneratedCurve, GeneratedRow, Value
from sheetmbs.workbook.cells.cell_rows import NO_NUMBERS, Row, SheetRows
from sheetmbs.workbook.cells.cells import Book, Cell, CellKind, CellSheet, address

HEADER_ROW = 1
NAME, ACTIVE = "name", "active"


@dataclass(frozen=True)
class MergedBook:
    """A workbook with generated rows. origin: the input cell of each generated cell. replaced: cells of the user's that win.

    curves: those that are generated.
    """

    book: Book
    origin: Mapping[str, str]
    replaced: tuple[str, ...]
    curves: tuple[GeneratedCurve, ...] = ()


def with_generated(book: Book, rows: Sequence[GeneratedRow]) -> MergedBook:
    """A workbook with generated rows on its general sheets."""
    sheets: dict[str, CellSheet] = dict(book.sheets)
    origin: dict[str, str] = {}
    replaced: list[str] = []
    for sheet in dict.fromkeys(row.sheet for row in rows):
        merging = _Merging(sheet, sheet_named(book, sheet))
        for row in rows:
            if row.sheet == sheet:
                merging.add(row)
        merged = merging.merged()
        sheets[merged.name] = merged
        origin |= merging.origin
        replaced += merging.replaced
    return MergedBook(replace(book, sheets=sheets), origin, tuple(replaced))


def sheet_named(book: Book, sheet: str) -> CellSheet:
    """A sheet of the format, whatever case and blanks its name has in a workbook; an empty one where there is none."""
    return book.find_sheet(sheet) or CellSheet(sheet, SheetRows(NO_NUMBERS, {}), hidden=False)


def own_rows(book: Book, sheet: str) -> dict[str, str]:
    """The rows of the user's own on a general sheet that are not switched off: cells of their names by folded names."""
    return _Merging(sheet, sheet_named(book, sheet)).own_rows()


def idle_rows(book: Book, sheet: str) -> set[str]:
    """Folded names of the user's rows on a general sheet that are switched off."""
    merging = _Merging(sheet, sheet_named(book, sheet))
    return set(merging.rows) - set(merging.own_rows())


def without_rows(book: Book, sheet: str, names: Collection[str]) -> Book:
    """A workbook without the rows of these names. names: folded."""
    cells = sheet_named(book, sheet)
    gone = [row for each, row in _Merging(sheet, cells).rows.items() if each in names] if names else []
    return (
        replace(book, sheets={**book.sheets, cells.name: replace(cells, rows=cells.rows.without(gone))})
        if gone
        else book
    )


class _Merging:
    """One sheet and the rows that it gets. sheet: its name in the format."""

    def __init__(self, sheet: str, cells: CellSheet) -> None:
        self._schema = SHEETS_BY_FOLD[fold(sheet)]
        self._cells = cells
        self._changed: dict[int, dict[int, Cell]] = {}
        self._header: Row = cells.rows.get(HEADER_ROW, {})
        self._columns = self._headers()
        self.rows = self._named_rows()
        self._next = max(cells.rows, default=HEADER_ROW) + 1
        self.origin: dict[str, str] = {}
        self.replaced: list[str] = []

    def _headers(self) -> dict[str, int]:
        """Columns by folded names."""
        return {
            fold(split_header(str(cell.value))[0]): column
            for column, cell in self._header.items()
            if cell.kind is CellKind.TEXT and str(cell.value).strip()
        }

    def _named_rows(self) -> dict[str, int]:
        """The user's rows by folded names."""
        column = self._columns.get(NAME)
        if column is None:
            return {}
        found = ((row, self._cells.rows.cell(row, column)) for row in self._cells.rows if row > HEADER_ROW)
        return {fold(str(cell.value)): row for row, cell in found if cell is not None and cell.kind is CellKind.TEXT}

    def own_rows(self) -> dict[str, str]:
        """Cells of the names of rows that are not switched off, by folded names."""
        column = self._columns.get(NAME, 1)
        active = ((name, row) for name, row in self.rows.items() if not self._is_switched_off(row))
        return {name: address(self._cells.name, row, column) for name, row in active}

    def add(self, row: GeneratedRow) -> None:
        """Add a row, or what the user's row of the same name leaves blank of it."""
        own = self.rows.get(fold(row.name))
        if own is not None and self._is_switched_off(own):
            return
        at = self._next if own is None else own
        self._next += own is None
        for name, value in {NAME: row.name, **row.values}.items():
            column = self._column(name)
            known = self._cells.rows.cell(at, column) if own is not None else None
            if known is not None and str(known.value).strip():
                if name == NAME:
                    self._put(at, column, row.name)  # other rows call it so, however the user spells it
                else:
                    self.replaced.append(address(self._cells.name, at, column))
                continue
            self._put(at, column, self._shown(name, value, in_own_unit=own is not None or self._has_units(column)))
            self.origin[address(self._cells.name, at, column)] = row.cells.get(name, row.cell)
        if own is not None:
            self._take_over(at, row.stands_for)

    def _take_over(self, at: int, columns: Sequence[str]) -> None:
        """Clear cells of a row of the user's that a generated one says in another way."""
        for name in columns:
            column = self._columns.get(fold(name))
            known = None if column is None else self._cells.rows.cell(at, column)
            if column is not None and known is not None and str(known.value).strip():
                self.replaced.append(address(self._cells.name, at, column))
                self._put(at, column, "")

    def _is_switched_off(self, row: int) -> bool:
        column = self._columns.get(ACTIVE)
        cell = None if column is None else self._cells.rows.cell(row, column)
        return cell is not None and (fold(str(cell.value)) in NO or cell.value is False)

    def _has_units(self, column: int) -> bool:
        """Whether numbers of a column may be in a unit that the user chose."""
        return column in self._header

    def _shown(self, name: str, value: Value, *, in_own_unit: bool) -> str | float:
        """A value as it stands in a cell: with its SI unit where the column may have another."""
        if isinstance(value, str) or not in_own_unit:
            return value
        unit = self._schema.column(name).si
        return f"{value!r} {unit}" if unit else value

    def _column(self, name: str) -> int:
        """The column of a name; a new one behind the others where there is none."""
        if fold(name) not in self._columns:
            self._columns[fold(name)] = column = max(self._columns.values(), default=0) + 1
            self._put(HEADER_ROW, column, name)
        return self._columns[fold(name)]

    def _put(self, row: int, column: int, value: str | float) -> None:
        kind = CellKind.TEXT if isinstance(value, str) else CellKind.NUMBER
        if row not in self._changed:
            self._changed[row] = dict(self._cells.rows.get(row, {}))
        self._changed[row][column] = Cell(row, column, kind, value)

    def merged(self) -> CellSheet:
        """The sheet with all that was added."""
        changed: dict[int, Row] = {row: dict(sorted(cells.items())) for row, cells in sorted(self._changed.items())}
        return replace(self._cells, rows=self._cells.rows.changed(changed))


def with_curves(merged: MergedBook, curves: Iterable[GeneratedCurve]) -> MergedBook:
    """A workbook with generated curves. A curve of the user's that has the name of one stays in its place."""
    cells = sheet_named(merged.book, CURVES.name)
    name = cells.name
    own = {
        fold(split_header(str(cell.value))[0]).rpartition(".")[0] for cell in cells.rows.get(HEADER_ROW, {}).values()
    }
    column = max((max(row, default=0) for row in cells.rows.values()), default=0) + 1
    first = max(cells.rows, default=HEADER_ROW) + 1  # below the user's units and remarks
    origin: dict[str, str] = {}
    changed = {HEADER_ROW: dict(cells.rows.get(HEADER_ROW, {}))}
    added = [curve for curve in {curve.name: curve for curve in curves}.values() if fold(curve.name) not in own]
    for curve in added:
        for header, values in curve.columns:
            for row, value in zip((HEADER_ROW, *range(first, first + len(values))), (header, *values), strict=True):
                kind = CellKind.TEXT if isinstance(value, str) else CellKind.NUMBER
                changed.setdefault(row, {})[column] = Cell(row, column, kind, value)
                origin[address(name, row, column)] = curve.cell
            column += 1
    if not added:
        return merged
    sheets = {**merged.book.sheets, name: replace(cells, rows=cells.rows.changed(dict(sorted(changed.items()))))}
    book = replace(merged.book, sheets=sheets)
    return replace(merged, book=book, origin={**merged.origin, **origin}, curves=tuple(added))
