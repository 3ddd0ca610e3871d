"""Rows of Handling as cases of a study: the metrics of each as one row of the page mbs Handling, and its sheet."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from math import nan

from sheetmbs.problems.errors import Problem
from sheetmbs.products.varied_workbook import Asked
from sheetmbs.products.whole_workbook import SolvedCases, one_row
from sheetmbs.schema.table import Table
from sheetmbs.suspension.handling.asked_metrics import asked_metrics, first_values
from sheetmbs.suspension.handling.handling_metrics import METRICS, first_row_with
from sheetmbs.suspension.handling.solve_handling import missing_for_handling
from sheetmbs.suspension.sheets.handling_sheets import handling_tables
from sheetmbs.suspension.solved_design import SolvedDesign
from sheetmbs.workbook.sheets.sheet_contents import HANDLING_PAGE

DESIGN = ""
"""the case of the design pose, which has the metrics of all rows, each of the first row that has it"""
Handled = Mapping[str, Sequence[Table] | Problem]
"""by case: its tables of handling, or why there are none"""


def with_handling(cases: SolvedCases, handled: Handled) -> SolvedCases:
    """Cases with their tables of handling behind those of sweeps and load cases; a case that failed stays so."""
    found: dict[str, Sequence[Table] | Problem] = dict(cases)
    for case, tables in handled.items():
        own = found.get(case, ())
        if isinstance(own, Problem):
            continue
        found[case] = tables if isinstance(tables, Problem) and not own else [*own, *_unless_wrong(tables)]
    return found


def _unless_wrong(tables: Sequence[Table] | Problem) -> Sequence[Table]:
    return () if isinstance(tables, Problem) else tables


def all_handling(designs: Sequence[SolvedDesign]) -> Handled:
    """All rows of the first design with their sheets, which show the other designs too."""
    first = designs[0]
    if not first.handling_rows:
        return {}
    if not first.handling.found:
        return dict.fromkeys((row.name for row in first.handling_rows), _lacking(first))
    sheets = {table.name: table for table in handling_tables({each.name: each.handling for each in designs})}
    found: dict[str, Sequence[Table] | Problem] = {}
    first_of_all: dict[str, tuple[float, str]] = {}
    for own in first.handling.found:
        values = first_values(own.read_offs)
        metrics = {name: (values.get(name, nan), unit) for name, unit in METRICS[own.row.type].items()}
        first_of_all = metrics | first_of_all
        found[own.row.name] = [one_row(HANDLING_PAGE, metrics), sheets[own.table.name]]
    return {DESIGN: [one_row(HANDLING_PAGE, first_of_all)], **found}


def asked_handling(design: SolvedDesign, asked: Asked) -> Handled:
    """The metrics that are asked for, of the first design; nothing else of its rows is solved."""
    rows = {row.name: row for row in design.handling_rows}
    wanted: dict[str, dict[str, set[str]]] = {}
    for case, sheets in asked.items():
        for metric in sheets.get(HANDLING_PAGE, ()):
            row = first_row_with(design.handling_rows, metric) if case == DESIGN else rows.get(case)
            if row is not None:
                wanted.setdefault(row.name, {}).setdefault(case, set()).add(metric)
    car = design.handling_car
    if wanted and car is None:
        return dict.fromkeys((case for of_row in wanted.values() for case in of_row), _lacking(design))
    values: dict[str, dict[str, tuple[float, str]]] = {}
    for name, cases in wanted.items():
        metrics = sorted(set().union(*cases.values()))
        found = asked_metrics(car, rows[name], design.rack_range, metrics) if car is not None else {}
        for case, own in cases.items():
            values.setdefault(case, {}).update({metric: found[metric] for metric in sorted(own)})
    return {case: [one_row(HANDLING_PAGE, own)] for case, own in values.items()}


def _lacking(design: SolvedDesign) -> Problem:
    """Why the car has no handling."""
    return replace(next(missing_for_handling(design.car, design.handling_rows)), severity="error")
