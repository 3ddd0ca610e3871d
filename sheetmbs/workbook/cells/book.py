"""A workbook that is open: its sheets and their cells."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from sheetmbs.workbook.cells.cell_rows import SheetRows
from sheetmbs.workbook.cells.reading_log import ReadingLog


@dataclass(frozen=True)
class CellSheet:
    """A sheet and its cells. hidden: the sheet itself. hidden_rows: numbers of hidden rows, from 1."""

    name: str
    rows: SheetRows
    hidden: bool
    hidden_rows: tuple[int, ...] = ()


@dataclass(frozen=True)
class Book:
    """A workbook. sheets: by name in the order of the tabs; a sheet is parsed when it is first asked for.

    content: the bytes of the file. names: what the names that the workbook defines stand for, as text. log: what was read.
    Asking for a sheet raises WorkbookError where its part is damaged. Chart and dialog sheets have no cells: left out.
    """

    path: Path
    content: bytes
    sheets: Mapping[str, CellSheet]
    names: Mapping[str, str]
    log: ReadingLog = field(default_factory=ReadingLog, compare=False)
