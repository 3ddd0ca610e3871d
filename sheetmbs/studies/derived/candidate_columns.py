"""Result columns that might be measured too, with their derivatives by the variables of a fit."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

import numpy as np

from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.products.varied_workbook import ColumnPoints
from sheetmbs.schema.names import fold, nearest
from sheetmbs.schema.table import Table
from sheetmbs.schema.units import UnitError, parse_unit
from sheetmbs.studies.derived.exact_columns import exact_at
from sheetmbs.studies.derived.measured_model import MeasuredModel
from sheetmbs.studies.fitting.fit_space import Floats
from sheetmbs.studies.responses.response_units import measure_the_same
from sheetmbs.studies.solving.variant_solver import VariantSolver
from sheetmbs.workbook.sheets.sheet_contents import MEASURED

ANGLE_SD, LENGTH_SD = 0.01, 0.05
"""deg and mm: standard deviations of readings of a rig"""
FORCE_SHARE = 0.005
"""of the largest force or moment of all columns: the same"""
CONSTRUCTED = ("fvsa", "svsa", "fvic", "svic", "roll_centre", "roll_axis", "pitch_centre", "instant")
"""in names of columns of points that are constructed, often far away: no rig reads them to a twentieth of a millimetre"""
SHEETS_OF_CHECKS = ("mbs Constraints", MEASURED)
"""whose columns show errors of the solver, or residuals"""
DEG, MM, FORCES = parse_unit("deg"), parse_unit("mm"), (parse_unit("N"), parse_unit("N*m"))
STEP = 0.01
"""in scales: columns that are only weighed against each other need no better derivative"""


Key = tuple[str, str, str]
"""case, sheet and column"""


def candidate_slopes(solver: VariantSolver, model: MeasuredModel, at: Floats) -> Mapping[str, Floats]:
    """(rows, p) of each candidate over the sd of its readings, by scaled variables, by its name."""
    sds = _candidates(solver, model)
    if not sds:
        return {}
    slopes = _exactly(solver, model, sds, at) if model.exact is not None else _by_differences(solver, model, sds, at)
    cases = {case for case, _sheet, _name in sds}
    return {
        f"{name} in {case}" if case and len(cases) > 1 else name: slopes[case, sheet, name]
        for case, sheet, name in sds
        if (case, sheet, name) in slopes and np.isfinite(slopes[case, sheet, name]).all()
    }


def _exactly(solver: VariantSolver, model: MeasuredModel, sds: Mapping[Key, float], at: Floats) -> dict[Key, Floats]:
    """The same from the derivatives of the model, over the rows of each sweep."""
    points = []
    for case, _sheet, name in sds:
        measured = next(own for own in model.measurements if own.case == case)
        table = solver.reference[case].tables[measured.over_sheet]
        x = np.unique(_column(table, measured.over))
        points.append(ColumnPoints(case, name, measured.over, measured.over_unit, x))
    columns = exact_at(solver, model.space, points)
    if columns is None:
        return {}
    slopes = columns.slopes(model.space.values(at))
    return {key: each / sd for (key, sd), each in zip(sds.items(), slopes, strict=True)}


def _by_differences(
    solver: VariantSolver, model: MeasuredModel, sds: Mapping[Key, float], at: Floats
) -> dict[Key, Floats]:
    """The same from two runs for each variable."""
    asked: dict[str, dict[str, list[str]]] = {}
    for case, sheet, name in sds:
        asked.setdefault(case, {}).setdefault(sheet, []).append(name)
    solver.subject.prepare({c: {s: tuple(names) for s, names in sheets.items()} for c, sheets in asked.items()})
    try:
        columns = [_slope(solver, model, sds, at, place) for place in range(len(at))]
    finally:
        solver.subject.prepare(model.asked())
    return {key: np.column_stack([column[key] for column in columns]) for key in sds}


def _slope(
    solver: VariantSolver, model: MeasuredModel, sds: Mapping[Key, float], at: Floats, place: int
) -> dict[Key, Floats]:
    sides = []
    low, high = model.space.scaled_bounds
    for sign in (1.0, -1.0):
        point = at.copy()
        point[place] = np.clip(at[place] + sign * STEP, low[place], high[place])
        found = solver.subject.solve(solver.changes.at(model.space.values(point)))
        if any(each.problem is not None for each in found.values()):
            continue
        values = {key: _column(found[key[0]].tables[key[1]], key[2]) / sd for key, sd in sds.items()}
        sides.append((point[place], values))
    if len(sides) < 2:
        return {key: np.full(1, np.nan) for key in sds}
    (ahead, first), (behind, last) = sides
    return {
        key: (first[key] - last[key]) / (ahead - behind) if first[key].shape == last[key].shape else np.full(1, np.nan)
        for key in sds
    }


def _column(table: Table, name: str) -> Floats:
    return np.asarray(table.values[:, table.columns.index(name)])


def _candidates(solver: VariantSolver, model: MeasuredModel) -> dict[Key, float]:
    """The sd of readings of every column that might be measured, of the cases in which something is measured."""
    measured = {(own.case, own.sheet, own.of) for own in model.measurements}
    wanted = {fold(name): name for name in solver.study.candidates}
    found: dict[Key, float] = {}
    known: dict[str, str] = {}
    forces: dict[str, list[Key]] = {}
    largest: dict[str, float] = {}
    for case, sheet, name, unit, values in _columns_of(solver, model):
        known[fold(name)] = name
        is_asked = fold(name) in wanted if wanted else not any(each in name for each in CONSTRUCTED)
        kind = _kind(unit)
        if not is_asked or kind is None or (case, sheet, name) in measured or not np.isfinite(values).all():
            continue
        found[case, sheet, name] = kind.sd
        if kind.is_force:
            forces.setdefault(unit, []).append((case, sheet, name))
            largest[unit] = max(largest.get(unit, 0.0), float(np.max(np.abs(values), initial=0.0)))
    for unit, keys in forces.items():
        found |= dict.fromkeys(keys, FORCE_SHARE * largest[unit])
    found = {key: sd for key, sd in found.items() if sd > 0.0}
    unknown = [name for key, name in wanted.items() if key not in known]
    if unknown:
        place = solver.study.places.get("candidates", "Study")
        near = nearest(unknown[0], list(known.values()))
        mend = f"did you mean {near}?" if near else "look up the headers of the sheets mbs .."
        rule = "there is no such result column in the cases that are measured"
        raise WorkbookError(Problem("unknown-column", "error", place, f"candidates: {unknown[0]}", rule, mend))
    return found


def _columns_of(solver: VariantSolver, model: MeasuredModel) -> Iterator[tuple[str, str, str, str, Floats]]:
    """Case, sheet, name, unit and values of every column of an element, in the cases in which something is measured."""
    for case in dict.fromkeys(own.case for own in model.measurements):
        for sheet, table in solver.reference[case].tables.items():
            for place, (name, unit) in enumerate(zip(table.columns, table.units, strict=True)):
                if "." in name and place not in table.texts and sheet not in SHEETS_OF_CHECKS:
                    yield case, sheet, name, unit, table.values[:, place]


@dataclass(frozen=True)
class _Kind:
    """What a rig reads. sd: of a reading, in the unit of the column, 0 of forces: theirs follows from the largest one."""

    sd: float
    is_force: bool = False


def _kind(unit: str) -> _Kind | None:
    """What a column is, by its unit; None of one that no rig measures."""
    text = unit.partition(",")[0]
    if not text or text == "1":
        return None
    try:
        shown = parse_unit(text)
    except UnitError:
        return None
    if measure_the_same(shown, DEG):
        return _Kind(ANGLE_SD * DEG.size / shown.size)
    if measure_the_same(shown, MM):
        return _Kind(LENGTH_SD * MM.size / shown.size)
    return _Kind(0.0, is_force=True) if any(measure_the_same(shown, each) for each in FORCES) else None
