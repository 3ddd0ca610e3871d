"""The commands of suspension workbooks: a run of all sweeps, and the workbook written out as an ordinary one."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

import typer

from sheetmbs.command.console import Messages, counted
from sheetmbs.command.interrupts import Stopped, stamp
from sheetmbs.command.outcome import Saved, mark_in, print_json, refuse
from sheetmbs.command.solving import BESIDE, DONE, FAILED, Asked, prepare_kernels, say_if_open
from sheetmbs.problems.errors import Problem, SheetmbsError

if TYPE_CHECKING:
    from sheetmbs.suspension.product import SuspensionResults


def has_suspension(messages: Messages, asked: Asked) -> bool:
    """Whether a workbook is one of suspension sheets, to be swept. A workbook that cannot be opened ends the command."""
    from sheetmbs import study  # noqa: PLC0415 - the help pages need none of it

    try:
        return asked.analysis is None and study.is_suspension(asked.book)
    except SheetmbsError as error:
        refuse(messages, asked.book, error, mark=asked.mark, every=asked.every, as_json=asked.as_json)


def run_suspension_book(messages: Messages, asked: Asked) -> int:
    """Pose a suspension through its sweeps and write the sheets. Returns the exit status."""
    from sheetmbs import study  # noqa: PLC0415 - the help pages need none of it

    told: list[Problem] = []
    book, holder = asked.book, asked.output or asked.book
    before = stamp(holder)
    try:
        prepare_kernels(messages)
        results, is_open = study.run_suspension_for_results(book, asked.output)
        say_if_open(messages, is_open)
        computed = perf_counter()
        written = results.save_somewhere(asked.output, backup=asked.backup, tell=told.append)
        saved = Saved(book, asked.output, written, [], told, perf_counter() - computed, backup=asked.backup)
    except SheetmbsError as error:
        refuse(messages, book, error, mark=asked.mark, every=asked.every, as_json=asked.as_json)
    except KeyboardInterrupt:
        what = f"{book} is as it was" if stamp(holder) == before else f"The results are already in {holder}"
        raise Stopped(f"Stopped. {what}.") from None
    problems = [*results.sheets.problems, *told]
    if asked.mark and asked.output is not None:
        mark_in(messages, book, results.sheets.problems)
    if asked.as_json:
        print_json(results.status, book, problems)
    messages.problems(problems, every=asked.every)
    if not asked.as_json:
        _tell(messages, results, saved)
    return BESIDE if saved.moved else DONE if results.status == "done" else FAILED


def _tell(messages: Messages, results: SuspensionResults, saved: Saved) -> None:
    """Say what was swept and where it stands."""
    for name, plan in results.plans.items():
        reached = min((len(range(*axle.rows.indices(plan.rows))) for axle in results.sweeps[name].values()), default=0)
        short = "" if reached == plan.rows else f", {reached} of them reached"
        messages.say(f"{saved.book}, {name}: {plan.rows} poses{short}.", "green" if not short else "yellow")
    messages.say(f"The results are in {saved.results}.")


def check_suspension_book(messages: Messages, book: Path, *, mark: bool, every: bool, as_json: bool) -> None:
    """Find every mistake of a suspension workbook, cell by cell."""
    from sheetmbs import study  # noqa: PLC0415 - the help pages need none of it

    try:
        car, warnings = study.read_suspension_book(book)
        if mark:
            study.mark(book, warnings)
    except SheetmbsError as error:
        refuse(messages, book, error, mark=mark, every=every, as_json=as_json)
    except KeyboardInterrupt:
        raise Stopped(f"Stopped. {book} is as it was.") from None
    if as_json:
        print_json("done", book, warnings)
    messages.problems(warnings, every=every)
    if not as_json:
        has = counted(warnings) or "nothing to mend"
        axles = " and ".join(f"{axle.name} {axle.type.name}" for axle in car.axles)
        messages.say(f"{book}: {has}; {axles}.", "green")


def expand_book(messages: Messages, book: Path, out: Path) -> None:
    """Write a suspension workbook out as an ordinary one."""
    from sheetmbs import study  # noqa: PLC0415 - the help pages need none of it

    try:
        study.expand(book, out)
    except SheetmbsError as error:
        messages.problems(error.problems)
        messages.say(f"{book}: {counted(error.problems)}. {out} was not made.", "red")
        raise typer.Exit(error.exit_status) from None
    messages.say(f"{out}: made from {book}. Every sweep is one of its cases.", "green")
