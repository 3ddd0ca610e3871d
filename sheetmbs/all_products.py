"""All products in the order in which they are asked whether a workbook is theirs, and the functions for Python programs.

This is the one place that chooses between products. Their declarations are read by the help pages, so their modules import
what they need in functions.
"""

from __future__ import annotations

from importlib import import_module
from os import PathLike
from typing import TYPE_CHECKING, cast, overload

from sheetmbs.gait.gait_product import GaitProduct
from sheetmbs.mechanism.mechanism_product import MechanismProduct
from sheetmbs.products.product import PreparedRun, RunRequest
from sheetmbs.schema.cell import NO_CHANGES
from sheetmbs.suspension.suspension_product import SuspensionProduct
from sheetmbs.suspension.tyre_product import TyreProduct

__all__ = ["PRODUCTS", "product_of", "read", "run", "run_cases", "run_gait", "run_suspension", "varied"]

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from sheetmbs.gait.gait_results import GaitResults
    from sheetmbs.gait.run_gait import run_gait
    from sheetmbs.model.model import Model
    from sheetmbs.products.product import Product
    from sheetmbs.products.varied_workbook import VariedWorkbook
    from sheetmbs.results.case_results import CaseResults
    from sheetmbs.results.results import Results
    from sheetmbs.schema.cell import Changes
    from sheetmbs.suspension.run_suspension import run_suspension
    from sheetmbs.suspension.suspension_results import SuspensionResults
    from sheetmbs.workbook.cells.cells import Book

SUSPENSION, GAIT = SuspensionProduct(), GaitProduct()
MECHANISM = MechanismProduct(generators=(SUSPENSION,))
PRODUCTS: tuple[Product, ...] = (SUSPENSION, GAIT, TyreProduct(), MECHANISM)


HOMES = {
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
    """Read a workbook of any kind and check it.

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
    Model, SuspensionWorkbook or GaitWorkbook
        What the workbook says, in SI, to be given to `run`; its ``warnings`` are findings that do not prevent a run. Type
        checkers see a `Model`, which it mostly is; for the others there are `run_suspension` and `run_gait`.

    Raises
    ------
    WorkbookError
        If anything is wrong in the workbook. Its ``problems`` are all that was found, each with its cell.
    """
    return cast("Model", _read(path, analysis, case, report_step, changes))


def _read(
    path: str | PathLike[str], analysis: str | None, case: str | None, report_step: float | None, changes: Changes
) -> Model | PreparedRun:
    """What `read` returns."""
    from sheetmbs.workbook.cells.cells import open_book
    from sheetmbs.workbook.reading.read_workbook import with_remarks

    book = open_book(path, changes)
    product = product_of(book, analysis)
    if product is MECHANISM:
        return with_remarks(MECHANISM.model(book, analysis, case, report_step), book)
    return product.prepare(book, RunRequest(analysis, case, report_step=report_step))


@overload
def run(
    workbook: Model,
    *,
    analysis: str | None = None,
    progress: Callable[[float], None] | None = None,
    since: float | None = None,
) -> Results: ...
@overload
def run(
    workbook: str | PathLike[str] | PreparedRun,
    *,
    analysis: str | None = None,
    case: str | None = None,
    changes: Changes = NO_CHANGES,
    progress: Callable[[float], None] | None = None,
    since: float | None = None,
) -> Results | SuspensionResults | GaitResults: ...
def run(
    workbook: Model | str | PathLike[str] | PreparedRun,
    *,
    analysis: str | None = None,
    case: str | None = None,
    changes: Changes = NO_CHANGES,
    progress: Callable[[float], None] | None = None,
    since: float | None = None,
) -> Results | SuspensionResults | GaitResults:
    """Analyse a workbook of any kind, or what `read` returned.

    Parameters
    ----------
    workbook
        The path of a workbook, which is only read; a `Model`, or a changed copy of one; or what `read` returned for another
        kind of workbook.
    analysis
        An analysis in place of the one in the workbook or model.
    case
        The case to run, in place of the setting ``case``. Only for a path.
    changes
        Values of cells, as in `read`. Only for a path.
    progress
        A function that is called now and then with the fraction done, 0 to 1.
    since
        The value of `time.perf_counter()` when reading the workbook began. The summary counts read time and wall time from
        then on.

    Returns
    -------
    Results, SuspensionResults or GaitResults
        The results. If the analysis of a model fails on its way, their ``status`` is ``failed`` and they hold what was
        computed until then.

    Raises
    ------
    WorkbookError
        If the workbook is wrong or cannot be analysed.
    TypeError
        If ``case`` or ``changes`` are given for what was read already.
    """
    from time import perf_counter

    from sheetmbs.mechanism.run_model import run_model
    from sheetmbs.workbook.cells.cells import open_book

    if isinstance(workbook, str | PathLike):
        request = RunRequest(analysis, case, since=perf_counter() if since is None else since)
        book = open_book(workbook, changes)
        prepared = product_of(book, analysis).prepare(book, request)
        return cast("Results | SuspensionResults | GaitResults", prepared.solve(progress).results)
    if case is not None or changes:
        raise TypeError("case and changes are for a path: give them to sheetmbs.read")
    if isinstance(workbook, PreparedRun):
        return cast("SuspensionResults | GaitResults", workbook.solve(progress).results)
    return run_model(workbook, analysis=analysis, progress=progress, since=since)


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
    book = open_book(path, changes)
    models = read_case_models(book, analysis, report_step, began)
    return run_models(models, progress=progress, measured=MECHANISM.measured(book))
