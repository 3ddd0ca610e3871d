"""Suspensions as what a study varies: each sweep and each load case is a case, and so is the design pose."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from sheetmbs.problems.errors import Problem, SheetmbsError, WorkbookError
from sheetmbs.schema.names import did_you_mean, fold
from sheetmbs.schema.table import Table
from sheetmbs.studying.subjects.asked_columns import Columns, failed, found, refused
from sheetmbs.studying.subjects.subject import Asked, ChangedCells, FoundCase
from sheetmbs.suspension.detail import detail_tables, is_detailed
from sheetmbs.suspension.loads.solve_loads import SolvedLoads
from sheetmbs.suspension.product import read_suspension, sweep_sheets
from sheetmbs.suspension.sheets.result_pages import all_design_values
from sheetmbs.suspension.solved_design import SolvedDesign, solve_designs
from sheetmbs.workbook.cells.cells import Book
from sheetmbs.workbook.cells.changed_cells import with_cells
from sheetmbs.workbook.sheets.sheet_contents import LOADS, SUSPENSION_PAGE

DESIGN = ""
"""the case of the design pose"""


class SuspensionSubject:
    """A workbook of a suspension. cases: names of sweeps and load cases, none: all of them, behind the design pose.

    Of several designs the first one, which is the workbook's own, has the columns without a name before them.
    """

    def __init__(self, book: Book, cases: Sequence[str] = ()) -> None:
        self._book = book
        self._asked: Asked = {}
        self._found = _solved(book)
        self._cases = tuple(_exact(case, tuple(self._found)) for case in cases) if cases else tuple(self._found)

    @property
    def cases(self) -> tuple[str, ...]:
        """The design pose, sweeps and load cases."""
        return self._cases

    def as_it_is(self) -> Mapping[str, FoundCase]:
        """Every case of the workbook as it is, with all result sheets and columns."""
        return {case: _of_case(self._found, case, None) for case in self._cases}

    def prepare(self, asked: Asked) -> None:
        """Get ready to solve variants of which only some columns are wanted."""
        self._asked = asked

    def solve(self, changed: ChangedCells) -> Mapping[str, FoundCase]:
        """Every case that was asked for, with changed cells."""
        try:
            solved = _solved(with_cells(self._book, changed))
        except SheetmbsError as error:
            return dict.fromkeys(self._asked, refused(error))
        return {case: _of_case(solved, case, columns) for case, columns in self._asked.items()}


def _of_case(solved: Mapping[str, list[Table] | Problem], case: str, asked: Columns | None) -> FoundCase:
    tables = solved.get(case, _absent(case))
    return failed(tables) if isinstance(tables, Problem) else found(tables, asked)


def _solved(book: Book) -> dict[str, list[Table] | Problem]:
    """The sheets of each case, or why it has none. Raises WorkbookError where the suspension cannot be read or posed."""
    read = read_suspension(book)
    designs = solve_designs(read.designs)
    base = designs[0]
    tables, _targets = sweep_sheets(read, designs)
    general = detail_tables(base, book.path)[0] if is_detailed(base.car) else ()
    cases: dict[str, list[Table] | Problem] = {DESIGN: [_at_design(designs)]}
    for name in dict.fromkeys(name for design in designs for name in design.plans):
        of_sweep = [table for table in tables if table.name == f"mbs Sweep {name}"]
        cases[name] = [*of_sweep, *(table for table in general if table.case == name)]
    for name, loads in _load_cases(base.loads):
        of_sweep = [table for table in tables if table.name == f"mbs Sweep {name}"]
        cases[name] = loads if isinstance(loads, Problem) else [*of_sweep, loads]
    return cases


def _at_design(designs: tuple[SolvedDesign, ...]) -> Table:
    """All metrics of the first design at its design pose, one row, as a sheet of the name of its page."""
    values = all_design_values(designs[:1])[0].found
    numbers = np.array([[value for value, _unit in values.values()]])
    return Table(SUSPENSION_PAGE, tuple(values), tuple(unit for _value, unit in values.values()), numbers)


def _load_cases(loads: SolvedLoads) -> Iterator[tuple[str, Table | Problem]]:
    """The row of each load case on the sheet of loads; a case without a pose is a problem."""
    columns = tuple(column.name for column in loads.columns)
    units = tuple(column.unit for column in loads.columns)
    for at, case in enumerate(loads.cases):
        if loads.failed[at]:
            mend = "give stiffer springs, more preload or a bump stop, or lower the accelerations"
            yield case.name, Problem("no-pose", "error", case.cell, f"load case {case.name}", loads.marks[at], mend)
        else:
            yield case.name, Table(LOADS, columns, units, np.array([[column.values[at] for column in loads.columns]]))


def _absent(case: str) -> Problem:
    rule = "this variant has no such sweep or load case"
    return Problem("unknown-case", "error", "", f"the case {case}", rule, "name another one")


def _exact(text: str, known: tuple[str, ...]) -> str:
    """The name of a case as the workbook spells it. Raises WorkbookError where there is none such."""
    name = next((each for each in known if fold(each) == fold(text)), None)
    if name is None:
        rule = f"sweeps and load cases are {', '.join(filter(None, known))}"
        mend = did_you_mean(text, known, "name one of these")
        raise WorkbookError(Problem("unknown-case", "error", "", f"the case {text}", rule, mend))
    return name
