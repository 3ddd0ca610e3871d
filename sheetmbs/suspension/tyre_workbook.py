"""A workbook of tyres without a car, from its sheets to its results: read, evaluated at its points, compared, shown."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from time import perf_counter

from sheetmbs.compiled import library
from sheetmbs.measured.read_measurements import has_measurements
from sheetmbs.measured.residuals import NOT_MEASURED, ComparedMeasurements
from sheetmbs.measured.varied_measurements import with_rms
from sheetmbs.measured.with_measured import in_words as measured_words
from sheetmbs.measured.with_measured import with_measured
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.problems.listing import count
from sheetmbs.products.product import SUCCESS, Json, PreparedRun, Progress, RunReport, RunRequest, SheetsRun
from sheetmbs.products.varied_workbook import Asked
from sheetmbs.products.whole_workbook import SolvedCases, WholeWorkbook
from sheetmbs.results.results import PagedResults
from sheetmbs.schema.problem_list import Place, ProblemList
from sheetmbs.schema.tyre_inputs import TYRE_COEFFICIENTS, TYRE_DATA, TYRES
from sheetmbs.suspension.designs.design_list import folded_sheets
from sheetmbs.suspension.layout.car import CarData
from sheetmbs.suspension.layout.car_tyres import CarTyres
from sheetmbs.suspension.measured_tyre_forces import compared_tyres
from sheetmbs.suspension.reading.read_tyres import read_tyres
from sheetmbs.suspension.sheets.tyre_sheets import tyre_sheets
from sheetmbs.workbook.cells.cells import Book
from sheetmbs.workbook.sheets.sheet_contents import MEASURED, RESIDUALS, TYRE_PAGE, ResultSheets, run_times

SHEETS = (TYRES.name, TYRE_COEFFICIENTS.name, TYRE_DATA.name)
NO_CAR = CarData((), {})


class TyreWorkbook(PreparedRun):
    """The tyres of a workbook, read for a run. Raises WorkbookError with every problem, each with its cell."""

    def __init__(self, book: Book, request: RunRequest) -> None:
        self._book = book
        self._began = perf_counter() if request.since is None else request.since
        report = ProblemList(book.sheets)
        self.tyres: CarTyres = read_tyres(book, folded_sheets(book.sheets, SHEETS), NO_CAR, report)
        if not report.has_errors and not self.tyres.fitted:
            rule, fix = "no row of it is a tyre that counts", "name a tyre in the column name"
            report.error("missing-tyre", Place(TYRES.name), "the sheet Tyres", rule, fix)
        if report.has_errors:
            raise WorkbookError(report.problems())
        self._warnings = tuple(report.problems())

    def __repr__(self) -> str:
        """The tyres, in a few words."""
        return f"<TyreWorkbook {self._book.path.stem}: {self.in_words}>"

    @property
    def in_words(self) -> str:
        """``2 tyres: slick, wet``."""
        names = ", ".join(each.tyre.name for each in self.tyres.fitted)
        return f"{count(len(self.tyres.fitted), 'tyre')}: {names}"

    @property
    def warnings(self) -> Sequence[Problem]:
        """Findings that do not prevent the run."""
        return self._warnings

    def compared(self) -> ComparedMeasurements:
        """What was measured beside what the tyres do. Raises WorkbookError with all that is wrong with it."""
        if not has_measurements(self._book):
            return NOT_MEASURED
        return ComparedMeasurements(compared_tyres(self._book, self.tyres, is_alone=True))

    def solve(self, progress: Progress | None = None) -> TyreRun:  # noqa: ARG002 - it takes some tens of milliseconds
        """Evaluate all tyres. Raises WorkbookError for mistakes in what was measured."""
        library.load()
        compiling = library.compile_seconds(self._began)
        was_read = perf_counter()
        found, measured = tyre_sheets([("", self.tyres)]), self.compared()
        solved = perf_counter()
        book = self._book
        problems = (*book.log.notes(), *self._warnings, *found.warnings, *measured.warnings)
        told = (*book.log.items, ("tyres", len(self.tyres.fitted), ""))
        times = run_times(self._began, was_read, solved, compiling)
        first = (TYRE_PAGE, MEASURED, RESIDUALS)
        sheets = ResultSheets((*told, *times), found.tables, problems=problems, pages=found.pages, first=first)
        sheets = with_measured(sheets, measured.found)
        return TyreRun(
            PagedResults(sheets=sheets, path=book.path, content=book.content, measured=measured.found), self.in_words
        )


@dataclass
class TyreRun(SheetsRun):
    """Tyres that were evaluated. in_words: which they are."""

    results: PagedResults
    in_words: str

    @property
    def one_line_summary(self) -> str:
        """Which tyres there are."""
        return self.in_words

    @property
    def has_motion(self) -> bool:
        """Whether a page has anything to show: tyres alone move nothing."""
        return False

    def document(self, case: str | None = None) -> Json:  # noqa: ARG002 - there is one alone
        """Refuse a page, for nothing moves. Raises WorkbookError always."""
        rule = "a page shows what moves, and tyres without a car do not"
        fix = "run the workbook and look at its sheet mbs Tyres"
        raise WorkbookError(Problem("nothing-to-show", "error", str(self.results.path), "tyres alone", rule, fix))

    def report(self, book: Path, files: Mapping[str, str], seconds: float) -> RunReport:  # noqa: ARG002 - the interface
        """Which tyres there are, how far they are from what was measured, and where their page is."""
        closing = [
            *measured_words(self.results.measured),
            f"The results are in {files['results']}; the page to print is its sheet {TYRE_PAGE}.",
        ]
        return RunReport([(f"{book}: {self.in_words}.", SUCCESS)], closing=closing)


class TyreVariants(WholeWorkbook):
    """Tyres as a study varies them: the points of Tyre data and rms residuals, as one case without a name."""

    kind, kinds = "case", "cases"

    def solved(self, book: Book, asked: Asked | None) -> SolvedCases:  # noqa: ARG002 - all of it is as quick
        """Every point and residual. Raises WorkbookError where the workbook cannot be read."""
        read = TyreWorkbook(book, RunRequest())
        measured = read.compared().found
        self._keep(book, measured)
        return with_rms({"": tyre_sheets([("", read.tyres)]).tables}, measured)
