"""The product of gait: recorded trials of a walking subject, solved for angles, moments and powers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sheetmbs.gait.formats.all_formats import file_kinds
from sheetmbs.products.product import (
    BatchForm,
    BookCommand,
    CheckedBook,
    ExportForm,
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


def _norms(books: Sequence[Path], out: Path, options: Mapping[str, Any]) -> MadeBook:
    """Make a norm from controls. Raises WorkbookError as `_collect` does, and where a bin has one subject alone."""
    from sheetmbs.gait.collecting.made_norms import bins_of, make_norms

    made, warnings = make_norms(books, out, bins_of(options.get("bins")))
    lines = [f"  {name}: {count} subjects" for name, count in made.items()]
    return MadeBook([*lines, f"{out}: a norm from {len(books)} workbooks."], warnings, {"sheets": made})


def _import_norms(files: Sequence[Path], book: Path, _options: Mapping[str, Any]) -> MadeBook:
    """Put a norm onto the sheet Normative. Raises WorkbookError where it cannot be read, or where there is one already."""
    from sheetmbs.gait.importing.import_norms import import_norms

    lines = import_norms(files[0], book)
    return MadeBook([*(f"  {each}" for each in lines), f"{book}: it has the norm of {files[0].name}."], (), {})


def _collect(books: Sequence[Path], out: Path, options: Mapping[str, Any]) -> MadeBook:
    """Put the results of gait workbooks that were run into a new one.

    Raises WorkbookError with every book that has no results of its present inputs, or other units, signs or points than the
    first, and where ``out`` is there already.
    """
    from sheetmbs.gait.collecting.collected_subjects import collect

    if options.get("compare"):
        from sheetmbs.gait.collecting.compared_books import compare

        sentences, doubts = compare(books, out, options.get("mdc"))
        return MadeBook([*sentences, f"{out}: {books[0].name} against {books[1].name}."], doubts, {})
    found, warnings = collect(books, out)
    number = "1 workbook" if len(found) == 1 else f"{len(found)} workbooks"
    return MadeBook([f"{out}: made from {number}."], warnings, {"books": [str(each.path) for each in found]})


def _import_gait(files: Sequence[Path], book: Path, options: Mapping[str, Any]) -> MadeBook:
    """Put the files of one trial onto sheets of a workbook, or of a new one; nothing else in it changes.

    Raises WorkbookError with every mistake, each with its line, or where the workbook cannot be written.
    """
    from sheetmbs.gait.counted_strides import trial_strides
    from sheetmbs.gait.importing.book_import import ImportOptions
    from sheetmbs.gait.importing.import_folder import import_folder
    from sheetmbs.gait.importing.import_trial import import_trial

    more = {name: bool(options.get(name)) for name in ("replace", "model_outputs", "analog")}
    if len(files) == 1 and files[0].is_dir():
        wanted = ImportOptions(options.get("template"), options.get("subject"), **more)
        session = import_folder(files[0], book, trial_strides, wanted, options.get("static"))
        count = len(session.trials)
        return MadeBook(
            [*_columns_of(session.lines), f"{book}: it has {count} trial{'' if count == 1 else 's'}."],
            session.warnings,
            {"trials": session.trials, "found": [list(each) for each in session.lines]},
        )
    done = import_trial(
        files,
        book,
        options.get("trial"),
        options.get("template"),
        options.get("subject"),
        **more,
    )
    found: dict[str, list[str]] = {}
    for what, value in done.found:
        found.setdefault(what, []).append(value)
    return MadeBook(
        [*_columns_of(done.found), f"{book}: it has the trial {done.trial}."],
        done.warnings,
        {"trial": done.trial, "found": found},
    )


def _import_osim(files: Sequence[Path], book: Path, _options: Mapping[str, Any]) -> MadeBook:
    """Make a workbook from an OpenSim model. Raises WorkbookError where it is none, or where the workbook is there."""
    from sheetmbs.gait.importing.osim_book import import_osim

    lines = import_osim(files[0], book)
    return MadeBook([*(f"  {each}" for each in lines), f"{book}: it has the segments of {files[0].name}."], (), {})


def _batch_gait(root: Path, template: Path | None, out: Path) -> MadeBook:
    """A workbook for each subject's folder, solved, and the list batch.xlsx.

    Raises WorkbookError where there is no folder with recordings.
    """
    from sheetmbs.gait.counted_strides import trial_strides
    from sheetmbs.gait.importing.import_root import LIST, import_root
    from sheetmbs.gait.run_gait import run_gait

    def run(book: Path) -> Sequence[Any]:
        results = run_gait(book)
        results.save()
        return results.items

    done = import_root(root, template, out, trial_strides, run)
    lines = [
        f"  {each.subject}: {each.state}, {each.trials} trials{f' ({each.problems[0]})' if each.problems else ''}"
        for each in done
    ]
    failed = sum(each.state == "failed" for each in done)
    told = f"{out / LIST}: {len(done)} subjects, {failed} of them failed."
    return MadeBook([*lines, told], (), {"subjects": [vars(each) for each in done]})


def _export_gait(book: Path, folder: Path, options: Mapping[str, Any]) -> MadeBook:
    """Write what trials hold into files for other programs.

    Raises WorkbookError where the workbook cannot be solved, and where a file is there already.
    """
    from sheetmbs.gait.export_trials import export_trials

    kinds = [kind for kind in ("trc", "mot", "sto", "c3d") if options.get(kind)]
    written = export_trials(book, folder, kinds)
    return MadeBook([*(f"  {path.name}" for path in written), f"{folder}: {len(written)} files."], (), {})


def _columns_of(found: Sequence[tuple[str, str]]) -> list[str]:
    """Lines in two columns: what, and its value."""
    width = max((len(what) for what, _value in found), default=0)
    return [f"  {what:<{width}}  {value}" for what, value in found]


class GaitProduct(Product):
    """Workbooks with sheets Subject and Markers."""

    holds = "gait"
    owner = "gait"
    lacking = "no sheets Subject and Markers"
    options = (
        ProductOption("model", "--model", "Of gait: the solved model as an ordinary workbook.", "OUT", Path),
        ProductOption("pdf", "--pdf", "Of gait: the pages of the report, made by LibreOffice.", "OUT", Path),
    )
    imports = (
        ImportForm(
            "gait",
            f"files of one trial of gait ({file_kinds()}), or a folder with all trials of one subject",
            _import_gait,
            "Nothing was written to {book}.",
            """
    sheetmbs import gait walk.trc walk.forces anna.xlsx -> sheets Markers walk and Force plates walk
    sheetmbs import gait anna/ anna.xlsx -> all trials of a folder, and the sheet Trials
    """,
            options=(
                ProductOption("trial", "--trial", "Of gait: the trial's name, else that of the file.", "NAME"),
                ProductOption("template", "--template", "Of gait: for a new BOOK, else gait-2d.", "TEMPLATE"),
                ProductOption("subject", "--subject", "Of gait: whose markers, where a file has several.", "NAME"),
                ProductOption("static", "--static", "Of gait: name of the standing trial of a folder.", "PATTERN"),
                ProductOption("replace", "--replace", "Of gait: replace sheets that an import has written.", type=bool),
                ProductOption(
                    "model_outputs", "--model-outputs", "Of gait: angles and the like of a C3D, on a sheet.", type=bool
                ),
                ProductOption("analog", "--analog", "Of gait: analog channels of no plate, on a sheet.", type=bool),
            ),
            takes_several=True,
        ),
        ImportForm(
            "norms",
            "a norm of gait (.xlsx of sheetmbs norms, or a table with percent, joint, plane, mean, sd)",
            _import_norms,
            "Nothing was written to {book}.",
            """
    sheetmbs import norms norms.xlsx anna.xlsx -> its sheet Normative
    """,
        ),
        ImportForm(
            "osim",
            "an OpenSim model (.osim): bodies and simple joints as segments of a new workbook of gait",
            _import_osim,
            "{book} was not made.",
            """
    sheetmbs import osim subject01.osim anna.xlsx -> Segments, Gait joints, Anatomical frames, Markers static
    """,
        ),
    )
    exports = (
        ExportForm(
            "gait",
            "trials of gait as files for OpenSim and other programs, into a folder",
            _export_gait,
            """
    sheetmbs export gait anna.xlsx opensim/ -> markers, forces, angles, moments and C3D of each trial
    """,
            options=(
                ProductOption("trc", "--trc", "Of gait: filtered markers and joint centres.", type=bool),
                ProductOption("mot", "--mot", "Of gait: forces, with external_loads.xml.", type=bool),
                ProductOption("sto", "--sto", "Of gait: angles and moments.", type=bool),
                ProductOption("c3d", "--c3d", "Of gait: all of it in one C3D.", type=bool),
            ),
        ),
    )
    batches = (
        BatchForm(
            "gait",
            "gait: a folder for each subject with its recordings",
            _batch_gait,
            """
    sheetmbs batch gait study/ --template lab.xlsx --out books/ -> a workbook for each folder in study/
    """,
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
            options=(
                ProductOption(
                    "compare", "--compare", "Two workbooks of one id overlaid, with their differences.", type=bool
                ),
                ProductOption(
                    "mdc", "--mdc", "With --compare: minimal detectable changes, as hip.angle=5; speed=0.1.", "LIST"
                ),
            ),
        ),
        BookCommand(
            "norms",
            "workbooks of controls that were run",
            """Make a norm of gait from the laboratory's own controls.

            Mean, standard deviation, number and single subjects of each curve, on sheets Normative of a new workbook.
            `sheetmbs import norms` puts them into the workbook of a patient. Exit status 0: done. 2: wrong workbook or file.
            """,
            """
    sheetmbs norms c01.xlsx c02.xlsx c03.xlsx norms.xlsx -> the norm of three controls
    sheetmbs norms controls/*.xlsx norms.xlsx --bins "speed 0.9 1.2" -> one sheet for each range of speeds
    """,
            _norms,
            takes_several=True,
            options=(ProductOption("bins", "--bins", "speed or age, and the limits between bins, upward.", "BINS"),),
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
