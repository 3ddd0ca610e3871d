"""The general result sheets of gait: what the written model of each trial gives as an ordinary workbook."""

from __future__ import annotations

from pathlib import Path

from sheetmbs.gait.solved_gait import SolvedGait
from sheetmbs.gait.written_model import model_sheets
from sheetmbs.schema.table import Table
from sheetmbs.workbook.cells.cells import Book, filled_cells
from sheetmbs.workbook.reading.read_workbook import build_model
from sheetmbs.workbook.sheets.sheet_contents import ResultSheets


def general_tables(solved: SolvedGait, path: Path) -> tuple[Table, ...]:
    """The tables where ``detail`` asks for them, named after their trials where there are several."""
    if not solved.book.processing.detail:
        return ()
    from sheetmbs.analysis.analyse import analyse
    from sheetmbs.lower import lower
    from sheetmbs.results.case_results import tables_of_cases
    from sheetmbs.results.result_sheets import result_sheets

    shown: dict[str, ResultSheets] = {}
    for trial in solved.trials:
        sheets = {each.name: filled_cells(each) for each in model_sheets(trial, solved)}
        lowered = lower(build_model(Book(path, b"", sheets, {})))
        shown[trial.courses.trial] = result_sheets(lowered, analyse(lowered))
    if len(shown) == 1:
        return next(iter(shown.values())).tables
    named = tables_of_cases(shown, list(shown))
    return tuple(table for tables in named.values() for table in tables)
