"""Columns of sweeps at given places, with their derivatives by cells of hardpoints: what fits of measured columns ask for.

Every pose of all sweeps goes through the formulas together; derivatives follow from the motion of all bodies per unit of each
coordinate, as sensitivities do.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.measured.value_units import size_of
from sheetmbs.products.varied_workbook import ColumnPoints
from sheetmbs.suspension.design_sensitivities import axle_generator
from sheetmbs.suspension.elastic.spring_elements import LazyLaws, laws
from sheetmbs.suspension.kinematics.axle_system import Placing, level_placing
from sheetmbs.suspension.kinematics.posed_variants import NoVariantsError
from sheetmbs.suspension.kinematics.sweeps import Sweep, SweptAxle
from sheetmbs.suspension.layout.car import SIDES, CarData
from sheetmbs.suspension.metrics.columns import metrics_over_poses
from sheetmbs.suspension.read_design import with_axles
from sheetmbs.suspension.sensitivity.body_shifts import Parameter
from sheetmbs.suspension.sensitivity.sensitivities import sensitivities
from sheetmbs.suspension.solved_design import SolvedDesign
from sheetmbs.suspension.variants import VariantStudy
from sheetmbs.suspension.varied_cells import VariedDesign

AXES = 3
MM = 1e3


@dataclass(frozen=True, eq=False)
class _Wanted:
    """A column at its places. axle: that has it; rows: its poses among all of these."""

    axle: str
    column: str
    rows: slice


class ColumnSlopes:
    """Columns of the first design of a workbook by some of its cells.

    varied: it, with cells of the sheet Hardpoints, each an x, y or z. points: columns and places. Raises NoVariantsError where
    something else than hardpoints says how the axle stands, or where a sweep does more than lift both wheels and move the rack.
    """

    def __init__(self, varied: VariedDesign, points: Sequence[ColumnPoints]) -> None:
        self._design = varied.solved
        if any(axle.elastic for axle in self._design.car.axles):
            raise NoVariantsError("parts of the car are elastic")
        self._placing, rows = _placing_of(self._design, points)
        self._cells, self._moves, self.start = varied.cells, varied.moves, varied.start
        self._studies = {axle: self._study(axle) for axle in self._design.systems}
        self._wanted = [self._found(own, at) for own, at in zip(points, rows, strict=True)]
        used = {each.axle for each in self._wanted if each.axle}
        self._used = {axle: sorted({w.column for w in self._wanted if w.axle == axle}) for axle in used}

    def _study(self, axle: str) -> VariantStudy:
        if axle_generator(self._design, self._design.systems[axle].axle) is not None:
            raise NoVariantsError("rows of the workbook join bodies otherwise")
        names = [name for name, _ in self._coordinates(axle)]
        return VariantStudy(self._design, axle, names, self._placing.travel["left"], self._placing.rack)

    def _coordinates(self, axle: str) -> list[tuple[str, tuple[str, int]]]:
        """The coordinates of an axle that cells move: their names, with point and axis."""
        points = dict.fromkeys(point for each in self._moves for own, point in each if own == axle)
        return [(f"{point}.{'xyz'[k]}", (point, k)) for point in points for k in range(AXES)]

    def _found(self, own: ColumnPoints, rows: slice) -> _Wanted:
        for axle, system in self._design.systems.items():
            corners = (system.axle.corner("left"), system.axle.corner("right"), axle)
            if own.column.partition(".")[0] in corners:
                return _Wanted(axle, own.column, rows)
        return _Wanted("", own.column, rows)

    def _axles_at(self, values: Floats) -> dict[str, tuple[CarData, SweptAxle, SweptAxle]]:
        """Every axle that is asked for at all its poses and at design, with the car that it belongs to."""
        shifts = values - self.start
        moved = {}
        for axle, study in self._studies.items():
            place = {name: number for number, (name, _) in enumerate(self._coordinates(axle))}
            drawn = study.as_drawn.copy()
            for cell, shift in zip(self._moves, shifts, strict=True):
                for (own, point), move in cell.items():
                    if own == axle:
                        drawn[[place[f"{point}.{along}"] for along in "xyz"]] += shift * move
            moved[axle] = study.swept(drawn)
        by_name = {axle: swept.system.axle for axle, (swept, _design) in moved.items()}
        car = with_axles(self._design.car, lambda each: by_name.get(each.name, each))
        return {axle: (car, *moved[axle]) for axle in self._used}

    def values(self, values: Floats) -> list[Floats]:
        """(m,) of every column where the cells hold values (cells,); NaN where a pose is not reached, or no axle has it."""
        found: dict[str, tuple[tuple[str, ...], Floats]] = {}
        for axle, (car, swept, design) in self._axles_at(values).items():
            names, _units, table = metrics_over_poses(
                car, replace(swept, design=design), LazyLaws(partial(laws, car, design)), self._used[axle]
            )
            found[axle] = names, table
        return [_column(each, found.get(each.axle), ()) for each in self._wanted]

    def slopes(self, values: Floats) -> list[Floats]:
        """(m, cells) of every column by the cells, per unit of each."""
        found: dict[str, tuple[tuple[str, ...], Floats]] = {}
        for axle, (car, swept, design) in self._axles_at(values).items():
            coordinates = self._coordinates(axle)
            parameters = [Parameter(point, along) for _name, (point, along) in coordinates]
            if not parameters:
                names = tuple(self._used[axle])
                found[axle] = names, np.zeros((len(self._placing.rack), len(names), len(self._cells)))
                continue
            by = sensitivities(car, swept, design, self._used[axle], parameters=parameters)
            moves = np.array([self._along(cell, coordinates, axle) for cell in self._moves])  # (cells, parameters)
            found[axle] = by.metrics, by.by @ (MM * moves.T)
        return [_column(each, found.get(each.axle), (len(self._cells),)) for each in self._wanted]

    @staticmethod
    def _along(
        cell: Mapping[tuple[str, str], Floats], coordinates: Sequence[tuple[str, tuple[str, int]]], axle: str
    ) -> list[float]:
        """(parameters,) m that each coordinate moves per unit of a cell."""
        return [float(cell[axle, point][k]) if (axle, point) in cell else 0.0 for _name, (point, k) in coordinates]


def _column(own: _Wanted, of_axle: tuple[tuple[str, ...], Floats] | None, more: tuple[int, ...]) -> Floats:
    """(m, ...) of a column, from those of its axle (n, columns, ...)."""
    if of_axle is None or own.column not in of_axle[0]:
        return np.full((own.rows.stop - own.rows.start, *more), np.nan)
    names, table = of_axle
    return np.asarray(table[own.rows, names.index(own.column)])


def _placing_of(design: SolvedDesign, points: Sequence[ColumnPoints]) -> tuple[Placing, list[slice]]:
    """All poses at which something is asked for, one behind the other, and those of each column."""
    travel, rack, rows, at = [], [], [], 0
    known: dict[tuple[str, str, bytes], slice] = {}
    for own in points:
        key = own.case, own.over, own.x.tobytes()
        if key not in known:
            posed = posed_at(design, own)
            if posed.load is not None:
                raise NoVariantsError(f"{own.case} steps a load")
            travel.append(posed.travel)
            rack.append(posed.rack)
            known[key] = slice(at, at := at + len(own.x))
        rows.append(known[key])
    return level_placing(dict.fromkeys(SIDES, np.concatenate(travel)), np.concatenate(rack)), rows


def posed_at(design: SolvedDesign, own: ColumnPoints) -> Sweep:
    """A sweep at the places of a column. Raises NoVariantsError of one that does more than lift wheels, steer and load them."""
    plan = design.plans.get(own.case)
    if plan is None or own.over not in plan.swept or not (len(plan.swept) == 1 or plan.is_passed_once(own.over)):
        raise NoVariantsError(f"{own.case} is no sweep over {own.over} alone")
    posed = plan.at_values(own.over, own.x * size_of(own.over_unit))
    is_level = not (np.any(posed.roll) or np.any(posed.pitch))
    is_plain = posed.right is None and not posed.dampers and posed.time is None and not posed.holds_loads
    if not (is_level and is_plain and not posed.single):
        raise NoVariantsError(f"{own.case} does more than lift both wheels and move the rack")
    return posed
