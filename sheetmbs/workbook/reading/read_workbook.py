"""Reading a workbook: the one way from a file to a model."""

from __future__ import annotations

from dataclasses import replace
from os import PathLike

from sheetmbs.model.model import Model
from sheetmbs.problems.errors import Problem
from sheetmbs.schema.cell import NO_CHANGES, Changes
from sheetmbs.workbook.cells.cells import Book, open_book
from sheetmbs.workbook.reading.build_model import CaseModels, build_all_cases, build_each_case, build_model, list_cases
from sheetmbs.workbook.reading.cases import ListedCase


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


def read_all_cases(path: str | PathLike[str]) -> tuple[dict[str, Model], list[Problem]]:
    """The model of every case by its name, and the warnings of all. Raises WorkbookError with the problems of all."""
    return build_all_cases(open_book(path))


def read_each_case(
    path: str | PathLike[str],
    analysis: str | None = None,
    report_step: float | None = None,
    changes: Changes = NO_CHANGES,
) -> CaseModels:
    """The models of all cases that can be read. Raises WorkbookError where there are no cases."""
    book = open_book(path, changes)
    found = build_each_case(book, analysis, report_step)
    return replace(found, models={name: with_remarks(model, book) for name, model in found.models.items()})


def with_remarks(model: Model, book: Book) -> Model:
    """A model that tells what became of the workbook while it was read. To be called when all of it was read."""
    return replace(model, warnings=(*book.log.notes(), *model.warnings), remarks=book.log.items)


def read_cases(path: str | PathLike[str]) -> list[ListedCase]:
    """The cases of a workbook, each with its analysis. Raises WorkbookError where the file cannot be read."""
    return list_cases(open_book(path))
