"""The product of suspensions: hardpoints that are posed through sweeps and load cases, in one or several designs."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from sheetmbs.products.product import (
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
    from sheetmbs.model.model import Model
    from sheetmbs.products.handles import CaseSolver, Handle
    from sheetmbs.products.varied_workbook import VariedWorkbook
    from sheetmbs.tyres.measured_tyre import MeasuredTyre
    from sheetmbs.workbook.cells.cells import Book

AXLES = ("front", "rear")
SHEET = "suspension"
"""folded name of the sheet that every such workbook has; what it holds is declared where it is read"""


def has_suspension(book: Book) -> bool:
    """Whether a workbook has the sheet Suspension."""
    from sheetmbs.schema.names import fold

    return any(fold(name) == SHEET for name in book.sheets)


def _asks_for_sweeps(book: Book, analysis: str | None) -> bool:
    from sheetmbs.schema.names import fold
    from sheetmbs.workbook.reading.settings_rows import analysis_setting

    return fold(analysis_setting(book) if analysis is None else analysis) in ("", SHEET)


def _expand(books: Sequence[Path], out: Path, _options: Mapping[str, Any]) -> MadeBook:
    """Write a suspension workbook out as an ordinary one. Raises WorkbookError."""
    from sheetmbs.suspension.written_out import write_out

    warnings = write_out(books[0], out)
    return MadeBook([f"{out}: made from {books[0]}. Every sweep is one of its cases."], warnings)


def _import_hardpoints(files: Sequence[Path], book: Path, options: Mapping[str, Any]) -> MadeBook:
    """Fill the sheet Hardpoints of a workbook, or of a new one, with a list of points; nothing else in it changes.

    Raises WorkbookError with every mistake, each with its line, or where the workbook cannot be written.
    """
    from sheetmbs.suspension.hardpoint_lists import fill_hardpoints, read_lists

    form, axle = _known(options.get("program"), read_lists.FORMS), _known(options.get("axle"), AXLES)
    return MadeBook(*fill_hardpoints.import_hardpoints(files[0], book, form, axle, options.get("unit") or ""))


def _known(text: str | None, known: Sequence[str]) -> str:
    """The value of an option that is one of several words, ``""`` where it is not given. Raises WorkbookError."""
    from sheetmbs.problems.errors import Problem, WorkbookError
    from sheetmbs.schema.names import did_you_mean, fold

    if text is not None and fold(text) not in known:
        mend = did_you_mean(text, known, f"write one of {', '.join(known)}")
        raise WorkbookError(Problem("unknown-format", "error", "", f"'{text}'", f"it is {' or '.join(known)}", mend))
    return fold(text or "")


def _export_hardpoints(book: Path, file: Path, options: Mapping[str, Any]) -> MadeBook:
    """Write the hardpoints of a design for another program. Raises WorkbookError."""
    from sheetmbs.suspension.export_files import export_points
    from sheetmbs.suspension.hardpoint_lists import read_lists

    form = _known(options.get("to"), read_lists.FORMS) or read_lists.TABLE
    axle = _known(options.get("of_axle"), AXLES)
    design, told = export_points(book, file, form, axle, options.get("design") or "")
    return MadeBook([f"{file}: the hardpoints of {book}, design {design}, as {form} has them."], told)


def _export_curves(book: Path, file: Path, options: Mapping[str, Any]) -> MadeBook:
    """Write the curves of a sweep as CSV. Raises WorkbookError."""
    from sheetmbs.suspension.export_files import export_curves

    sweep = export_curves(book, file, options.get("sweep") or "")
    return MadeBook([f"{file}: the columns of the sweep {sweep} of {book}."])


def _export_compliance(book: Path, file: Path, options: Mapping[str, Any]) -> MadeBook:  # noqa: ARG001 - it has none
    """Write kinematics and compliance as a table of CSV for vehicle models. Raises WorkbookError."""
    from sheetmbs.suspension.export_compliance import export_compliance

    rows = export_compliance(book, file)
    return MadeBook([f"{file}: wheels of {book} over travel, roll and loads, {rows} rows."])


def _import_damper(files: Sequence[Path], book: Path, options: Mapping[str, Any]) -> MadeBook:
    """Add the curve of a damper to the sheet Curves of a workbook; nothing else in it changes. Raises WorkbookError."""
    from sheetmbs.suspension.damper_curves import import_damper

    curve, warnings = import_damper(files[0], book, options.get("curve") or "")
    speeds = [speed for speed, _force in curve.points]
    told = f"{len(speeds)} points from {min(speeds):g} to {max(speeds):g} {curve.units[0]}"
    return MadeBook(
        [
            f"{book}: its sheet Curves has the damper curve {curve.name}, {told}.",
            f"Write {curve.name} into the column curve_c of Suspension springs.",
        ],
        warnings,
    )


def _import_tyre(files: Sequence[Path], book: Path, options: Mapping[str, Any]) -> MadeBook:
    """Put the coefficients of a tyre onto the sheets of a workbook; nothing else in it changes. Raises WorkbookError."""
    from sheetmbs.problems.errors import Problem, WorkbookError
    from sheetmbs.schema.names import did_you_mean, fold
    from sheetmbs.suspension.import_tyre import import_tyre

    axle = options.get("axle") or ""
    axles = ("front", "rear")
    if axle and fold(axle) not in axles:
        fix = did_you_mean(axle, axles, "write front or rear, or leave it out for both")
        raise WorkbookError(Problem("unknown-axle", "error", "", f"'{axle}'", "it is front or rear", fix))
    warnings = import_tyre(files[0], book, fold(axle))
    return MadeBook([f"{book}: its sheet Tyre coefficients has the values of {files[0]}."], warnings)


AXLE_OPTION = ProductOption(
    "axle", "--axle", "front or rear: of hardpoints, where the list does not say it; of a tyre, where it is.", "AXLE"
)


class SuspensionProduct(Product):
    """Workbooks with a sheet Suspension that are swept."""

    holds = "a suspension that is swept"
    owner = "suspensions"
    lacking = "no sheet Suspension"
    options = (
        ProductOption("compare", "--compare", "Another suspension, as one more design of BOOK.", "OTHER", Path),
        ProductOption(
            "sensitivity", "--sensitivity", "Of a suspension: how metrics change with every hardpoint.", type=bool
        ),
    )
    run_examples = """
    sheetmbs run new.xlsx --compare old.xlsx -> two suspensions overlaid
    """
    imports = (
        ImportForm(
            "hardpoints",
            "a list of hardpoints",
            _import_hardpoints,
            "Nothing was written to {book}.",
            """
    sheetmbs import hardpoints shark.txt car.xlsx -> its sheet Hardpoints
    """,
            options=(
                ProductOption("program", "--from", "Of hardpoints: optimumk, lotus, shk, adams or csv.", "PROGRAM"),
                AXLE_OPTION,
                ProductOption("unit", "--unit", "mm, in or m, where the list does not say it.", "UNIT"),
            ),
        ),
        ImportForm(
            "damper",
            "a curve of a damper",
            _import_damper,
            "Nothing was written to {book}.",
            """
    sheetmbs import damper dyno.csv car.xlsx -> a curve of force over speed
    """,
            options=(
                ProductOption("curve", "--name", "Of a damper: the name of its curve, else that of the file.", "NAME"),
            ),
        ),
        ImportForm(
            "tyre",
            "a .tir file of tyre properties",
            _import_tyre,
            "Nothing was written to {book}.",
            """
    sheetmbs import tyre slick.tir car.xlsx --axle front -> its sheet Tyre coefficients
    """,
            options=(AXLE_OPTION,),
        ),
    )
    exports = (
        ExportForm(
            "hardpoints",
            "the hardpoints of a suspension",
            _export_hardpoints,
            """
    sheetmbs export hardpoints car.xlsx front.sub --to adams --axle front -> a subsystem of Adams/Car
    """,
            options=(
                ProductOption("to", "--to", "Of hardpoints: optimumk, lotus, shk, adams or csv.", "PROGRAM"),
                ProductOption("of_axle", "--axle", "Of hardpoints: front or rear alone.", "AXLE"),
                ProductOption("design", "--design", "Of hardpoints: a design, the first by default.", "DESIGN"),
            ),
        ),
        ExportForm(
            "curves",
            "the curves of a sweep, as CSV",
            _export_curves,
            """
    sheetmbs export curves car.xlsx heave.csv --sweep heave -> its columns with units
    """,
            options=(ProductOption("sweep", "--sweep", "Of curves: a sweep, heave by default.", "SWEEP"),),
        ),
        ExportForm(
            "compliance",
            "kinematics and compliance for vehicle models, as CSV",
            _export_compliance,
            """
    sheetmbs export compliance car.xlsx kc.csv -> wheels over travel, roll, lateral, braking and aligning loads
    """,
        ),
    )
    commands = (
        BookCommand(
            "expand",
            "a workbook of a suspension",
            """Write a suspension workbook out as an ordinary one.

            Every generated row is typed out, every sweep is a case. Exit status 0: done. 2: wrong workbook or file.
            """,
            """
    sheetmbs expand car.xlsx general.xlsx -> bodies, joints and cases typed out
    """,
            _expand,
        ),
    )
    study_examples = StudyExamples(
        {"Hardpoints": ("z", "y", "x"), "Suspension springs": ("k", "preload"), "Suspension": ("front", "rear")},
        (".toe", ".camber", "roll_centre_z"),
    )

    def recognises(self, book: Book, analysis: str | None = None) -> bool:
        """Whether a workbook is swept as a suspension: it has that sheet, and no other analysis is asked for."""
        return has_suspension(book) and _asks_for_sweeps(book, analysis)

    def check(self, book: Book, case: str | None = None, *, all_cases: bool = False) -> CheckedBook:  # noqa: ARG002
        """Read all designs. Raises WorkbookError with every problem found, each with its cell."""
        from sheetmbs.suspension.measured_sweeps import check_measured
        from sheetmbs.suspension.suspension_results import read_suspension

        read = read_suspension(book)
        measured = check_measured(book, read.designs)
        axles = " and ".join(f"{axle.name} {axle.type.name}" for axle in read.car.axles)
        return CheckedBook("", f"; {axles}", (*read.warnings, *measured))

    def prepare(self, book: Book, request: RunRequest) -> PreparedRun:
        """Read all designs for a run. Raises WorkbookError."""
        from sheetmbs.suspension.run_suspension import SuspensionWorkbook

        return SuspensionWorkbook(book, request)

    def varied(self, book: Book, cases: Sequence[str] = (), analysis: str | None = None) -> VariedWorkbook:  # noqa: ARG002
        """Sweeps, load cases and the design pose, as a study varies them. Raises WorkbookError."""
        from sheetmbs.suspension.study_variants import SuspensionVariants

        return SuspensionVariants(book, cases)

    def handles(self, book: Book) -> Sequence[Handle]:
        """The hardpoints of the first design. Raises WorkbookError."""
        from sheetmbs.suspension.moved_hardpoints import hardpoint_handles

        return hardpoint_handles(book)

    def measured_tyres(self, book: Book) -> Sequence[MeasuredTyre]:
        """The tyres of the first design. Raises WorkbookError."""
        from sheetmbs.suspension.designs.design_books import design_books
        from sheetmbs.suspension.measured_tyre_forces import measured_tyres
        from sheetmbs.suspension.read_design import read_design

        first = design_books(book).books[0]
        return measured_tyres(read_design(first.book, first.design).tyres)

    def case_solver(self, book: Book) -> CaseSolver:
        """What poses the first design through one sweep, keeping what does not change. Raises WorkbookError."""
        from sheetmbs.suspension.moved_hardpoints import SweepSolver

        return SweepSolver(book)

    def generates_model(self, book: Book) -> bool:
        """Whether a workbook has the sheet Suspension: it stands for a model in analyses of the general kind."""
        return has_suspension(book)

    def model(
        self, book: Book, analysis: str | None = None, case: str | None = None, report_step: float | None = None
    ) -> Model:
        """The generated car with its free chassis. Raises WorkbookError."""
        from sheetmbs.suspension.whole_car import read_whole_car

        return read_whole_car(book, analysis, case, report_step)
