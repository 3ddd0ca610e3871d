"""Coefficients of the piecewise polynomials that run through samples.

All take x (n,), n >= 2, finite and strictly increasing, and y (n,) or (n, columns), and return (n - 1, 4) or
(columns, n - 1, 4): ascending powers of x - x[k] on interval k. They raise ValueError for other samples.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from sheetmbs.engine.algebra.dense import solve_tridiagonal

Floats = NDArray[np.float64]


class CurveTable(NamedTuple):
    """Several curves as `engine/motion/curves.py` wants them.

    knots: (k,). coefficients: (k, 4). start, count: (curves,) int64, first row and number of knots of each curve.
    """

    knots: Floats
    coefficients: Floats
    start: NDArray[np.int64]
    count: NDArray[np.int64]  # type: ignore[assignment]  # hides tuple.count, which nobody needs


def concatenate(curves: Sequence[tuple[Floats, Floats]]) -> CurveTable:
    """Put curves, each its knots (n,) and coefficients (n - 1, 4), into one table."""
    count = np.array([len(knots) for knots, _ in curves], dtype=np.int64)
    if not curves:
        return CurveTable(np.zeros(0), np.zeros((0, 4)), count, count.copy())
    knots = np.concatenate([knots for knots, _ in curves])
    coefficients = np.concatenate([np.vstack((rows, np.zeros((1, 4)))) for _, rows in curves])
    return CurveTable(knots, coefficients, np.cumsum(count) - count, count)


def linear(x: ArrayLike, y: ArrayLike) -> Floats:
    """Straight lines from sample to sample."""
    knots, values = _samples(x, y)
    zeros = np.zeros_like(values[1:])
    slopes = np.diff(values, axis=0) / np.diff(knots)[:, None]
    return _shaped((values[:-1], slopes, zeros, zeros), y)


def natural_spline(x: ArrayLike, y: ArrayLike) -> Floats:
    """C2 cubic spline with second derivative 0 at both ends (de Boor 1978, ch. IV); two samples give a line."""
    knots, values = _samples(x, y)
    second = np.zeros_like(values)
    if len(knots) > 2:
        lower, diagonal, upper, right = _inner_equations(knots, values)
        solve_tridiagonal(lower, diagonal, upper, right)
        second[1:-1] = right
    return _shaped(_cubics(knots, values, second), y)


def not_a_knot_spline(x: ArrayLike, y: ArrayLike) -> Floats:
    """C2 cubic spline that is one cubic over the first two and one over the last two intervals (de Boor 1978, ch. IV).

    Three samples give a parabola, two a line.
    """
    knots, values = _samples(x, y)
    second = np.zeros_like(values)
    if len(knots) == 3:
        slopes = np.diff(values, axis=0) / np.diff(knots)[:, None]
        second[:] = 2.0 * (slopes[1] - slopes[0]) / (knots[2] - knots[0])
    elif len(knots) > 3:
        h = np.diff(knots)
        lower, diagonal, upper, right = _inner_equations(knots, values)
        # The third derivative does not jump at the second knot: second[0] = (1 + r) second[1] - r second[2].
        first, last = h[0] / h[1], h[-1] / h[-2]
        diagonal[0] += h[0] * (1.0 + first)
        upper[0] -= h[0] * first
        diagonal[-1] += h[-1] * (1.0 + last)
        lower[-1] -= h[-1] * last
        solve_tridiagonal(lower, diagonal, upper, right)
        second[1:-1] = right
        second[0] = (1.0 + first) * second[1] - first * second[2]
        second[-1] = (1.0 + last) * second[-2] - last * second[-3]
    return _shaped(_cubics(knots, values, second), y)


def _samples(x: ArrayLike, y: ArrayLike) -> tuple[Floats, Floats]:
    """Checked samples, y as (n, columns)."""
    knots, values = np.asarray(x, dtype=np.float64), np.asarray(y, dtype=np.float64)
    if knots.ndim != 1 or len(knots) < 2 or values.shape[:1] != knots.shape or values.ndim > 2:
        raise ValueError(f"a curve needs two samples or more, as many y as x, not {knots.shape} and {values.shape}")
    if not (np.isfinite(knots).all() and np.isfinite(values).all() and (np.diff(knots) > 0.0).all()):
        raise ValueError("samples of a curve must be finite and their x strictly increasing")
    return knots, values.reshape(len(knots), -1)


def _inner_equations(x: Floats, y: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Continuity of the slope at the inner knots, for the second derivatives there; those at the ends taken as 0.

    Returns the lower, main and upper diagonal (n - 2,) and the right-hand side (n - 2, columns).
    """
    h = np.diff(x)
    slopes = np.diff(y, axis=0) / h[:, None]
    return h[:-1].copy(), 2.0 * (h[:-1] + h[1:]), h[1:].copy(), 6.0 * np.diff(slopes, axis=0)


def _cubics(x: Floats, y: Floats, second: Floats) -> tuple[Floats, Floats, Floats, Floats]:
    """Coefficients of the cubics with values y and second derivatives ``second`` at the knots."""
    h = np.diff(x)[:, None]
    slope = np.diff(y, axis=0) / h - h * (2.0 * second[:-1] + second[1:]) / 6.0
    return y[:-1], slope, second[:-1] / 2.0, np.diff(second, axis=0) / (6.0 * h)


def _shaped(powers: tuple[Floats, Floats, Floats, Floats], y: ArrayLike) -> Floats:
    """Coefficients (n - 1, columns) by power, turned to (columns, n - 1, 4), or (n - 1, 4) for a single y."""
    table = np.stack(powers, axis=-1).transpose(1, 0, 2)
    return np.ascontiguousarray(table[0] if np.ndim(y) == 1 else table)
