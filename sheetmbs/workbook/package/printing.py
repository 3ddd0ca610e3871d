"""Rows of numbers as text, a block at a time: for sheets, charts and text files alike."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

BLOCK = 1 << 20
"""bytes of text that are made at a time, but at least one row"""
LONGEST_ROW_NUMBER = 20


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
    from sheetmbs.engine.text.shortest_decimals import LONGEST, Form, powers, put_rows

    pieces = [
        piece.encode() for piece in (*layout.row, layout.after, *(piece for cell in layout.cells for piece in cell))
    ]
    ends = np.cumsum([0, *(len(piece) for piece in pieces)], dtype=np.int64)
    form = Form(np.frombuffer(b"".join(pieces), dtype=np.uint8), ends, layout.addressed, layout.least)
    per_cell = len(layout.after) + LONGEST + LONGEST_ROW_NUMBER
    longest_row = int(ends[-1]) + LONGEST_ROW_NUMBER + per_cell * len(columns)
    rows_at_once = max(BLOCK // longest_row, 1)
    out = np.empty(rows_at_once * longest_row, dtype=np.uint8)
    held = np.ascontiguousarray(values)
    chosen = np.array(columns, dtype=np.int64)
    for start in range(0, len(held), rows_at_once):
        rows = held[start : start + rows_at_once]
        length = put_rows(out, rows, rows.view(np.uint64), chosen, first_row + start, form, powers())
        yield out[:length].tobytes()
