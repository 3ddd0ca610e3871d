"""Curves: piecewise cubic polynomials, all of them in one table of knots and one of coefficients.

Row k of ``coefficients`` (knots, 4) holds the polynomial from knot k on, in ascending powers of x - knots[k]; that of a
curve's last knot is unused. Beyond its ends a curve goes on with its end slope. A curve is given by its first row
``start`` and its number of knots ``count`` (2 or more). ``hint`` is the row found last time on this curve, any number
at first.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sheetmbs.compiled import Bundle, inline_kernel, kernel
from sheetmbs.engine.records import Floats, Floats2, Ints

if TYPE_CHECKING:
    from numpy.typing import NDArray


@dataclass(frozen=True, eq=False)
class Curves(Bundle):
    """All curves as one table of piecewise cubics."""

    start: Ints  # per curve: first knot
    count: Ints  # per curve: number of knots
    knot: Floats
    coefficient: Floats2  # (knots, 4)


@inline_kernel
def evaluate(knots, coefficients, start, count, x, hint):
    """Value and first two derivatives at x. Returns (y, y', y'', row), the row to be the next hint."""
    k = locate(knots, start, count, x, hint)
    last = start + count - 1
    end = min(max(x, knots[start]), knots[last])
    u = end - knots[k]
    c0, c1, c2, c3 = coefficients[k, 0], coefficients[k, 1], coefficients[k, 2], coefficients[k, 3]
    y = c0 + u * (c1 + u * (c2 + u * c3))
    slope = c1 + u * (2.0 * c2 + 3.0 * u * c3)
    curvature = 2.0 * c2 + 6.0 * u * c3
    if x != end:
        y += slope * (x - end)
        curvature = 0.0
    return y, slope, curvature, k


@inline_kernel
def outside(knots, start, count, x):
    """-1 if x lies before the curve, 1 behind it, 0 on it."""
    if x < knots[start]:
        return -1
    return 1 if x > knots[start + count - 1] else 0


@kernel
def locate(knots, start, count, x, hint) -> int:
    """Row of the interval that holds x, the first or last if x lies outside, on an inner knot the one after it."""
    low, high = start, start + count - 2
    k = min(max(hint, low), high)
    if (x >= knots[k] or k == low) and (x < knots[k + 1] or k == high):
        return k
    if k < high and x >= knots[k + 1] and (x < knots[k + 2] or k + 1 == high):
        return k + 1
    while low < high:
        middle = (low + high + 1) // 2
        if x >= knots[middle]:
            low = middle
        else:
            high = middle - 1
    return low


@kernel
def integral(knots, coefficients, start, count, x0, x1) -> float:
    """Exact integral of a curve from x0 to x1, its straight continuations included."""
    return _from_start(knots, coefficients, start, count, x1) - _from_start(knots, coefficients, start, count, x0)


@kernel
def _from_start(knots, coefficients, start, count, x) -> float:
    """Integral from the first knot to x."""
    first, last = knots[start], knots[start + count - 1]
    end = min(max(x, first), last)
    row = locate(knots, start, count, end, start)
    total = 0.0
    for k in range(start, row + 1):
        u = min(end, knots[k + 1]) - knots[k]
        c0, c1, c2, c3 = coefficients[k, 0], coefficients[k, 1], coefficients[k, 2], coefficients[k, 3]
        total += u * (c0 + u * (c1 / 2.0 + u * (c2 / 3.0 + u * c3 / 4.0)))
    if x != end:
        y, slope, _curvature, _row = evaluate(knots, coefficients, start, count, end, row)
        total += (x - end) * (y + slope * (x - end) / 2.0)
    return total


def hold_whole_curves(chosen: NDArray[np.int64], curves: Curves, held: NDArray[np.int64]) -> None:
    """Enter the first knot and the number of knots of the chosen curves, where there is one; see `Work.held`."""
    for k, curve in enumerate(chosen.tolist()):
        if curve >= 0:
            held[k] = curves.start[curve], curves.count[curve]
