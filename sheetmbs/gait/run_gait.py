"""A gait workbook from its sheets to its results: read, prepared, solved, shown."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from os import PathLike
from pathlib import Path
from time import perf_counter

from sheetmbs.compiled import library
from sheetmbs.gait.gait_results import GaitResults, in_words, prepared_gait, results_of
from sheetmbs.gait.solved_gait import solve_gait
from sheetmbs.measured.with_measured import in_words as measured_words
from sheetmbs.problems.errors import Problem
from sheetmbs.products.product import SUCCESS, Json, PreparedRun, Progress, RunReport, RunRequest, SheetsRun
from sheetmbs.schema.cell import NO_CHANGES, Changes
from sheetmbs.workbook.cells.cells import Book, open_book
from sheetmbs.workbook.sheets.sheet_contents import run_times


class GaitWorkbook(PreparedRun):
    """The trials of a workbook, read for a run. Raises WorkbookError with every problem, each with its cell."""

    def __init__(self, book: Book, request: RunRequest) -> None:
        self._book = book
        self._began = perf_counter() if request.since is None else request.since
        self._model_file = request.options.get("model")
        self._prepared = prepared_gait(book)

    def __repr__(self) -> str:
        """The trials, in a few words."""
        return f"<GaitWorkbook {self._book.path.stem}: {in_words(self._prepared)}>"

    @property
    def warnings(self) -> Sequence[Problem]:
        """Findings in the recordings that do not prevent the run."""
        return self._prepared.problems

    def solve(self, progress: Progress | None = None) -> GaitRun:  # noqa: ARG002 - it takes less than a second
        """Solve all trials. The solved model is written where the option asks for it. Raises WorkbookError."""
        library.load()
        compiling = library.compile_seconds(self._began)
        was_read = perf_counter()
        solved = solve_gait(self._prepared)
        times = partial(run_times, self._began, was_read, perf_counter(), compiling)
        results = results_of(self._book, solved, times)
        if self._model_file is not None:
            from sheetmbs.gait.written_model import write_model

            write_model(solved, self._model_file)
        return GaitRun(results, self._model_file)


@dataclass
class GaitRun(SheetsRun):
    """Gait that was solved. model_file: the workbook of the solved model, None where none was asked for."""

    results: GaitResults
    model_file: Path | None

    @property
    def one_line_summary(self) -> str:
        """How many trials of how many markers there are."""
        return self.results.one_line_summary

    def further_files(self, request: RunRequest) -> Sequence[tuple[Callable[[Path], Path], Path]]:
        """The report as a PDF, where one is asked for."""
        from sheetmbs.gait.printed_report import write_pdf

        pdf = request.options.get("pdf")
        return [] if pdf is None else [(partial(write_pdf, self.results), pdf)]

    def items(self) -> Mapping[str, object]:
        """The items of the summary."""
        return {"items": self.results.as_items}

    def document(self, case: str | None = None) -> Json:
        """The document of its page, a tab for each trial."""
        from sheetmbs.gait.document import gait_document

        return gait_document(self.results, case=case)

    def report(self, book: Path, files: Mapping[str, str], seconds: float) -> RunReport:  # noqa: ARG002 - the interface
        """The trials, the values by which a gait is known, and where the page is."""
        closing = [
            *measured_words(self.results.measured),
            f"The results are in {files['results']}; the page to print is its sheet mbs Gait report.",
        ]
        if self.model_file is not None:
            closing.append(f"The model is in {self.model_file}, an ordinary workbook.")
        headline = f"{book}: {self.one_line_summary}."
        return RunReport([(headline, SUCCESS)], columns=self.results.in_short, closing=closing)


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
    return GaitWorkbook(open_book(path, changes), RunRequest(since=perf_counter())).solve().results
