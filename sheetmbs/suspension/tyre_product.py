"""The product of tyres alone: workbooks with a sheet Tyres and without a car or a model."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from sheetmbs.products.product import CheckedBook, PreparedRun, Product, RunRequest, StudyExamples

if TYPE_CHECKING:
    from sheetmbs.products.varied_workbook import VariedWorkbook
    from sheetmbs.tyres.measured_tyre import MeasuredTyre
    from sheetmbs.workbook.cells.cells import Book

SHEET = "tyres"
OTHERS = frozenset(
    (
        "suspension",
        "hardpoints",
        "suspension springs",
        "sweeps",
        "handling",
        "bodies",
        "beams",
        "settings",
        "markers",
        "subject",
    )
)
"""folded names of sheets by which a workbook is, or is meant to be, one of another product"""


class TyreProduct(Product):
    """Workbooks with tyres alone, which are evaluated and compared with what was measured of them."""

    holds = "tyres without a car"
    owner = "tyres"
    lacking = "no sheet Tyres, or a car with it"
    study_examples = StudyExamples({"Tyre coefficients": ("value",)}, ("fy", "fx", "mz"))

    def recognises(self, book: Book, analysis: str | None = None) -> bool:
        """Whether a workbook has tyres, and nothing that they are mounted on."""
        from sheetmbs.schema.names import fold

        names = {fold(name) for name in book.sheets}
        return analysis is None and SHEET in names and not names & OTHERS

    def check(self, book: Book, case: str | None = None, *, all_cases: bool = False) -> CheckedBook:  # noqa: ARG002
        """Read all tyres and what was measured of them. Raises WorkbookError with every problem, each with its cell."""
        from sheetmbs.suspension.tyre_workbook import TyreWorkbook

        read = TyreWorkbook(book, RunRequest())
        return CheckedBook("", f"; {read.in_words}", (*read.warnings, *read.compared().warnings))

    def prepare(self, book: Book, request: RunRequest) -> PreparedRun:
        """Read all tyres for a run. Raises WorkbookError."""
        from sheetmbs.suspension.tyre_workbook import TyreWorkbook

        return TyreWorkbook(book, request)

    def varied(self, book: Book, cases: Sequence[str] = (), analysis: str | None = None) -> VariedWorkbook:  # noqa: ARG002
        """The points of Tyre data and residuals, as a study varies them. Raises WorkbookError."""
        from sheetmbs.suspension.tyre_workbook import TyreVariants

        return TyreVariants(book, cases)

    def measured_tyres(self, book: Book) -> Sequence[MeasuredTyre]:
        """All its tyres. Raises WorkbookError."""
        from sheetmbs.suspension.measured_tyre_forces import measured_tyres
        from sheetmbs.suspension.tyre_workbook import TyreWorkbook

        return measured_tyres(TyreWorkbook(book, RunRequest()).tyres)
