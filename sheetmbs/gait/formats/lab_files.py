"""Files of laboratories: what each holds, with slips told by file and line."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from pathlib import Path

from sheetmbs.gait.formats.all_formats import read
from sheetmbs.gait.formats.named_subjects import of_one_subject
from sheetmbs.gait.formats.text_cells import text_cells
from sheetmbs.gait.trial.recorded import Recorded
from sheetmbs.importing.lines import read_text
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.problem_list import ProblemList

C3D = ".c3d"


def read_lab_file(path: Path, subject: str | None = None) -> tuple[Recorded, list[Problem]]:
    """What a file holds of one subject, and warnings. Raises WorkbookError with every slip found, each with its line.

    subject: whose markers; None: of the only one.
    """
    if path.suffix.casefold() == C3D:
        from sheetmbs.gait.formats.c3d_files import read_c3d

        return _of_subject(read_c3d(path), subject, path.name), []
    report = ProblemList((path.name,))
    text = read_text(path, "a recording").replace("\r\n", "\n").replace("\r", "\n")
    cells = text_cells(text, path.name, report)
    found = Recorded() if report.has_errors else read(cells, report)
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
