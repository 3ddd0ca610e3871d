"""The sheets `mbs Tyres` and `mbs Tyre data` with the warnings that only evaluating tyres can give."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.problems.errors import Problem
from sheetmbs.schema.table import Table
from sheetmbs.suspension.layout.car_tyres import CarTyres, FittedTyre
from sheetmbs.suspension.sheets.tyre_page import ShownTyre, tyre_page
from sheetmbs.suspension.sheets.tyre_points_table import evaluated_points, tyre_points_table
from sheetmbs.tyres.tyre import SYMMETRIC
from sheetmbs.workbook.sheets.page_contents import Page

OUTWARD = 1e-3
"""side force over load without slip and camber, from which on a tyre is said to push outward"""


@dataclass(frozen=True)
class TyreSheets:
    """What is written about tyres; nothing where there are none."""

    pages: tuple[Page, ...] = ()
    tables: tuple[Table, ...] = ()
    warnings: tuple[Problem, ...] = ()


def tyre_sheets(designs: Sequence[tuple[str, CarTyres]]) -> TyreSheets:
    """The sheets of the tyres of all designs, the first of which has no name. A tyre that designs share is shown once."""
    shown = list(_different(designs))
    if not shown:
        return TyreSheets()
    table = tyre_points_table(shown)
    warnings = tuple(problem for each in shown for problem in _warnings(each.fitted))
    return TyreSheets((tyre_page(shown),), () if table is None else (table,), warnings)


def _different(designs: Sequence[tuple[str, CarTyres]]) -> Iterator[ShownTyre]:
    """Tyres of all designs but those that another design has too."""
    found: list[FittedTyre] = []
    for design, tyres in designs:
        for each in tyres.fitted:
            if not any(_are_alike(each, other) for other in found):
                found.append(each)
                yield ShownTyre(each, design)


def _are_alike(one: FittedTyre, other: FittedTyre) -> bool:
    return (
        (one.place, one.tyre.name, one.axles, one.points) == (other.place, other.tyre.name, other.axles, other.points)
        and (one.tyre.measured_side, one.tyre.pressure) == (other.tyre.measured_side, other.tyre.pressure)
        and _numbers(one.tyre.kernel) == _numbers(other.tyre.kernel)
    )


def _numbers(record: object) -> object:
    """All numbers of a record, for comparison."""
    if isinstance(record, np.ndarray):
        return record.tobytes()
    fields = getattr(record, "__dataclass_fields__", None)
    return record if fields is None else tuple(_numbers(getattr(record, name)) for name in fields)


def _warnings(fitted: FittedTyre) -> Iterator[Problem]:
    tyre, place = fitted.tyre, str(fitted.place)
    if fitted.points:
        response = evaluated_points(fitted)
        outside = int(np.count_nonzero(response.outside))
        if outside:
            found = f"{tyre.name} at {outside} of {len(fitted.points)} points of Tyre data"
            rule = "they lie beyond the ranges of the tyre, and were computed at the nearest state within"
            fix = "look at the column extrapolated of mbs Tyre data, and at the ranges on mbs Tyres"
            yield Problem(
                "out-of-range", "warning", fitted.points[int(np.argmax(response.outside))].place, found, rule, fix
            )
        lost = int(np.count_nonzero(~np.isfinite(response.forces).all(axis=1)))
        if lost:
            found = f"{tyre.name} at {lost} of {len(fitted.points)} points of Tyre data"
            rule = "the model gives no finite number there; these cells are blank"
            yield Problem("no-number", "warning", place, found, rule, "look at its coefficients")
    if tyre.measured_side != SYMMETRIC and fitted.axles:
        states = tyre.states(np.zeros(1), np.zeros(1), np.zeros(1), np.array([tyre.load]))
        force = float(tyre.evaluate(states, side="left").force("fy")[0])
        if force > OUTWARD * tyre.load:
            found = f"{tyre.name}: {force:.4g} N at {tyre.load:.5g} N"
            rule = "without slip and camber the side force points outward on both sides of the car"
            fix = "look whether measured_side, or TYRESIDE of the file, is the other side"
            yield Problem("outward-force", "warning", place, found, rule, fix)
