"""The targets of designs: read against the columns that each has, and judged by what it has in them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from sheetmbs.measured.residuals import RMS_PREFIX
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.input_columns import CURVES
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList
from sheetmbs.schema.suspension_inputs import TARGETS
from sheetmbs.schema.table import Table
from sheetmbs.suspension.compliance.compliant_sweeps import compliant_design, elastic_axle
from sheetmbs.suspension.compliance.elastic_axle import ElasticAxle
from sheetmbs.suspension.designs.design_list import folded_sheets
from sheetmbs.suspension.elastic.spring_elements import AxleLaws, laws
from sheetmbs.suspension.handling.handling_metrics import units_of_rows
from sheetmbs.suspension.handling.trimmed_cases import trimmed_cases
from sheetmbs.suspension.handling.tyred_car import handling_car
from sheetmbs.suspension.kinematics.axle_system import AxleSystem
from sheetmbs.suspension.kinematics.sweeps import SweptAxle, default_sweeps, full_lock
from sheetmbs.suspension.layout.car import CarData
from sheetmbs.suspension.layout.load_case import default_cases
from sheetmbs.suspension.limits.sweep_limits import rack_limit
from sheetmbs.suspension.loads.design_loads import design_loads
from sheetmbs.suspension.measured_targets import with_measured
from sheetmbs.suspension.metrics.columns import KINEMATIC
from sheetmbs.suspension.read_design import ReadDesign
from sheetmbs.suspension.sheets.design_values import design_values
from sheetmbs.suspension.sheets.sizing_pages import sizing_units, sizing_values
from sheetmbs.suspension.solved_design import SolvedDesign, design_pose, design_systems, design_table
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
        over = frozenset(fold(record.text("sweep")) for record in table.records())
        if any(fold(record.text("metric")).startswith(RMS_PREFIX) for record in table.records()):
            over |= {fold(case.name) for each in designs for case in each.cases}  # readings may be of these
        known = known or with_measured(_known(designs, over), books[0])
        found[read.design.name] = read_targets(table, known, curves, report)
        # what is wrong with curves themselves is reported where the model is built
        told[read.design.shown] = [each for each in report.problems() if fold(each.sheet) != fold(CURVES.name)]
        has_errors |= report.has_errors
    if has_errors:
        raise WorkbookError(deduplicate(told, "design"))
    return found, deduplicate(told, "design")


def _known(designs: Sequence[ReadDesign], over: frozenset[str]) -> Known:
    """The columns and sweeps that targets may name: those that any design has. over: folded texts of the column sweep."""
    units: dict[str, str] = {}
    sweeps: dict[str, tuple[str, ...]] = {}
    loads: dict[str, dict[str, str]] = {}
    handling: dict[str, Mapping[str, str]] = {}
    for read in designs:
        car = read.car
        poses = {name: design_pose(system, read.model.warnings) for name, system in read.systems.items()}
        held = {name: laws(car, pose) for name, pose in poses.items()}
        units = _units_at_design(car, poses, held) | units
        if any(axle.elastic for axle in car.axles):
            ready = _elastic_axles(read, read.systems, held)
            units = {f"{column.removesuffix(KINEMATIC)}{KINEMATIC}": unit for column, unit in units.items()} | units
            poses |= {
                name: compliant_design(read.systems[name], elastic, poses[name])
                for name, elastic in ready.items()
                if elastic.axle.elastic
            }
            units = _units_at_design(car, poses, held) | units
        units |= sizing_units(car)
        sweeps = {sweep.name: sweep.swept for sweep in read.sweeps or default_sweeps(car.axles, 0.0)} | sweeps
        handling = dict(units_of_rows(read.handling)) | handling
        loads = _units_of_loads(read, over) | loads
    return Known(units, sweeps, loads, handling)


def _units_at_design(car: CarData, poses: Mapping[str, SweptAxle], held: Mapping[str, AxleLaws]) -> dict[str, str]:
    values = design_values("", car, design_table(car, poses, held))
    return {column: unit for column, (_value, unit) in values.found.items() if column != "travel"}


def _elastic_axles(
    read: ReadDesign, systems: Mapping[str, AxleSystem], held: Mapping[str, AxleLaws]
) -> dict[str, ElasticAxle]:
    """Both axles with their elastic parts; none where no axle has any."""
    if not any(axle.elastic for axle in read.car.axles):
        return {}
    return {name: elastic_axle(read.car, design_pose(system), held[name]) for name, system in systems.items()}


def _units_of_loads(read: ReadDesign, over: frozenset[str]) -> dict[str, dict[str, str]]:
    """Columns of load cases with their units, by name; none where no target names a case.

    over: folded names of what targets go over. Which members a car has is known from its solved cases alone.
    """
    if not any(fold(case.name) in over for case in read.cases or default_cases(0.0, brakes=True, along=True)):
        return {}
    systems = design_systems(read)
    held = {name: laws(read.car, design_pose(system, read.model.warnings)) for name, system in systems.items()}
    placed = trimmed_cases(handling_car(read.car, systems, held, read.tyres), read.cases)
    elastic = _elastic_axles(read, systems, held)
    loads = design_loads(read.car, systems, held, read.cases, full_lock(rack_limit(systems)), placed, elastic)
    return {case.name: {column.name: column.unit for column in loads.columns} for case in loads.cases}


def judged_targets(
    targets: Mapping[str, Sequence[Target]],
    designs: Sequence[SolvedDesign],
    tables: Sequence[Table],
    measured: Mapping[str, Mapping[str, tuple[float, str]]],
) -> tuple[JudgedTarget, ...]:
    """Every target of every design that has its metric. tables: of the sweeps, with the columns of all designs.

    measured: rms residuals of each design with their units, by names.
    """
    by_name = {table.name: table for table in tables}
    found = []
    for design in designs:
        own = targets.get(design.name, ())
        at_design: Mapping[str, tuple[float, str]] = {}
        if any(not target.over for target in own):
            others = sizing_values(design.sizing)
            at_design = design_values(design.name, design.car, design.at_design, others=others).found
            at_design = {**at_design, **measured.get(design.name, {})}
        for target in own:
            table = by_name.get(of_sweep(target))
            if target.case:
                found.append(judged_at_design(target, design.name, _of_case(target, design)))
            elif target.metric in at_design and not target.sweep:
                found.append(judged_at_design(target, design.name, at_design))
            elif table is not None and own_column(design.name, target.metric) in table.columns:
                found.append(judged_over_sweep(target, design.name, table))
    return tuple(found)


def _of_case(target: Target, design: SolvedDesign) -> dict[str, tuple[float, str]]:
    """The value of a load case or a row of Handling that a target is of, with its unit; nothing where there is none."""
    if target.is_handling:
        found = design.handling.read_off(target.case, target.metric)
        return {} if found is None else {target.metric: (found.value, found.unit)}
    columns = (column for column in design.loads.columns if column.name == target.metric)
    rows = [number for number, case in enumerate(design.loads.cases) if case.name == target.case]
    return {column.name: (float(column.values[row]), column.unit) for column in columns for row in rows}


def of_sweep(target: Target) -> str:
    """The name of the sheet over which a target goes, that of no sheet where it goes over none."""
    return f"mbs Sweep {target.sweep}" if target.sweep else ""
