"""Subjects put together: the results of several workbooks in a new one, and whether they may stand side by side."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np

from sheetmbs.gait.collecting.collected_book import laid_out
from sheetmbs.gait.collecting.run_books import RunBook, read_run_book
from sheetmbs.gait.sheets.course_problems import ITEM, sides_told
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.gait_inputs import SIDES
from sheetmbs.workbook.package.replace import create_book

STEM = "subjects"
METHODS = ("filter", "kinematics", "anthropometry", "gravity", "events")
"""items in words that should be the same where numbers are compared"""
MAX_NAMED_COLUMNS = 3
"""columns that one sentence names"""


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


def disagreements(books: Sequence[RunBook]) -> Iterator[Problem]:
    """Units, signs and points of each book against the first: what differs cannot be put together."""
    first = books[0]
    paths = [book.path.resolve() for book in books]
    for number, book in enumerate(books):
        if paths[number] in paths[:number]:
            yield _refusal(
                "book-twice", f"{book.path} is named twice", "each subject counts once", "name it once", book
            )
        if not np.array_equal(book.percent, first.percent):
            found = f"{book.path} has {len(book.percent)} points in a stride, {first.path} has {len(first.percent)}"
            problem = "means across subjects are taken point by point"
            yield _refusal("other-points", found, problem, "write the same points on Processing, and run again", book)
    yield from _units(books)


def _units(books: Sequence[RunBook]) -> Iterator[Problem]:
    """The unit of each quantity against that of the first book that has it."""
    known: dict[str, tuple[RunBook, str]] = {}
    for book in books:
        differing: dict[str, list[str]] = {}
        for name, unit in _shown_units(book).items():
            other, its_unit = known.setdefault(name, (book, unit))
            if unit != its_unit:
                differing.setdefault(str(other.path), []).append(f"{name} in {unit!r}, there {its_unit!r}")
        for path, columns in differing.items():
            more = f" and {len(columns) - MAX_NAMED_COLUMNS} more" if len(columns) > MAX_NAMED_COLUMNS else ""
            found = f"{book.path} has {'; '.join(columns[:MAX_NAMED_COLUMNS])}{more} ({path})"
            problem = "units and signs must be the same"
            mend = "write the same moment, units and signs on Processing of both, and run again"
            yield _refusal("other-units", found, problem, mend, book)


def _shown_units(book: RunBook) -> dict[str, str]:
    """Of columns, and of items that only one row of the summary has."""
    keys = [(each.item, each.side, each.joint) for each in book.items]
    items = {" ".join(filter(None, key)): each.unit for key, each in zip(keys, book.items, strict=True)}
    once = {" ".join(filter(None, key)) for key in keys if keys.count(key) == 1}
    return {**book.units, **{name: unit for name, unit in items.items() if name in once}}


def _refusal(code: str, found: str, problem: str, mend: str, book: RunBook) -> Problem:
    return Problem(code, "error", str(book.path), found, problem, mend)


def doubts(books: Sequence[RunBook]) -> Iterator[Problem]:
    """What is put together all the same, but may not be meant."""
    for item in METHODS:
        said = {book.path: book.words.get(item, "") for book in books}
        first = books[0]
        other = next((book for book in books if said[book.path] != said[first.path]), None)
        if other is not None:
            found = f"{item}: {said[first.path]} ({first.path}), {said[other.path] or 'nothing'} ({other.path})"
            problem = "subjects that were processed differently differ for that reason too"
            yield Problem("other-method", "warning", "", found, problem, "write the same on Processing, and run again")
    yield from _estimated(books)
    for one, two in combinations(books, 2):
        if (one.id, one.condition) == (two.id, two.condition):
            of = f" in condition {one.condition}" if one.condition else ""
            found = f"{one.path} and {two.path} are both of {one.id}{of}"
            problem = "means across subjects count that subject twice"
            yield Problem("subject-twice", "warning", "", found, problem, "put its trials into one workbook")


def _estimated(books: Sequence[RunBook]) -> Iterator[Problem]:
    """A warning for each side whose means are of estimated strides in some books and of measured ones in others."""
    for side in SIDES:
        those = [str(book.path) for book in books if side in sides_told(book.words.get(ITEM, ""))]
        if those and len(those) < len(books):
            found = f"{', '.join(those)}: every {side} stride begins or ends with an estimated strike"
            problem = "its means are shifted by up to 61 ms against those of measured strides, beside which they stand"
            mend = "give its heel strikes on a sheet Events and run again, or leave it out"
            yield Problem("estimated-strides", "warning", "", found, problem, mend)
