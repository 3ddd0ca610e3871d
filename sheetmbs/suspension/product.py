"""A suspension workbook from its sheets to its results: read, generate, pose, write."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import Literal

import numpy as np

from sheetmbs.model import Chart, Model
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.results.results import Writable
from sheetmbs.schema.column import Sheet
from sheetmbs.schema.names import fold
from sheetmbs.schema.suspension_inputs import POSES, SUSPENSION_SHEETS, SWEEPS
from sheetmbs.schema.table import Table
from sheetmbs.suspension.elastic.element_laws import corner_load, laws
from sheetmbs.suspension.generated.generate import generated_rows
from sheetmbs.suspension.generated.merged_sheets import MergedBook, with_generated
from sheetmbs.suspension.kinematics.corner_system import CornerSystem, corner_system
from sheetmbs.suspension.kinematics.sweeps import RACK, Sweep, SweptAxle, default_sweeps, swept_axle
from sheetmbs.suspension.layout.car import SIDES, CarData
from sheetmbs.suspension.metrics.columns import SWEPT, sweep_table
from sheetmbs.suspension.metrics.declared_metric import size
from sheetmbs.suspension.reading.read_car import read_car
from sheetmbs.suspension.reading.read_sweeps import read_sweeps
from sheetmbs.suspension.reading.unserved import refuse_designs, refuse_later_sheets
from sheetmbs.workbook.cells.cell_rows import NO_NUMBERS, SheetRows
from sheetmbs.workbook.cells.cells import Book, Cell, CellKind, CellSheet, address, open_book
from sheetmbs.workbook.reading.build_model import build_model
from sheetmbs.workbook.reading.input_table import InputTable
from sheetmbs.workbook.reading.problem_list import ProblemList
from sheetmbs.workbook.sheets.sheet_contents import ResultSheets

GENERAL = (("dimension", "3D"), ("analysis", "kinematic"), ("t_end", 1.0), ("t_step", 1.0))
"""settings of the model of a corner, which knows no time"""


@dataclass(frozen=True)
class SuspensionResults(Writable):
    """What the sweeps of a suspension found. Every sheet is a `Table`."""

    car: CarData
    sweeps: Mapping[str, Mapping[str, SweptAxle]]
    """axles over the rows of each sweep"""
    plans: Mapping[str, Sweep]
    """what each sweep moves"""
    merged: MergedBook
    """the workbook with the generated rows on its sheets"""
    sheets: ResultSheets
    path: Path
    content: bytes = field(repr=False)
    status: Literal["done", "failed"] = "done"

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
    """A suspension workbook as read. merged: it with the generated rows; model: what they make, with all warnings."""

    car: CarData
    sweeps: tuple[Sweep, ...]
    merged: MergedBook
    model: Model


def read_suspension(book: Book) -> ReadSuspension:
    """The car, sweeps and model of a workbook. Raises WorkbookError with every problem, each with its cell."""
    _refuse_other_analyses(book)
    report = ProblemList(book.sheets)
    refuse_later_sheets(book.sheets, report)
    sheets = _sheets(book, SUSPENSION_SHEETS)
    car = read_car(sheets, report)
    sweeps, poses = (InputTable(sheet, sheets.get(sheet.name), report, "3D") for sheet in (SWEEPS, POSES))
    refuse_designs((sweeps,), report)
    given = tuple(read_sweeps(sweeps, poses, car, report)) if car is not None else ()
    problems = report.problems()
    if car is None or report.has_errors:
        raise WorkbookError(problems)
    merged = with_generated(_with_settings(book), generated_rows(car))
    try:
        model = build_model(merged.book)
    except WorkbookError as error:
        raise WorkbookError([_at_origin(problem, merged.origin) for problem in error.problems]) from None
    return ReadSuspension(car, given, merged, replace(model, warnings=(*problems, *model.warnings)))


def _sheets(book: Book, schemas: tuple[Sheet, ...]) -> dict[str, CellSheet]:
    known = {fold(schema.name): schema.name for schema in schemas}
    return {known[fold(name)]: book.sheets[name] for name in book.sheets if fold(name) in known}


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


def _with_settings(book: Book) -> Book:
    """The workbook with the settings that the model of a corner needs."""
    texts: list[tuple[str, str | float]] = [("setting", "value"), *GENERAL]
    rows = {
        row: {column: _cell(row, column, value) for column, value in enumerate(cells, start=1)}
        for row, cells in enumerate(texts, start=1)
    }
    others = {name: book.sheets[name] for name in book.sheets if fold(name) != "settings"}
    return replace(
        book, sheets={"Settings": CellSheet("Settings", SheetRows(NO_NUMBERS, rows), hidden=False), **others}
    )


def _cell(row: int, column: int, value: str | float) -> Cell:
    return Cell(row, column, CellKind.TEXT if isinstance(value, str) else CellKind.NUMBER, value)


def _at_origin(problem: Problem, origin: Mapping[str, str]) -> Problem:
    """A problem of a generated cell as one of the cell it came from."""
    cell = origin.get(problem.cell, problem.cell)
    return problem if cell == problem.cell else replace(problem, cell=cell, found=f"{problem.found} (generated)")


def run_suspension(path: str | PathLike[str]) -> SuspensionResults:
    """Pose a suspension through its sweeps. Raises WorkbookError with every problem, each with its cell."""
    book = open_book(path)
    read = read_suspension(book)
    car = read.car
    systems = {axle.name: {side: corner_system(read.model, axle, side) for side in SIDES} for axle in car.axles}
    plans = {sweep.name: sweep for sweep in read.sweeps or default_sweeps(car.axles, _rack_limit(systems))}
    swept = {
        name: {axle: swept_axle(plan, systems[axle]) for axle in systems if axle in plan.axles}
        for name, plan in plans.items()
    }
    design = Sweep("design", "heave", np.zeros(1), np.zeros(1), np.zeros(1), ("travel",))
    held = {axle: laws(car, swept_axle(design, corners)) for axle, corners in systems.items()}
    tables = tuple(sweep_table(car, plans[name], axles, held) for name, axles in swept.items())
    problems = (*read.model.warnings, *_without_load(car), *_limits(plans, swept))
    sheets = ResultSheets(_summary(car, plans), tables, charts=tuple(_charts(plans, car)), problems=problems)
    return SuspensionResults(car, swept, plans, read.merged, sheets, book.path, book.content)


def _without_load(car: CarData) -> Iterator[Problem]:
    """Warnings of springs whose force nothing tells: rates then lack what it adds."""
    for axle in car.axles:
        springs = [row for row in axle.springs if row.kind == "spring"]
        told = ("free_length", "preload")
        unknown = [row for row in springs if all(row.number(name) is None for name in told)]
        if unknown and corner_load(car, axle) is None:
            found = f"the {axle.name} {unknown[0].name} has neither free_length nor preload"
            rule = "its force follows from the corner load, and nothing tells that: forces and rates are left empty"
            mend = "set corner load, or mass and weight front, on the sheet Suspension"
            yield Problem("missing-setting", "warning", str(unknown[0].places["name"]), found, rule, mend)


def _limits(plans: Mapping[str, Sweep], swept: Mapping[str, Mapping[str, SweptAxle]]) -> Iterator[Problem]:
    """Warnings of sweeps that go further than the linkage does."""
    for name, axles in swept.items():
        plan, (first, *_) = plans[name], plans[name].swept
        for axle in axles.values():
            reached = plan.column(first)[axle.rows] / size(SWEPT[first])
            if len(reached) == plan.rows:
                continue
            found = f"sweep {name}, {axle.axle.name} axle: {len(reached)} of {plan.rows} poses"
            rule = "the linkage closes in none of them"
            if len(reached):
                rule = f"the linkage closes for {first} from {min(reached):.2f} to {max(reached):.2f} {SWEPT[first]}"
            yield Problem("travel-limit", "warning", plan.cell, found, rule, "sweep less, or look at the hardpoints")


def _summary(car: CarData, plans: Mapping[str, Sweep]) -> tuple[tuple[str, str | int, str], ...]:
    """What was swept."""
    axles = tuple((f"{axle.name} suspension", axle.type.name, "") for axle in car.axles)
    return (*axles, *((f"sweep {name}", plan.rows, "poses") for name, plan in plans.items()))


def _rack_limit(systems: Mapping[str, Mapping[str, CornerSystem]]) -> float:
    """The smallest rack travel that any steered corner reaches, up to what is wanted anyway."""
    limit = 2.0 * RACK
    wanted = np.linspace(-limit, limit, 41)
    for corners in systems.values():
        if not corners["left"].axle.is_steered:
            continue
        for system in corners.values():
            rows = system.wheel(np.zeros(len(wanted)), wanted)[1]
            limit = min(limit, -wanted[rows.start], wanted[rows.stop - 1])
    return float(limit)


def _charts(sweeps: Mapping[str, Sweep], car: CarData) -> list[Chart]:
    """The first charts of wheel travel."""
    if "heave" not in sweeps:
        return []
    corners = [axle.corner(side) for axle in car.axles for side in SIDES]
    return [
        Chart(f"{metric} over travel", "travel", tuple(f"{corner}.{metric}" for corner in corners))
        for metric in ("camber", "toe")
    ]
