"""Plain columns: a row of names, one of units or units in the names, then numbers."""

from __future__ import annotations

from sheetmbs.measured.formats.text_tables import ReadColumns, read_columns


def recognises(_lines: list[str]) -> bool:
    """Whether a text is of this layout: any is that no other layout knows."""
    return True


def read(text: str, source: str) -> ReadColumns:
    """The columns of a text. Raises WorkbookError."""
    return read_columns(text, source)
