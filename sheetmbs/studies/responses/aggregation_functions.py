"""Functions that make one number of columns: (n,) arrays over the same rows, between which they are linear."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from sheetmbs.studies.study_book import Floats

SAME = 1e-12
"""share of the range of x within which a value is that of a row"""


class NoResponseError(ValueError):
    """A response has no value in a variant. Its text says why, as a sentence that follows the response's name.

    mend: what would help, where that is known.
    """

    def __init__(self, text: str, mend: str = "") -> None:
        super().__init__(text)
        self.mend = mend


@dataclass(frozen=True)
class ColumnCrossing:
    """Where a column first has a value: after row ``row`` by ``part`` of the way to the next. is_row: just at that row."""

    row: int
    part: float
    is_row: bool

    def of(self, column: Floats) -> float:
        """The value of another column there."""
        if self.is_row:
            return float(column[self.row])
        return float(column[self.row] + self.part * (column[self.row + 1] - column[self.row]))


def crossing(column: Floats, value: float, name: str) -> ColumnCrossing:
    """Where a column first has a value; blank rows have none. name: how messages call it.

    Raises NoResponseError where it never has that value.
    """
    known = column[np.isfinite(column)]
    if not len(known):
        raise NoResponseError(f"{name} is blank in every row")
    size = float(np.ptp(known)) or 1.0
    distance = column - value
    at_row = np.abs(distance) <= SAME * max(size, abs(value))
    between = distance[:-1] * distance[1:] < 0.0
    first_row = int(np.argmax(at_row)) if at_row.any() else len(column)
    first_between = int(np.argmax(between)) if between.any() else len(column)
    if min(first_row, first_between) == len(column):
        low, high = float(known.min()), float(known.max())
        raise NoResponseError(f"{name} never reaches the value {value:g}: it goes from {low:g} to {high:g}")
    if first_row <= first_between:
        return ColumnCrossing(first_row, 0.0, is_row=True)
    return ColumnCrossing(
        first_between,
        float(distance[first_between] / (distance[first_between] - distance[first_between + 1])),
        is_row=False,
    )


def _slope(column: Floats, x: Floats, at: ColumnCrossing) -> float:
    """dcolumn/dx of the polygon between the rows; at a row the mean of both sides, weighted as a parabola has it."""
    if len(x) < 2:
        raise NoResponseError("a slope needs two rows or more")
    if at.is_row and 0 < at.row < len(x) - 1:
        before, after = x[at.row] - x[at.row - 1], x[at.row + 1] - x[at.row]
        left = (column[at.row] - column[at.row - 1]) / before
        right = (column[at.row + 1] - column[at.row]) / after
        return float((left * after + right * before) / (before + after))
    row = min(at.row, len(x) - 2)
    return float((column[row + 1] - column[row]) / (x[row + 1] - x[row]))


def _over_time(
    integral: Callable[[Floats, Floats], float], otherwise: Callable[[Floats], float]
) -> Callable[..., float]:
    def found(column: Floats, time: Floats | None) -> float:
        if time is None or len(time) < 2 or time[-1] == time[0]:
            return otherwise(column)
        return integral(column, time)

    return found


def _mean(column: Floats, time: Floats) -> float:
    return float(np.trapezoid(column, time) / (time[-1] - time[0]))


def _rms(column: Floats, time: Floats) -> float:
    return float(np.sqrt(np.trapezoid(column * column, time) / (time[-1] - time[0])))


ONE_COLUMN: dict[str, Callable[[Floats, Floats | None], float]] = {
    "min": lambda column, _time: float(column.min()),
    "max": lambda column, _time: float(column.max()),
    "range": lambda column, _time: float(np.ptp(column)),
    "first": lambda column, _time: float(column[0]),
    "last": lambda column, _time: float(column[-1]),
    "mean": _over_time(_mean, lambda column: float(column.mean())),
    "rms": _over_time(_rms, lambda column: float(np.sqrt(np.mean(column * column)))),
    "sum": _over_time(lambda column, time: float(np.trapezoid(column, time)), lambda column: float(column.sum())),
}
"""by name: of a column (n,) and the times of its rows (n,), None where rows are no times"""


def at(column: Floats, x: Floats, value: float) -> float:
    """The column where x first has a value."""
    return crossing(x, value, "x").of(column)


def slope(column: Floats, x: Floats, value: float) -> float:
    """How fast the column changes with x where x first has a value."""
    return _slope(column, x, crossing(x, value, "x"))


def when(column: Floats, x: Floats, value: float) -> float:
    """X where the column first has a value."""
    return crossing(column, value, "the column").of(x)


TWO_COLUMNS: dict[str, Callable[[Floats, Floats, float], float]] = {"at": at, "slope": slope, "when": when}
OF_ONE_ROW = frozenset({"first", "last"})
"""functions of a column that need only one row of it"""
