"""The cells of a sheet: numbers as arrays, since a series holds millions of them, all others one by one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sheetmbs.schema.cell import MAX_COLUMNS, Cell, CellKind

Row = Mapping[int, Cell]
"""column -> cell"""


@dataclass(frozen=True)
class Numbers:
    """Numbers of a sheet, (n,) each: rows and columns from 1, values; ascending by row, then column, no address twice."""

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

    def of_row(self, row: int) -> slice:
        """Positions of the numbers in a row."""
        place = int(self.row_numbers.searchsorted(row))
        is_there = place < len(self.row_numbers) and self.row_numbers[place] == row
        return slice(int(self._starts[place]), int(self._starts[place + is_there]))

    def within(self, top: int, left: int, bottom: int, right: int) -> list[int]:
        """Positions of the numbers in a range of cells."""
        begin, end = self._starts[self.row_numbers.searchsorted((top, bottom + 1))]
        columns = self.columns[begin:end]
        return [int(begin) + place for place in np.flatnonzero((columns >= left) & (columns <= right)).tolist()]

    def cells(self, positions: slice | list[int]) -> list[Cell]:
        """The cells that hold the numbers at these positions."""
        rows, columns, values = (array[positions].tolist() for array in (self.rows, self.columns, self.values))
        each = zip(rows, columns, values, strict=True)
        return [Cell(row, column, CellKind.NUMBER, value) for row, column, value in each]

    def without(self, positions: list[int]) -> Numbers:
        """All but the numbers at these positions."""
        kept = np.ones(len(self.rows), np.bool_)
        kept[positions] = False
        return self.only(kept)

    def only(self, kept: NDArray[np.bool_]) -> Numbers:
        """The numbers that are marked in ``kept`` (n,)."""
        return Numbers(self.rows[kept], self.columns[kept], self.values[kept])

    def with_others(self, others: Sequence[tuple[int, int, float]]) -> Numbers:
        """These and some others (row, column, value), in order."""
        if not others:
            return self
        rows, columns, values = zip(*others, strict=True)
        numbers = Numbers(
            np.concatenate([self.rows, np.array(rows, np.int32)]),
            np.concatenate([self.columns, np.array(columns, np.int32)]),
            np.concatenate([self.values, np.array(values, np.float64)]),
        )
        order = np.argsort(_addresses(numbers.rows, numbers.columns), kind="stable")
        return Numbers(numbers.rows[order], numbers.columns[order], numbers.values[order])

    def doubles(self, others: Iterable[tuple[int, int]]) -> list[tuple[int, int]]:
        """Addresses (row, column) at which two numbers stand, or a number and one of the others."""
        own = _addresses(self.rows, self.columns)
        others_too = np.array([row * (MAX_COLUMNS + 1) + column for row, column in others], np.int64)
        twice = np.append(own, -1)[own.searchsorted(others_too)] == others_too
        found = [*own[1:][own[1:] == own[:-1]].tolist(), *others_too[twice].tolist()]
        return [divmod(address, MAX_COLUMNS + 1) for address in found]

    def first_rows(self, after: int = 0) -> dict[int, int]:
        """First row with a number below the row ``after``, for each column that has one."""
        begin = int(self.rows.searchsorted(after, side="right"))
        first = np.zeros(MAX_COLUMNS + 1, np.int32)
        first[self.columns[begin:][::-1]] = self.rows[begin:][::-1]  # of several the last assignment counts
        used = np.flatnonzero(first)
        return dict(zip(used.tolist(), first[used].tolist(), strict=True))

    def rows_with(self, columns: Sequence[int]) -> list[int]:
        """The rows in which a number stands in one of these columns."""
        wanted = np.zeros(MAX_COLUMNS + 1, np.bool_)
        wanted[list(columns)] = True
        count = np.diff(np.cumsum(np.append(False, wanted[self.columns]))[self._starts])
        return list(map(int, self.row_numbers[count > 0]))

    def table(self, rows: Sequence[int], columns: Sequence[int]) -> NDArray[np.float64]:
        """The numbers in these rows and columns, (columns, rows), NaN where none stands. rows: ascending."""
        table = np.full((len(columns) + 1, len(rows) + 1), np.nan)  # the last ones are for what is not wanted
        to_column = np.full(MAX_COLUMNS + 1, len(columns))
        to_column[list(columns)] = range(len(columns))
        to_row = np.searchsorted(rows, self.row_numbers)
        to_row[np.append(rows, 0)[to_row] != self.row_numbers] = len(rows)
        table[to_column[self.columns], np.repeat(to_row, np.diff(self._starts))] = self.values
        return table[:-1, :-1]


NO_NUMBERS = Numbers(np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0))


def _addresses(rows: NDArray[np.int32], columns: NDArray[np.int32]) -> NDArray[np.int64]:
    """One number for each address, in their order."""
    return rows * np.int64(MAX_COLUMNS + 1) + columns


class SheetRows(Mapping[int, Row]):
    """row -> column -> cell, ascending; only cells that hold something or are merged.

    numbers: all that are not merged; they become cells when their row is asked for. others: all other cells.
    percents: addresses (row, column) whose format shows numbers as percent.
    """

    def __init__(
        self, numbers: Numbers, others: Mapping[int, Row], percents: frozenset[tuple[int, int]] = frozenset()
    ) -> None:
        self.numbers = numbers
        self.others = others
        self.percents = percents
        self._made: dict[int, Row] = {}

    def __getitem__(self, row: int) -> Row:
        made = self._made.get(row)
        if made is None:
            made = self._made[row] = self._make(row)
        if not made:
            raise KeyError(row)
        return made

    def __iter__(self) -> Iterator[int]:
        return iter(self._numbers_of_rows)

    def __len__(self) -> int:
        return len(self._numbers_of_rows)

    def changed(self, rows: Mapping[int, Row]) -> SheetRows:
        """The cells of a sheet with these rows in place of what stood there."""
        numbers = self.numbers.only(~np.isin(self.numbers.rows, list(rows)))
        others = {row: cells for row, cells in {**self.others, **rows}.items() if cells}
        return SheetRows(numbers, dict(sorted(others.items())), self.percents)

    def with_cells(self, cells: Sequence[Cell]) -> SheetRows:
        """The cells of a sheet with some others, each in place of what stood at its address."""
        gone = [place for cell in cells for place in self.numbers.within(*(2 * (cell.row, cell.column)))]
        kept = self.numbers.without(gone) if gone else self.numbers
        plain = [cell for cell in cells if cell.kind is CellKind.NUMBER and not cell.merged]
        numbers = kept.with_others([(cell.row, cell.column, float(cell.value)) for cell in plain])
        others = {row: dict(self.others.get(row, {})) for row in {cell.row for cell in cells}}
        for cell in cells:
            others[cell.row].pop(cell.column, None)
        for cell in cells:
            if cell.kind is not CellKind.NUMBER or cell.merged:
                others[cell.row][cell.column] = cell
        others = {row: dict(sorted(each.items())) for row, each in others.items()}
        rows = {row: each for row, each in {**self.others, **others}.items() if each}
        return SheetRows(numbers, dict(sorted(rows.items())), self.percents)

    def without(self, rows: Iterable[int]) -> SheetRows:
        """The cells of a sheet but for those of these rows."""
        return self.changed({row: {} for row in rows})

    @cached_property
    def _numbers_of_rows(self) -> list[int]:
        return sorted({*self.numbers.row_numbers.tolist(), *self.others})

    def _make(self, row: int) -> Row:
        numbers = {cell.column: self._shown(cell) for cell in self.numbers.cells(self.numbers.of_row(row))}
        others = self.others.get(row, {})
        return dict(sorted({**numbers, **others}.items())) if numbers and others else numbers or others

    def cell(self, row: int, column: int) -> Cell | None:
        """One cell, without the others of its row; None where there is none."""
        other = self.others.get(row, {}).get(column)
        if other is not None:
            return other
        found = self.numbers.cells(self.numbers.within(row, column, row, column))
        return self._shown(found[0]) if found else None

    def _shown(self, cell: Cell) -> Cell:
        """A number with what its format says of it."""
        return replace(cell, as_percent=True) if (cell.row, cell.column) in self.percents else cell
