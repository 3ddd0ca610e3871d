"""The product of mechanisms: whatever no other product recognises is a model, or one for each case."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sheetmbs.products.product import (
    MODEL_OPTIONS,
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
    from sheetmbs.mechanism.measured_run import MeasuredRun
    from sheetmbs.model.model import Model
    from sheetmbs.products.handles import Handle
    from sheetmbs.products.varied_workbook import VariedWorkbook
    from sheetmbs.workbook.cells.cells import Book


def _import_mubodyna(files: Sequence[Path], book: Path, _options: Mapping[str, Any]) -> MadeBook:
    """Make a workbook from an input file of MUBODYNA. Raises WorkbookError with every mistake, each with its line."""
    from sheetmbs.importing.to_workbook import read_mubodyna
    from sheetmbs.workbook.package.replace import create_book
    from sheetmbs.workbook.writing.new_workbook import laid_out

    contents, warnings = read_mubodyna(files[0])
    create_book(book, laid_out(contents), files[0].stem)
    return MadeBook([f"{book}: made from {files[0]}. Open it and read its first sheet."], warnings)


def _import_measured(files: Sequence[Path], book: Path, options: Mapping[str, Any]) -> MadeBook:
    """Put measured text onto sheets of a workbook of any kind; nothing else in it changes. Raises WorkbookError."""
    from sheetmbs.measured.import_measured import import_measured

    found, warnings = import_measured(files, book, options.get("sheet") or "")
    sentences = [
        f"{book}: its sheet {each.table.name} has {len(each.table.columns)} columns of {len(each.table.values)} readings "
        f"from {each.source.name} ({each.layout})."
        for each in found
    ]
    return MadeBook(
        [*sentences, "Say on the sheet Measurements what they are; headers that equal result columns need no row."],
        warnings,
    )


class MechanismProduct(Product):
    """Workbooks of bodies, joints and forces. generators: other products, whose sheets may stand for a model."""

    holds = "a mechanism"
    run_options = MODEL_OPTIONS
    imports = (
        ImportForm(
            "mubodyna",
            "an old model",
            _import_mubodyna,
            "{book} was not made.",
            """
    sheetmbs import mubodyna gait.txt gait.xlsx -> a workbook of an old model
    sheetmbs run gait.xlsx --report new.txt -> its report, to compare
    """,
        ),
        ImportForm(
            "measured",
            "measured columns of a rig or logger, as text",
            _import_measured,
            "Nothing was written to {book}.",
            """
    sheetmbs import measured heave.csv car.xlsx -> a sheet Measured heave
    """,
            options=(
                ProductOption(
                    "sheet", "--sheet", "Of measured columns: what follows Measured in the sheet's name.", "NAME"
                ),
            ),
            takes_several=True,
        ),
    )
    study_examples = StudyExamples(
        {
            "Springs": ("k", "c", "length0"),
            "Bodies": ("mass", "length", "inertia", "Izz"),
            "Points": ("x", "y", "z"),
            "Beams": ("E", "density", "diameter"),
            "Forces": ("fx", "fy", "fz", "moment"),
            "Drivers": ("value",),
        },
        (".power", ".moment", ".force", ".length", "frequency", ".y", ".x"),
    )

    def __init__(self, generators: Sequence[Product]) -> None:
        self._generators = generators

    def recognises(self, book: Book, analysis: str | None = None) -> bool:  # noqa: ARG002 - that of the interface
        """Whether a workbook is a mechanism: each is, so that this product is the last to be asked."""
        return True

    def _generator(self, book: Book) -> Product | None:
        """The product whose sheets stand for the model, None where the model itself is typed in."""
        return next((product for product in self._generators if product.generates_model(book)), None)

    def model(
        self, book: Book, analysis: str | None = None, case: str | None = None, report_step: float | None = None
    ) -> Model:
        """The model in a workbook, typed in or generated.

        analysis, case, report_step: in place of the settings. Raises WorkbookError with all that is wrong.
        """
        from sheetmbs.mechanism.run_model import analysis_name
        from sheetmbs.workbook.reading.read_workbook import build_model

        named = None if analysis is None else analysis_name(analysis)
        generator = self._generator(book)
        read = build_model if generator is None else generator.model
        return read(book, named, case, report_step)

    def check(self, book: Book, case: str | None = None, *, all_cases: bool = False) -> CheckedBook:
        """Read the model of one case, or of all. Raises WorkbookError with all problems."""
        from sheetmbs.mechanism.run_model import in_case
        from sheetmbs.problems.listing import count
        from sheetmbs.workbook.reading.read_workbook import build_all_cases, with_remarks

        if all_cases:
            models, warnings = build_all_cases(book)
            for each in models.values():
                self.measured(book).check(each)
            return CheckedBook("", f" in {count(len(models), 'case')}", warnings)
        model = with_remarks(self.model(book, None, case), book)
        measured = self.measured(book).check(model)
        parts = (count(len(model.bodies), "body"), count(len(model.joints), "joint"))
        content = f"; {', '.join(parts)}, {model.settings.analysis} analysis"
        return CheckedBook(in_case(model), content, (*model.warnings, *measured))

    def prepare(self, book: Book, request: RunRequest) -> PreparedRun:
        """Read the model of one case, or of all that can be read. Raises WorkbookError."""
        from sheetmbs.mechanism.mechanism_run import PreparedCases, PreparedModel, read_case_models
        from sheetmbs.workbook.reading.read_workbook import with_remarks

        if request.all_cases:
            models = read_case_models(book, request.analysis, request.report_step, request.since)
            return PreparedCases(models, book, self.measured(book))
        model = self.model(book, request.analysis, request.case, request.report_step)
        return PreparedModel(with_remarks(model, book), request, self.measured(book))

    def measured(self, book: Book) -> MeasuredRun:
        """What a workbook holds that was measured of its mechanism, read when it is asked for."""
        from sheetmbs.measured.read_measurements import has_measurements
        from sheetmbs.mechanism.measured_run import MeasuredRun
        from sheetmbs.workbook.reading.read_workbook import list_cases

        if not has_measurements(book):
            return MeasuredRun(book, ())
        generator = self._generator(book)
        cases = [] if generator is not None else sorted(list_cases(book), key=lambda case: not case.is_default)
        return MeasuredRun(book, tuple(case.name for case in cases) or ("",), generator is not None)

    def varied(self, book: Book, cases: Sequence[str] = (), analysis: str | None = None) -> VariedWorkbook:
        """Every case of the study as a model of its own. Raises WorkbookError."""
        from sheetmbs.mechanism.study_variants import MechanismVariants

        is_generated = self._generator(book) is not None
        return MechanismVariants(book, cases, analysis, self.model, self.measured, is_generated=is_generated)

    def handles(self, book: Book) -> Sequence[Handle]:
        """The rows of the sheet Points; points that other sheets stand for are not moved here. Raises WorkbookError."""
        if self._generator(book) is not None:
            return ()
        from sheetmbs.mechanism.point_handles import point_handles

        return point_handles(book, self.model(book))
