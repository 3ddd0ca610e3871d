"""Recordings of laboratories in any format: sheets, and files, of which problems name the line."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from pathlib import Path

from sheetmbs.gait.formats.all_formats import FORMATS
from sheetmbs.gait.formats.named_subjects import of_one_subject
from sheetmbs.gait.formats.sampled_cells import text_at
from sheetmbs.gait.formats.text_cells import text_cells, undoubled
from sheetmbs.gait.trial.recorded import Recorded
from sheetmbs.importing.lines import read_text
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.problem_list import Place, ProblemList, quoted
from sheetmbs.workbook.cells.cells import CellSheet
from sheetmbs.workbook.reading.table_headers import is_sheet_empty

DOUBLED_TABS = "PathFileType"
"""how files begin of which some programs double all tabs"""


def read_recording(cells: CellSheet, report: ProblemList) -> Recorded:
    """What a sheet or text file holds, in any format. Nothing, where it is empty or cannot be read, which is reported."""
    if is_sheet_empty(cells):
        return Recorded()
    texts = [each for each in FORMATS if each.starts]
    known = next((each for each in texts if each.module.recognises(cells)), None)
    if known is None:
        first = text_at(cells, 1, 1)
        report.error(
            "unknown-format",
            Place(cells.name, 1, 1),
            quoted(first) if first else "a blank cell",
            f"its first cell tells what a recording is, one of: {', '.join(each.starts for each in texts)}",
            "paste the whole export, its first line in row 1, or head the times with time",
        )
        return Recorded()
    recorded: Recorded = known.module.read(cells, report)
    return recorded


def read_lab_file(path: Path, subject: str | None = None) -> tuple[Recorded, list[Problem]]:
    """What a file holds of one subject, and warnings. Raises WorkbookError with every slip found, each with its line.

    subject: whose markers; None: of the only one.
    """
    binary = next((each for each in FORMATS if not each.starts and path.suffix.casefold() == each.files), None)
    if binary is not None:
        return _of_subject(binary.module.read_file(path), subject, path.name), []
    report = ProblemList((path.name,))
    text = read_text(path, "a recording").replace("\r\n", "\n").replace("\r", "\n")
    if text.startswith(DOUBLED_TABS):
        text = undoubled(text)
    cells = text_cells(text, path.name, report)
    found = Recorded() if report.has_errors else read_recording(cells, report)
    problems = [_at_lines(_stricter(problem), path.name) for problem in report.problems()]
    if any(problem.severity == "error" for problem in problems):
        raise WorkbookError(problems)
    found = _of_subject(found, subject, path.name)
    notes = tuple(_in_lines(note, path.name) for note in found.notes)
    return replace(found, notes=notes), problems


def _of_subject(found: Recorded, subject: str | None, name: str) -> Recorded:
    chosen, problem = of_one_subject(found, subject, name)
    if problem is not None:
        raise WorkbookError(_at_lines(problem, name))
    return chosen


def _stricter(problem: Problem) -> Problem:
    """A column without a header is an error of a file, for nobody writes remarks beside its numbers."""
    if problem.code != "no-header":
        return problem
    told = f"{problem.problem}, so the numbers of this row may stand in wrong columns"
    mend = "head every column, and part columns by another sign than the one before decimals"
    return replace(problem, severity="error", problem=told, mend=mend)


def _at_lines(problem: Problem, name: str) -> Problem:
    """A problem with lines of a file in place of cells of a sheet."""
    at = partial(_in_lines, name=name)
    return replace(
        problem, cell=at(problem.cell), found=at(problem.found), problem=at(problem.problem), mend=at(problem.mend)
    )


def _in_lines(text: str, name: str) -> str:
    return re.sub(rf"{re.escape(name)}![A-Z]+([0-9]+)", lambda match: f"{name} line {match[1]}", text)
