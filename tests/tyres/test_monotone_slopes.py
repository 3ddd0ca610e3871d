"""Curves of tabled tyres: exact for a parabola at uneven distances, and never beyond the points beside them."""

import numpy as np
import pytest

from sheetmbs.tyres.monotone_slopes import monotone_slopes


def cubic(x, y, slopes, at):
    """Hermite's cubics between points, evaluated as polynomials in the distance to the point before."""
    k = np.clip(np.searchsorted(x, at, side="right") - 1, 0, len(x) - 2)
    h, u = np.diff(x)[k], at - x[k]
    mean = np.diff(y)[k] / h
    bend = (3.0 * mean - 2.0 * slopes[k] - slopes[k + 1]) / h
    twist = (slopes[k] + slopes[k + 1] - 2.0 * mean) / h**2
    return y[k] + u * (slopes[k] + u * (bend + u * twist))


def test_the_slopes_of_a_parabola_are_its_own():
    x = np.array([0.0, 0.3, 1.0, 1.2, 2.5])
    assert monotone_slopes(x, x**2 + 5.0 * x) == pytest.approx(2.0 * x + 5.0, rel=1e-12)


def test_a_curve_stays_between_the_points_beside_it():
    """A side force rises steeply, stays, and falls: a spline without limits swings beyond the peak."""
    x = np.array([-8.0, -2.0, -1.0, 0.0, 0.5, 1.0, 4.0, 12.0])
    y = np.array([-2900.0, -2950.0, -2000.0, 0.0, 1800.0, 2900.0, 2950.0, 2400.0])
    at = np.linspace(x[0], x[-1], 4001)
    k = np.clip(np.searchsorted(x, at, side="right") - 1, 0, len(x) - 2)
    found = cubic(x, y, monotone_slopes(x, y), at)
    assert np.all(found >= np.minimum(y[k], y[k + 1]) - 1e-9)
    assert np.all(found <= np.maximum(y[k], y[k + 1]) + 1e-9)
