"""Reading a workbook: the one way from a file to a model."""

from __future__ import annotations

from dataclasses import replace
from os import PathLike

from sheetmbs.model.model import Model
from sheetmbs.workbook.cells.cells import Book, open_book
from sheetmbs.workbook.reading.build_model import build_model


def read_model(
    path: str | PathLike[str], analysis: str | None = None, case: str | None = None, report_step: float | None = None
) -> Model:
    """The model in a workbook, checked and in SI.

    analysis: what is to be analysed, in place of the setting; what must be filled in depends on it. case: the case to read,
    in place of the setting ``case``. report_step: time between rows, s, in place of ``t_step``.
    Raises WorkbookError with every error, and the warnings among them, in the order of the workbook. The warnings of a
    sound workbook are `Model.warnings`.
    """
    return build_model(open_book(path), analysis, case, report_step)


def with_remarks(model: Model, book: Book) -> Model:
    """A model that tells what became of the workbook while it was read. To be called when all of it was read."""
    return replace(model, warnings=(*book.log.notes(), *model.warnings), remarks=book.log.items)
