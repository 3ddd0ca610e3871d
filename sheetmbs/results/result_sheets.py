"""From a motion to everything that the result sheets show of it."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import replace

from sheetmbs.analysis.solution import Solution
from sheetmbs.engine.motion_report import MotionReport
from sheetmbs.lower import Lowered
from sheetmbs.model.model import Chart
from sheetmbs.results.charting.default_charts import asked_charts, default_charts
from sheetmbs.results.columns.body_columns import BODY, POINT, bodies, points
from sheetmbs.results.columns.clearance_columns import CLEARANCE, IMPACTS, clearances, impacts
from sheetmbs.results.columns.collect import CollectedColumns
from sheetmbs.results.columns.constraint_columns import WHOLE_MODEL, constraints
from sheetmbs.results.columns.declared import KINDS
from sheetmbs.results.columns.driver_columns import DRIVER, drivers
from sheetmbs.results.columns.joint_columns import JOINT, joints
from sheetmbs.results.columns.mode_columns import MODES
from sheetmbs.results.columns.spring_columns import SPRING_KINDS, springs
from sheetmbs.results.judging.accuracy import doubt
from sheetmbs.results.judging.in_other_units import in_other_units
from sheetmbs.results.judging.notes import fewer_rows, notes
from sheetmbs.results.reported_motion import PostprocessedMotion
from sheetmbs.results.sheets.modes_sheet import mode_charts, modes
from sheetmbs.results.sheets.rest_sheet import bars, sections
from sheetmbs.results.sheets.summary import key_results, summary
from sheetmbs.schema.settings import STATIC_ANALYSES
from sheetmbs.schema.table import Table
from sheetmbs.workbook.sheets.sheet_contents import ResultSheets, SheetSection

Columns = Callable[[Lowered, Solution, MotionReport], CollectedColumns]
COLUMNS: Mapping[str, Columns] = {
    BODY.sheet: lambda lowered, solution, _found: bodies(lowered, solution),
    POINT.sheet: points,
    JOINT.sheet: joints,
    DRIVER.sheet: drivers,
    SPRING_KINDS[0].sheet: springs,
    CLEARANCE.sheet: clearances,
    IMPACTS.sheet: lambda lowered, solution, _found: impacts(lowered, solution),
    WHOLE_MODEL.sheet: constraints,
}
"""what makes the sheets of numbers but that of modes, in their order"""


def asked_tables(seen: PostprocessedMotion, asked: Mapping[str, Collection[str]]) -> Iterator[Table]:
    """Sheets of numbers, as far as there are such. asked: names of columns by sheet; others may stand there too."""
    for sheet in asked:
        if sheet == BODY.sheet:
            columns = bodies(seen.lowered, seen.solution, asked[sheet])
        elif sheet in COLUMNS:
            columns = COLUMNS[sheet](seen.lowered, seen.solution, seen.found)
        else:
            continue
        if columns.names or columns.first.name in asked[sheet]:
            yield columns.table()
    if MODES.sheet in asked and (shapes := modes(seen.lowered, seen.solution, asked[MODES.sheet])) is not None:
        yield shapes


def result_sheets(lowered: Lowered, solution: Solution) -> ResultSheets:
    """Everything that the result sheets show of a solution."""
    return all_sheets(PostprocessedMotion(lowered, solution))


def all_sheets(motion: PostprocessedMotion) -> ResultSheets:
    """Everything that the result sheets show of a motion."""
    lowered, solution, found = motion.lowered, motion.solution, motion.found
    columns = [make(lowered, solution, found) for make in COLUMNS.values()]
    tables = tuple(each.table() for each in columns if each.names)
    shapes = modes(lowered, solution)
    tables = (*tables, shapes) if shapes else tables
    charts, chart_problems = asked_charts(lowered.model, tables)
    seen = motion.accuracy
    problems = (
        *fewer_rows(tables),
        *lowered.model.warnings,
        *solution.problems,
        *in_other_units(lowered, solution, tables),
        *doubt(lowered, solution, seen),
        *seen.beyond,
        *notes(lowered, solution, found),
        *chart_problems,
    )
    if any(problem.severity == "error" for problem in problems):
        solution = replace(solution, status="failed")
    at_rest: tuple[SheetSection, ...] = ()
    remarks: tuple[str, ...] = ()
    if solution.analysis in STATIC_ANALYSES:
        at_rest = sections(lowered.model, tables, KINDS)
        remarks = tuple(f"Not drawn, because one row makes no line: '{chart.title}'." for chart in charts)
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
