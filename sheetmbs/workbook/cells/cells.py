"""Opening a workbook: its cells with their addresses (ECMA-376 part 1, 18.3), other cells in their place, and a digest."""

from __future__ import annotations

import gc
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import lru_cache, partial
from hashlib import sha256
from os import PathLike
from typing import TYPE_CHECKING

from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.cell import NO_CHANGES, Cell, CellKind, Changes, Place, address, column_letters, row_and_column
from sheetmbs.schema.filled import Cell as FilledCell
from sheetmbs.schema.filled import FilledSheet
from sheetmbs.schema.names import RESULT_SHEETS
from sheetmbs.schema.validate import number_and_unit
from sheetmbs.workbook.cells.book import Book, CellSheet, NewCells, cell_of, unknown_cell
from sheetmbs.workbook.cells.cell_rows import NO_NUMBERS, Row, SheetRows
from sheetmbs.workbook.cells.sheet_reader import FormulaElement, SharedParts, SheetReader
from sheetmbs.workbook.package.ownership import MARK
from sheetmbs.workbook.package.package import MAIN, Package, SheetPart

if TYPE_CHECKING:
    from sheetmbs.formulas.cell_contents import Value
    from sheetmbs.formulas.workbook_formulas import WorkbookFormulas

__all__ = ["Book", "Cell", "CellKind", "CellSheet", "address", "column_letters", "open_book"]
CellValue = float | str | bool
CellAt = tuple[str, str]
"""sheet and address, ("Points", "C4")"""
TITLE = "{http://purl.org/dc/elements/1.1/}title"
ERROR_VALUES = frozenset(
    ("#DIV/0!", "#N/A", "#NAME?", "#NULL!", "#NUM!", "#REF!", "#VALUE!", "#SPILL!", "#CALC!", "#GETTING_DATA")
)


def open_book(path: str | PathLike[str], changes: Changes = NO_CHANGES, *, content: bytes | None = None) -> Book:
    """Open a workbook, or raise WorkbookError with the one problem that prevents it.

    changes: values by addresses or defined names, which cells have in place of those in the file, with all formulas that
    depend on them computed again. Formulas without a value in the file are computed, where that can be trusted.
    content: bytes of the file, where it need not be there itself.
    """
    package = Package(path, content)
    parts = {sheet.name: sheet for sheet in package.sheets if sheet.kind == "worksheet"}
    defined = package.xml(package.workbook).iterfind(f"{{{MAIN}}}definedNames/{{{MAIN}}}definedName")
    names = {
        str(name.get("name", "")): (name.text or "").strip() for name in defined if name.get("localSheetId") is None
    }
    raw = _Sheets(parts, SharedParts(package))
    book = Book(package.path, package.content, raw, names, title=_title(package))
    return replace(book, sheets=ComputedSheets(book, raw, changes))


def _title(package: Package) -> str:
    """The title in the document properties; "" where there is none."""
    part = package.related("", "core-properties")
    return (package.xml(part).findtext(TITLE) or "").strip() if part else ""


class _SheetsByName(Mapping[str, CellSheet]):
    """Sheets by their names in the order of the tabs. names: known before any sheet is read."""

    def __init__(self, names: Collection[str]) -> None:
        self._names = names

    def __contains__(self, name: object) -> bool:
        return name in self._names

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)

    def __len__(self) -> int:
        return len(self._names)


class _Sheets(_SheetsByName):
    """The sheets as they are in the file."""

    def __init__(self, parts: dict[str, SheetPart], shared: SharedParts) -> None:
        super().__init__(parts)
        self._parts = parts
        self._shared = shared
        self._read: dict[str, CellSheet] = {}
        self._unknown: dict[str, list[FormulaElement]] = {}

    def __getitem__(self, name: str) -> CellSheet:
        if name not in self._read:
            part = self._parts[name]
            with _without_collector():
                reader = SheetReader(part, self._shared)
                self._read[name] = CellSheet(name, reader.rows(), part.hidden, tuple(reader.hidden.rows))
                self._unknown[name] = reader.formulas
        return self._read[name]

    def unknown(self, name: str) -> list[FormulaElement]:
        """The formulas of a sheet whose values are not in the file."""
        _ = self[name]
        return self._unknown[name]

    def number(self, value: float, style: str, row: int, column: int) -> Cell:
        """The cell that shows a number in a style."""
        return self._shared.number(value, style, row, column)


@contextmanager
def _without_collector() -> Iterator[None]:
    # cells form no cycles, yet the collector would walk over all of them again and again: half of the time
    collects = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collects:
            gc.enable()


def inputs_digest(path: str | PathLike[str]) -> str:
    """Letters and digits that change with any cell or name of a workbook but those that a run writes.

    Neither the time of saving nor looks count. Raises WorkbookError where the workbook cannot be read.
    """
    package = Package(path)
    book = open_book(path)
    digest = sha256()
    for sheet in package.sheets:
        if sheet.name in book.sheets and not sheet.name.startswith(RESULT_SHEETS):
            cells = book.sheets[sheet.name]
            content = str(package.checksum(sheet.part)).encode() if _lacks_values(cells) else _content(cells)
            digest.update(repr((sheet.name, cells.hidden, cells.hidden_rows, len(content))).encode())
            digest.update(content)
    names = sorted((name, text) for name, text in book.names.items() if not name.startswith(MARK))
    digest.update(repr(names).encode())
    return digest.hexdigest()


def _lacks_values(sheet: CellSheet) -> bool:
    """Whether a formula has no value in the file: then only its text, which is not read, tells what it is."""
    return any(cell.kind is CellKind.UNCACHED for cells in sheet.rows.others.values() for cell in cells.values())


def _content(sheet: CellSheet) -> bytes:
    """All cells of a sheet."""
    numbers = sheet.rows.numbers
    others = [cell for cells in sheet.rows.others.values() for cell in cells.values()]
    return b"".join(
        (numbers.rows.tobytes(), numbers.columns.tobytes(), numbers.values.tobytes(), repr(others).encode())
    )


class ComputedSheets(_SheetsByName):
    """The sheets of a workbook. book: as it is in the file. Nothing is computed where nothing needs it."""

    def __init__(self, book: Book, raw: _Sheets, changes: Changes) -> None:
        super().__init__(raw)
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
        return replace(cell_of(place, value), from_formula=isinstance(value, str) and not value.strip())


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


class ChangedSheets(_SheetsByName):
    """The sheets of a workbook, of which some have changed cells; the others are parsed when they are asked for."""

    def __init__(self, before: Mapping[str, CellSheet], changed: Mapping[str, CellSheet]) -> None:
        super().__init__(before)
        self._before = before
        self._changed = changed

    def __getitem__(self, name: str) -> CellSheet:
        return self._changed[name] if name in self._changed else self._before[name]


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
    for (name, where), value in changed.items():
        row, column = position(name, where)
        if name not in rows_of:
            if name not in book.sheets:
                raise _no_cell(name, where)
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
    value = in_unit_of(old, value)
    if isinstance(value, bool):
        return Cell(row, column, CellKind.BOOLEAN, value, merged)
    if isinstance(value, str):
        return Cell(row, column, CellKind.ERROR if value in ERROR_VALUES else CellKind.TEXT, value, merged)
    if old is not None and old.kind is CellKind.DATE:  # its format stays, so the number is still shown as a date
        return Cell(row, column, CellKind.DATE, repr(float(value)), merged)
    return Cell(row, column, CellKind.NUMBER, float(value), merged)


def in_unit_of(old: Cell | None, value: CellValue) -> CellValue:
    """What stands in a cell for a new value: a number in place of a text such as ``25 N/mm`` keeps the unit of that."""
    if old is None or old.kind is not CellKind.TEXT or isinstance(value, bool | str):
        return value
    parts = number_and_unit(str(old.value))
    return value if parts is None else f"{repr(float(value)).removesuffix('.0')} {parts[1]}"


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
