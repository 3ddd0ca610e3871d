"""Measured less computed values: at measured x, with the offset that a measurement asks for."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheetmbs.measured.measurement import Floats, Measurement
from sheetmbs.problems.errors import Problem
from sheetmbs.schema.table import Table
from sheetmbs.workbook.sheets.sheet_contents import MEASURED

SAME_X = 1e-9
"""of the range of x: a measured x that is nearer to a row than this, or to the end of all rows, is there"""
ROUNDING = 1e-12
"""of the largest x: what changing units may do to one"""
NODES = 4
"""rows through which a cubic goes"""


@dataclass(frozen=True, eq=False)
class Residuals:
    """A measurement beside what was computed.

    computed: (m,) at the points of the measurement, NaN where nothing was computed. counts: (n,) readings that lie within
    what was computed; the others count for nothing. free_offset: what was added to the measured values, in the unit of the
    column: 0 where the offset is a number, the constant of least squares where it is free.
    """

    measurement: Measurement
    computed: Floats
    counts: NDArray[np.bool_]
    free_offset: float

    @property
    def outside(self) -> int:
        """How many readings lie beyond what was computed."""
        return int(np.sum(~self.counts))

    @property
    def x(self) -> Floats:
        """(k,) of the readings that count."""
        return self.measurement.x[self.counts]

    @property
    def measured_values(self) -> Floats:
        """(k,) measured values, moved by the free offset, so that they lie beside the computed ones."""
        return self.measurement.y[self.counts] + self.free_offset

    @property
    def computed_values(self) -> Floats:
        """(k,) computed values at the same x."""
        return self.computed[self.measurement.at_points[self.counts]]

    @property
    def residuals(self) -> Floats:
        """(k,) measured less computed values."""
        return self.measured_values - self.computed_values

    @property
    def rms(self) -> float:
        """Root of the mean square of the residuals, NaN where no reading counts."""
        found = self.residuals
        return float(np.sqrt(np.mean(found * found))) if len(found) else np.nan


@dataclass(frozen=True)
class ComparedMeasurements:
    """All measurements of a workbook beside what was computed. warnings: of their sheets."""

    found: tuple[Residuals, ...] = ()
    warnings: tuple[Problem, ...] = ()


NOT_MEASURED = ComparedMeasurements()


def residuals(measurement: Measurement, computed: Floats) -> Residuals:
    """Compare a measurement with what was computed. computed: (m,) at its points, NaN where nothing was computed."""
    counts = np.isfinite(computed[measurement.at_points])
    none = Residuals(measurement, computed, counts, 0.0)
    if not counts.any():
        return none
    if measurement.offset == "fit":
        return Residuals(measurement, computed, counts, -float(np.mean(none.residuals)))
    if measurement.offset == "first":
        return Residuals(measurement, computed, counts, -float(none.residuals[0]))
    if measurement.offset == "zero":
        shift = float(computed[measurement.at_zero]) - measurement.measured_at_zero
        return Residuals(measurement, computed, counts if np.isfinite(shift) else counts & False, shift)
    return none


RMS_PREFIX = "measured("
"""how the names of rms residuals begin"""


def rms_name(measurement: str) -> str:
    """How targets and responses call the rms residual of a measurement."""
    return f"{RMS_PREFIX}{measurement})"


def rms_table(found: Sequence[Residuals]) -> Table:
    """The rms residuals of measurements as one row, as responses read them."""
    names = tuple(rms_name(each.measurement.name) for each in found)
    units = tuple(each.measurement.unit for each in found)
    return Table(MEASURED, names, units, np.array([[each.rms for each in found]]))


def residual_changes(found: Residuals, changes: Floats) -> Floats:
    """How residuals change. changes: (m, ...) of the computed values at the points of the measurement; given back (k, ...).

    An offset that is no number moves with the computed values: residuals are linear in these.
    """
    own = found.measurement
    at = changes[own.at_points[found.counts]]
    if own.offset == "fit":
        return np.asarray(np.mean(at, axis=0) - at)
    if own.offset == "first":
        return np.asarray(at[0] - at)
    if own.offset == "zero":
        return np.asarray(changes[own.at_zero] - at)
    return -at


def column_of(tables: Iterable[Table], sheet: str, column: str) -> Floats | None:
    """(n,) values of a column of a result sheet, None where it is not there."""
    found = (table for table in tables if table.name == sheet and column in table.columns)
    table = next(found, None)
    return None if table is None else table.values[:, table.columns.index(column)]


def computed_at_points(measurement: Measurement, tables: Sequence[Table]) -> Floats:
    """(m,) the computed column at the points of a measurement, by the cubic through its rows; NaN beyond them.

    tables: result sheets of its case. Of a case of one row that one value counts everywhere.
    """
    none = np.full(len(measurement.points), np.nan)
    values = column_of(tables, measurement.sheet, measurement.of)
    if values is None:
        return none
    if not measurement.over:
        return np.full(len(measurement.points), values[0])
    x = column_of(tables, measurement.over_sheet, measurement.over)
    return none if x is None or len(x) != len(values) else interpolated(x, values, measurement.points)


def interpolated(x: Floats, y: Floats, at: Floats) -> Floats:
    """(m,) values at ``at`` of the cubic through the four nearest rows on both sides; NaN beyond the rows.

    x, y: (n,) rows. A row whose y is blank breaks the curve: between its neighbours there is no value. So do two rows at one
    x, where a value jumps; there the first of them counts. Where x goes back and forth, only what is known at a row counts.
    """
    is_known = np.isfinite(x)
    x, y = x[is_known], y[is_known]
    found = np.full(len(at), np.nan)
    if len(x) == 0:
        return found
    steps = np.diff(x)
    is_one_way = bool(np.all(steps >= 0.0) or np.all(steps <= 0.0))
    order = np.arange(len(x))[::-1] if len(steps) and steps[0] < 0.0 and is_one_way else np.argsort(x, kind="stable")
    x, y = x[order], y[order]
    near = max(SAME_X * (x[-1] - x[0]), ROUNDING * float(np.max(np.abs(x))))
    rows, is_row = _at_rows(x, at, near)
    found[is_row] = y[rows[is_row]]
    if not is_one_way:
        behind = np.minimum(rows + 1, len(x) - 1)
        is_twofold = is_row & (behind > rows) & (x[behind] == x[rows]) & (y[behind] != y[rows])
        found[is_twofold] = np.nan
        return found
    for begin, end in _unbroken(x, y):
        inside = ~is_row & (at > x[begin]) & (at < x[end - 1])
        if inside.any():
            found[inside] = _cubic(x[begin:end], y[begin:end], at[inside])
    return found


def _at_rows(x: Floats, at: Floats, near: float) -> tuple[NDArray[np.intp], NDArray[np.bool_]]:
    """(m,) the first row that is as near as rounding, and whether there is one. x: ascending."""
    rows = np.minimum(np.searchsorted(x, at - near), len(x) - 1)
    return rows, np.abs(at - x[rows]) <= near


def _unbroken(x: Floats, y: Floats) -> Iterator[tuple[int, int]]:
    """First row and end of every stretch without a blank or two rows at one x. x: ascending."""
    known = np.isfinite(y)
    begins = known & np.append(True, ~known[:-1] | (np.diff(x) == 0.0))
    ends = known & np.append(~known[1:] | (np.diff(x) == 0.0), True)
    yield from zip(np.flatnonzero(begins).tolist(), (np.flatnonzero(ends) + 1).tolist(), strict=True)


def _cubic(x: Floats, y: Floats, at: Floats) -> Floats:
    """Lagrange's polynomial through the rows nearest to each place, as many on either side. x: (n,) increasing, all known."""
    nodes = min(NODES, len(x))
    first = np.clip(np.searchsorted(x, at) - nodes // 2, 0, len(x) - nodes)
    chosen = first[:, None] + np.arange(nodes)
    own = x[chosen]
    found = np.zeros(len(at))
    for k in range(nodes):
        others = np.arange(nodes) != k
        weight = np.prod((at[:, None] - own[:, others]) / (own[:, k, None] - own[:, others]), axis=1)
        found += weight * y[chosen[:, k]]
    return found
