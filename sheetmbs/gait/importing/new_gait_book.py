"""A new workbook for trials of gait: from a template, or with what every one must have."""

from __future__ import annotations

from pathlib import Path

from sheetmbs.schema.filled import FilledSheet, NewBook
from sheetmbs.schema.names import fold
from sheetmbs.workbook.package.create import create_book
from sheetmbs.workbook.writing.new_workbook import laid_out
from sheetmbs.workbook.writing.templates import list_templates, new_book

USUAL = "gait-2d"
"""the template of a new workbook that no other is named for"""


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
