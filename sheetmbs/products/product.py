"""What a product is: a kind of workbook that is recognised, checked, solved, shown on a page and varied in studies.

Commands, pages and studies know this interface alone. Each product implements it in its own folder, and
`sheetmbs.all_products` lists them. Nothing here is imported from numpy, for the help pages read the declarations.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

if TYPE_CHECKING:
    from sheetmbs.model.model import Model
    from sheetmbs.problems.errors import Problem
    from sheetmbs.products.handles import CaseSolver, Handle
    from sheetmbs.products.varied_workbook import VariedWorkbook
    from sheetmbs.results.results import PagedResults, Results, Writable
    from sheetmbs.tyres.measured_tyre import MeasuredTyre
    from sheetmbs.workbook.cells.cells import Book
    from sheetmbs.workbook.sheets.sheet_contents import ResultSheets

Progress = Callable[[float], None]
Json = dict[str, Any]
Status = Literal["done", "failed"]
SUCCESS, FAILURE = "green", "red"
"""colours of sentences that say how a run ended"""
MODEL_OPTIONS = frozenset(("--case", "--all-cases", "--report-step", "--also", "--report"))
"""options of `sheetmbs run` that only mean something where a workbook is one model for each case"""


def part_of(progress: Progress | None, number: int, count: int) -> Progress | None:
    """The progress of one of several runs, as that of all. number: of runs that are done."""
    return None if progress is None else lambda fraction: progress((number + fraction) / count)


@dataclass(frozen=True)
class ProductOption:
    """An option of a command that belongs to one product.

    name: in the values that the product gets. flag: on the command line. metavar: of its value, "" for a switch. type: of
    its value.
    """

    name: str
    flag: str
    help: str
    metavar: str = ""
    type: type = str


@dataclass(frozen=True)
class MadeBook:
    """What came of making or filling a workbook.

    sentences: for people, the last one says what was made. more: further items for programs.
    """

    sentences: Sequence[str]
    warnings: Sequence[Problem] = ()
    more: Mapping[str, object] = field(default_factory=dict)


@dataclass(frozen=True)
class ImportForm:
    """A form of files of other programs that `sheetmbs import` puts into a workbook.

    reads: what it is, as the help names it. run: gets the files, the workbook and the values of options by name. failed:
    a sentence for the workbook where it raises WorkbookError, with the workbook for ``{book}``.
    """

    name: str
    reads: str
    run: Callable[[Sequence[Path], Path, Mapping[str, Any]], MadeBook]
    failed: str
    examples: str
    options: Sequence[ProductOption] = ()
    takes_several: bool = False


@dataclass(frozen=True)
class ExportForm:
    """What `sheetmbs export` writes of a workbook into a file for other programs.

    writes: what it is, as the help names it. run: gets the workbook, the file and the values of options by name.
    """

    name: str
    writes: str
    run: Callable[[Path, Path, Mapping[str, Any]], MadeBook]
    examples: str
    options: Sequence[ProductOption] = ()


@dataclass(frozen=True)
class BatchForm:
    """What `sheetmbs batch` makes of a folder of folders: a workbook for each.

    reads: what it is, as the help names it. run: gets the folder, the lab's template or None, and the folder to write into.
    """

    name: str
    reads: str
    run: Callable[[Path, Path | None, Path], MadeBook]
    examples: str


@dataclass(frozen=True)
class BookCommand:
    """A command that makes a new workbook from others.

    books: what its arguments are, as the help names them. purpose: the help, its first line a sentence that stands alone.
    run: gets the workbooks, the new one and the values of options by name.
    """

    name: str
    books: str
    purpose: str
    examples: str
    run: Callable[[Sequence[Path], Path, Mapping[str, Any]], MadeBook]
    takes_several: bool = False
    options: Sequence[ProductOption] = ()


@dataclass(frozen=True)
class StudyExamples:
    """Where the example rows of a new study come from, the best first.

    cells: columns of input sheets. columns: how names of result columns end.
    """

    cells: Mapping[str, Sequence[str]] = field(default_factory=dict)
    columns: Sequence[str] = ()


@dataclass(frozen=True)
class CheckedBook:
    """What reading a workbook found. part: the case that was read, as the end of its name. content: what it holds."""

    part: str
    content: str
    warnings: Sequence[Problem]


@dataclass(frozen=True)
class RunRequest:
    """What a run of an open workbook is to do. analysis, case, report_step: in place of the settings.

    also, report: further files to be written afterwards, which are checked before anything is computed. options: those of
    the product, by name. since: `time.perf_counter()` when the workbook was about to be opened.
    """

    analysis: str | None = None
    case: str | None = None
    all_cases: bool = False
    report_step: float | None = None
    also: Sequence[Path] = ()
    report: Path | None = None
    options: Mapping[str, Any] = field(default_factory=dict)
    since: float | None = None


@dataclass(frozen=True)
class RunReport:
    """What a person reads of a run. sentences: each with its colour. columns: a table of texts. lines: labels and texts.

    closing: sentences behind these.
    """

    sentences: Sequence[tuple[str, str]]
    columns: Sequence[Sequence[str]] = ()
    lines: Sequence[tuple[str, str]] = ()
    closing: Sequence[str] = ()


class ProductRun(ABC):
    """A workbook that was solved: its results, and how they are shown to people, programs and pages."""

    results: Writable
    refused: bool = False
    """whether a part of the workbook was too wrong to be solved"""

    @property
    @abstractmethod
    def status(self) -> Status:
        """Whether the run is ``done`` or ``failed``."""

    @property
    @abstractmethod
    def problems(self) -> Sequence[Problem]:
        """Warnings, and reasons of failures."""

    @property
    @abstractmethod
    def one_line_summary(self) -> str:
        """What was found, in a few words."""

    @property
    def has_motion(self) -> bool:
        """Whether a page has anything to show."""
        return True

    @property
    def summary_sheets(self) -> ResultSheets | None:
        """The sheets whose summary a program gets, None where there is not one alone."""
        return None

    def items(self) -> Mapping[str, object]:
        """Further items for programs."""
        return {}

    @abstractmethod
    def document(self, case: str | None = None) -> Json:
        """The document of its page. case: the one that is shown, or shown first; None: all, or the default one."""

    @abstractmethod
    def report(self, book: Path, files: Mapping[str, str], seconds: float) -> RunReport:
        """What a person reads. files: those written, by what they hold. seconds: that writing the workbook took."""

    def further_files(self, request: RunRequest) -> Sequence[tuple[Callable[[Path], Path], Path]]:  # noqa: ARG002 - as above
        """What writes each further file of the request, and where to."""
        return ()


class SheetsRun(ProductRun):
    """A run whose results are one set of result sheets."""

    results: Results | PagedResults

    @property
    def status(self) -> Status:
        """``failed`` where an analysis could not be completed."""
        return self.results.status

    @property
    def problems(self) -> Sequence[Problem]:
        """Warnings, and reasons of a failure."""
        return self.results.sheets.problems

    @property
    def summary_sheets(self) -> ResultSheets:
        """All result sheets of the run."""
        return self.results.sheets


class PreparedRun(ABC):
    """A workbook that was read for a run."""

    @property
    @abstractmethod
    def warnings(self) -> Sequence[Problem]:
        """Findings that do not prevent the run."""

    @abstractmethod
    def solve(self, progress: Progress | None = None) -> ProductRun:
        """Solve it. progress: called now and then with the fraction done, 0 to 1. Raises WorkbookError."""


class Product(ABC):
    """A kind of workbook."""

    holds: ClassVar[str]
    """what such a workbook holds, as a message names it"""
    owner: ClassVar[str] = ""
    """of its options, as a message names it"""
    lacking: ClassVar[str] = ""
    """what another workbook has not, as a message names it"""
    run_options: ClassVar[frozenset[str]] = frozenset()
    """those of `MODEL_OPTIONS` that it takes"""
    options: ClassVar[Sequence[ProductOption]] = ()
    run_examples: ClassVar[str] = ""
    """lines ``command -> what it does`` on the help page of `sheetmbs run`"""
    imports: ClassVar[Sequence[ImportForm]] = ()
    exports: ClassVar[Sequence[ExportForm]] = ()
    batches: ClassVar[Sequence[BatchForm]] = ()
    commands: ClassVar[Sequence[BookCommand]] = ()
    study_examples: ClassVar[StudyExamples] = StudyExamples()
    """of `sheetmbs study --start`"""

    @abstractmethod
    def recognises(self, book: Book, analysis: str | None = None) -> bool:
        """Whether a workbook is of this kind. analysis: in place of the one on the sheet Settings."""

    @abstractmethod
    def check(self, book: Book, case: str | None = None, *, all_cases: bool = False) -> CheckedBook:
        """Find every mistake. Raises WorkbookError with all problems that prevent a run."""

    @abstractmethod
    def prepare(self, book: Book, request: RunRequest) -> PreparedRun:
        """Read a workbook for a run. Raises WorkbookError with every problem, each with its cell."""

    @abstractmethod
    def varied(self, book: Book, cases: Sequence[str] = (), analysis: str | None = None) -> VariedWorkbook:
        """The workbook as a study varies it. cases: of the study, none: those of a plain run. Raises WorkbookError."""

    def handles(self, book: Book) -> Sequence[Handle]:  # noqa: ARG002 - the signature of those that have some
        """The points that people can move on a served page. Raises WorkbookError where the workbook cannot be read."""
        return ()

    def measured_tyres(self, book: Book) -> Sequence[MeasuredTyre]:  # noqa: ARG002 - the signature of those that have some
        """Return its tyres with what was measured of each. Raises WorkbookError where the workbook cannot be read."""
        return ()

    def case_solver(self, book: Book) -> CaseSolver:  # noqa: ARG002 - the signature of those that keep something of it
        """What solves one case again and again with other numbers. book: as it is in the file."""
        has_cases = "--case" in self.run_options

        def solve(changed: Book, case: str) -> Json:
            request = RunRequest(case=case if has_cases and case else None)
            cases = self.prepare(changed, request).solve().document(case or None)["cases"]
            return dict(cases[0])

        return solve

    def generates_model(self, book: Book) -> bool:  # noqa: ARG002 - the signature of those that do
        """Whether sheets of this product stand for a model, which other analyses can take."""
        return False

    def model(
        self, book: Book, analysis: str | None = None, case: str | None = None, report_step: float | None = None
    ) -> Model:
        """The model that its sheets stand for. Raises WorkbookError."""
        raise NotImplementedError
