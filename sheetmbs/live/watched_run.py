"""One run of a watched workbook, in the process that solves: read, analysed, made a document, and written if asked for."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from pathlib import Path
from time import perf_counter

from sheetmbs.live.page_state import packed_document
from sheetmbs.live.solver_process import Outcome, Tell, WantedRun, Written
from sheetmbs.live.workbook_page import page_of, solved
from sheetmbs.problems.errors import Problem, SheetmbsError, WorkbookError
from sheetmbs.products.product import ProductRun, Progress
from sheetmbs.workbook.cells.cells import inputs_digest, open_book
from sheetmbs.workbook.package.replace import SUGGEST_OUTPUT
from sheetmbs.workbook.writing.write import check_writable

OFFER_FOLDER = "watch a copy of it in another folder"
"""to who watches, and so cannot say where results go"""


def run_for_page(wanted: WantedRun, progress: Progress, tell: Tell) -> None:
    """Do a run and tell its outcome, then write its results where that is wanted. Raises what ``progress`` raises."""
    began = perf_counter()
    try:
        run = solved(open_book(wanted.book), wanted.case, all_cases=wanted.all_cases, progress=progress)
        progress(1.0)
        document = page_of(run, wanted.case).document if run.has_motion else None
        packed = b"" if document is None else packed_document(wanted.number, document)
    except SheetmbsError as error:
        tell(Outcome(wanted.number, "error", problems=tuple(error.problems), seconds=perf_counter() - began))
        return
    seconds = perf_counter() - began
    tell(Outcome(wanted.number, run.status, run.one_line_summary, tuple(run.problems), packed, seconds))
    if wanted.writes:
        tell(_written(wanted, run))


def _written(wanted: WantedRun, run: ProductRun) -> Written:
    """Write results into the workbook, or beside it while another program holds it.

    If it was saved again meanwhile nothing is written: the next run is about to begin.
    """
    told: list[Problem] = []
    book = Path(wanted.book)
    try:
        if inputs_digest(book) != wanted.digest:
            return Written(wanted.number, "")
        check_writable(book, None)
        place = run.results.save_somewhere(None, backup=False, tell=told.append)
    except WorkbookError as error:
        why = error.problems[0].found
        return Written(wanted.number, f"nothing was written to {book.name}: {why}", _to_watchers(error.problems))
    return Written(wanted.number, f"the results are in {place.name}", _to_watchers(told))


def _to_watchers(problems: Iterable[Problem]) -> tuple[Problem, ...]:
    """Problems with writing, with what mends them while a workbook is watched."""
    return tuple(replace(each, mend=each.mend.replace(SUGGEST_OUTPUT, OFFER_FOLDER)) for each in problems)
