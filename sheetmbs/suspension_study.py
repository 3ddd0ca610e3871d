"""Suspension workbooks from Python and the command line: swept, read, written out as ordinary ones."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.cell import NO_CHANGES, Changes
from sheetmbs.schema.names import fold
from sheetmbs.schema.suspension_inputs import SUSPENSION
from sheetmbs.workbook.cells.cells import Book, open_book
from sheetmbs.workbook.reading.settings_rows import analysis_setting

if TYPE_CHECKING:
    from sheetmbs.suspension.layout.car import CarData
    from sheetmbs.suspension.product import SuspensionResults

SWEPT_BOOK = (
    "a workbook of suspension sheets",
    "it is swept, and is a model only in an analysis equilibrium, dynamic or modes",
    "sweep it with sheetmbs.run_suspension, or name one of these analyses",
)
"""what is told where a model of a suspension is asked for: found, rule, mend"""


def is_kinematic_sweep_book(book: Book, analysis: str | None = None) -> bool:
    """Whether a workbook is swept as a suspension: it has that sheet, and no other analysis is asked for.

    analysis: in place of the one on the sheet Settings.
    """
    return has_suspension(book) and _asks_for_sweeps(book, analysis)


def require_model_analysis(book: Book, analysis: str | None) -> None:
    """Raise WorkbookError where a model is asked for of a suspension workbook that is swept."""
    if _asks_for_sweeps(book, analysis):
        raise WorkbookError(Problem("suspension-book", "error", SUSPENSION.name, *SWEPT_BOOK))


def has_suspension(book: Book) -> bool:
    """Whether a workbook has the sheet Suspension."""
    return any(fold(name) == fold(SUSPENSION.name) for name in book.sheets)


def _asks_for_sweeps(book: Book, analysis: str | None) -> bool:
    return fold(analysis_setting(book) if analysis is None else analysis) in ("", "suspension")


def read_suspension_book(path: str | PathLike[str]) -> tuple[CarData, Sequence[Problem]]:
    """The car of a suspension workbook, and warnings. Raises WorkbookError with every problem found, each with its cell."""
    from sheetmbs.suspension import product

    read = product.read_suspension(open_book(path))
    return read.car, read.warnings


def run_suspension(path: str | PathLike[str], *, changes: Changes = NO_CHANGES) -> SuspensionResults:
    """Sweep a suspension workbook with all its designs and load cases, as `sheetmbs run` does.

    Parameters
    ----------
    path
        The workbook, with a sheet Suspension. It is only read.
    changes
        Values that cells have in place of those in the workbook, as in `sheetmbs.read`.

    Returns
    -------
    SuspensionResults
        A table for each sweep (``table(name)``), all designs (``designs``), and ``save`` to write the sheets.

    Raises
    ------
    WorkbookError
        If anything is wrong in the workbook. Its ``problems`` are all that was found, each with its cell.
    """
    from sheetmbs.suspension import product

    return product.run_suspension(path, changes=changes)


def run_suspension_for_results(
    book: Path,
    output: Path | None,
    compare: Path | None = None,
    *,
    sensitivity: bool = False,
    changes: Changes = NO_CHANGES,
) -> tuple[SuspensionResults, Problem | None]:
    """Pose a suspension through its sweeps, after finding out whether the results can be written.

    output: a copy to write instead of ``book``, or None. compare: another workbook that is one more design.
    sensitivity: also find how metrics change with hardpoints. changes: cells with other values. With the results
    comes what sends them elsewhere, if anything does. Raises WorkbookError.
    """
    from sheetmbs.suspension import product
    from sheetmbs.workbook.writing.write import check_writable

    is_open = check_writable(book, output)
    return product.run_suspension(book, compare, sensitivity=sensitivity, changes=changes), is_open


def expand(book: Path, out: Path) -> None:
    """Write a suspension workbook out as an ordinary one; a file that is there already is never overwritten.

    Raises WorkbookError.
    """
    from sheetmbs.suspension.written_out import write_out

    write_out(book, out)
