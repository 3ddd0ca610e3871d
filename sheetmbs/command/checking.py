"""Reading a workbook only to find out what is wrong in it."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

from sheetmbs.problems.listing import count
from sheetmbs.products.product import CheckedBook


def checked(path: Path, case: str | None, *, all_cases: bool) -> CheckedBook:
    """What a workbook holds, its study included, and warnings. Raises WorkbookError."""
    from sheetmbs.all_products import product_of
    from sheetmbs.schema.study_inputs import asks_for_study
    from sheetmbs.workbook.cells.cells import open_book

    book = open_book(path)
    found = product_of(book).check(book, case, all_cases=all_cases)
    if not asks_for_study(book.sheets):
        return found
    from sheetmbs import design_study

    study, more = design_study.check_study(book)
    varied, answers = count(len(study.variables), "variable"), count(len(study.responses), "response")
    content = f"{found.content}; a study by {study.method} of {varied} and {answers}"
    return replace(found, content=content, warnings=(*found.warnings, *more))
