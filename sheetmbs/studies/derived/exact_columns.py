"""Computed columns with exact derivatives by variables, where the workbook has such: by the cells that variables move."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.measured.measurement import Measurement
from sheetmbs.products.varied_workbook import CellAt, ColumnDerivatives, ColumnPoints, DifferentiableWorkbook
from sheetmbs.studies.fitting.fit_space import FitSpace, Floats
from sheetmbs.studies.solving.variant_solver import VariantSolver

STEP = 1e-3
"""in scales of a variable, by which cells behind formulas are differenced; of plain cells the difference is exact"""


@dataclass(frozen=True, eq=False)
class ExactColumns:
    """Columns by variables. cells: that these move. start: (cells,) numbers in the file."""

    solver: VariantSolver
    space: FitSpace
    cells: tuple[CellAt, ...]
    start: Floats
    columns: ColumnDerivatives

    def _numbers(self, values: Floats) -> Floats:
        """(cells,) numbers in the cells for values of the variables (p,)."""
        changed = self.solver.changes.at(values)
        return np.array([_number(changed.get(cell, old)) for cell, old in zip(self.cells, self.start, strict=True)])

    def values(self, values: Floats) -> Sequence[Floats]:
        """(m,) of each measurement's column at its points."""
        return self.columns.values(self._numbers(values))

    def slopes(self, values: Floats) -> list[Floats]:
        """(m, p) of the same by scaled variables."""
        by_cells = self.columns.slopes(self._numbers(values))
        steps = STEP * np.diag(self.space.scale)
        moves = np.column_stack([self._numbers(values + s) - self._numbers(values - s) for s in steps]) / (2.0 * STEP)
        return [each @ moves for each in by_cells]


def exact_columns(solver: VariantSolver, space: FitSpace, measurements: Sequence[Measurement]) -> ExactColumns | None:
    """The columns of all measurements; None where the workbook has no derivatives of them."""
    if not all(each.over for each in measurements):
        return None
    points = [ColumnPoints(each.case, each.of, each.over, each.over_unit, each.points) for each in measurements]
    return exact_at(solver, space, points)


def exact_at(solver: VariantSolver, space: FitSpace, points: Sequence[ColumnPoints]) -> ExactColumns | None:
    """Columns at their places; None where the workbook has no derivatives of them."""
    if not isinstance(solver.subject, DifferentiableWorkbook):
        return None
    cells = dict.fromkeys(
        cell
        for step in np.diag(space.scale)
        for cell, value in solver.changes.at(space.start + step).items()
        if isinstance(value, float | int)
    )
    numbers = [solver.cells.number(cell) for cell in cells]
    if not np.isfinite(numbers).all():
        return None
    columns = solver.subject.derivatives(points, tuple(cells))
    return None if columns is None else ExactColumns(solver, space, tuple(cells), np.array(numbers), columns)


def _number(value: object) -> float:
    return float(value) if isinstance(value, float | int) else np.nan
