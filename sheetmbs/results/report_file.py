"""The file of a text report: whether it can be written, before anything is computed, and writing it as a whole."""

from __future__ import annotations

import os
from collections.abc import Callable
from pathlib import Path
from typing import IO, TYPE_CHECKING

from sheetmbs.errors import Problem, WorkbookError
from sheetmbs.model import Model
from sheetmbs.workbook.replace import cannot_write, replace_file

if TYPE_CHECKING:
    from sheetmbs.results.results import Results

MARK = "*** SHEETMBS REPORT"
"""how a report of ours begins, by which it is known from one that another program wrote"""
ANALYSES = ("dynamic", "inverse dynamic", "kinematic", "equilibrium")


def check_report(model: Model, path: Path) -> None:
    """Raise WorkbookError where a model has no text report, or where none can be written there."""
    settings = model.settings
    if settings.dimension != "2D":
        rule = "the text report is that of a program for planar models"
        raise _refusal("no-report", "a model in space", rule, "leave out --report; the result sheets hold everything")
    if settings.analysis not in ANALYSES:
        rule = f"the text report tells of {', '.join(ANALYSES)} analyses"
        raise _refusal("no-report", f"analysis = {settings.analysis}", rule, "leave out --report")
    if path.is_dir():
        raise _refusal("report-is-folder", f"{path} is a folder", "a report is a file", "name a file in it")
    if not path.parent.is_dir():
        found = f"there is no folder {path.parent}"
        raise _refusal("no-folder", found, "a report needs a folder", "make it, or name another one")
    if path.exists() and not _is_ours(path):
        found, rule = f"{path} exists and is no report of sheetmbs", "only such a report is replaced by a new one"
        raise _refusal("foreign-report", found, rule, "give another name, or delete that file")
    if not os.access(path if path.exists() else path.parent, os.W_OK):
        raise _refusal("not-writable", f"{path} may not be written", "a report is a new file", "name another place")


def write_report(results: Results, path: Path) -> Path:
    """Write the report of a run. Raises WorkbookError as `check_report` does, or where the file system does not play along."""
    from sheetmbs.results.text_report import text_report  # noqa: PLC0415 - `check_report` needs none of the solver

    check_report(results.model, path)
    source = results.model.source
    head = f"{MARK} {source.name if source else results.model.settings.title} ***".replace("  ", " ")

    def write(file: IO[bytes]) -> None:
        for text in (head, "", *text_report(results.lowered, results.solution, results.sheets.tables)):
            file.write(f"{text}\n".encode("utf-8", "replace"))

    place = Path(os.path.realpath(path))
    if place.exists():
        replace_file(place, place, write, lambda _written: None)
    else:
        _create(place, write)
    return place


def _create(place: Path, write: Callable[[IO[bytes]], None]) -> None:
    """Write a new file, or leave none behind."""
    try:
        with place.open("xb") as file:
            try:
                write(file)
            except BaseException:
                place.unlink()
                raise
    except OSError as error:
        raise cannot_write(place, error) from error


def _is_ours(path: Path) -> bool:
    try:
        with path.open("rb") as file:
            return file.read(len(MARK)) == MARK.encode()
    except OSError:
        return False


def _refusal(code: str, found: str, problem: str, mend: str) -> WorkbookError:
    return WorkbookError(Problem(code, "error", "", found, problem, mend))
