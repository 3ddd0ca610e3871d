"""The commands of gait workbooks."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from sheetmbs.command.console import Messages
from sheetmbs.command.outcome import Saved
from sheetmbs.command.paged_runs import run_pages
from sheetmbs.command.solving import Asked
from sheetmbs.problems.errors import Problem

if TYPE_CHECKING:
    from sheetmbs.gait.gait_product import GaitResults


def run_gait_book(messages: Messages, asked: Asked, model: Path | None = None) -> int:
    """Solve all trials and write the sheets. model: a new workbook for the solved model. Returns the exit status."""
    from sheetmbs import gait_study

    def solve() -> tuple[GaitResults, Problem | None]:
        return gait_study.run_gait_for_results(asked.book, asked.output, model, asked.changes)

    def more(results: GaitResults) -> dict[str, object]:
        return {"items": results.as_items}

    def tell(results: GaitResults, saved: Saved) -> None:
        messages.say(f"{saved.book}: {results.in_words}.", "green")
        messages.columns(results.in_short)
        messages.say(f"The results are in {saved.results}; the page to print is its sheet mbs Gait report.")
        if model is not None:
            messages.say(f"The model is in {model}, an ordinary workbook.")

    return run_pages(messages, asked, solve, more, tell)
