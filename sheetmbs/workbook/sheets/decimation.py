"""Fewer rows, where all of them would be more than a workbook or a chart can bear; whoever uses this says so."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from sheetmbs.schema.table import Table

MAX_CELLS = 1 << 24
"""numbers on all result sheets: 16 columns of full length. Such a workbook unpacks to 0.7 GB, and a spreadsheet program
takes some minutes and several GB of memory to open it"""
MAX_DRAWN_ROWS = 5_000
"""rows that a chart draws one by one: ten for each pixel across"""
DECIMATED_ROWS = 2_000
"""rows of a thinned chart over time, about: four for each pixel across"""

Rows = NDArray[np.int64]


def row_step(tables: Sequence[Table]) -> int:
    """Step between the rows that the sheets hold: 1 if they can hold all."""
    return max(1, -(-sum(table.values.size for table in tables if not table.texts) // MAX_CELLS))


def decimated(tables: Sequence[Table], step: int) -> tuple[Table, ...]:
    """The tables as the sheets show them: whole, or every ``step``-th row and the last.

    Those with other rows than the first one of their case, or with texts, which are no samples of a motion, are always whole.
    """
    if step == 1:
        return tuple(tables)
    counts = {table.case: len(table.values) for table in reversed(tables)}
    rows = {count: every_nth_row(count, step) for count in counts.values()}
    return tuple(
        replace(t, values=t.values[rows[len(t.values)]]) if len(t.values) == counts[t.case] and not t.texts else t
        for t in tables
    )


def every_nth_row(count: int, step: int) -> Rows:
    """Every ``step``-th row of ``count``, and the last one."""
    rows = np.arange(0, count, step)
    return rows if not count or rows[-1] == count - 1 else np.append(rows, count - 1)


def extreme_rows(columns: Sequence[NDArray[np.float64]]) -> Rows:
    """Rows that keep the look of lines over time: of each short interval those with the least and the largest values."""
    count = len(columns[0])
    intervals = max(DECIMATED_ROWS // (2 * len(columns)), 1)
    length = -(-count // intervals)
    starts = np.arange(0, count, length)
    found = [np.array([0, count - 1])]
    for column in columns:
        for sign in (1.0, -1.0):
            padded = np.full(len(starts) * length, np.inf)
            padded[:count] = np.where(np.isfinite(column), sign * column, np.inf)
            found.append(np.minimum(starts + padded.reshape(-1, length).argmin(axis=1), count - 1))
    return np.unique(np.concatenate(found))
