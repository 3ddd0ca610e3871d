"""Whether a workbook says the same as before: what another save changed, and what our results did, is told apart."""

from __future__ import annotations

from hashlib import sha256
from os import PathLike

from sheetmbs.schema.names import RESULT_SHEETS
from sheetmbs.workbook.cells.cells import CellKind, CellSheet, open_book
from sheetmbs.workbook.package.ownership import MARK
from sheetmbs.workbook.package.package import Package


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
