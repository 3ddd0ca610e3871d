"""Opening a workbook: its cells with their addresses (ECMA-376 part 1, 18.3), and a digest of all inputs."""

from __future__ import annotations

import gc
from collections.abc import Iterator, Mapping
from contextlib import contextmanager
from dataclasses import replace
from hashlib import sha256
from os import PathLike

from sheetmbs.schema.cell import NO_CHANGES, Cell, CellKind, Changes, address, column_letters
from sheetmbs.schema.names import RESULT_SHEETS
from sheetmbs.workbook.cells.book import Book, CellSheet
from sheetmbs.workbook.cells.computed_sheets import ComputedSheets
from sheetmbs.workbook.cells.sheet_reader import FormulaElement, SharedParts, SheetReader
from sheetmbs.workbook.package.ownership import MARK
from sheetmbs.workbook.package.package import MAIN, Package, SheetPart

__all__ = ["Book", "Cell", "CellKind", "CellSheet", "address", "column_letters", "open_book"]


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
    book = Book(package.path, package.content, raw, names)
    return replace(book, sheets=ComputedSheets(book, raw, changes))


class _Sheets(Mapping[str, CellSheet]):
    """The sheets as they are in the file."""

    def __init__(self, parts: dict[str, SheetPart], shared: SharedParts) -> None:
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

    def __contains__(self, name: object) -> bool:
        return name in self._parts

    def __iter__(self) -> Iterator[str]:
        return iter(self._parts)

    def __len__(self) -> int:
        return len(self._parts)

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
