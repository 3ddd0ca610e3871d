"""The general result sheets of a suspension: what its ordinary workbook gives, in which every sweep is a case."""

from __future__ import annotations

from pathlib import Path

from sheetmbs.analysis.analyse import analyse
from sheetmbs.lower import lower
from sheetmbs.problems.errors import Problem
from sheetmbs.results.case_results import tables_of_cases
from sheetmbs.results.columns.collect import written
from sheetmbs.results.result_sheets import result_sheets
from sheetmbs.schema.table import Table
from sheetmbs.suspension.layout.car import CarData
from sheetmbs.suspension.ordinary_sheets import ordinary_sheets
from sheetmbs.suspension.solved_design import SolvedDesign
from sheetmbs.workbook.cells.cells import Book, filled_cells
from sheetmbs.workbook.reading.read_workbook import build_each_case
from sheetmbs.workbook.sheets.sheet_contents import ResultSheets

SETTING = "detail"


def is_detailed(car: CarData) -> bool:
    """Whether the general result sheets are asked for."""
    return car.settings.get(SETTING) == "yes"


def detail_tables(design: SolvedDesign, path: Path) -> tuple[tuple[Table, ...], tuple[Problem, ...]]:
    """The tables of all sweeps, named as those of cases are, and warnings of sweeps that have none or break off."""
    sheets = {each.name: filled_cells(each) for each in ordinary_sheets(design, path.stem)}
    found = build_each_case(Book(path, b"", sheets, {}))
    shown: dict[str, ResultSheets] = {}
    told = {name: tuple(problems) for name, problems in found.refused.items()}
    for name, model in found.models.items():
        lowered = lower(model)
        each = result_sheets(lowered, analyse(lowered))
        shown[name], told[name] = written(each, model.settings.results), each.problems
    tables = tables_of_cases(shown, found.names)
    cell = design.car.cells.get(SETTING, "Suspension")
    errors = ((name, next(filter(_is_error, problems), None)) for name, problems in told.items())
    warnings = [_warning(name, each, cell) for name, each in errors if each is not None]
    return tuple(table for case in tables.values() for table in case), tuple(warnings)


def _is_error(problem: Problem) -> bool:
    return problem.severity == "error"


def _warning(sweep: str, problem: Problem, cell: str) -> Problem:
    rule = f"as an ordinary model it does not run to its end: {problem.found}, {problem.problem}"
    mend = f"see the sheet mbs Sweep {sweep}, which does not depend on it"
    return Problem("no-detail", "warning", cell, f"the general result sheets of the sweep {sweep}", rule, mend)
