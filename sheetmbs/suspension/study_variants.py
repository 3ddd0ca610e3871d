"""Suspensions as what a study varies: each sweep and each load case is a case, and so is the design pose."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from sheetmbs.problems.errors import Problem
from sheetmbs.products.varied_workbook import Asked
from sheetmbs.products.whole_workbook import SolvedCases, WholeWorkbook, one_row
from sheetmbs.schema.table import Table
from sheetmbs.suspension.designs.design_list import PARTED_BY
from sheetmbs.suspension.loads.solve_loads import SolvedLoads
from sheetmbs.suspension.moved_sweeps import detail_tables, is_detailed
from sheetmbs.suspension.read_design import KnownDesigns
from sheetmbs.suspension.sheets.drawn_lines import SWEEP_SHEET
from sheetmbs.suspension.sheets.result_pages import all_design_values
from sheetmbs.suspension.sheets.sizing_pages import SIZING_COLUMNS
from sheetmbs.suspension.solved_design import SolvedDesign, WantedCases, solve_designs
from sheetmbs.suspension.suspension_results import read_suspension, read_wanted, sweep_sheets, swept_tables
from sheetmbs.workbook.cells.cells import Book
from sheetmbs.workbook.sheets.sheet_contents import LOADS, SUSPENSION_PAGE

DESIGN = ""
"""the case of the design pose"""


class SuspensionVariants(WholeWorkbook):
    """A workbook of a suspension. cases: names of sweeps and load cases, none: all of them, behind the design pose.

    Of several designs the first one, which is the workbook's own, has the columns without a name before them.
    """

    kind, kinds = "sweep or load case", "sweeps and load cases"

    def __init__(self, book: Book, cases: Sequence[str] = ()) -> None:
        self._known = KnownDesigns()
        super().__init__(book, cases)

    def solved(self, book: Book, asked: Asked | None) -> SolvedCases:
        """The sheets of each case, or why it has none. Raises WorkbookError where it cannot be read or posed."""
        if asked is None or not _is_of_first_design(asked) or _asks_for_sizing(asked):
            return _whole(book)
        sweeps = frozenset(case for case, sheets in asked.items() if _sheet_of(case) in sheets)
        wanted = WantedCases(sweeps, loads=any(LOADS in sheets for sheets in asked.values()), columns=_columns(asked))
        designs = solve_designs(read_wanted(book, wanted, self._known), wanted)[:1]
        cases = dict(_swept_cases(designs, tuple(swept_tables(designs)), ()))
        return cases | ({DESIGN: [_at_design(designs)]} if DESIGN in asked else {})


def _asks_for_sizing(asked: Asked) -> bool:
    """Whether reserves or clearances are asked for, which follow from all sweeps and load cases."""
    columns = (column for columns in asked.get(DESIGN, {}).values() for column in columns)
    return any(column.rpartition(".")[2] in SIZING_COLUMNS for column in columns)


def _columns(asked: Asked) -> frozenset[str]:
    """Columns of sweeps that are asked for; none, which is all of them, where the design pose is, of which few are."""
    sheets = [(case, sheet, columns) for case, of_case in asked.items() for sheet, columns in of_case.items()]
    of_sweeps = (column for case, sheet, columns in sheets if sheet == _sheet_of(case) for column in columns)
    return frozenset() if DESIGN in asked else frozenset(of_sweeps)


def _sheet_of(sweep: str) -> str:
    return f"{SWEEP_SHEET}{sweep}"


def _is_of_first_design(asked: Asked) -> bool:
    """Whether columns are those of sweeps, load cases and the design pose of the first design alone, without targets.

    Of a case without columns it is not known what it is, but for the design pose.
    """
    if not all(of_case or case == DESIGN for case, of_case in asked.items()):
        return False
    sheets = [(case, sheet, columns) for case, of_case in asked.items() for sheet, columns in of_case.items()]
    are_known = all(sheet in (_sheet_of(case), LOADS, SUSPENSION_PAGE) for case, sheet, _columns in sheets)
    return are_known and not any(PARTED_BY in column for _case, _sheet, columns in sheets for column in columns)


def _whole(book: Book) -> SolvedCases:
    """Every case with all its sheets and columns."""
    read = read_suspension(book)
    designs = solve_designs(read.designs)
    tables, _targets = sweep_sheets(read, designs)
    general = detail_tables(designs[0], book.path)[0] if is_detailed(designs[0].car) else ()
    return {DESIGN: [_at_design(designs)]} | dict(_swept_cases(designs, tables, general))


def _swept_cases(
    designs: tuple[SolvedDesign, ...], tables: Sequence[Table], general: Sequence[Table]
) -> Iterator[tuple[str, list[Table] | Problem]]:
    """Sweeps and load cases. tables: of the sweeps. general: of the ordinary analysis of each."""
    by_sweep = {table.name: table for table in tables}
    of_sweep = {name: [by_sweep[_sheet_of(name)]] for design in designs for name in design.plans}
    for name, own in of_sweep.items():
        yield name, [*own, *(table for table in general if table.case == name)]
    for name, loads in _load_cases(designs[0].loads):
        yield name, loads if isinstance(loads, Problem) else [*of_sweep.get(name, ()), loads]


def _at_design(designs: tuple[SolvedDesign, ...]) -> Table:
    """All metrics of the first design at its design pose, one row, as a sheet of the name of its page."""
    return one_row(SUSPENSION_PAGE, all_design_values(designs[:1])[0].found)


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
