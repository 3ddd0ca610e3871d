"""The cells of a sheet: plain numbers as arrays, since a series holds millions of them, all others one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sheetmbs.workbook.cell import MAX_COLUMNS, Cell, CellKind

Row = Mapping[int, Cell]
"""column -> cell"""


@dataclass(frozen=True)
class Numbers:
    """Plain numbers, (n,) each: rows and columns from 1, values; ascending by row, then column, no address twice."""

    rows: NDArray[np.int32]
    columns: NDArray[np.int32]
    values: NDArray[np.float64]

    @cached_property
    def _starts(self) -> NDArray[np.intp]:
        """Where the numbers of each row begin, and the end of all."""
        begins = np.flatnonzero(np.diff(self.rows, prepend=0))
        return np.append(begins, len(self.rows))

    @cached_property
    def row_numbers(self) -> NDArray[np.int32]:
        """The rows in which a number stands."""
        return self.rows[self._starts[:-1]]

    def of_rows(self, first: int, last: int) -> range:
        """Positions of the numbers in the rows from ``first`` to ``last``."""
        begin, end = np.searchsorted(self.row_numbers, (first, last + 1))
        return range(int(self._starts[begin]), int(self._starts[end]))

    def within(self, top: int, left: int, bottom: int, right: int) -> list[int]:
        """Positions of the numbers in a range of cells."""
        rows = self.of_rows(top, bottom)
        columns = self.columns[rows.start : rows.stop]
        return [rows[place] for place in np.flatnonzero((columns >= left) & (columns <= right)).tolist()]

    def cells(self, positions: Sequence[int]) -> list[Cell]:
        """The cells that hold the numbers at these positions."""
        at = list(positions)
        found = zip(self.rows[at].tolist(), self.columns[at].tolist(), self.values[at].tolist(), strict=True)
        return [Cell(row, column, CellKind.NUMBER, value) for row, column, value in found]

    def without(self, positions: Sequence[int]) -> Numbers:
        """All but the numbers at these positions."""
        kept = np.ones(len(self.rows), np.bool_)
        kept[list(positions)] = False
        return Numbers(self.rows[kept], self.columns[kept], self.values[kept])

    def among(self, places: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
        """Those of some addresses (row, column) at which a number stands."""
        return [place for place in places if self.within(place[0], place[1], place[0], place[1])]

    def first_rows(self, after: int = 0) -> dict[int, int]:
        """For each column in which a number stands below the row ``after``: the first such row."""
        begin = self.of_rows(1, after).stop
        first = np.zeros(MAX_COLUMNS + 1, np.int32)
        first[self.columns[begin:][::-1]] = self.rows[begin:][::-1]  # of several the last assignment counts
        used = np.flatnonzero(first)
        return dict(zip(used.tolist(), first[used].tolist(), strict=True))

    def rows_with(self, columns: Sequence[int]) -> list[int]:
        """The rows in which a number stands in one of these columns."""
        wanted = np.zeros(MAX_COLUMNS + 1, np.bool_)
        wanted[list(columns)] = True
        return list(map(int, np.unique(self.rows[wanted[self.columns]])))

    def table(self, rows: Sequence[int], columns: Sequence[int]) -> NDArray[np.float64]:
        """The numbers in these rows and columns, (columns, rows), NaN where none stands. rows: ascending."""
        table = np.full((len(columns) + 1, len(rows) + 1), np.nan)  # the last ones are for what is not wanted
        to_column = np.full(MAX_COLUMNS + 1, len(columns))
        to_column[list(columns)] = range(len(columns))
        to_row = np.searchsorted(rows, self.row_numbers)
        to_row[np.append(rows, 0)[to_row] != self.row_numbers] = len(rows)
        table[to_column[self.columns], np.repeat(to_row, np.diff(self._starts))] = self.values
        return table[:-1, :-1]


class Rows(Mapping[int, Row]):
    """row -> column -> cell, ascending; only cells that hold something or are merged.

    numbers: those that are not merged; they become cells when their row is asked for. others: all other cells.
    """

    def __init__(self, numbers: Numbers, others: Mapping[int, Row]) -> None:
        self.numbers = numbers
        self.others = others
        self._made: dict[int, Row] = {}

    def __getitem__(self, row: int) -> Row:
        if row not in self._made:
            made = self._make(row)
            if not made:
                raise KeyError(row)
            self._made[row] = made
        return self._made[row]

    def __iter__(self) -> Iterator[int]:
        return iter(self._numbers_of_rows)

    def __len__(self) -> int:
        return len(self._numbers_of_rows)

    @cached_property
    def _numbers_of_rows(self) -> list[int]:
        return sorted({*self.numbers.row_numbers.tolist(), *self.others})

    def _make(self, row: int) -> Row:
        numbers = {cell.column: cell for cell in self.numbers.cells(self.numbers.of_rows(row, row))}
        return dict(sorted({**numbers, **self.others.get(row, {})}.items()))

    def cell(self, row: int, column: int) -> Cell | None:
        """One cell, without the others of its row; None where there is none."""
        other = self.others.get(row, {}).get(column)
        if other is not None:
            return other
        return next(iter(self.numbers.cells(self.numbers.within(row, column, row, column))), None)
