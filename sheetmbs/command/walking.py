"""The commands of gait workbooks."""

from __future__ import annotations

from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from sheetmbs.command.console import Messages
from sheetmbs.command.outcome import Saved, mark_in, print_json
from sheetmbs.command.solving import BESIDE, DONE, Asked, answering, prepare_kernels, say_if_open
from sheetmbs.problems.errors import Problem

if TYPE_CHECKING:
    from sheetmbs.gait.gait_product import GaitResults


def run_gait_book(messages: Messages, asked: Asked, model: Path | None = None) -> int:
    """Solve all trials and write the sheets. model: a new workbook for the solved model. Returns the exit status."""
    from sheetmbs import gait_study

    told: list[Problem] = []
    book = asked.book
    with answering(messages, asked):
        prepare_kernels(messages)
        results, is_open = gait_study.run_gait_for_results(book, asked.output, model)
        say_if_open(messages, is_open)
        computed = perf_counter()
        written = results.save_somewhere(asked.output, backup=asked.backup, tell=told.append)
        saved = Saved(book, asked.output, written, [], told, perf_counter() - computed, backup=asked.backup)
    problems = [*results.sheets.problems, *told]
    if asked.mark and asked.output is not None:
        mark_in(messages, book, results.sheets.problems)
    if asked.as_json:
        print_json(results.status, book, problems, sheets=results.sheets, saved=saved, more={"items": results.as_items})
    messages.problems(problems, every=asked.every)
    if not asked.as_json:
        _tell(messages, results, saved)
        if model is not None:
            messages.say(f"The model is in {model}, an ordinary workbook.")
    return BESIDE if saved.moved else DONE


def _tell(messages: Messages, results: GaitResults, saved: Saved) -> None:
    """Who walked, the values by which a gait is known, and where the report is."""
    messages.say(f"{saved.book}: {results.in_words}.", "green")
    messages.columns(results.in_short)
    messages.say(f"The results are in {saved.results}; the page to print is its sheet mbs Gait report.")
