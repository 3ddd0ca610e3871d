"""One run of a watched workbook, in the process that solves: read, analysed, made a document, and written if asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from pathlib import Path
from time import perf_counter
from typing import TYPE_CHECKING

from sheetmbs.live.page_state import packed_document
from sheetmbs.live.solver_process import Outcome, Tell, WantedRun, Written
from sheetmbs.problems.errors import Problem, SheetmbsError, WorkbookError
from sheetmbs.results.case_results import CaseResults
from sheetmbs.results.results import Results
from sheetmbs.view_study import analysed
from sheetmbs.workbook.cells.cells import inputs_digest
from sheetmbs.workbook.package.replace import SUGGEST_OUTPUT
from sheetmbs.workbook.writing.write import check_writable

if TYPE_CHECKING:
    from sheetmbs.gait.gait_product import GaitResults
    from sheetmbs.suspension.product import SuspensionResults

    Found = Results | CaseResults | SuspensionResults | GaitResults

Progress = Callable[[float], None]
OFFER_FOLDER = "watch a copy of it in another folder"
"""to who watches, and so cannot say where results go"""


def run_for_page(wanted: WantedRun, progress: Progress, tell: Tell) -> None:
    """Do a run and tell its outcome, then write its results where that is wanted. Raises what ``progress`` raises."""
    began = perf_counter()
    try:
        found = analysed(wanted.book, case=wanted.case, all_cases=wanted.all_cases, progress=progress)
        progress(1.0)
        packed = packed_document(wanted.number, found.viewed().document) if _moves(found.results) else b""
    except SheetmbsError as error:
        tell(Outcome(wanted.number, "error", problems=tuple(error.problems), seconds=perf_counter() - began))
        return
    seconds = perf_counter() - began
    tell(Outcome(wanted.number, found.results.status, _in_words(found.results), tuple(found.problems), packed, seconds))
    if wanted.writes:
        tell(_written(wanted, found.results))


def _moves(results: Found) -> bool:
    """Whether there is anything to show: an analysis that failed at once leaves the page as it was."""
    return results.status == "done" or not isinstance(results, Results) or len(results.solution.times) > 1


def _in_words(results: Found) -> str:
    """What was found, in a few words."""
    if isinstance(results, CaseResults):
        return f"{len(results)} of {len(results.names)} cases analysed"
    if not isinstance(results, Results):
        return results.in_words
    settings = results.model.settings
    what = f"case {settings.case}, {settings.analysis}" if settings.case else settings.analysis
    if results.status == "failed":
        return f"{what}: the analysis failed; what was computed until then is shown"
    return f"{what}: accuracy check {results.summary['accuracy check']}"


def _written(wanted: WantedRun, results: Found) -> Written:
    """Write results into the workbook, or beside it while another program holds it.

    If it was saved again meanwhile nothing is written: the next run is about to begin.
    """
    told: list[Problem] = []
    book = Path(wanted.book)
    try:
        if inputs_digest(book) != wanted.digest:
            return Written(wanted.number, "")
        check_writable(book, None)
        place = results.save_somewhere(None, backup=False, tell=told.append)
    except WorkbookError as error:
        why = error.problems[0].found
        return Written(wanted.number, f"nothing was written to {book.name}: {why}", _to_watchers(error.problems))
    return Written(wanted.number, f"the results are in {place.name}", _to_watchers(told))


def _to_watchers(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Problems with writing, with what mends them while a workbook is watched."""
    return tuple(replace(each, mend=each.mend.replace(SUGGEST_OUTPUT, OFFER_FOLDER)) for each in problems)
