"""Cells by sheet, row and column, and their addresses as people write them."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

MAX_ROWS = 1_048_576
MAX_COLUMNS = 16_384
_CELL_NAME = re.compile(r"\$?([A-Za-z]{1,3})\$?([1-9][0-9]{0,6})")


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
