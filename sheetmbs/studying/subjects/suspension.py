"""Suspensions as what a study varies: each sweep and each load case is a case, and so is the design pose."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sheetmbs.problems.errors import Problem
from sheetmbs.schema.table import Table
from sheetmbs.studying.subjects.of_product import ProductSubject, SolvedCases, one_row
from sheetmbs.suspension.detail import detail_tables, is_detailed
from sheetmbs.suspension.loads.solve_loads import SolvedLoads
from sheetmbs.suspension.product import read_suspension, sweep_sheets
from sheetmbs.suspension.sheets.result_pages import all_design_values
from sheetmbs.suspension.solved_design import SolvedDesign, solve_designs
from sheetmbs.workbook.cells.cells import Book
from sheetmbs.workbook.sheets.sheet_contents import LOADS, SUSPENSION_PAGE

DESIGN = ""
"""the case of the design pose"""


class SuspensionSubject(ProductSubject):
    """A workbook of a suspension. cases: names of sweeps and load cases, none: all of them, behind the design pose.

    Of several designs the first one, which is the workbook's own, has the columns without a name before them.
    """

    kind, kinds = "sweep or load case", "sweeps and load cases"

    @staticmethod
    def solved(book: Book) -> SolvedCases:
        """The sheets of each case, or why it has none. Raises WorkbookError where it cannot be read or posed."""
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
