"""A sheet with a row for each thing that has texts and numbers, such as a member with its load case."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite

import numpy as np

from sheetmbs.workbook.package.styles import number_format
from sheetmbs.workbook.sheets.page_contents import Page, PageCell, PageColumn, Paper

FIRST_ROW = 3
"""below the heads and their units"""
WIDE, NARROW = 24.0, 13.0
MOST_ROWS = 60
"""on a sheet of paper"""


@dataclass(frozen=True)
class TableColumn:
    """A column. decimals: of its numbers; None of texts. values: NaN = empty."""

    name: str
    unit: str
    decimals: int | None
    values: Sequence[float | str]

    @property
    def is_text(self) -> bool:
        """Whether it holds texts."""
        return self.decimals is None


def table_page(name: str, columns: Sequence[TableColumn]) -> Page:
    """The sheet of these columns, which have equally many values."""
    count = len(columns[0].values)
    size = (FIRST_ROW + count - 1, len(columns))
    return Page(
        name,
        tuple(WIDE if column.is_text else NARROW for column in columns),
        tuple(_cells(columns)),
        size,
        Paper(upright=False, scale=55, repeated=(1, 2), areas=((1, 1, min(size[0], MOST_ROWS), size[1]),)),
        columns=tuple(_drawn(columns)),
        frozen=(1, 2),
    )


def _cells(columns: Sequence[TableColumn]) -> Iterator[PageCell]:
    for at, column in enumerate(columns, start=1):
        yield PageCell(1, at, column.name, "header text" if column.is_text else "header")
        yield PageCell(2, at, column.unit, "units")
        for row, value in enumerate(column.values, start=FIRST_ROW):
            if isinstance(value, str):
                if value:
                    yield PageCell(row, at, value, "item" if at == 1 else "text")
            elif isfinite(value):
                yield PageCell(row, at, value, number_format(column.decimals or 0))


def _drawn(columns: Sequence[TableColumn]) -> Iterator[PageColumn]:
    """What charts can draw."""
    for at, column in enumerate(columns, start=1):
        if column.is_text:
            yield PageColumn(column.name, "", FIRST_ROW, at, labels=tuple(map(str, column.values)))
        else:
            numbers = np.array([float(value) for value in column.values], dtype=np.float64)
            yield PageColumn(column.name, column.unit, FIRST_ROW, at, numbers)
