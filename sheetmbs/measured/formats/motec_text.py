"""Text of MoTeC i2: a head of its own that begins with ``Format, MoTeC CSV File``, names, units, then rows over time."""

from __future__ import annotations

from sheetmbs.measured.formats.logger_units import with_our_units
from sheetmbs.measured.formats.text_tables import ReadColumns, read_columns

MARK = "motec"


def recognises(lines: list[str]) -> bool:
    """Whether the first line says that it is a file of MoTeC."""
    return bool(lines) and "format" in lines[0].casefold() and MARK in lines[0].casefold()


def read(text: str, source: str) -> ReadColumns:
    """The channels of a text. Raises WorkbookError."""
    return with_our_units(read_columns(text, source))
