"""Result sheets of each sweep and load case of a design, as studies and measured columns ask for them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from sheetmbs.problems.errors import Problem
from sheetmbs.schema.table import Table
from sheetmbs.suspension.loads.solve_loads import SolvedLoads
from sheetmbs.suspension.solved_design import SolvedDesign
from sheetmbs.workbook.sheets.sheet_contents import LOADS


def case_tables(design: SolvedDesign) -> Mapping[str, Sequence[Table]]:
    """The result sheets of every sweep and load case of a design that has a pose."""
    found: dict[str, list[Table]] = {name: [table] for name, table in design.tables.items()}
    for name, table in load_cases(design.loads):
        if isinstance(table, Table):
            found.setdefault(name, []).append(table)
    return found


def load_cases(loads: SolvedLoads) -> Iterator[tuple[str, Table | Problem]]:
    """The row of each load case on the sheet of loads; a case without a pose is a problem."""
    columns = tuple(column.name for column in loads.columns)
    units = tuple(column.unit for column in loads.columns)
    for at, case in enumerate(loads.cases):
        if loads.failed[at]:
            mend = "give stiffer springs, more preload or a bump stop, or lower the accelerations"
            yield case.name, Problem("no-pose", "error", case.cell, f"load case {case.name}", loads.marks[at], mend)
        else:
            yield case.name, Table(LOADS, columns, units, np.array([[column.values[at] for column in loads.columns]]))
