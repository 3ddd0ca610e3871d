"""Jacobians as triplets of row, column and value: what joins neighbours alone is mostly zeros."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from sheetmbs.engine.algebra.factor_layout import FactorLayout
from sheetmbs.engine.records import Floats, Ints

SMALL = 40_000
"""numbers of a matrix whose columns are taken from all of it"""


@dataclass(frozen=True)
class Sparse:
    """A matrix (height, width) by its entries: row, column and value, all (entries,), no place twice."""

    height: int
    width: int
    row: Ints
    column: Ints
    value: Floats

    def dense(self) -> Floats:
        """Dense matrix of shape (height, width)."""
        matrix = np.zeros((self.height, self.width))
        matrix[self.row, self.column] = self.value
        return matrix

    def times(self, vectors: Floats) -> Floats:
        """(height, ...) product with vectors (width, ...)."""
        if vectors.ndim == 1:
            return np.asarray(np.bincount(self.row, self.value * vectors[self.column], self.height), dtype=np.float64)
        products = np.zeros((self.height, *vectors.shape[1:]))
        np.add.at(products, self.row, (self.value * vectors[self.column].T).T)
        return products

    @property
    def transposed(self) -> Sparse:
        """Transposed matrix of shape (width, height)."""
        return Sparse(self.width, self.height, self.column, self.row, self.value)

    def row_lengths(self) -> Floats:
        """(height,), 1 for a row of zeros."""
        size = np.sqrt(np.bincount(self.row, self.value**2, self.height))
        return np.where(size > 0.0, size, 1.0)

    def of_unit_rows(self) -> Sparse:
        """The same with every row divided by its length."""
        value = self.value / self.row_lengths()[self.row]
        return Sparse(self.height, self.width, self.row, self.column, value)

    def part(self, rows: Ints, columns: Ints) -> Sparse:
        """Some rows and columns, in the order given."""
        new_row, new_column = np.full(self.height, -1), np.full(self.width, -1)
        new_row[rows], new_column[columns] = np.arange(len(rows)), np.arange(len(columns))
        row, column = new_row[self.row], new_column[self.column]
        inside = (row >= 0) & (column >= 0)
        return Sparse(len(rows), len(columns), row[inside], column[inside], self.value[inside])

    def touching(self, numbers: Ints) -> Floats:
        """(rows, columns) dense, of some columns: the rows that touch them, in their order."""
        if self.height * self.width <= SMALL:
            matrix, is_entry = self._whole
            return np.asarray(matrix[is_entry[:, numbers].any(axis=1)][:, numbers])
        order, starts = self._by_column
        entries = np.concatenate([order[starts[k] : starts[k + 1]] for k in numbers])
        rows, place = np.unique(self.row[entries], return_inverse=True)
        matrix = np.zeros((len(rows), len(numbers)))
        matrix[place, np.repeat(np.arange(len(numbers)), starts[numbers + 1] - starts[numbers])] = self.value[entries]
        return matrix

    @cached_property
    def _whole(self) -> tuple[Floats, NDArray[np.bool_]]:
        """(height, width) all numbers, and where entries stand."""
        is_entry = np.zeros((self.height, self.width), dtype=np.bool_)
        is_entry[self.row, self.column] = True
        return self.dense(), is_entry

    @cached_property
    def _by_column(self) -> tuple[Ints, Ints]:
        """Entries in the order of columns, and where each column begins."""
        order = np.argsort(self.column, kind="stable")
        return order, np.searchsorted(self.column[order], np.arange(self.width + 1))


def of_blocks(layout: FactorLayout, values: Floats, height: int, width: int) -> Sparse:
    """The matrix whose numbers stand in ``values`` where a layout says."""
    row, column, place = layout.spots
    return Sparse(height, width, row, column, values[place])
