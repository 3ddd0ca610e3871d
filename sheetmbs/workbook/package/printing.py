"""Numbers and texts as they stand in XML and text files: characters that XML allows, and rows of numbers a block at a time."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from html import escape

import numpy as np
from numpy.typing import NDArray

MAX_TEXT_LENGTH = 32_767
SMALLEST_NUMBER = 2.2250738585072014e-308
"""a smaller one has no place in a cell: it is written as 0"""
NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]|_x[0-9A-Fa-f]{4}_")
BLOCK = 1 << 20
"""bytes of text that are made at a time, but at least one row"""
MAX_ROW_NUMBER_LENGTH = 20


def text(value: str) -> str:
    """A text as it may stand in XML; what XML cannot hold is written the way workbooks do (``_x0007_``)."""
    return escape(NOT_XML.sub(_escaped, _within_cell(value))).replace("\r", "&#13;")


def _within_cell(value: str) -> str:
    """A text cut to what a cell holds, counted as Excel does: a character beyond 16 bits, such as an emoji, is two."""
    units = value.encode("utf-16-le", "surrogatepass") if 2 * len(value) > MAX_TEXT_LENGTH else b""
    return units[: 2 * MAX_TEXT_LENGTH].decode("utf-16-le", "ignore") if units else value


def _escaped(match: re.Match[str]) -> str:
    found = match.group()
    return f"_x005F{found}" if len(found) > 1 else f"_x{ord(found):04X}_"


@dataclass(frozen=True)
class RowLayout:
    """The text around numbers.

    cells: what comes before each column's number, after: what follows it, row: what begins and ends a row. With ``addressed``
    the row's number stands after what begins a row, if anything does, and after the first of the two texts of a cell; a
    number that is not known then leaves no cell, else an empty one. least: numbers smaller than this are written as 0.
    """

    cells: Sequence[tuple[str, str]]
    after: str
    row: tuple[str, str, str]
    addressed: bool = False
    least: float = 0.0


def printed(
    values: NDArray[np.float64], columns: Sequence[int], layout: RowLayout, first_row: int = 0
) -> Iterator[bytes]:
    """All rows of a table's ``columns``, each number as the shortest decimal that reads back as the same double.

    values: (rows, all columns); not finite = not known. first_row: number of the first row.
    """
    from sheetmbs.engine.shortest_decimals import LONGEST, Form, powers, put_rows

    pieces = [
        piece.encode() for piece in (*layout.row, layout.after, *(piece for cell in layout.cells for piece in cell))
    ]
    ends = np.cumsum([0, *(len(piece) for piece in pieces)], dtype=np.int64)
    form = Form(np.frombuffer(b"".join(pieces), dtype=np.uint8), ends, layout.addressed, layout.least)
    per_cell = len(layout.after) + LONGEST + MAX_ROW_NUMBER_LENGTH
    longest_row = int(ends[-1]) + MAX_ROW_NUMBER_LENGTH + per_cell * len(columns)
    rows_at_once = max(BLOCK // longest_row, 1)
    out = np.empty(rows_at_once * longest_row, dtype=np.uint8)
    held = np.ascontiguousarray(values)
    chosen = np.array(columns, dtype=np.int64)
    for start in range(0, len(held), rows_at_once):
        rows = held[start : start + rows_at_once]
        length = put_rows(out, rows, rows.view(np.uint64), chosen, first_row + start, form, powers())
        yield out[:length].tobytes()
