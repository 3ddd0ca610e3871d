"""The product of gait: recorded trials of a walking subject, solved for angles, moments and powers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sheetmbs.gait.formats.all_formats import file_kinds
from sheetmbs.products.product import (
    BookCommand,
    CheckedBook,
    ImportForm,
    MadeBook,
    PreparedRun,
    Product,
    ProductOption,
    RunRequest,
    StudyExamples,
)

if TYPE_CHECKING:
    from sheetmbs.products.varied_workbook import VariedWorkbook
    from sheetmbs.workbook.cells.cells import Book

ANALYSIS = "gait"
SHEETS = ("subject", "markers")
"""folded beginnings of the sheets that every gait workbook has; what they hold is declared where they are read"""


def _collect(books: Sequence[Path], out: Path) -> MadeBook:
    """Put the results of gait workbooks that were run into a new one.

    Raises WorkbookError with every book that has no results of its present inputs, or other units, signs or points than the
    first, and where ``out`` is there already.
    """
    from sheetmbs.gait.collecting.collected_subjects import collect

    found, warnings = collect(books, out)
    number = "1 workbook" if len(found) == 1 else f"{len(found)} workbooks"
    return MadeBook([f"{out}: made from {number}."], warnings, {"books": [str(each.path) for each in found]})


def _import_gait(files: Sequence[Path], book: Path, options: Mapping[str, Any]) -> MadeBook:
    """Put the files of one trial onto sheets of a workbook, or of a new one; nothing else in it changes.

    Raises WorkbookError with every mistake, each with its line, or where the workbook cannot be written.
    """
    from sheetmbs.gait.importing.import_trial import import_trial

    done = import_trial(
        files,
        book,
        options.get("trial"),
        options.get("template"),
        options.get("subject"),
        replace=bool(options.get("replace")),
    )
    found: dict[str, list[str]] = {}
    for what, value in done.found:
        found.setdefault(what, []).append(value)
    width = max(map(len, found), default=0)
    lines = [f"  {what:<{width}}  {value}" for what, value in done.found]
    return MadeBook(
        [*lines, f"{book}: it has the trial {done.trial}."], done.warnings, {"trial": done.trial, "found": found}
    )


class GaitProduct(Product):
    """Workbooks with sheets Subject and Markers."""

    holds = "gait"
    owner = "gait"
    lacking = "no sheets Subject and Markers"
    options = (ProductOption("model", "--model", "Of gait: the solved model as an ordinary workbook.", "OUT", Path),)
    imports = (
        ImportForm(
            "gait",
            f"files of one trial of gait ({file_kinds()})",
            _import_gait,
            "Nothing was written to {book}.",
            """
    sheetmbs import gait walk.trc walk.forces anna.xlsx -> sheets Markers walk and Force plates walk
    """,
            options=(
                ProductOption("trial", "--trial", "Of gait: the trial's name, else that of the file.", "NAME"),
                ProductOption("template", "--template", "Of gait: for a new BOOK, else gait-2d.", "TEMPLATE"),
                ProductOption("subject", "--subject", "Of gait: whose markers, where a file has several.", "NAME"),
                ProductOption("replace", "--replace", "Of gait: replace sheets that an import has written.", type=bool),
            ),
            takes_several=True,
        ),
    )
    commands = (
        BookCommand(
            "collect",
            "workbooks of gait that were run",
            """Put the gait of several subjects into one workbook.

            All items of the summaries in one list, and each quantity with its mean and deviation across subjects. Units,
            signs and points must agree. A file that is there already is never overwritten. Exit status 0: done. 2: wrong
            workbook or file.
            """,
            """
    sheetmbs collect p01.xlsx p02.xlsx p03.xlsx all.xlsx -> items and mean curves of three subjects
    sheetmbs collect study/*.xlsx all.xlsx -> of all workbooks in a folder
    """,
            _collect,
            takes_several=True,
        ),
    )
    study_examples = StudyExamples(
        {"Subject": ("value",), "Processing": ("value",), "Plates": ("x1", "ox")},
        ("knee.moment", "hip.power", "ankle.moment", ".angle"),
    )

    def recognises(self, book: Book, analysis: str | None = None) -> bool:
        """Whether a workbook holds gait: its analysis is that, or it names none and has sheets Subject and Markers."""
        from sheetmbs.schema.names import fold
        from sheetmbs.workbook.reading.settings_rows import analysis_setting

        wanted = fold(analysis_setting(book) if analysis is None else analysis)
        names = [fold(name) for name in book.sheets]
        has_sheets = all(any(name.startswith(sheet) for name in names) for sheet in SHEETS)
        return wanted == ANALYSIS or (not wanted and has_sheets)

    def check(self, book: Book, case: str | None = None, *, all_cases: bool = False) -> CheckedBook:  # noqa: ARG002
        """Solve all trials, whose results show many mistakes. Raises WorkbookError with every problem, with its cell."""
        from sheetmbs.gait.gait_results import check_gait

        content, warnings = check_gait(book)
        return CheckedBook("", content, warnings)

    def prepare(self, book: Book, request: RunRequest) -> PreparedRun:
        """Read and prepare all trials. Raises WorkbookError."""
        from sheetmbs.gait.run_gait import GaitWorkbook

        return GaitWorkbook(book, request)

    def varied(self, book: Book, cases: Sequence[str] = (), analysis: str | None = None) -> VariedWorkbook:  # noqa: ARG002
        """Each trial as a study varies it. Raises WorkbookError."""
        from sheetmbs.gait.study_variants import GaitVariants

        return GaitVariants(book, cases)
