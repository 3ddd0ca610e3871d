"""A workbook on a page: analysed, with variants of its study beside it."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from os import PathLike
from typing import TYPE_CHECKING

from sheetmbs.all_products import product_of
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.products.product import ProductRun, RunRequest, part_of
from sheetmbs.schema.names import did_you_mean
from sheetmbs.studies.read_study_rows import ComparisonVariants, read_variants
from sheetmbs.viewing.workbook_page import WorkbookPage
from sheetmbs.workbook.cells.cells import Book, open_book
from sheetmbs.workbook.reading.read_workbook import list_cases
from sheetmbs.workbook.sheets.sheet_contents import STUDY

if TYPE_CHECKING:
    from sheetmbs.viewing.packed import Json

Progress = Callable[[float], None]


def view(
    book: str | PathLike[str], *, case: str | None = None, variants: str | None = None, progress: Progress | None = None
) -> WorkbookPage:
    """Analyse whatever a workbook holds, and make of it what a page shows. It is only read.

    Parameters
    ----------
    book
        The workbook.
    case
        One of its cases, sweeps or trials; default: all of them.
    variants
        Numbers of variants of its study that are drawn beside it, such as ``"3; 17-20"``, or ``"none"``. Default: the best
        one, or some of the Pareto front, or some of all where the study marks none; without a study none.
    progress
        A function that is called now and then with the fraction done, 0 to 1.

    Returns
    -------
    WorkbookPage
        The document of the page, and ``write`` to make it one file.

    Raises
    ------
    WorkbookError
        If the workbook cannot be analysed, or has no such case or variants.
    """
    opened = open_book(book)
    beside, doubts = _read_variants(opened, variants)
    parts = 1 + (len(beside.rows) if beside else 0)
    shown = page_of(solved(opened, case, all_cases=case is None, progress=part_of(progress, 0, parts)), case)
    if beside is not None:
        others: dict[str, Json] = {}
        for number, (row, cells) in enumerate(zip(beside.rows, beside.cells, strict=True), start=1):
            told = part_of(progress, number, parts)
            try:
                changed = open_book(book, cells, content=opened.content)
                varied = page_of(solved(changed, case, all_cases=case is None, progress=told), case)
                others[row.title] = varied.document
            except WorkbookError as error:
                doubts.append(_not_drawn(row.title, error))
        shown = shown.beside(others, _values(beside, others))
    return shown.doubted(doubts)


def solved(
    book: Book, case: str | None = None, *, all_cases: bool = False, progress: Progress | None = None
) -> ProductRun:
    """Solve whatever a workbook holds. It is only read.

    case: one of its cases, sweeps or trials, None: the one that it names. all_cases: all of them, if it has any. progress: a
    function that is called now and then with the fraction done, 0 to 1. Raises WorkbookError.
    """
    product = product_of(book)
    has_cases = "--case" in product.run_options
    names = list_cases(book) if all_cases and has_cases else []
    request = RunRequest(case=case if has_cases else None, all_cases=bool(names))
    return product.prepare(book, request).solve(progress)


def page_of(run: ProductRun, case: str | None) -> WorkbookPage:
    """What a page shows of a run. Raises WorkbookError where there is no such sweep or trial."""
    document = run.document(case)
    if case is not None and not document["cases"]:
        names = [each["name"] for each in run.document(None)["cases"] if each["name"]]
        mend = did_you_mean(case, names, f"name one of {', '.join(names)}" if names else "name none")
        rule = "there is no sweep or trial of that name"
        raise WorkbookError(Problem("unknown-case", "error", "", f"the case '{case}'", rule, mend))
    return WorkbookPage(document, run.status, run.problems)


def _read_variants(book: Book, asked: str | None) -> tuple[ComparisonVariants | None, list[Problem]]:
    """Variants, and why there are none: where nobody asked for them, a study that cannot be read costs no page."""
    try:
        return read_variants(book, asked), []
    except WorkbookError as error:
        if asked is not None:
            raise
        return None, [_not_drawn("the study", error)]


def _not_drawn(what: str, error: WorkbookError) -> Problem:
    first = error.problems[0]
    why = ": ".join(filter(None, (first.found, first.problem)))
    return Problem("not-beside", "warning", first.cell or STUDY, f"{what} is not drawn", why, first.mend)


def _values(beside: ComparisonVariants, drawn: Mapping[str, Json]) -> Json:
    """The table of what differs between variants that are drawn."""
    rows = [beside.as_it_is, *(row for row in beside.rows if row.title in drawn)]
    values = [{**row.values, **row.responses} for row in rows]
    return {
        "title": "Variants",
        "unit": "",
        "heads": [rows[0].name, *(f"{row.number} {row.mark}".strip() for row in rows[1:])],
        "names": [f"{name} [{unit}]" if unit else name for name, unit in beside.units.items()],
        "values": [[each[name] for each in values] for name in beside.units],
    }
