"""Gait workbooks from Python and the command line: solved, checked, filled from files of laboratories."""

from __future__ import annotations

from collections.abc import Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING

from sheetmbs.problems.errors import Problem
from sheetmbs.schema.cell import NO_CHANGES, Changes
from sheetmbs.schema.names import fold
from sheetmbs.workbook.cells.cells import Book
from sheetmbs.workbook.reading.settings_rows import analysis_setting

if TYPE_CHECKING:
    from sheetmbs.gait.collecting.run_books import RunBook
    from sheetmbs.gait.gait_product import GaitResults
    from sheetmbs.gait.importing.import_trial import ImportedTrial

ANALYSIS = "gait"
SHEETS = ("subject", "markers")
"""folded beginnings of the sheets that every gait workbook has; what they hold is declared where it is needed"""


def is_gait(book: Book, analysis: str | None = None) -> bool:
    """Whether a workbook holds gait: its analysis is that, or it names none and has sheets Subject and Markers.

    analysis: in place of the one on the sheet Settings.
    """
    asked = fold(analysis_setting(book) if analysis is None else analysis)
    names = [fold(name) for name in book.sheets]
    has_sheets = all(any(name.startswith(sheet) for name in names) for sheet in SHEETS)
    return asked == ANALYSIS or (not asked and has_sheets)


def run_gait(path: str | PathLike[str], *, changes: Changes = NO_CHANGES) -> GaitResults:
    """Solve all trials of a gait workbook, as `sheetmbs run` does.

    Parameters
    ----------
    path
        The workbook, with sheets Subject, Markers and Segments. It is only read.
    changes
        Values that cells have in place of those in the workbook, as in `sheetmbs.read`.

    Returns
    -------
    GaitResults
        Courses of every trial, strides, the items of the summary, and ``save`` to write the sheets.

    Raises
    ------
    WorkbookError
        If anything is wrong in the workbook. Its ``problems`` are all that was found, each with its cell.
    """
    from sheetmbs.gait import gait_product

    return gait_product.run_gait(path, changes)


def check_gait(path: str | PathLike[str]) -> tuple[str, Sequence[Problem]]:
    """What is walked and recorded, in words, and warnings. Raises WorkbookError with every problem, each with its cell."""
    from sheetmbs.gait import gait_product

    return gait_product.check_gait(path)


def run_gait_for_results(
    book: Path, output: Path | None, model: Path | None = None, changes: Changes = NO_CHANGES
) -> tuple[GaitResults, Problem | None]:
    """Solve a gait workbook, after finding out whether the results can be written.

    output: a copy to write instead of ``book``, or None. model: a new workbook to write the solved model into. changes:
    cells with other values. With the results comes what sends them elsewhere, if anything does. Raises WorkbookError.
    """
    from sheetmbs.gait import gait_product
    from sheetmbs.workbook.writing.write import check_writable

    is_open = check_writable(book, output)
    results = gait_product.run_gait(book, changes)
    if model is not None:
        from sheetmbs.gait.written_model import write_model

        write_model(results.solved, model)
    return results, is_open


def import_gait(
    files: Sequence[Path],
    book: Path,
    trial: str | None = None,
    template: str | None = None,
    subject: str | None = None,
    *,
    replace: bool = False,
) -> ImportedTrial:
    """Put the files of one trial of gait onto sheets of a workbook, or of a new one; nothing else in it changes.

    trial: its name; None: after the first file. template: of a new workbook. subject: whose markers, where files hold those
    of several. replace: write sheets anew that an earlier import has written. Returns what was found. Raises WorkbookError with
    every slip, each with its line, or where the workbook cannot be written.
    """
    from sheetmbs.gait.importing.import_trial import import_trial

    return import_trial(files, book, trial, template, subject, replace=replace)


def collect_gait(books: Sequence[Path], out: Path) -> tuple[tuple[RunBook, ...], tuple[Problem, ...]]:
    """Put the results of gait workbooks that were run into a new one. Returns them, and warnings.

    Raises WorkbookError with every book that has no results of its present inputs, or other units, signs or points than
    the first, and where ``out`` is there already.
    """
    from sheetmbs.gait.collecting.collected_subjects import collect

    return collect(books, out)
