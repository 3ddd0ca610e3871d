"""The file of a text report: whether it can be written, before anything is computed, and writing it as a whole."""

from __future__ import annotations

import os
from os import PathLike
from pathlib import Path
from typing import IO, TYPE_CHECKING

from sheetmbs.elements.analyses import Analysis
from sheetmbs.model.model import Model
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.workbook.package.archive import check_file_name
from sheetmbs.workbook.package.replace import replace_file

if TYPE_CHECKING:
    from sheetmbs.analysis.solution import Solution
    from sheetmbs.lower import Lowered
    from sheetmbs.schema.table import Table

MARK = "*** SHEETMBS REPORT"
"""how a report of ours begins, by which it is known from one that another program wrote"""
ANALYSES = (Analysis.DYNAMIC, Analysis.INVERSE_DYNAMIC, Analysis.KINEMATIC, Analysis.EQUILIBRIUM)


def check_report(model: Model, path: Path) -> None:
    """Raise WorkbookError where a model has no text report, or where none can be written there."""
    settings = model.settings
    if settings.dimension != "2D":
        rule = "the text report has the form of a program for planar models"
        raise _refusal("no-report", "a model in space", rule, "leave out --report; the result sheets hold everything")
    if settings.analysis not in ANALYSES:
        rule = f"the text report covers {', '.join(ANALYSES)} analyses"
        raise _refusal("no-report", f"analysis = {settings.analysis}", rule, "leave out --report")
    check_file_name(path, "give the report another name")
    if path.is_dir():
        raise _refusal("report-is-folder", f"{path} is a folder", "a report is a file", "name a file in it")
    if path.exists() and not path.is_file():
        raise _refusal("report-is-folder", f"{path} is a device or a pipe", "a report is a file", "name a file")
    if not path.parent.is_dir():
        found = f"there is no folder {path.parent}"
        raise _refusal("no-folder", found, "a report needs a folder", "make it, or name another one")
    if path.exists() and not _is_ours(path):
        found, rule = f"{path} exists and is no report of sheetmbs", "only such a report is replaced by a new one"
        raise _refusal("foreign-report", found, rule, "give another name, or delete that file")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise _refusal("not-writable", f"{path} may not be written", "a report is a new file", "name another place")


def write_report(lowered: Lowered, solution: Solution, tables: tuple[Table, ...], path: str | PathLike[str]) -> Path:
    """Write the report of a run; returns the file written, links followed. tables: of its results.

    Raises WorkbookError as `check_report` does, or where the file system does not play along; an earlier one is then as it was.
    """
    from sheetmbs.results.text.text_report import text_report

    place = Path(os.path.realpath(path))
    check_report(lowered.model, place)
    source = lowered.model.source
    head = f"{MARK} {source.name} ***" if source else f"{MARK} ***"

    def write(file: IO[bytes]) -> None:
        for text in (head, "", *text_report(lowered, solution, tables)):
            file.write(f"{text}\n".encode("utf-8", "replace"))

    replace_file(place, source if source and source.exists() else None, write, offer="name another file with --report")
    return place


def _is_ours(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(MARK)) == MARK.encode()
    except OSError:
        return False


def _refusal(code: str, found: str, problem: str, mend: str) -> WorkbookError:
    return WorkbookError(Problem(code, "error", "", found, problem, mend))
