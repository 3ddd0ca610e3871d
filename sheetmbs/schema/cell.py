"""One cell: where it stands and what it holds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

from sheetmbs.schema.places import MAX_COLUMNS, MAX_ROWS, address, cell_name, column_letters, column_number

__all__ = [
    "MAX_COLUMNS",
    "MAX_ROWS",
    "Cell",
    "CellKind",
    "ColumnLetters",
    "address",
    "cell_name",
    "column_letters",
    "column_number",
]


class CellKind(Enum):
    """What a cell holds. UNCACHED: a formula whose value is not in the file. ERROR: ``#REF!`` and the like."""

    NUMBER = "number"
    TEXT = "text"
    BOOLEAN = "boolean"
    DATE = "date"
    ERROR = "error"
    UNCACHED = "uncached"


@dataclass(frozen=True, slots=True)
class Cell:
    """One cell. row, column: from 1, as in the sheet. value: float, str or bool by kind; a date is its ISO 8601 text.

    merged: it lies in a merged range of more than one cell; an empty cell of such a range has the text ''.
    as_percent: its format shows a number as percent, so that people see 55 % where it holds 0.55.
    """

    row: int
    column: int
    kind: CellKind
    value: float | str | bool
    merged: bool = False
    as_percent: bool = False


class ColumnLetters(dict[bytes, int]):
    """Column number of its letters, remembered; 0 where there is no such column."""

    def __missing__(self, letters: bytes) -> int:
        number = column_number(letters.decode().upper())
        self[letters] = number if number <= MAX_COLUMNS else 0
        return self[letters]
