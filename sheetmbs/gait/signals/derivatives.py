"""First and second derivatives of sampled series."""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

import numpy as np
from scipy.interpolate import CubicSpline

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.signals.gaps import runs

Rates = Callable[[Vector], tuple[Vector, Vector]]
"""of series (.., n) to their first and second derivatives"""
MIN_SPLINE_SAMPLES = 4
"""samples: fewer do not make a spline without knots at its ends"""


def derivatives(
    values: Vector, rate: float, kind: Literal["spline", "central", "3-point"] = "spline"
) -> tuple[Vector, Vector]:
    """The first and second derivatives (.., n) of values (.., n) per second, each run without gaps by itself.

    values: NaN is missing. rate: in Hz. kind: ``spline`` C2 cubic, not-a-knot; ``central`` differences of central
    differences; ``3-point`` differences. NaN where a run is too short, and at its ends where differences lack a neighbour.
    """
    flat = values.reshape(-1, values.shape[-1])
    first, second = np.full(flat.shape, np.nan), np.full(flat.shape, np.nan)
    for series, run in runs(flat):
        if run.stop - run.start >= MIN_SPLINE_SAMPLES:
            first[series, run], second[series, run] = METHODS[kind](flat[series, run], 1.0 / rate)
    return first.reshape(values.shape), second.reshape(values.shape)


def _spline(values: Vector, step: float) -> tuple[Vector, Vector]:
    curve = CubicSpline(np.arange(values.shape[-1]) * step, values, axis=-1)
    cubic, square, linear = curve.c[:3]
    end = 3.0 * cubic[-1] * step**2 + 2.0 * square[-1] * step + linear[-1]
    first = np.concatenate((linear, end[None]))
    second = np.concatenate((2.0 * square, (6.0 * cubic[-1] * step + 2.0 * square[-1])[None]))
    return first.T, second.T


def _central(values: Vector, step: float) -> tuple[Vector, Vector]:
    first = _central_difference(values, step)
    return first, _central_difference(first, step)


def _three_point(values: Vector, step: float) -> tuple[Vector, Vector]:
    second = np.full(values.shape, np.nan)
    second[:, 1:-1] = np.diff(values, n=2, axis=-1) / step**2
    return _central_difference(values, step), second


def _central_difference(values: Vector, step: float) -> Vector:
    difference = np.full(values.shape, np.nan)
    difference[:, 1:-1] = (values[:, 2:] - values[:, :-2]) / (2.0 * step)
    return difference


def derivative_operator(count: int, rate: float, kind: Literal["spline", "central", "3-point"] = "spline") -> Rates:
    """`derivatives` of series of so many samples as two matrices: for who differentiates many series of one length.

    A series with a gap is differentiated by itself.
    """
    first, second = derivatives(np.eye(count), rate, kind)

    def rates(values: Vector) -> tuple[Vector, Vector]:
        if not np.isfinite(values).all():
            return derivatives(values, rate, kind)
        return values @ first, values @ second

    return rates


def at_rest(values: Vector) -> tuple[Vector, Vector]:
    """Derivatives where poses alone count, as those of a standing trial."""
    return np.zeros(values.shape), np.zeros(values.shape)


METHODS: dict[str, Callable[[Vector, float], tuple[Vector, Vector]]] = {
    "spline": _spline,
    "central": _central,
    "3-point": _three_point,
}
