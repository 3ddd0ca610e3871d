"""What a study asks of the workbook that it varies."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol

from sheetmbs.problems.errors import Problem
from sheetmbs.schema.table import Table
from sheetmbs.workbook.cells.cells import CellAt, CellValue

__all__ = ["Asked", "CellAt", "CellValue", "ChangedCells", "FoundCase", "VariedWorkbook"]

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


class VariedWorkbook(Protocol):
    """A workbook that is read and prepared once, then solved with other values of its cells again and again."""

    @property
    def cases(self) -> tuple[str, ...]:
        """The cases of the study: cases of Settings, sweeps or trials; "" where there is only one."""

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
