"""From a motion to everything that the result sheets show of it."""

from __future__ import annotations

from dataclasses import replace

from sheetmbs.analysis.solution import Solution
from sheetmbs.lower import Lowered
from sheetmbs.model import Chart
from sheetmbs.results.charting.asked_charts import asked_charts
from sheetmbs.results.charting.default_charts import default_charts
from sheetmbs.results.columns.body_columns import bodies, points
from sheetmbs.results.columns.clearance_columns import clearances, impacts
from sheetmbs.results.columns.constraint_columns import constraints
from sheetmbs.results.columns.declared import KINDS
from sheetmbs.results.columns.driver_columns import drivers
from sheetmbs.results.columns.joint_columns import joints
from sheetmbs.results.columns.motion_rows import reported
from sheetmbs.results.columns.spring_columns import springs
from sheetmbs.results.judging.accuracy import accuracy
from sheetmbs.results.judging.doubt import doubt
from sheetmbs.results.judging.in_other_units import in_other_units
from sheetmbs.results.judging.notes import fewer_rows, notes
from sheetmbs.results.sheets.key_results import key_results
from sheetmbs.results.sheets.modes_sheet import mode_charts, modes
from sheetmbs.results.sheets.rest_sheet import bars, sections
from sheetmbs.results.sheets.summary import summary
from sheetmbs.schema.settings import STATIC_ANALYSES
from sheetmbs.schema.table import Table
from sheetmbs.workbook.sheets.sheet_contents import ResultSheets, SheetSection


def result_sheets(lowered: Lowered, solution: Solution) -> ResultSheets:
    """Everything that the result sheets show of a solution."""
    found = reported(lowered, solution)
    tables = tuple(
        columns.table()
        for columns in (
            bodies(lowered, solution),
            points(lowered, solution, found),
            joints(lowered, solution, found),
            drivers(lowered, solution, found),
            springs(lowered, solution, found),
            clearances(lowered, solution, found),
            impacts(lowered, solution),
            constraints(lowered, solution, found),
        )
        if columns.names
    )
    shapes = modes(lowered, solution)
    tables = (*tables, shapes) if shapes else tables
    charts, chart_problems = asked_charts(lowered.model, tables)
    seen = accuracy(lowered, solution, found)
    problems = (
        *fewer_rows(tables),
        *lowered.model.warnings,
        *solution.problems,
        *in_other_units(lowered, solution, tables),
        *doubt(lowered, solution, seen),
        *notes(lowered, solution, found),
        *chart_problems,
    )
    if any(problem.severity == "error" for problem in problems):
        solution = replace(solution, status="failed")
    at_rest: tuple[SheetSection, ...] = ()
    remarks: tuple[str, ...] = ()
    if solution.analysis in STATIC_ANALYSES:
        at_rest = sections(lowered.model, tables, KINDS)
        remarks = tuple(f"Not drawn, for one row makes no line: '{chart.title}'." for chart in charts)
        charts = ()
    drawn = (*_usual_charts(lowered, tables, shapes, at_rest), *charts)
    return ResultSheets(
        summary=summary(lowered, solution, found, seen, key_results(tables, drawn, at_rest)),
        tables=tables,
        charts=drawn,
        problems=problems,
        sections=at_rest,
        remarks=remarks,
    )


def _usual_charts(
    lowered: Lowered, tables: tuple[Table, ...], shapes: Table | None, at_rest: tuple[SheetSection, ...]
) -> tuple[Chart, ...]:
    """Charts that nobody asked for: of modes and loads at rest always, of a motion where the workbook asks for none."""
    model, loads = lowered.model, tuple(bars(at_rest, lowered.bodies.length, KINDS))
    if shapes:
        return (*mode_charts(shapes), *loads)
    if model.settings.analysis in STATIC_ANALYSES:
        return loads
    return () if model.charts else default_charts(model, tables, KINDS)
