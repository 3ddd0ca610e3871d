"""All products in the order in which they are asked whether a workbook is theirs, and the functions for Python programs.

This is the one place that chooses between products. Their declarations are read by the help pages, so their modules import
what they need in functions.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

from sheetmbs.gait.gait_product import GaitProduct
from sheetmbs.mechanism.mechanism_product import MechanismProduct
from sheetmbs.schema.cell import NO_CHANGES
from sheetmbs.suspension.suspension_product import SuspensionProduct

__all__ = ["PRODUCTS", "product_of", "read", "run", "run_cases", "run_gait", "run_suspension", "varied"]

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from os import PathLike

    from sheetmbs.gait.run_gait import run_gait
    from sheetmbs.mechanism.run_model import run
    from sheetmbs.model.model import Model
    from sheetmbs.products.product import Product
    from sheetmbs.products.varied_workbook import VariedWorkbook
    from sheetmbs.results.case_results import CaseResults
    from sheetmbs.schema.cell import Changes
    from sheetmbs.suspension.run_suspension import run_suspension
    from sheetmbs.workbook.cells.cells import Book

SUSPENSION, GAIT = SuspensionProduct(), GaitProduct()
MECHANISM = MechanismProduct(generators=(SUSPENSION,))
PRODUCTS: tuple[Product, ...] = (SUSPENSION, GAIT, MECHANISM)


HOMES = {
    "run": "sheetmbs.mechanism.run_model",
    "run_gait": "sheetmbs.gait.run_gait",
    "run_suspension": "sheetmbs.suspension.run_suspension",
}
"""functions for Python programs that are imported when they are used"""
if not TYPE_CHECKING:  # a type checker takes any name for one of a module that has this function

    def __getattr__(name: str) -> object:
        if name not in HOMES:
            raise AttributeError(f"module 'sheetmbs.all_products' has no attribute '{name}'")
        return getattr(import_module(HOMES[name]), name)


def product_of(book: Book, analysis: str | None = None) -> Product:
    """The product that recognises an open workbook. analysis: in place of the one on the sheet Settings."""
    return next(product for product in PRODUCTS if product.recognises(book, analysis))


def varied(book: Book, cases: Sequence[str] = (), analysis: str | None = None) -> VariedWorkbook:
    """An open workbook as a study varies it.

    cases: of the study, none: those of a plain run. analysis: in place of the setting. Raises WorkbookError where it cannot be
    read, or has no such case.
    """
    return product_of(book, analysis).varied(book, cases, analysis)


def read(
    path: str | PathLike[str],
    *,
    analysis: str | None = None,
    case: str | None = None,
    report_step: float | None = None,
    changes: Changes = NO_CHANGES,
) -> Model:
    """Read the model in a workbook, check it and turn it into SI.

    Parameters
    ----------
    path
        The workbook, ``.xlsx`` or ``.xlsm``. It is only read.
    analysis
        An analysis in place of the one on the sheet Settings: ``dynamic``, ``kinematic``, ``inverse dynamic``,
        ``equilibrium`` or ``modes``. Which cells must be filled in depends on it.
    case
        The case to read, in place of the setting ``case``.
    report_step
        Time between two rows of the results in s, in place of ``t_step``.
    changes
        Values of cells in place of those in the workbook, by addresses or defined names, in the unit of each cell:
        ``{"Dimensions!B3": -2, "front_spring": 65}``. Formulas that depend on them are computed again. None is empty.

    Returns
    -------
    Model
        What the workbook says; its ``warnings`` are findings that do not prevent an analysis.

    Raises
    ------
    WorkbookError
        If anything is wrong in the workbook. Its ``problems`` are all that was found, each with its cell.
    """
    from sheetmbs.workbook.cells.cells import open_book
    from sheetmbs.workbook.reading.read_workbook import with_remarks

    book = open_book(path, changes)
    return with_remarks(MECHANISM.model(book, analysis, case, report_step), book)


def run_cases(
    path: str | PathLike[str],
    *,
    analysis: str | None = None,
    report_step: float | None = None,
    changes: Changes = NO_CHANGES,
    progress: Callable[[float], None] | None = None,
) -> CaseResults:
    """Analyse every case of a workbook. A case that is wrong or cannot be analysed does not stop the others.

    Parameters
    ----------
    path
        The workbook.
    analysis
        An analysis for every case, in place of its own.
    report_step
        Time between two rows of the results of every case in s, in place of ``t_step``.
    changes
        As in `read`.
    progress
        A function that is called now and then with the fraction of all cases done, 0 to 1.

    Returns
    -------
    CaseResults
        The results by case; ``refused`` says why others could not be analysed.

    Raises
    ------
    WorkbookError
        If the workbook has no cases, or none of them can be analysed.
    """
    from time import perf_counter

    from sheetmbs.mechanism.mechanism_run import read_case_models
    from sheetmbs.mechanism.run_model import run_models
    from sheetmbs.workbook.cells.cells import open_book

    began = perf_counter()
    return run_models(read_case_models(open_book(path, changes), analysis, report_step, began), progress=progress)
