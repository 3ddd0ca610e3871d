"""All rows of Handling of one design, in the order of the workbook, and why one has no results."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from time import perf_counter

import numpy as np

from sheetmbs.problems.errors import Problem
from sheetmbs.suspension.handling.handling_table import HandlingFound, ReadOff
from sheetmbs.suspension.handling.kinds import SOLVERS
from sheetmbs.suspension.handling.state_grid import NO_NEIGHBOUR
from sheetmbs.suspension.handling.tyred_car import HandlingCar
from sheetmbs.suspension.layout.car import CarData
from sheetmbs.suspension.layout.handling_row import HandlingRow
from sheetmbs.suspension.layout.mass_data import missing_for_loads


@dataclass(frozen=True, eq=False)
class SolvedHandling:
    """What the rows of a design have come to. problems: warnings of rows that are not whole."""

    found: tuple[HandlingFound, ...] = ()
    problems: tuple[Problem, ...] = ()

    def read_off(self, row: str, metric: str) -> ReadOff | None:
        """A metric of a row, at the first speed at which it has one."""
        own = (each for found in self.found if found.row.name == row for each in found.read_offs)
        return next((each for each in own if each.metric == metric), None)


NO_HANDLING = SolvedHandling()


def solve_handling(
    car: HandlingCar | None, data: CarData, rows: Sequence[HandlingRow], rack_range: tuple[float, float]
) -> SolvedHandling:
    """Solve all rows. car: None where the data of the car do not make one. rack_range: m, of the default steer sweep."""
    if not rows:
        return NO_HANDLING
    if car is None:
        return SolvedHandling((), tuple(missing_for_handling(data, rows)))
    found, problems = [], []
    for row in rows:
        began = perf_counter()
        own = SOLVERS[row.type](car, row, rack_range)
        found.append(replace(own, seconds=perf_counter() - began))
        problems += list(_doubts(row, own))
    return SolvedHandling(tuple(found), tuple(problems))


def missing_for_handling(data: CarData, rows: Sequence[HandlingRow]) -> Iterator[Problem]:
    """What the car lacks, once."""
    cell = next((row.cells["type"] for row in rows if row.cells), "Suspension")
    lacks = missing_for_loads(data, along=True)
    if len(data.axles) < 2:
        rule = "handling is of a whole car, and the hardpoints of one axle only are given"
    elif lacks:
        rule = f"handling needs the settings {', '.join(lacks)}"
    else:
        rule = "handling needs springs on both axles"
    yield Problem("no-handling", "warning", cell, "the sheet Tyres", rule, "add them, or take the rows away")


def _doubts(row: HandlingRow, found: HandlingFound) -> Iterator[Problem]:
    """States that have no equilibrium, and states whose tyres were outside their data."""
    cell = row.cells.get("name", "Tyres")
    table = found.table
    if "why" in table.columns:
        texts = table.texts[table.columns.index("why")].texts
        lost = [text for text in texts if text]
        if lost:
            first = [text for text in lost if text != NO_NEIGHBOUR] or lost
            most = max(set(first), key=first.count)
            told = (
                f"{len(lost)} of {len(texts)} states of {row.name} have no equilibrium, the first of them for: {most}"
            )
            yield Problem(
                "no-equilibrium", "note", cell, told, "their cells are blank", "the column why says it of each"
            )
    if found.lost:
        told = f"{found.lost} limits of ax of {row.name} are not found"
        rule = "their cells are blank; a lap takes values between those of its neighbours"
        yield Problem("no-equilibrium", "warning", cell, told, rule, "look at the states of a circle near them")
    if "extrapolated" in table.columns:
        outside = np.nansum(table.values[:, table.columns.index("extrapolated")] > 0.0)
        if outside:
            told = f"{int(outside)} states of {row.name} leave the range of the tyre's data"
            rule = "they are computed with inputs at the end of the range"
            yield Problem("tyre-range", "warning", cell, told, rule, "look at the column extrapolated")
