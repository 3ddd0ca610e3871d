"""One cell: where it stands and what it holds."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cache
from types import MappingProxyType
from typing import NamedTuple

MAX_ROWS = 1_048_576
MAX_COLUMNS = 16_384
_CELL_NAME = re.compile(r"\$?([A-Za-z]{1,3})\$?([1-9][0-9]{0,6})")

Changes = Mapping[str, float | str | bool | None]
"""values by addresses (``Dimensions!B3``) or defined names, in the unit of each cell; None empties a cell"""
NO_CHANGES: Changes = MappingProxyType({})


class Place(NamedTuple):
    """Where something stands. row, column: from 1; row 0: the sheet as a whole."""

    sheet: str
    row: int = 0
    column: int = 0

    def __str__(self) -> str:
        return address(self.sheet, self.row, self.column) if self.row else self.sheet


def address(sheet: str, row: int, column: int) -> str:
    """``Joints!B7`` of row 7, column 2; the name of the sheet stands as on its tab, without quotes."""
    return f"{sheet}!{cell_name(row, column)}"


def cell_name(row: int, column: int) -> str:
    """``B7`` of row 7, column 2."""
    return f"{column_letters(column)}{row}"


def row_and_column(name: str) -> tuple[int, int] | None:
    """7, 2 of ``B7``, also of ``$b$7``; None where there is no such cell."""
    match = _CELL_NAME.fullmatch(name)
    row, column = (int(match[2]), column_number(match[1].upper())) if match else (0, 0)
    return (row, column) if 1 <= row <= MAX_ROWS and 1 <= column <= MAX_COLUMNS else None


@cache
def column_letters(column: int) -> str:
    """``A`` of 1, ``AA`` of 27."""
    letters = ""
    while column:
        column, digit = divmod(column - 1, 26)
        letters = chr(ord("A") + digit) + letters
    return letters


@cache
def column_number(letters: str) -> int:
    """1 of ``A``, 27 of ``AA``."""
    number = 0
    for letter in letters:
        number = 26 * number + ord(letter) - ord("A") + 1
    return number


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
    from_formula: a formula gives the empty text that it holds.
    as_percent: its format shows a number as percent, so that people see 55 % where it holds 0.55.
    """

    row: int
    column: int
    kind: CellKind
    value: float | str | bool
    merged: bool = False
    as_percent: bool = False
    from_formula: bool = field(default=False, repr=False, compare=False)


class ColumnLetters(dict[bytes, int]):
    """Column number of its letters, remembered; 0 where there is no such column."""

    def __missing__(self, letters: bytes) -> int:
        number = column_number(letters.decode().upper())
        self[letters] = number if number <= MAX_COLUMNS else 0
        return self[letters]
