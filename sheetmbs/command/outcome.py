"""How a command ends: what was written where, what is said of it, and what a program that asked for JSON is told."""

from __future__ import annotations

import errno
import sys
import traceback
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, NoReturn

import typer

from sheetmbs.command.console import Messages, counted
from sheetmbs.command.streams import print_as_json
from sheetmbs.problems.errors import Problem, SheetmbsError

if TYPE_CHECKING:
    from sheetmbs.model.model import Model
    from sheetmbs.results.case_results import CaseResults
    from sheetmbs.results.results import Results
    from sheetmbs.workbook.sheets.sheet_contents import ResultSheets


class Saved:
    """The files that a run has written, by what they hold. told: what writing results found. seconds: spent on writing.

    moved: whether results went into a file beside the one they were meant for.
    """

    def __init__(
        self,
        book: Path,
        output: Path | None,
        written: Path,
        exported: Sequence[Path],
        told: Sequence[Problem],
        seconds: float,
        *,
        backup: bool,
    ) -> None:
        from sheetmbs.workbook.package.destination import RESULTS_ELSEWHERE, backup_of

        self.moved = any(problem.code == RESULTS_ELSEWHERE for problem in told)
        self.book = book
        self.seconds = seconds
        self.results = str(written if self.moved else output or book)
        self.backup = str(backup_of(written)) if backup and not self.moved else None
        self.also = [str(path) for path in exported]

    def files(self) -> dict[str, str]:
        """The files by what they hold, for people."""
        named = {"results": self.results, "backup": self.backup, "also": ", ".join(self.also)}
        return {what: where for what, where in named.items() if where}


def export(files: Iterable[tuple[Callable[[Path], Path], Path]]) -> tuple[list[Path], list[Problem]]:
    """Write further files of results: those that were written, and why others were not, which stops nothing else.

    files: what writes each of them, and where to.
    """
    written: list[Path] = []
    problems: list[Problem] = []
    for write, path in files:
        try:
            written.append(write(path))
        except SheetmbsError as error:
            problems += error.problems
    return written, problems


def mark_in(messages: Messages, book: Path, problems: Sequence[Problem]) -> bool:
    """Write `mbs Problems` into a workbook; False, and why, where it cannot be written."""
    from sheetmbs import study

    try:
        study.mark(book, problems)
    except SheetmbsError as unwritable:
        messages.problems([problem for problem in unwritable.problems if problem not in problems])
        return False
    return True


def refuse(messages: Messages, book: Path, error: SheetmbsError, *, mark: bool, every: bool, as_json: bool) -> NoReturn:
    """End with the problems of a workbook, or of an analysis that never began."""
    if as_json:
        print_json("error", book, error.problems)
    messages.problems(error.problems, every=every)
    is_marked = mark and mark_in(messages, book, error.problems)
    if not as_json:
        where = "They are listed on its sheet mbs Problems." if is_marked else "Nothing was written to it."
        messages.say(f"{book}: {counted(error.problems)}. {where}", "red")
    raise typer.Exit(error.exit_status)


def tell(messages: Messages, results: Results, saved: Saved, *, with_summary: bool) -> None:
    """Say how an analysis ended and where its results are."""
    if results.status == "failed":
        what = "the analysis failed; what was computed until then is in"
        messages.say(f"{saved.book}{in_case(results.model)}: {what} {saved.results}.", "red")
    elif with_summary:
        messages.say(f"{saved.book}{in_case(results.model)}: done.", "green")
    if with_summary:
        messages.summary(results, saved.files(), saved.seconds)


def tell_of_cases(messages: Messages, results: CaseResults, saved: Saved, *, with_summary: bool) -> None:
    """Say how the analysis of each case ended, and where the results are."""
    for name in results.names:
        if name in results.refused:
            messages.say(f"{saved.book}, case {name}: {counted(results.refused[name])}; it was not analysed.", "red")
        elif results[name].status == "failed":
            messages.say(
                f"{saved.book}, case {name}: the analysis failed; what was computed until then is kept.", "red"
            )
        elif with_summary:
            items = results[name].summary
            what = f"{items['analysis']} done; accuracy check: {items['accuracy check']}"
            messages.say(f"{saved.book}, case {name}: {what}.", "green")
    if with_summary:
        messages.say(f"The results are in {saved.results}.")


def print_json_of_cases(book: Path, results: CaseResults, problems: Sequence[Problem], saved: Saved) -> None:
    """Print the outcome of all cases as JSON, with a summary for each."""
    content: dict[str, Any] = {"status": results.status, "workbook": str(book), "results": saved.results}
    if saved.backup:
        content["backup"] = saved.backup
    content["cases"] = {
        name: {"status": "error"}
        if name in results.refused
        else {
            "status": results[name].status,
            "summary": results[name].summary,
            "units": {item: unit for item, _value, unit in results[name].sheets.summary if unit},
        }
        for name in results.names
    }
    content["problems"] = _listed(problems)
    print_as_json(content)


def _listed(problems: Sequence[Problem]) -> list[dict[str, Any]]:
    return [
        {"code": problem.code, "severity": problem.severity, "sheet": problem.sheet} | asdict(problem)
        for problem in problems
    ]


def fault(messages: Messages, error: Exception) -> int:
    """Say that there is a fault in the program, and return the exit status. Called while it is handled.

    A name that no file can have is no fault of the program, wherever it was met first.
    """
    if isinstance(error, OSError) and error.errno == errno.ENAMETOOLONG:
        messages.say(
            f"The name {str(error.filename)[:60]}.. is too long: there can be no such file. Choose a shorter name."
        )
        return 2
    if "--debug" in sys.argv:
        traceback.print_exc()
    what = f"{type(error).__name__}: {error}" if str(error) else type(error).__name__
    messages.say(
        f"sheetmbs stopped because of a fault of its own ({what}). Please report it, as the README says under "
        "Reporting a fault, with what the same command shows with --debug."
    )
    return 1


def in_case(model: Model) -> str:
    """The case that was analysed, where there are several, as the end of a name."""
    return f", case {model.settings.case}" if model.settings.case else ""


def print_json(
    status: str,
    book: Path,
    problems: Sequence[Problem],
    *,
    sheets: ResultSheets | None = None,
    saved: Saved | None = None,
    more: Mapping[str, Any] = MappingProxyType({}),
) -> None:
    """Print what came of a command to standard output, for a program. more: what only some commands tell."""
    content: dict[str, Any] = {"status": status, "workbook": str(book)}
    if sheets is not None and saved is not None:
        content["results"] = saved.results
        content["also"] = saved.also
        if saved.backup:
            content["backup"] = saved.backup
        content["summary"] = {item: value for item, value, _unit in sheets.summary} | {"write time": saved.seconds}
        content["units"] = {item: unit for item, _value, unit in sheets.summary if unit}
    content |= more
    content["problems"] = _listed(problems)
    print_as_json(content)
