"""The analysis that a workbook asks for, found without reading anything else."""

from __future__ import annotations

from sheetmbs.schema.names import fold
from sheetmbs.workbook.cells.cells import Book


def asked_analysis(book: Book) -> str:
    """What stands beside the setting analysis, ``""`` nothing."""
    settings = next((sheet for name, sheet in book.sheets.items() if fold(name) == "settings"), None)
    for row in () if settings is None else settings.rows.values():
        texts = [str(cell.value) for _column, cell in sorted(row.items())]
        if [fold(text) for text in texts[:1]] == ["analysis"]:
            return "".join(texts[1:2]).strip()
    return ""
