"""Subjects put together: the results of several workbooks in a new one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from sheetmbs.gait.collecting.collected_book import laid_out
from sheetmbs.gait.collecting.compatibility_checks import disagreements, doubts
from sheetmbs.gait.collecting.run_books import RunBook, read_run_book
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.workbook.package.replace import create_book

STEM = "subjects"


def collect(paths: Sequence[Path], out: Path) -> tuple[tuple[RunBook, ...], tuple[Problem, ...]]:
    """Write the results of workbooks into a new one; a file that is there already is never overwritten.

    Returns the books and warnings. Raises WorkbookError with every problem of every book; nothing is written then.
    """
    books: list[RunBook] = []
    problems: list[Problem] = []
    for path in paths:
        try:
            books.append(read_run_book(path))
        except WorkbookError as error:
            problems += error.problems
    if books:
        problems += disagreements(books)
    if problems:
        raise WorkbookError(problems)
    create_book(out, laid_out(books), STEM)
    return tuple(books), tuple(doubts(books))
