"""How a command ends: what was written where, what is said of it, and what a program that asked for JSON gets."""

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

from sheetmbs.command.console import Messages
from sheetmbs.command.streams import print_as_json
from sheetmbs.problems.errors import Problem, SheetmbsError
from sheetmbs.problems.listing import counted
from sheetmbs.products.product import FAILURE

if TYPE_CHECKING:
    from sheetmbs.products.product import RunReport
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


def mark_problems(book: Path, problems: Sequence[Problem]) -> None:
    """Write the sheet `mbs Problems` into a workbook and nothing else; without problems, take it away.

    Raises WorkbookError where the workbook cannot be written.
    """
    from sheetmbs.workbook.writing.write import write_problems

    write_problems(book, problems)


def mark_in(messages: Messages, book: Path, problems: Sequence[Problem]) -> bool:
    """Write `mbs Problems` into a workbook; False, and why, where it cannot be written."""
    try:
        mark_problems(book, problems)
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


def show_report(messages: Messages, report: RunReport, *, is_short: bool) -> None:
    """Show what was found. is_short: only what failed, for a program gets the rest."""
    for sentence, style in report.sentences:
        if not is_short or style == FAILURE:
            messages.say(sentence, style)
    if is_short:
        return
    messages.columns(report.columns)
    if report.lines:
        messages.lines(report.lines)
    for sentence in report.closing:
        messages.say(sentence)


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
    if saved is not None:
        content["results"] = saved.results
        content["also"] = saved.also
        if saved.backup:
            content["backup"] = saved.backup
    if sheets is not None and saved is not None:
        content["summary"] = {item: value for item, value, _unit in sheets.summary} | {"write time": saved.seconds}
        content["units"] = {item: unit for item, _value, unit in sheets.summary if unit}
    content |= more
    content["problems"] = _listed(problems)
    print_as_json(content)
