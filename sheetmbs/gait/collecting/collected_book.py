"""Results of several subjects laid out: all items in long form, and each quantity side by side."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sheetmbs.gait.collecting.run_books import HEADS, RunBook
from sheetmbs.gait.trial.gait_book import SIDES
from sheetmbs.schema.units import UnitError, parse_unit
from sheetmbs.workbook.writing.subjects_book import CurveSheet, Group, LongList, subjects_book

OF_SUBJECTS = {"mass": "kg", "height": "m", "speed": "m/s", "sex": "", "date": ""}
"""settings and the units of those that are numbers"""


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
            *(_of_subject(book, name, unit) for name, unit in OF_SUBJECTS.items()),
            *(book.words.get(item, "") for item in said),
        )
        for book in books
    )
    heads = (f"{name} [{unit}]" if unit else name for name, unit in OF_SUBJECTS.items())
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
