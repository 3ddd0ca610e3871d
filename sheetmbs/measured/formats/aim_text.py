"""Text of AiM Race Studio: a head that begins with ``Format, AiM CSV File``, names, units, then rows over time."""

from __future__ import annotations

import re

from sheetmbs.measured.formats.logger_units import with_our_units
from sheetmbs.measured.formats.text_tables import ReadColumns, read_columns

MARK = re.compile(r"\baim csv file\b")


def recognises(lines: list[str]) -> bool:
    """Whether the first line says that it is a file of AiM."""
    return bool(lines) and MARK.search(lines[0].casefold()) is not None


def read(text: str, source: str) -> ReadColumns:
    """The channels of a text. Raises WorkbookError."""
    return with_our_units(read_columns(text, source))
