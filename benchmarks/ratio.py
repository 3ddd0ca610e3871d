"""Which rows of two sides are compared: what each pays for the same accuracy.

A row counts with the error that no finer row of its series exceeds, so that an error which happens to pass through zero at
one step wins nothing.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

NEAR = 2.0
"""a row is near an error if its own is at most so many times it"""


@dataclass(frozen=True)
class Row:
    """One solution: of a case by a code, in a formulation, by a method, with a step or tolerance (size).

    seconds: median. error: at the end. sure: the largest error of this row and all finer ones of its series.
    work: steps, or evaluations where they are known. default: nothing was chosen by hand.
    """

    case: str
    code: str
    formulation: str
    method: str
    setting: str
    size: float
    seconds: float
    error: float
    sure: float
    work: int | None = None
    default: bool = False


def sure_errors(errors: Sequence[float]) -> list[float]:
    """Largest error from each place on; errors (n,) of a series from coarse to fine."""
    found: list[float] = []
    for error in reversed(errors):
        found.append(max(error, found[-1] if found else 0.0))
    return found[::-1]


def best_near(rows: Sequence[Row], error: float) -> Row:
    """The cheapest row whose sure error is near this one or smaller; if there is none, the most accurate row."""
    near = [row for row in rows if row.sure <= NEAR * error]
    return min(near, key=lambda row: row.seconds) if near else min(rows, key=lambda row: row.sure)


def cheapest_as_good(rows: Sequence[Row], error: float) -> Row | None:
    """The cheapest row whose sure error is at most this one, or None."""
    good = [row for row in rows if row.sure <= error]
    return min(good, key=lambda row: row.seconds) if good else None
