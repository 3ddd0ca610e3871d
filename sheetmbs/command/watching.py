"""The command that watches a workbook, and what it says in the terminal."""

from __future__ import annotations

import gc
from collections.abc import Sequence
from contextlib import nullcontext
from pathlib import Path
from time import strftime
from typing import TYPE_CHECKING, Annotated

import typer

from sheetmbs.command import common_options as common
from sheetmbs.command.console import Messages
from sheetmbs.command.interrupts import Stopped
from sheetmbs.command.serving_pages import NoBrowser, Port, serving
from sheetmbs.command.solving import Asked, answering
from sheetmbs.problems.errors import Problem
from sheetmbs.problems.listing import counted

if TYPE_CHECKING:
    from sheetmbs.live.solver_process import Outcome, Told

EXAMPLES = """
    sheetmbs watch car.xlsx -> save in your spreadsheet program, see the new motion
    sheetmbs watch car.xlsx -c bump -> one of its cases, not the one that Settings names
    sheetmbs watch car.xlsx --write -> results go into car.xlsx too
    """


def watch(
    book: common.Book,
    case: common.Case = None,
    all_cases: common.AllCases = False,  # noqa: FBT002
    write: Annotated[  # noqa: FBT002
        bool, typer.Option("--write", help="Write results into BOOK too, beside it while another program holds it.")
    ] = False,
    port: Port = 0,
    no_browser: NoBrowser = False,  # noqa: FBT002
    debug: common.Debug = False,  # noqa: FBT002, ARG001 - read in `main` of cli.py
) -> None:
    """Analyse a workbook again whenever it is saved, and show it moving.

    The page stands on an address of this machine and changes without a reload. A mistake is reported with its cell
    while the last good motion stays. BOOK is only read without --write, unless you move points on the page and write them.
    Ctrl-C ends it. Exit status 2: wrong workbook or command. 130: stopped by the user.
    """
    if all_cases and case is not None:
        raise typer.BadParameter("--case and --all-cases exclude each other.")
    gc.enable()  # unlike other commands this one lasts
    messages = Messages()
    with answering(messages, Asked(book)):
        from sheetmbs.live.only_writer import only_writer
        from sheetmbs.workbook.cells.cells import open_book

        open_book(book)  # what is no workbook is refused before anything is served
        with only_writer(book) if write else nullcontext():
            _watch(messages, book, case, port, all_cases=all_cases, writes=write, opens=not no_browser)


def _watch(
    messages: Messages, book: Path, case: str | None, port: int, *, all_cases: bool, writes: bool, opens: bool
) -> None:
    from sheetmbs.live.moved_cells import MovedCells
    from sheetmbs.live.page_state import SharedPage
    from sheetmbs.live.solver_process import WantedRun
    from sheetmbs.live.watched_book import Watch, serve_watched
    from sheetmbs.live.watched_run import run_for_page

    if messages.console.is_terminal:
        messages.say(f"Analysing {book} ...", "dim")
    shown, lines = SharedPage(), _Lines(messages, book)
    wanted = WantedRun(str(book), case, all_cases=all_cases, writes=writes)
    watched = Watch(wanted, shown, lines.tell, run_for_page)
    try:
        serving(
            messages, shown, port, lambda server: serve_watched(server, watched), opens=opens, cells=MovedCells(book)
        )
    except KeyboardInterrupt:
        raise Stopped(f"Stopped. {lines.last_place or f'{book} is as it was'}.") from None


class _Lines:
    """One line for each run, and problems where they are others than before."""

    def __init__(self, messages: Messages, book: Path) -> None:
        self._messages = messages
        self._book = book
        self._listed: Sequence[Problem] = ()
        self._listed_of_writing: Sequence[Problem] = ()
        self._moves = False
        self.last_place = ""
        """where results were written last, in words"""

    def tell(self, told: Told) -> None:
        """Print what is said of runs."""
        from sheetmbs.live.solver_process import Building, Outcome, Written

        if isinstance(told, Building):
            self._messages.say(told.sentence, "dim")
        elif isinstance(told, Outcome) and told.status != "stopped":
            self._say_outcome(told)
        elif isinstance(told, Written) and told.sentence:
            self.last_place = told.sentence[:1].upper() + told.sentence[1:]
            self._messages.say(f"{strftime('%H:%M:%S')}  {told.sentence}", "dim")
            if told.problems != self._listed_of_writing:
                self._messages.problems(told.problems)
                self._listed_of_writing = told.problems

    def _say_outcome(self, outcome: Outcome) -> None:
        if outcome.status == "error":
            stays = "the last good motion stays" if self._moves else "there is no motion yet"
            what = f"{counted(outcome.problems)}; {stays}"
        else:
            count = counted(outcome.problems)
            what = f"{outcome.sentence}{f'; {count}' if count else ''}"
        self._moves = self._moves or bool(outcome.document)
        style = {"done": "green", "failed": "red", "error": "red"}[outcome.status]
        self._messages.say(f"{strftime('%H:%M:%S')}  {self._book.name}: {what} ({outcome.seconds:.2f} s)", style)
        if outcome.problems != self._listed:
            self._messages.problems(outcome.problems)
            self._listed = outcome.problems
