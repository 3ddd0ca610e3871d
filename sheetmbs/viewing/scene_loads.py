"""Loads that change over the frames of a scene."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sheetmbs.engine.motion.motions import curve_over_rows, formula_over_rows
from sheetmbs.engine.motion.operations import STACK_DEPTH
from sheetmbs.lower import Lowered
from sheetmbs.model.model import Force, ForceSeries
from sheetmbs.results.results import Results
from sheetmbs.schema.units import parse_unit
from sheetmbs.viewing.packed import Json, packed

Floats = NDArray[np.float64]
Ints = NDArray[np.int64]


def varying_load(results: Results, force: Force, rows: Ints) -> Floats | None:
    """(rows, 3) of a load that formulas or a curve give, N; None where it reads what is not reported."""
    lowered = results.lowered
    times, columns = results.solution.times[rows], _in_si(results)
    variables = dict(sorted(lowered_variables(lowered).items(), key=lambda item: item[1]))
    if any(name not in columns for name in _read(force)):
        return None
    number = results.model.forces.index(force)
    values = np.repeat(lowered.forces.load_value[number, :3, None], len(times), axis=1)
    read = np.zeros((len(times), max(len(variables), 1)))
    for place, name in enumerate(variables):
        if name in columns:
            read[:, place] = columns[name][rows]
    for axis, index in enumerate(lowered.forces.load_index[number, :3]):
        if index >= 0:
            _formula(lowered, int(index), times, read, values[axis])
    curve = int(lowered.forces.loads[number]["scale"])
    return values.T if curve < 0 else values.T * _curve(lowered, curve, times)[:, None]


def series_loads(lowered: Lowered, number: int, series: ForceSeries, times: Floats) -> Json:
    """A measured load over the frames, and the place where it acts if that is given. number: its place among all loads."""
    index = lowered.forces.load_index[number]
    found = np.array([np.zeros(len(times)) if k < 0 else _curve(lowered, int(k), times) for k in index]).T
    shown: Json = {"values": packed(found[:, :3])}
    if series.point_frame != "centre":
        shown |= {"acts": packed(found[:, 6:]), "in": series.point_frame}
    return shown


def lowered_variables(lowered: Lowered) -> dict[str, int]:
    """Places of the motion columns that formulas read, by name, in the order of `Motions.add_formula`."""
    found: dict[str, int] = {}
    for force in lowered.model.forces:
        for name in _read(force):
            found.setdefault(name, len(found))
    return found


def _read(force: Force) -> list[str]:
    """Motion columns that the formulas of a load read."""
    parts = [part for part in (*force.force, *force.moment) if not isinstance(part, float | int)]
    return [name for part in parts for name in part.expression.variables]


def _in_si(results: Results) -> dict[str, Floats]:
    """Every column of bodies and points, by name."""
    return {
        name: table.values[:, place] * parse_unit(unit).size
        for table in results.sheets.tables
        if table.name in {"mbs Bodies", "mbs Points"}
        for place, (name, unit) in enumerate(zip(table.columns, table.units, strict=True))
    }


def _formula(lowered: Lowered, index: int, times: Floats, variables: Floats, values: Floats) -> None:
    """Multiply values (rows,) by those of a formula. variables: (rows, columns) it reads."""
    tapes, stack = lowered.tapes, np.zeros((STACK_DEPTH, 3))
    formula_over_rows(tapes.operation, tapes.constant, int(tapes.start[index]), times, variables, values, stack)


def _curve(lowered: Lowered, curve: int, times: Floats) -> Floats:
    """Values of a lowered curve."""
    table, values = lowered.curves, np.ones(len(times))
    curve_over_rows(table.knots, table.coefficients, int(table.start[curve]), int(table.count[curve]), times, values)
    return values
