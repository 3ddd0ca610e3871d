"""One cell: where it stands and what it holds."""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum

MAX_ROWS = 1_048_576
MAX_COLUMNS = 16_384


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
    """

    row: int
    column: int
    kind: CellKind
    value: float | str | bool
    merged: bool = False


def address(sheet: str, row: int, column: int) -> str:
    """``Joints!B7`` of row 7, column 2; the name of the sheet stands as on its tab, without quotes."""
    return f"{sheet}!{column_letters(column)}{row}"


def column_letters(column: int) -> str:
    """``A`` of 1, ``AA`` of 27."""
    letters = ""
    while column:
        column, digit = divmod(column - 1, 26)
        letters = chr(ord("A") + digit) + letters
    return letters


def column_number(letters: str) -> int:
    """1 of ``A``, 27 of ``AA``."""
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number


class ColumnLetters(dict[bytes, int]):
    """Column number of its letters, remembered; 0 where there is no such column."""

    def __missing__(self, letters: bytes) -> int:
        number = column_number(letters.decode().upper())
        self[letters] = number if number <= MAX_COLUMNS else 0
        return self[letters]
