"""Products as what a study varies: a workbook that is solved as a whole gives all of its cases at once."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from typing import ClassVar

import numpy as np

from sheetmbs.measured.residuals import Residuals
from sheetmbs.problems.errors import Problem, SheetmbsError, WorkbookError
from sheetmbs.products.case_columns import Columns, failed, found, refused
from sheetmbs.products.varied_workbook import Asked, ChangedCells, FoundCase
from sheetmbs.schema.names import did_you_mean, fold
from sheetmbs.schema.table import Table
from sheetmbs.workbook.cells.cells import Book, with_cells

SolvedCases = Mapping[str, Sequence[Table] | Problem]
"""by case: its sheets, or why it has none"""


class WholeWorkbook(ABC):
    """A workbook of a product. cases: names of some of its cases, none: all of them."""

    kind: ClassVar[str]
    """what a case is, in messages"""
    kinds: ClassVar[str]
    """what all of them are"""

    def __init__(self, book: Book, cases: Sequence[str] = ()) -> None:
        self._book = book
        self._asked: Asked = {}
        self._compared: tuple[Residuals, ...] = ()
        self._found = self.solved(book, None)
        self._cases = tuple(map(self._exact, cases)) if cases else tuple(self._found)

    @abstractmethod
    def solved(self, book: Book, asked: Asked | None) -> SolvedCases:
        """All cases of a workbook, or at least what is asked for. Raises WorkbookError where it cannot be read or solved."""

    @property
    def cases(self) -> tuple[str, ...]:
        """The cases of the study."""
        return self._cases

    @property
    def compared(self) -> Sequence[Residuals]:
        """What was measured beside the workbook as it is."""
        return self._compared

    def _keep(self, book: Book, found: tuple[Residuals, ...]) -> None:
        """Keep what was measured if the workbook is as it is in the file."""
        if book is self._book:
            self._compared = found

    def as_it_is(self) -> Mapping[str, FoundCase]:
        """Every case of the workbook as it is, with all result sheets and columns."""
        return {case: self._of_case(self._found, case, None) for case in self._cases}

    def prepare(self, asked: Asked) -> None:
        """Get ready to solve variants of which only some columns are wanted."""
        self._asked = asked

    def solve(self, changed: ChangedCells) -> Mapping[str, FoundCase]:
        """Every case that was asked for, with changed cells."""
        try:
            solved = self.solved(with_cells(self._book, changed), self._asked)
        except SheetmbsError as error:
            return dict.fromkeys(self._asked, refused(error))
        return {case: self._of_case(solved, case, columns) for case, columns in self._asked.items()}

    def _of_case(self, solved: SolvedCases, case: str, asked: Columns | None) -> FoundCase:
        if case not in solved:
            return failed(_absent(case, f"this variant has no such {self.kind}", "name another one"))
        sheets = solved[case]
        return failed(sheets) if isinstance(sheets, Problem) else found(sheets, asked)

    def _exact(self, text: str) -> str:
        """The name of a case as the workbook spells it. Raises WorkbookError where there is none such."""
        name = next((each for each in self._found if fold(each) == fold(text)), None)
        if name is None:
            known = [*filter(None, self._found)]
            if not known:
                raise WorkbookError(_absent(text, f"the only {self.kind} has no name", "leave it away"))
            mend = did_you_mean(text, known, "name one of these")
            raise WorkbookError(_absent(text, f"{self.kinds} are {', '.join(known)}", mend))
        return name


def one_row(name: str, values: Mapping[str, tuple[float, str]]) -> Table:
    """A sheet of one row. values: numbers with their units, by the names of their columns."""
    numbers = np.array([[value for value, _unit in values.values()]])
    return Table(name, tuple(values), tuple(unit for _value, unit in values.values()), numbers)


def _absent(case: str, rule: str, mend: str) -> Problem:
    return Problem("unknown-case", "error", "", f"the case {case}", rule, mend)
