"""A suspension workbook from its sheets to its results: read, generate, pose, write."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from os import PathLike
from pathlib import Path
from typing import Literal

from sheetmbs.model import Chart
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.results.results import Writable
from sheetmbs.schema.names import fold
from sheetmbs.schema.table import Table
from sheetmbs.suspension.kinematics.sweeps import Sweep
from sheetmbs.suspension.layout.car import SIDES, CarData
from sheetmbs.suspension.metrics.columns import sweep_table
from sheetmbs.suspension.read_design import ReadDesign, read_design
from sheetmbs.suspension.solved_design import SolvedDesign, solve_design
from sheetmbs.workbook.cells.cells import Book, address, open_book
from sheetmbs.workbook.sheets.sheet_contents import ResultSheets


@dataclass(frozen=True)
class SuspensionResults(Writable):
    """What the sweeps of a suspension found. designs: the first, which is the workbook's own, and its variants."""

    designs: tuple[SolvedDesign, ...]
    sheets: ResultSheets
    path: Path
    content: bytes = field(repr=False)
    status: Literal["done", "failed"] = "done"

    @property
    def base(self) -> SolvedDesign:
        """The first design."""
        return self.designs[0]

    def table(self, sweep: str) -> Table:
        """The sheet of a sweep."""
        return next(table for table in self.sheets.tables if table.name == f"mbs Sweep {sweep}")

    @property
    def _source(self) -> Path:
        return self.path

    @property
    def _content(self) -> bytes:
        return self.content

    def _written(self) -> ResultSheets:
        return self.sheets


@dataclass(frozen=True)
class ReadSuspension:
    """A suspension workbook as read: its designs, the first of which is its own."""

    designs: tuple[ReadDesign, ...]

    @property
    def car(self) -> CarData:
        """Of the first design."""
        return self.designs[0].car

    @property
    def warnings(self) -> tuple[Problem, ...]:
        """Of all designs."""
        return tuple(dict.fromkeys(warning for design in self.designs for warning in design.model.warnings))


def read_suspension(book: Book) -> ReadSuspension:
    """The designs of a workbook. Raises WorkbookError with every problem, each with its cell."""
    _refuse_other_analyses(book)
    return ReadSuspension((read_design(book),))


def _refuse_other_analyses(book: Book) -> None:
    """Raise WorkbookError where Settings asks for an analysis that suspension sheets do not have yet."""
    name = next((name for name in book.sheets if fold(name) == "settings"), "")
    for number, row in book.sheets[name].rows.items() if name else ():
        texts = [fold(str(cell.value)) for _column, cell in sorted(row.items())]
        if texts[:1] == ["analysis"] and texts[1:2] not in ([], ["suspension"]):
            found = f"analysis: '{texts[1]}'"
            rule = "a workbook of suspension sheets is swept; other analyses of the generated car are not there yet"
            mend = "clear the cell, or write the model out with sheetmbs expand and analyse that"
            raise WorkbookError(Problem("not-yet", "error", address(name, number, 2), found, rule, mend))


def run_suspension(path: str | PathLike[str]) -> SuspensionResults:
    """Pose a suspension through its sweeps. Raises WorkbookError with every problem, each with its cell."""
    book = open_book(path)
    designs = tuple(map(solve_design, read_suspension(book).designs))
    return SuspensionResults(designs, _result_sheets(designs), book.path, book.content)


def _result_sheets(designs: tuple[SolvedDesign, ...]) -> ResultSheets:
    base = designs[0]
    tables = tuple(sweep_table(base.car, base.plans[name], axles, base.laws) for name, axles in base.swept.items())
    problems = tuple(dict.fromkeys(problem for design in designs for problem in design.problems))
    charts = tuple(_charts(base.plans, base.car))
    return ResultSheets(_summary(base.car, base.plans), tables, charts=charts, problems=problems)


def _summary(car: CarData, plans: Mapping[str, Sweep]) -> tuple[tuple[str, str | int, str], ...]:
    """What was swept."""
    axles = tuple((f"{axle.name} suspension", axle.type.name, "") for axle in car.axles)
    return (*axles, *((f"sweep {name}", plan.rows, "poses") for name, plan in plans.items()))


def _charts(sweeps: Mapping[str, Sweep], car: CarData) -> list[Chart]:
    """The first charts of wheel travel."""
    if "heave" not in sweeps:
        return []
    corners = [axle.corner(side) for axle in car.axles for side in SIDES]
    return [
        Chart(f"{metric} over travel", "travel", tuple(f"{corner}.{metric}" for corner in corners))
        for metric in ("camber", "toe")
    ]
