"""Tables of courses: over the stride with means and single strides, and over all frames of a trial."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from sheetmbs.elements.result_column import ResultColumn
from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.sheets.believed_values import Believed
from sheetmbs.gait.sheets.gait_columns import (
    ANGLES,
    BODY,
    DECLARED,
    MOMENTS,
    OVER_STRIDES,
    PERCENT_OF_STRIDE,
    POWERS,
    SERIES,
    TIME_OF_FRAME,
)
from sheetmbs.gait.sheets.gait_presentation import GaitPresentation, PresentedQuantity
from sheetmbs.schema.table import Table

Columns = Iterator[tuple[str, str, Vector, ResultColumn]]
"""name, unit, values and what it is, of each"""


LONGEST_NAME = 31
"""letters of a sheet's name"""


def stride_tables(gait: GaitPresentation, believed: Believed | None = None) -> Iterator[Table]:
    """The sheets of angles, moments and powers; one of which nothing is known is left out. believed: their uncertainty."""
    for sheet in (ANGLES, MOMENTS, POWERS):
        here = {(owner, quantity) for name, owner, quantity, *_ in OVER_STRIDES if name == sheet}
        shown = [each for each in gait.quantities if (each.owner, each.quantity) in here and each.key in gait.means]
        if shown:
            # what is read and printed first, single strides after all means
            columns = [column for each in shown for column in _means(gait, each, sheet, believed)]
            columns += [column for each in shown for column in _strides(gait, each, sheet)]
            yield _table(sheet, ("percent", "%", gait.percent, PERCENT_OF_STRIDE), columns)


def series_tables(
    gait: GaitPresentation, believed: Believed | None = None, reduced: GaitPresentation | None = None
) -> Iterator[Table]:
    """The sheet of each trial. believed: the uncertainty of its courses. reduced: trials whose residual was shared out."""
    names = series_names([each.trial for each in gait.trials])
    for number, name in enumerate(names):
        first = ("time", "s", gait.trials[number].time, TIME_OF_FRAME)
        yield _table(name, first, list(_of_trial(gait, number, believed, reduced)))


def series_names(trials: Sequence[str]) -> list[str]:
    """Names of the sheets of trials, no two alike, as long as a name may be."""
    names: list[str] = []
    for trial in trials:
        whole = f"{SERIES} {trial}".strip()
        name, number = whole[:LONGEST_NAME].rstrip(), 2
        while name.casefold() in {each.casefold() for each in names}:
            ending = f" {number}"
            name, number = whole[: LONGEST_NAME - len(ending)].rstrip() + ending, number + 1
        names.append(name)
    return names


def _means(gait: GaitPresentation, each: PresentedQuantity, sheet: str, believed: Believed | None) -> Columns:
    mean, unit = gait.means[each.key], each.shown.units_cell
    values = [("mean", unit, mean.mean), ("sd", each.shown.unit, mean.sd), ("n", "", mean.n.astype(np.float64))]
    uncertainty = None if believed is None else believed.of_mean(each)
    if uncertainty is not None:
        values.append(("u", each.shown.unit, uncertainty))
    for part, of, column in values:
        yield f"{each.name}.{part}", of, column, DECLARED[sheet, each.owner, f"{each.quantity}.{part}"]


def _strides(gait: GaitPresentation, each: PresentedQuantity, sheet: str) -> Columns:
    """Single strides under their numbers; one that is not whole has no column."""
    for number, row in enumerate(gait.curves[each.key].values, start=1):
        if np.isfinite(row).any():
            declared = DECLARED[sheet, each.owner, f"{each.quantity}.#"]
            yield f"{each.name}.{number}", each.shown.units_cell, row, declared


def _of_trial(
    gait: GaitPresentation, number: int, believed: Believed | None, reduced: GaitPresentation | None
) -> Columns:
    trial = gait.trials[number]
    for each in gait.quantities:
        values = gait.course(trial, each)
        if values is not None:
            yield each.name, each.shown.units_cell, values, DECLARED[SERIES, each.owner, each.quantity]
            uncertainty = None if believed is None else believed.of_course(number, each)
            if uncertainty is not None:
                own = DECLARED[SERIES, each.owner, f"{each.quantity}.u"]
                yield f"{each.name}.u", each.shown.unit, np.where(np.isfinite(values), uncertainty, np.nan), own
            yield from _second_curve(number, each, reduced)
    if trial.residual is not None:
        for quantity, values in trial.residual.items():
            name, unit = f"residual.{quantity}", "N" if quantity.startswith("f") else "N*m"
            yield name, unit, values, DECLARED[SERIES, BODY, name]
    for axis, values in zip("xyz", trial.com.T, strict=True):
        if np.isfinite(values).any():
            yield f"com.{axis}", "m", values, DECLARED[SERIES, BODY, f"com.{axis}"]
    for name, flags in (("edge", trial.edge), ("filled", trial.filled)):
        yield name, "", flags.astype(np.float64), DECLARED[SERIES, BODY, name]


def _second_curve(number: int, each: PresentedQuantity, reduced: GaitPresentation | None) -> Columns:
    """The curve of a quantity in a trial whose residual was shared out."""
    declared = DECLARED.get((SERIES, each.owner, f"{each.quantity}.reduced"))
    values = None if reduced is None or declared is None else reduced.course(reduced.trials[number], each)
    if values is not None and declared is not None:
        yield f"{each.name}.reduced", each.shown.units_cell, values, declared


def _table(
    name: str,
    first: tuple[str, str, Vector, ResultColumn],
    columns: Sequence[tuple[str, str, Vector, ResultColumn]],
) -> Table:
    names, units, values, declared = zip(first, *columns, strict=True)
    return Table(name, tuple(names), tuple(units), np.column_stack(values), declared=tuple(declared))
