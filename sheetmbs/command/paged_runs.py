"""Runs whose results are pages of a product: solved, written, and said in the product's own words."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import TYPE_CHECKING, TypeVar

import typer

from sheetmbs.command.console import Messages
from sheetmbs.command.outcome import Saved, mark_in, print_json
from sheetmbs.command.solving import BESIDE, DONE, Asked, answering, say_if_open, show_compiling
from sheetmbs.problems.errors import Problem

if TYPE_CHECKING:
    from sheetmbs.results.results import PagedResults

Found = TypeVar("Found", bound="PagedResults")


def refuse_options(asked: Asked, *, all_cases: bool) -> None:
    """Raise typer.BadParameter for options that only mean something where one mechanism is analysed over time."""
    given = {
        "--case": asked.case is not None,
        "--all-cases": all_cases,
        "--report-step": asked.report_step is not None,
        "--also": bool(asked.also),
        "--report": asked.report is not None,
    }
    useless = [option for option, is_given in given.items() if is_given]
    if useless:
        raise typer.BadParameter(
            f"{useless[0]} is of a mechanism that is analysed over time; BOOK holds gait, or a suspension that is swept."
        )


def run_pages(
    messages: Messages,
    asked: Asked,
    solve: Callable[[], tuple[Found, Problem | None]],
    more: Callable[[Found], dict[str, object]],
    tell: Callable[[Found, Saved], None],
) -> int:
    """Solve a workbook and write its sheets. Returns the exit status.

    solve: gives the results, and what sends them elsewhere. more: what JSON holds of them. tell: says what was found.
    """
    told: list[Problem] = []
    with answering(messages, asked):
        show_compiling(messages)
        results, is_open = solve()
        say_if_open(messages, is_open)
        computed = perf_counter()
        written = results.save_somewhere(asked.output, backup=asked.backup, tell=told.append)
        saved = Saved(asked.book, asked.output, written, [], told, perf_counter() - computed, backup=asked.backup)
    problems = [*results.sheets.problems, *told]
    if asked.mark and asked.output is not None:
        mark_in(messages, asked.book, results.sheets.problems)
    if asked.as_json:
        print_json(results.status, asked.book, problems, sheets=results.sheets, saved=saved, more=more(results))
    messages.problems(problems, every=asked.every)
    if not asked.as_json:
        tell(results, saved)
    return BESIDE if saved.moved else DONE
