"""A new workbook for trials of gait: from a template, or with what every one must have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.schema.filled import FilledSheet, NewBook
from sheetmbs.schema.gait_anthropometry import ANTHROPOMETRY, SIDED
from sheetmbs.schema.gait_inputs import FORCE_PLATES, MARKERS, SUBJECT
from sheetmbs.schema.names import fold
from sheetmbs.workbook.cells.cells import Book, CellKind, CellSheet, open_book
from sheetmbs.workbook.package.replace import create_book
from sheetmbs.workbook.sheets.newsheet import NewSheet, list_sheet
from sheetmbs.workbook.writing.add_inputs import Filling
from sheetmbs.workbook.writing.new_workbook import laid_out, list_templates, new_book, template_files

GAIT = "gait-"
"""begins the names of templates of gait"""
USUAL = "gait-2d"
"""the template of a new workbook that no other is named for"""

OF_THE_WALKER = ("mass", "height", "id")
"""what a template says of the subject whose walk it shows"""


@dataclass(frozen=True)
class ShownTrial:
    """What goes when a trial comes into a new workbook: the template's own walk, and who walked there."""

    emptied: Sequence[NewSheet]
    cleared: Mapping[str, Filling]


def _template_shown(book: Book) -> Book | None:
    """The template of gait whose walk the sheet Markers still holds, number for number."""
    numbers = _numbers_of_markers(book)
    shown = (open_book(path) for name, path in sorted(template_files().items()) if name.startswith(GAIT))
    return next((each for each in shown if len(numbers) and np.array_equal(numbers, _numbers_of_markers(each))), None)


def _numbers_of_markers(book: Book) -> Vector:
    cells = book.find_sheet(MARKERS.name)
    return np.zeros(0) if cells is None else cells.rows.numbers.values


def shown_trial(book: Book) -> ShownTrial:
    """The walk that a template shows, where it still stands in a workbook made from it."""
    template = _template_shown(book)
    if template is None:
        return ShownTrial((), {})
    emptied = [
        list_sheet(name, ("time",), (), ())
        for name in book.sheets
        if name in template.sheets and fold(name).startswith((fold(MARKERS.name), fold(FORCE_PLATES.name)))
    ]
    cleared: dict[str, Filling] = {}
    given, shown = book.find_sheet(SUBJECT.name), template.find_sheet(SUBJECT.name)
    if given is not None and shown is not None:
        of_walker = _values(shown)
        cleared[given.name] = {
            (row, 2): "" for row, (name, value) in _rows(given).items() if of_walker.get(name) == value
        }
    given, shown = book.find_sheet(ANTHROPOMETRY.name), template.find_sheet(ANTHROPOMETRY.name)
    if given is not None and shown is not None:
        sizes = _sizes(shown)
        cleared[given.name] = {place: "" for place, size in _sizes(given).items() if sizes.get(place) == size}
    return ShownTrial(emptied, {name: cells for name, cells in cleared.items() if cells})


def _sizes(sheet: CellSheet) -> dict[tuple[int, int], object]:
    """What the sheet Anthropometry says of legs, by row and column."""
    return {
        (row, column): cell.value
        for row, cells in sheet.rows.items()
        if 1 in cells and fold(str(cells[1].value)) in SIDED
        for column, cell in cells.items()
        if cell.kind is CellKind.NUMBER
    }


def _rows(sheet: CellSheet) -> dict[int, tuple[str, object]]:
    """The settings that tell of the walker, with their values, by row."""
    named = {
        row: (fold(str(cells[1].value)), cells[2].value) for row, cells in sheet.rows.items() if {1, 2} <= set(cells)
    }
    return {row: each for row, each in named.items() if each[0] in OF_THE_WALKER}


def _values(sheet: CellSheet) -> dict[str, object]:
    return dict(_rows(sheet).values())


def make_gait_book(book: Path, template: str | None) -> None:
    """Make a workbook; an existing one is never overwritten. Raises WorkbookError."""
    if template is not None or any(fold(each.name) == fold(USUAL) for each in list_templates()):
        new_book(template or USUAL, book)
    else:
        create_book(book, laid_out(_plain(book)), book.stem)


def _plain(book: Path) -> NewBook:
    """A workbook with the settings that every one must have."""
    settings = FilledSheet(
        "Settings", ("setting", "value"), (("title", book.stem), ("dimension", "2D"), ("analysis", "gait"))
    )
    subject = FilledSheet(
        "Subject", ("setting", "value", "unit"), (("mass", None, "kg"), ("height", None, "m"), ("id", None, None))
    )
    readme = ("Next", (f"Fill in the mass on the sheet Subject, then: sheetmbs run {book.name}",))
    return NewBook(book.stem, "Trials of gait from files of a laboratory.", (readme,), (settings, subject))
