"""Sheets whose formulas without a value in the file are computed, and those that depend on changed cells computed again."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import partial
from typing import TYPE_CHECKING, Protocol

from sheetmbs.schema.cell import Cell, Changes, Place
from sheetmbs.workbook.cells.book import Book, CellSheet, NewCells, cell_of, unknown_cell
from sheetmbs.workbook.cells.cell_rows import SheetRows
from sheetmbs.workbook.cells.sheet_reader import FormulaElement

if TYPE_CHECKING:
    from sheetmbs.formulas.cell_contents import Value
    from sheetmbs.formulas.workbook_formulas import WorkbookFormulas


class RawSheets(Protocol):
    """Sheets as they are in the file."""

    def __getitem__(self, name: str, /) -> CellSheet: ...
    def __iter__(self) -> Iterator[str]: ...
    def __len__(self) -> int: ...
    def unknown(self, name: str) -> Sequence[FormulaElement]:
        """The formulas of a sheet whose values are not in the file."""
        ...

    def number(self, value: float, style: str, row: int, column: int) -> Cell:
        """The cell that shows a number in a style."""
        ...


class ComputedSheets(Mapping[str, CellSheet]):
    """The sheets of a workbook. book: as it is in the file. Nothing is computed where nothing needs it."""

    def __init__(self, book: Book, raw: RawSheets, changes: Changes) -> None:
        self._book = book
        self._raw = raw
        self._done: dict[str, CellSheet] = {}
        self._formulas: WorkbookFormulas | None = None
        self._moved: dict[str, NewCells] = {}
        if changes:
            from sheetmbs.workbook.cells.set_cells import change_cells

            self._moved, book.log.changed = change_cells(self._at_work(), changes)

    def __getitem__(self, name: str) -> CellSheet:
        if name not in self._done:
            sheet = self._raw[name]
            is_as_in_file = not (self._book.log.changed or self._raw.unknown(name))
            late = sheet if is_as_in_file else replace(sheet, rows=LazyRows(partial(self._rows, name)))
            self._done[name] = late
        return self._done[name]

    def _rows(self, name: str) -> SheetRows:
        """The cells of a sheet, which is read now."""
        self._book.log.asked.add(name)
        return _with_cells(self._raw[name].rows, {**self._computed(name), **self._moved.get(name, {})})

    def __contains__(self, name: object) -> bool:
        return name in self._book.sheets

    def __iter__(self) -> Iterator[str]:
        return iter(self._raw)

    def __len__(self) -> int:
        return len(self._raw)

    def _at_work(self) -> WorkbookFormulas:
        if self._formulas is None:
            from sheetmbs.formulas.workbook_formulas import WorkbookFormulas
            from sheetmbs.workbook.cells.written_book import written_book

            self._formulas = WorkbookFormulas(written_book(self._book))
        return self._formulas

    def _computed(self, name: str) -> NewCells:
        """The cells of a sheet whose formulas have no value in the file."""
        moved = self._moved.get(name, {})
        unknown = self._raw.unknown(name)
        elements = [each for each in unknown if (each.row, each.column) not in moved]
        if len(elements) < len(unknown):
            self._book.log.computed[name] = len(unknown) - len(elements)
        if not elements:
            return {}
        styles = {Place(name, each.row, each.column): each.style for each in elements}
        formulas = self._at_work()
        places = [*styles, *formulas.filled_by(styles)]
        values, refused = formulas.trusted(places)
        self._book.log.computed[name] = len(values) + len(unknown) - len(elements)
        new = {(place.row, place.column): unknown_cell(place, why) for place, why in refused.items()}
        for place, value in values.items():
            new[place.row, place.column] = self._cell(place, value, styles.get(place, "0"))
        return new

    def _cell(self, place: Place, value: Value, style: str) -> Cell:
        if isinstance(value, float):
            return self._raw.number(value, style, place.row, place.column)
        return cell_of(place, value)


def _with_cells(rows: SheetRows, new: NewCells) -> SheetRows:
    """The cells of a sheet with some in place of what stands there."""
    merged = {place for place in new if (cell := rows.cell(*place)) is not None and cell.merged}
    return rows.with_cells([replace(cell, merged=place in merged) for place, cell in new.items()])


class LazyRows(SheetRows):
    """Cells of a sheet that are made when they are first looked at. make: makes them."""

    def __init__(self, make: Callable[[], SheetRows]) -> None:
        self._made = {}
        self._make_all = make

    def __getattr__(self, name: str) -> object:
        if name not in ("numbers", "others", "percents"):
            raise AttributeError(name)
        rows = self._make_all()
        self.numbers, self.others, self.percents = rows.numbers, rows.others, rows.percents
        return getattr(self, name)
