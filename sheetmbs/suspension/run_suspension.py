"""A suspension workbook from its sheets to its results: read, generated, posed, shown."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from os import PathLike
from pathlib import Path
from time import perf_counter

from sheetmbs.compiled import library
from sheetmbs.measured.with_measured import in_words
from sheetmbs.problems.errors import Problem
from sheetmbs.problems.listing import count
from sheetmbs.products.product import FAILURE, SUCCESS, Json, PreparedRun, Progress, RunReport, RunRequest, SheetsRun
from sheetmbs.schema.cell import NO_CHANGES, Changes
from sheetmbs.suspension.layout.car import CarData
from sheetmbs.suspension.measured_sweeps import measured_sweeps
from sheetmbs.suspension.sheets.page_table import axle_in_words
from sheetmbs.suspension.sheets.result_pages import all_design_values
from sheetmbs.suspension.sheets.suspension_page import judged_in_words, missed_targets
from sheetmbs.suspension.solved_design import solve_designs
from sheetmbs.suspension.suspension_results import SuspensionResults, read_suspension, results_of
from sheetmbs.workbook.cells.cells import Book, open_book
from sheetmbs.workbook.sheets.sheet_contents import run_times


class SuspensionWorkbook(PreparedRun):
    """The designs of a workbook, read for a run. Raises WorkbookError with every problem, each with its cell."""

    def __init__(self, book: Book, request: RunRequest) -> None:
        self._book = book
        self._began = perf_counter() if request.since is None else request.since
        self._with_sensitivities = bool(request.options.get("sensitivity"))
        self._read = read_suspension(book, request.options.get("compare"))

    def __repr__(self) -> str:
        """The axles and designs, in a few words."""
        axles = "; ".join(map(axle_in_words, self.car.axles))
        return f"<SuspensionWorkbook {self._book.path.stem}: {axles}; {count(len(self._read.designs), 'design')}>"

    @property
    def car(self) -> CarData:
        """The car of the first design."""
        return self._read.car

    @property
    def warnings(self) -> Sequence[Problem]:
        """Findings in all designs that do not prevent the run."""
        return self._read.warnings

    def solve(self, progress: Progress | None = None) -> SuspensionRun:  # noqa: ARG002 - it takes some tens of milliseconds
        """Pose all designs through sweeps and load cases. Raises WorkbookError for mistakes in what was measured."""
        library.load()
        compiling = library.compile_seconds(self._began)
        was_read = perf_counter()
        designs = solve_designs(self._read.designs)
        values = all_design_values(designs)
        measured = measured_sweeps(self._book, self._read.designs[0], designs[0])
        times = partial(run_times, self._began, was_read, perf_counter(), compiling)
        return SuspensionRun(
            results_of(
                self._book,
                self._read,
                designs,
                values,
                times,
                measured,
                with_sensitivities=self._with_sensitivities,
            )
        )


@dataclass
class SuspensionRun(SheetsRun):
    """A suspension that was swept."""

    results: SuspensionResults

    @property
    def one_line_summary(self) -> str:
        """The types of its axles."""
        return self.results.one_line_summary

    def items(self) -> Mapping[str, object]:
        """All metrics at design with their units."""
        return {"designs": self.results.at_design, "columns": self.results.units}

    def document(self, case: str | None = None) -> Json:
        """The document of its page, a tab for each sweep."""
        from sheetmbs.suspension.document import suspension_document

        return suspension_document(self.results, case=case)

    def report(self, book: Path, files: Mapping[str, str], seconds: float) -> RunReport:  # noqa: ARG002 - the interface
        """What kind of car it is, its values at design, what was swept, and where the page is."""
        sweeps = ", ".join(f"{name} {plan.rows} poses" for name, plan in self.results.base.plans.items())
        return RunReport(
            [(f"{book}: {self.one_line_summary}.", SUCCESS), *self._missed()],
            columns=self.results.in_short,
            closing=[
                f"Swept: {sweeps}.",
                *(f"{told[0].upper()}{told[1:]}." for told in self.results.base.loosening),
                *in_words(self.results.measured),
                f"The results are in {files['results']}; the page to print is its sheet mbs Suspension.",
            ],
        )

    def _missed(self) -> Iterator[tuple[str, str]]:
        """A sentence in red for each target that a design misses."""
        for each in missed_targets(self.results.targets):
            yield f"Target missed: {judged_in_words(each)} ({each.target.place})", FAILURE


def run_suspension(
    path: str | PathLike[str],
    compare: Path | None = None,
    *,
    sensitivity: bool = False,
    changes: Changes = NO_CHANGES,
) -> SuspensionResults:
    """Sweep a suspension workbook with all its designs and load cases, as `sheetmbs run` does.

    Parameters
    ----------
    path
        The workbook, with a sheet Suspension. It is only read.
    compare
        Another workbook that is one more design.
    sensitivity
        Whether to find also how metrics change with hardpoints and lengths.
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
    request = RunRequest(options={"compare": compare, "sensitivity": sensitivity}, since=perf_counter())
    return SuspensionWorkbook(open_book(path, changes), request).solve().results
