"""Subjects put together: whether results of several workbooks may stand side by side, and the new workbook with all of them."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import combinations
from pathlib import Path

import numpy as np

from sheetmbs.gait.collecting.run_books import HEADS, RunBook, read_run_books
from sheetmbs.gait.sheets.course_problems import ITEM, sides_told
from sheetmbs.gait.trial.gait_book import SIDES
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.units import UnitError, parse_unit
from sheetmbs.workbook.package.replace import create_book
from sheetmbs.workbook.writing.subjects_book import CurveSheet, Group, LongList, subjects_book

STEM = "subjects"
OF_RECORDINGS = re.compile(r" \([^()]* a pass\)|\d+ (?=of the file|given)")
"""what follows from a method and from recordings, which may differ: from their rates, and from their numbers of events"""
METHODS = ("filter", "kinematics", "anthropometry", "gravity", "events")
"""items in words that should be the same where numbers are compared"""
MAX_NAMED_COLUMNS = 3
"""columns that one sentence names"""
SUBJECT_UNITS = {"mass": "kg", "height": "m", "speed": "m/s", "sex": "", "date": ""}
"""settings and the units of those that are numbers"""


def collect(paths: Sequence[Path], out: Path) -> tuple[tuple[RunBook, ...], tuple[Problem, ...]]:
    """Write the results of workbooks into a new one; a file that is there already is never overwritten.

    Returns the books and warnings. Raises WorkbookError with every problem of every book; nothing is written then.
    """
    books, problems = read_run_books(paths)
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
    """Units by name: of result columns, and of items that stand in one row of the summary only."""
    keys = [(each.item, each.side, each.joint) for each in book.items]
    items = {" ".join(filter(None, key)): each.unit for key, each in zip(keys, book.items, strict=True)}
    once = {" ".join(filter(None, key)) for key in keys if keys.count(key) == 1}
    return {**book.units, **{name: unit for name, unit in items.items() if name in once}}


def _refusal(code: str, found: str, problem: str, mend: str, book: RunBook) -> Problem:
    return Problem(code, "error", str(book.path), found, problem, mend)


def doubts(books: Sequence[RunBook]) -> Iterator[Problem]:
    """What is put together all the same, but may not be meant."""
    for item in METHODS:
        said = {book.path: OF_RECORDINGS.sub("", book.words.get(item, "")) for book in books}
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


def laid_out(books: Sequence[RunBook]) -> bytes:
    """The file of the new workbook."""
    return subjects_book(_items(books), _subjects(books), books[0].percent, quantities(books))


def _items(books: Sequence[RunBook]) -> LongList:
    """All items of all books, one a row."""
    rows = (
        (book.path.name, book.id, book.condition, *(getattr(each, head) for head in HEADS))
        for book in books
        for each in book.items
    )
    return LongList("items", ("book", "id", "condition", *HEADS), tuple(rows))


def _subjects(books: Sequence[RunBook]) -> LongList:
    """The books with what they say of their subject, and how they were processed."""
    said = tuple(dict.fromkeys(item for book in books for item in book.words))
    rows = (
        (
            book.path.name,
            book.id,
            book.condition,
            *(_of_subject(book, name, unit) for name, unit in SUBJECT_UNITS.items()),
            *(book.words.get(item, "") for item in said),
        )
        for book in books
    )
    heads = (f"{name} [{unit}]" if unit else name for name, unit in SUBJECT_UNITS.items())
    return LongList("subjects", ("book", "id", "condition", *heads, *said), tuple(rows))


def _of_subject(book: RunBook, name: str, unit: str) -> str | float:
    """What stands beside a setting; one with a unit in SI, to be computed with."""
    said = book.subject.get(name, "")
    number, _, given = said.partition(" ")
    try:
        return float(number) * parse_unit(given).size if unit and given else float(number) if unit else said
    except (ValueError, UnitError):
        return said


def quantities(books: Sequence[RunBook]) -> list[CurveSheet]:
    """Each quantity without its side, as ``knee angle``: its groups and its unit."""
    names = _names(books)
    conditions = list(dict.fromkeys(book.condition for book in books))
    by_title: dict[str, list[str]] = {}
    for column in dict.fromkeys(name for book in books for name in book.means):
        by_title.setdefault(_without_side(column)[1].replace(".", " "), []).append(column)
    found = []
    for title, columns in by_title.items():
        groups = []
        for column in sorted(columns, key=lambda each: SIDES.index(_without_side(each)[0]) if _has_side(each) else 2):
            for condition in conditions:
                own = [book for book in books if book.condition == condition and column in book.means]
                if own:
                    label = f"{column} {condition}".strip() if len(conditions) > 1 else column
                    curves = np.array([book.means[column] for book in own])
                    of = tuple(names[str(book.path)] for book in own)
                    groups.append(Group(_without_side(column)[0], label, condition, of, curves))
        unit = next(book.units[column] for column in columns for book in books if column in book.units)
        found.append(CurveSheet(title, unit, tuple(groups)))
    return found


def _names(books: Sequence[RunBook]) -> dict[str, str]:
    """What each book is called in headers: its subject, or itself where two are of the same."""
    keys = [(book.id, book.condition) for book in books]
    stems = [book.path.stem for book in books]
    found = {}
    for book, key in zip(books, keys, strict=True):
        stem = book.path.stem if stems.count(book.path.stem) == 1 else str(book.path)
        found[str(book.path)] = book.id if keys.count(key) == 1 else stem
    return found


def _has_side(column: str) -> bool:
    return column.split(" ", maxsplit=1)[0] in SIDES


def _without_side(column: str) -> tuple[str, str]:
    side, _blank, rest = column.partition(" ")
    return (side, rest) if side in SIDES else ("", column)
