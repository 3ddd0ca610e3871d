"""The commands of suspension workbooks: a run of all sweeps, and the workbook written out as an ordinary one."""

from __future__ import annotations

from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from sheetmbs.command.console import Messages
from sheetmbs.command.making import making
from sheetmbs.command.outcome import Saved
from sheetmbs.command.paged_runs import run_pages
from sheetmbs.command.solving import Asked
from sheetmbs.problems.errors import Problem

if TYPE_CHECKING:
    from sheetmbs.suspension.product import SuspensionResults


def run_suspension_book(
    messages: Messages, asked: Asked, compare: Path | None = None, *, sensitivity: bool = False
) -> int:
    """Pose a suspension through its sweeps and write the sheets. compare: one more design. Returns the exit status.

    sensitivity: also how metrics change with hardpoints.
    """
    from sheetmbs import suspension_study

    def solve() -> tuple[SuspensionResults, Problem | None]:
        return suspension_study.run_suspension_for_results(
            asked.book, asked.output, compare, sensitivity=sensitivity, changes=asked.changes
        )

    def more(results: SuspensionResults) -> dict[str, object]:
        return {"designs": results.at_design, "columns": results.units}

    return run_pages(messages, asked, solve, more, partial(_tell, messages))


def _tell(messages: Messages, results: SuspensionResults, saved: Saved) -> None:
    """What kind of car it is, its values at design, what was swept, and where the page is."""
    messages.say(f"{saved.book}: {results.in_words}.", "green")
    messages.columns(results.in_short)
    sweeps = ", ".join(f"{name} {plan.rows} poses" for name, plan in results.base.plans.items())
    messages.say(f"Swept: {sweeps}.")
    messages.say(f"The results are in {saved.results}; the page to print is its sheet mbs Suspension.")


def expand_book(messages: Messages, book: Path, out: Path) -> None:
    """Write a suspension workbook out as an ordinary one."""
    from sheetmbs import suspension_study

    with making(messages, out, str(book), f"{out} was not made."):
        suspension_study.expand(book, out)
    messages.say(f"{out}: made from {book}. Every sweep is one of its cases.", "green")
