"""What a study asks of the workbook that it varies."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from sheetmbs.measured.residuals import Residuals
from sheetmbs.problems.errors import Problem
from sheetmbs.schema.table import Table
from sheetmbs.workbook.cells.cells import CellAt, CellValue

__all__ = [
    "Asked",
    "CellAt",
    "CellValue",
    "ChangedCells",
    "ColumnDerivatives",
    "ColumnPoints",
    "DifferentiableWorkbook",
    "FoundCase",
    "VariedWorkbook",
]

ChangedCells = Mapping[CellAt, CellValue]
Asked = Mapping[str, Mapping[str, tuple[str, ...]]]
"""by case: result sheet -> names of its columns"""


@dataclass(frozen=True)
class FoundCase:
    """What a case of a variant gave. tables: the result sheets by name, with the columns that were asked for.

    problem: why it failed, with its cell where there is one; then what tables hold counts for nothing.
    doubt: why its numbers may be wrong, as a plain run warns.
    """

    tables: Mapping[str, Table]
    problem: Problem | None = None
    doubt: Problem | None = None


@dataclass(frozen=True, eq=False)
class ColumnPoints:
    """A column of a case at places x (m,) of another column of it, ``over``, in over_unit."""

    case: str
    column: str
    over: str
    over_unit: str
    x: NDArray[np.float64]


class ColumnDerivatives(Protocol):
    """Columns at their places by cells that hold numbers, with derivatives."""

    def values(self, values: NDArray[np.float64]) -> Sequence[NDArray[np.float64]]:
        """(m,) of each column where the cells hold values (cells,)."""

    def slopes(self, values: NDArray[np.float64]) -> Sequence[NDArray[np.float64]]:
        """(m, cells) of each column, per unit of each cell."""


@runtime_checkable
class DifferentiableWorkbook(Protocol):
    """A workbook some of whose columns have derivatives without differences of runs."""

    def derivatives(self, points: Sequence[ColumnPoints], cells: Sequence[CellAt]) -> ColumnDerivatives | None:
        """Columns by cells; None where they have no such derivatives."""


class VariedWorkbook(Protocol):
    """A workbook that is read and prepared once, then solved with other values of its cells again and again."""

    @property
    def cases(self) -> tuple[str, ...]:
        """The cases of the study: cases of Settings, sweeps or trials; "" where there is only one."""

    @property
    def compared(self) -> Sequence[Residuals]:
        """What was measured beside the workbook as it is, known when that was solved."""

    def as_it_is(self) -> Mapping[str, FoundCase]:
        """Every case of the workbook as it is, with all result sheets and columns, as a plain run gives them."""

    def prepare(self, asked: Asked) -> None:
        """Get ready to solve variants of which only some columns are wanted.

        Raises WorkbookError.
        """

    def solve(self, changed: ChangedCells) -> Mapping[str, FoundCase]:
        """Every case that was asked for, with changed cells: bit by bit what a run of a workbook saved so would give.

        changed: all cells of input sheets whose values differ from those in the file, formulas included.
        Never raises for what a variant does: a variant that cannot be read, assembled or solved has its problem.
        """
