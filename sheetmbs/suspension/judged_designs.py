"""The targets of designs: read against the columns that each has, and judged by what it has in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.input_columns import CURVES
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList
from sheetmbs.schema.suspension_inputs import TARGETS
from sheetmbs.schema.table import Table
from sheetmbs.suspension.designs.design_list import folded_sheets
from sheetmbs.suspension.elastic.spring_elements import laws
from sheetmbs.suspension.kinematics.axle_system import axle_system
from sheetmbs.suspension.kinematics.sweeps import default_sweeps
from sheetmbs.suspension.read_design import ReadDesign
from sheetmbs.suspension.sheets.design_values import design_values
from sheetmbs.suspension.sheets.sizing_pages import sizing_units, sizing_values
from sheetmbs.suspension.solved_design import SolvedDesign, design_pose, design_table
from sheetmbs.suspension.targets.target_report import JudgedTarget, judged_at_design, judged_over_sweep, own_column
from sheetmbs.suspension.targets.target_rows import Known, Target, read_targets
from sheetmbs.workbook.cells.cells import Book
from sheetmbs.workbook.reading.cases import deduplicate
from sheetmbs.workbook.reading.elements.read_curves import read_curves_before_model
from sheetmbs.workbook.reading.input_table import InputTable


def design_targets(
    books: Sequence[Book], designs: Sequence[ReadDesign]
) -> tuple[dict[str, tuple[Target, ...]], list[Problem]]:
    """Targets of designs by name, and warnings. books: the rows of each. Raises WorkbookError with all that is wrong."""
    known: Known | None = None
    found: dict[str, tuple[Target, ...]] = {}
    told: dict[str, list[Problem]] = {}
    has_errors = False
    for book, read in zip(books, designs, strict=True):
        sheets = folded_sheets(book.sheets, (TARGETS.name,))
        if TARGETS.name not in sheets:
            continue
        report = ProblemList(book.sheets)
        table = InputTable(TARGETS, sheets[TARGETS.name], report, "3D")
        curves = read_curves_before_model(folded_sheets(books[0].sheets, (CURVES.name,)), report)
        known = known or _known(designs)
        found[read.design.name] = read_targets(table, known, curves, report)
        # what is wrong with curves themselves is told where the model is built
        told[read.design.shown] = [each for each in report.problems() if fold(each.sheet) != fold(CURVES.name)]
        has_errors |= report.has_errors
    if has_errors:
        raise WorkbookError(deduplicate(told, "design"))
    return found, deduplicate(told, "design")


def _known(designs: Sequence[ReadDesign]) -> Known:
    """The columns and sweeps that targets may name: those that any design has."""
    units: dict[str, str] = {}
    sweeps: dict[str, tuple[str, ...]] = {}
    for read in designs:
        car = read.car
        poses = {axle.name: design_pose(axle_system(read.model, axle), read.model.warnings) for axle in car.axles}
        table = design_table(car, poses, {name: laws(car, pose) for name, pose in poses.items()})
        values = design_values("", car, table)
        units = {column: unit for column, (_value, unit) in values.found.items() if column != "travel"} | units
        units |= sizing_units(car)
        sweeps = {sweep.name: sweep.swept for sweep in read.sweeps or default_sweeps(car.axles, 0.0)} | sweeps
    return Known(units, sweeps)


def judged_targets(
    targets: Mapping[str, Sequence[Target]], designs: Sequence[SolvedDesign], tables: Sequence[Table]
) -> tuple[JudgedTarget, ...]:
    """Every target of every design that has its metric. tables: of the sweeps, with the columns of all designs."""
    by_name = {table.name: table for table in tables}
    found = []
    for design in designs:
        own = targets.get(design.name, ())
        at_design: Mapping[str, tuple[float, str]] = {}
        if any(not target.sweep for target in own):
            others = sizing_values(design.sizing)
            at_design = design_values(design.name, design.car, design.at_design, others=others).found
        for target in own:
            table = by_name.get(of_sweep(target))
            if target.metric in at_design and not target.sweep:
                found.append(judged_at_design(target, design.name, at_design))
            elif table is not None and own_column(design.name, target.metric) in table.columns:
                found.append(judged_over_sweep(target, design.name, table))
    return tuple(found)


def of_sweep(target: Target) -> str:
    """The name of the sheet over which a target goes, that of no sheet where it goes over none."""
    return f"mbs Sweep {target.sweep}" if target.sweep else ""
