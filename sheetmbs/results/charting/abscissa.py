"""The abscissa of charts: time, or in a kinematic analysis the one coordinate that is driven."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements.analyses import Analysis
from sheetmbs.model.model import Model
from sheetmbs.results.columns.rates import holds
from sheetmbs.schema.table import Table

TIME = "time"
MOVED = 1e-9
"""share of the largest value by which a driven coordinate must change to count as moved, or may miss a straight line"""

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Abscissa:
    """The column that runs across charts. is_one_way: it never turns back, so that rates are unique over it too.

    rates: the columns that are rates.
    """

    column: str = TIME
    is_one_way: bool = True
    rates: frozenset[str] = frozenset()

    def over(self, columns: Sequence[str]) -> str:
        """The abscissa of these columns. If the driver turns back, rates are drawn over time, since they would make loops."""
        return self.column if self.is_one_way or self.rates.isdisjoint(columns) else TIME


def chart_abscissa(model: Model, tables: Sequence[Table]) -> Abscissa:
    """The abscissa of the charts of an analysis.

    A kinematic analysis runs through positions, and time only numbers them. Where one driver moves, or several in
    proportion as both wheels of an axle, its coordinate says more.
    """
    if model.settings.analysis != Analysis.KINEMATIC:
        return Abscissa()
    columns = {name: t.values[:, k] for t in tables for k, name in enumerate(t.columns)}
    driving = [driver for driver in model.drivers if not holds(driver.motion)]
    names = [f"{driver.joint or driver.body}.{driver.coordinate}" for driver in driving]
    moved = [name for name in names if name in columns and _extent(columns[name]) > 0.0]
    if not moved or not all(_in_proportion(columns[moved[0]], columns[name]) for name in moved[1:]):
        return Abscissa()
    steps = np.diff(columns[moved[0]])
    rates = frozenset(n for t in tables for n, unit in zip(t.columns, t.units, strict=True) if "/s" in unit)
    return Abscissa(moved[0], bool(np.all(steps > 0.0) or np.all(steps < 0.0)), rates)


def _extent(values: Floats) -> float:
    """How far a column reaches, 0 where it only rounds."""
    extent = float(np.ptp(values)) if len(values) else 0.0
    return extent if extent > MOVED * float(np.max(np.abs(values), initial=0.0)) else 0.0


def _in_proportion(first: Floats, second: Floats) -> bool:
    """Whether two moving columns are straight lines over each other."""
    low, high = int(np.argmin(first)), int(np.argmax(first))
    slope = (second[high] - second[low]) / (first[high] - first[low])
    missed = second - second[low] - slope * (first - first[low])
    return bool(np.max(np.abs(missed)) <= MOVED * max(float(np.max(np.abs(second))), _extent(second)))
