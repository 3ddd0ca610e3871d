"""Files of laboratories: what each holds, with slips told by file and line."""

from __future__ import annotations

import re
from dataclasses import replace
from functools import partial
from pathlib import Path

from sheetmbs.gait.formats.all_formats import read
from sheetmbs.gait.formats.text_cells import text_cells
from sheetmbs.gait.trial.recorded import Recorded
from sheetmbs.importing.lines import read_text
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.workbook.reading.problem_list import ProblemList

C3D = ".c3d"


def read_lab_file(path: Path) -> tuple[Recorded, list[Problem]]:
    """What a file holds, and warnings. Raises WorkbookError with every slip found, each with its line."""
    if path.suffix.casefold() == C3D:
        from sheetmbs.gait.formats.c3d_files import read_c3d

        return read_c3d(path), []
    report = ProblemList((path.name,))
    text = read_text(path, "a recording").replace("\r\n", "\n").replace("\r", "\n")
    cells = text_cells(text, path.name, report)
    found = Recorded() if report.has_errors else read(cells, report)
    problems = [_at_lines(problem, path.name) for problem in report.problems()]
    if report.has_errors:
        raise WorkbookError(problems)
    notes = tuple(_in_lines(note, path.name) for note in found.notes)
    return replace(found, notes=notes), problems


def _at_lines(problem: Problem, name: str) -> Problem:
    """A problem with lines of a file in place of cells of a sheet."""
    at = partial(_in_lines, name=name)
    return replace(
        problem, cell=at(problem.cell), found=at(problem.found), problem=at(problem.problem), mend=at(problem.mend)
    )


def _in_lines(text: str, name: str) -> str:
    return re.sub(rf"{re.escape(name)}![A-Z]+([0-9]+)", lambda match: f"{name} line {match[1]}", text)
