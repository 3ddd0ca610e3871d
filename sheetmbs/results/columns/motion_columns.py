"""From a motion to the named columns of the result sheets."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sheetmbs.analysis.solution import Solution
from sheetmbs.engine.codes import RowKind
from sheetmbs.engine.forces.clearance import CLOSED, SPEED
from sheetmbs.engine.motion_report import MotionReport, report
from sheetmbs.engine.work import CONTACT_COLUMNS
from sheetmbs.lower import Lowered
from sheetmbs.lower.lower_constraints import Constraint
from sheetmbs.model import Chart
from sheetmbs.results.charting.chosen_charts import default_charts, wanted_charts
from sheetmbs.results.columns.body_columns import bodies, points
from sheetmbs.results.columns.clearance_columns import clearances, impacts
from sheetmbs.results.columns.collect import CollectedColumns
from sheetmbs.results.columns.force_columns import drivers, joints, springs
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

ROTATIONAL = (RowKind.PERPENDICULAR, RowKind.ANGLE, RowKind.TURN)


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
            _constraints(lowered, solution, found),
        )
        if columns.names
    )
    shapes = modes(lowered, solution)
    tables = (*tables, shapes) if shapes else tables
    charts, chart_problems = wanted_charts(lowered.model, tables)
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
        at_rest = sections(lowered.model, tables)
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
    model, loads = lowered.model, tuple(bars(at_rest, lowered.model, lowered.bodies.length))
    if shapes:
        return (*mode_charts(shapes), *loads)
    if model.settings.analysis in STATIC_ANALYSES:
        return loads
    return () if model.charts else default_charts(model, tables)


def reported(lowered: Lowered, solution: Solution) -> MotionReport:
    """Reactions, violations, springs, points and energies at all reporting times."""
    sizes = lowered.sizes()
    everything, gauges = lowered.arrange(weights=sizes), lowered.gauges(sizes)
    count, elements = len(solution.times), len(lowered.elements)
    frames = np.array(lowered.points, dtype=np.int64)
    found = MotionReport(
        wrench=np.zeros((count, elements, 12)),
        multiplier=np.zeros((count, elements)),
        power=np.zeros((count, elements)),
        position=np.zeros((count, elements)),
        velocity=np.zeros((count, elements)),
        worst=np.zeros((count, 2)),
        violation=np.zeros((count, elements, 2)),
        gauge=np.zeros((count, len(gauges.arrays.row), 2)),
        spring=np.zeros((count, len(lowered.forces.springs), 5)),
        bushing=np.zeros((count, len(lowered.forces.bushings.record), 18)),
        contact=np.ones((count, len(lowered.clearances), CONTACT_COLUMNS)),
        friction=np.zeros((count, len(lowered.frictions), 4)),
        point=np.zeros((count, len(frames), 9)),
        energy=np.zeros((count, 2)),
        supply=np.zeros(count),
        leverage=np.zeros(count),
        momentum=np.zeros((count, 9)),
        imbalance=np.zeros((count, len(lowered.model.bodies))),
    )
    if solution.contacts is not None:
        found.contact[:, :, (CLOSED, SPEED)] = solution.contacts
    report(
        everything.arrays,
        everything.work,
        gauges.arrays,
        gauges.work,
        lowered.constraints.owner[everything.kept],
        gauges.kept,
        frames,
        solution.times,
        solution.q,
        solution.v,
        solution.a,
        solution.turns,
        has_masses(lowered),
        found,
    )
    return found


def has_masses(lowered: Lowered) -> bool:
    """Whether all masses are known, so that forces are."""
    return not bool(np.any(np.isnan(lowered.bodies.mass)))


def _constraints(lowered: Lowered, solution: Solution, found: MotionReport) -> CollectedColumns:
    columns = CollectedColumns("mbs Constraints", solution.times)
    columns.add("position_violation", "m, rad", found.worst[:, 0])
    columns.add("velocity_violation", "m/s, rad/s", found.worst[:, 1])
    for c, element in enumerate(lowered.elements):
        unit = _residual_unit(lowered, element)
        columns.add(f"{element.name}.position", unit, found.position[:, c])
        columns.add(f"{element.name}.velocity", f"{unit}/s", found.velocity[:, c])
    if has_masses(lowered):
        columns.add("kinetic_energy", "J", found.energy[:, 0])
        columns.add("potential_energy", "J", found.energy[:, 1])
        columns.add("total_energy", "J", found.energy[:, 0] + found.energy[:, 1])
    return columns


def _residual_unit(lowered: Lowered, element: Constraint) -> str:
    """Joints may mix lengths and angles; their norm is in SI of both."""
    kinds = lowered.constraints.rows.kind[element.first : element.first + element.count]
    return "rad" if len(kinds) and np.all(np.isin(kinds, ROTATIONAL)) else "m"
