"""A new workbook for trials of gait: from a template, or with what every one must have."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from sheetmbs.schema.filled import FilledSheet, NewBook
from sheetmbs.schema.gait_inputs import FORCE_PLATES, MARKERS, SUBJECT
from sheetmbs.schema.names import fold
from sheetmbs.workbook.cells.cells import Book
from sheetmbs.workbook.package.create import create_book
from sheetmbs.workbook.sheets.inputsheet import list_sheet
from sheetmbs.workbook.sheets.newsheet import NewSheet
from sheetmbs.workbook.writing.fill_cells import Filling
from sheetmbs.workbook.writing.new_workbook import laid_out
from sheetmbs.workbook.writing.templates import list_templates, new_book

USUAL = "gait-2d"
"""the template of a new workbook that no other is named for"""

OF_THE_WALKER = ("mass", "height", "id")
"""what a template says of the subject whose walk it shows"""


@dataclass(frozen=True)
class ShownTrial:
    """What goes when a trial comes into a new workbook: the template's own walk, and who walked there."""

    emptied: Sequence[NewSheet]
    cleared: Mapping[str, Filling]


def shown_trial(book: Book) -> ShownTrial:
    """The walk that a template shows, in a workbook that was made from it just now."""
    emptied = [
        list_sheet(name, ("time",), (), ())
        for name in book.sheets
        if fold(name) in (fold(MARKERS.name), fold(FORCE_PLATES.name))
    ]
    subject = next((cells for name, cells in book.sheets.items() if fold(name) == fold(SUBJECT.name)), None)
    if subject is None or not emptied:
        return ShownTrial(emptied, {})
    rows = [row for row, cells in subject.rows.items() if 1 in cells and fold(str(cells[1].value)) in OF_THE_WALKER]
    return ShownTrial(emptied, {subject.name: {(row, 2): "" for row in rows}})


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
