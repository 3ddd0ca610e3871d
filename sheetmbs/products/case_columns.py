"""Result sheets cut down to the columns that a study asks for."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace

from sheetmbs.problems.errors import Problem, SheetmbsError
from sheetmbs.products.varied_workbook import FoundCase
from sheetmbs.schema.table import Table

Columns = Mapping[str, tuple[str, ...]]
"""result sheet -> names of its columns"""


def found(tables: Iterable[Table], asked: Columns | None) -> FoundCase:
    """The sheets of a case with the columns asked for, behind the first one, which says what rows are; None: with all.

    A sheet or column that this variant lacks is its problem.
    """
    by_name = {table.name: table for table in tables}
    if asked is None:
        return FoundCase(by_name)
    lacking = [(sheet, name) for sheet, names in asked.items() for name in names if not _has(by_name.get(sheet), name)]
    if lacking:
        sheet, name = lacking[0]
        rule = "the results of this variant have no such column"
        return failed(Problem("unknown-column", "error", "", f"{name} on {sheet}", rule, "see what makes it"))
    return FoundCase({sheet: _cut(by_name[sheet], names) for sheet, names in asked.items()})


def failed(problem: Problem) -> FoundCase:
    """A case that gave nothing."""
    return FoundCase({}, problem)


def refused(error: SheetmbsError) -> FoundCase:
    """A case that could not be analysed."""
    return failed(first_error(error.problems))


def first_error(problems: Iterable[Problem]) -> Problem:
    """The first problem that is no mere warning."""
    untold = Problem(
        "failed", "error", "", "the analysis", "it failed", "run the workbook with these values to see why"
    )
    return next((problem for problem in problems if problem.severity == "error"), untold)


def _has(table: Table | None, name: str) -> bool:
    return table is not None and name in table.columns


def _cut(table: Table, names: tuple[str, ...]) -> Table:
    places = [table.columns.index(name) for name in dict.fromkeys((table.columns[0], *names))]
    columns, units = (tuple(each[place] for place in places) for each in (table.columns, table.units))
    declared = tuple(table.declared[place] for place in places) if table.declared else ()
    return replace(
        table, columns=columns, units=units, declared=declared, values=table.values[:, places], printed=(), repeated=1
    )
