"""Curves and splines, against scipy and against what defines them."""

import json
import os
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.interpolate import CubicSpline, PPoly, make_interp_spline

from sheetmbs.engine.motion.curves import evaluate, integral, locate, outside
from sheetmbs.engine.motion.splines import concatenate, linear, natural_spline, not_a_knot_spline

SPLINES = {"natural": natural_spline, "not-a-knot": not_a_knot_spline}


@st.composite
def samples(draw, least=2):
    """Unevenly spaced samples: neighbouring intervals differ by up to a factor of 1000."""
    steps = draw(st.lists(st.floats(0.001, 1.0), min_size=least - 1, max_size=20))
    x = draw(st.floats(-5, 5)) + np.concatenate(([0.0], np.cumsum(steps)))
    y = np.array(draw(st.lists(st.floats(-10, 10), min_size=len(x), max_size=len(x))))
    return x, y


def descending(coefficients):
    """Our coefficients as scipy orders them: (4, n - 1), highest power first."""
    return coefficients[:, ::-1].T


def powers(coefficients, h):
    """Each coefficient times its power of the interval: what it adds to the value."""
    return coefficients * h[:, None] ** np.arange(4)


@settings(deadline=None)
@given(samples(least=3), st.sampled_from(["natural", "not-a-knot"]))
def test_splines_are_those_of_scipy(data, ends):
    x, y = data
    ours = powers(SPLINES[ends](x, y), np.diff(x))
    theirs = powers(CubicSpline(x, y, bc_type=ends).c.T[:, ::-1], np.diff(x))
    np.testing.assert_allclose(ours, theirs, rtol=1e-7, atol=1e-9 * np.abs(theirs).max() + 1e-12)


@settings(deadline=None)
@given(samples(), st.sampled_from(["natural", "not-a-knot"]))
def test_splines_run_through_the_samples_with_two_continuous_derivatives(data, ends):
    x, y = data
    h = np.diff(x)
    curve = PPoly(descending(SPLINES[ends](x, y)), x)
    np.testing.assert_allclose(curve(x), y, rtol=1e-9, atol=1e-9)
    for order in (1, 2):
        size = np.abs(curve.c).max(axis=1)[3 - order] + 1e-9
        left = [PPoly(curve.c[:, k : k + 1], x[k : k + 2]).derivative(order)(x[k] + h[k]) for k in range(len(h))]
        right = [PPoly(curve.c[:, k : k + 1], x[k : k + 2]).derivative(order)(x[k]) for k in range(len(h))]
        np.testing.assert_allclose(left[:-1], right[1:], rtol=1e-6, atol=1e-7 * size)


@settings(deadline=None)
@given(samples())
def test_a_natural_spline_has_no_curvature_at_its_ends(data):
    x, y = data
    second = PPoly(descending(natural_spline(x, y)), x).derivative(2)
    inner = np.abs(second(x)).max() + 1e-9
    assert np.abs(second(x[[0, -1]])).max() <= 1e-9 * inner


def test_a_not_a_knot_spline_of_a_cubic_is_that_cubic():
    x = np.array([0.0, 0.1, 0.7, 1.0, 2.5, 2.6])
    cubic = np.polynomial.Polynomial([1.0, -2.0, 0.5, 3.0])
    curve = PPoly(descending(not_a_knot_spline(x, cubic(x))), x)
    at = np.linspace(0.0, 2.6, 57)
    np.testing.assert_allclose(curve(at), cubic(at), rtol=1e-12, atol=1e-12)
    np.testing.assert_allclose(curve(at, 3), 18.0, rtol=1e-9)


def test_few_samples_give_a_line_or_a_parabola():
    for spline in SPLINES.values():
        np.testing.assert_allclose(spline([1.0, 3.0], [2.0, 8.0]), [[2.0, 3.0, 0.0, 0.0]], atol=1e-15)
    parabola = not_a_knot_spline([0.0, 1.0, 3.0], [1.0, 4.0, 22.0])
    np.testing.assert_allclose(parabola, [[1.0, 1.0, 2.0, 0.0], [4.0, 5.0, 2.0, 0.0]], atol=1e-14)


def test_several_columns_are_as_many_splines():
    x = np.array([0.0, 0.3, 1.0, 1.2, 2.0])
    y = np.column_stack((np.sin(x), np.exp(x), x))
    for spline in (linear, natural_spline, not_a_knot_spline):
        together = spline(x, y)
        assert together.shape == (3, 4, 4)
        for column in range(3):
            np.testing.assert_allclose(together[column], spline(x, y[:, column]), rtol=1e-14, atol=1e-14)


@pytest.mark.parametrize(
    ("x", "y"),
    [
        ([0.0], [1.0]),
        ([0.0, 1.0], [1.0]),
        ([0.0, 0.0], [1.0, 2.0]),
        ([0.0, 2.0, 1.0], [1.0, 2.0, 3.0]),
        ([0.0, np.nan], [1.0, 2.0]),
        ([0.0, 1.0], [1.0, np.inf]),
        ([[0.0, 1.0]], [[1.0, 2.0]]),
    ],
)
def test_samples_that_make_no_curve_are_refused(x, y):
    for spline in (linear, natural_spline, not_a_knot_spline):
        with pytest.raises(ValueError, match="curve"):
            spline(x, y)


@st.composite
def tables(draw):
    """Several curves in one table, and the same ones as scipy's piecewise polynomials."""
    curves = [draw(samples()) for _ in range(draw(st.integers(1, 4)))]
    kinds = [draw(st.sampled_from([linear, natural_spline, not_a_knot_spline])) for _ in curves]
    made = [(x, kind(x, y)) for (x, y), kind in zip(curves, kinds, strict=True)]
    return concatenate(made), [PPoly(descending(c), x) for x, c in made]


@settings(deadline=None)
@given(tables(), st.lists(st.floats(0, 1), min_size=1, max_size=20), st.integers(-5, 200))
def test_evaluation_agrees_with_scipy_whatever_the_hint(table_and_curves, places, hint):
    table, curves = table_and_curves
    for start, count, curve in zip(table.start, table.count, curves, strict=True):
        for place in [*places, *((k - curve.x[0]) / (curve.x[-1] - curve.x[0]) for k in curve.x)]:
            x = min(curve.x[0] + place * (curve.x[-1] - curve.x[0]), curve.x[-1])
            *found, row = evaluate(table.knots, table.coefficients, start, count, x, hint)
            expected = [float(curve(x, order)) for order in range(3)]
            sizes = np.abs(curve.c).max(axis=1)[[3, 2, 1]] + 1.0
            np.testing.assert_allclose(found, expected, rtol=1e-9, atol=1e-9 * sizes.max())
            assert start <= row <= start + count - 2
            assert locate(table.knots, start, count, x, start) == locate(table.knots, start, count, x, row) == row
            assert table.knots[row] <= x <= table.knots[row + 1]


@settings(deadline=None)
@given(tables(), st.floats(1e-3, 10))
def test_beyond_its_ends_a_curve_goes_on_with_its_end_slope(table_and_curves, beyond):
    table, curves = table_and_curves
    for start, count, curve in zip(table.start, table.count, curves, strict=True):
        for end, x in ((curve.x[0], curve.x[0] - beyond), (curve.x[-1], curve.x[-1] + beyond)):
            y, slope, curvature, _row = evaluate(table.knots, table.coefficients, start, count, x, 0)
            assert slope == pytest.approx(float(curve(end, 1)), rel=1e-9, abs=1e-9)
            assert y == pytest.approx(float(curve(end)) + float(curve(end, 1)) * (x - end), rel=1e-9, abs=1e-8)
            assert curvature == 0.0
            assert outside(table.knots, start, count, x) == np.sign(x - end)
        assert [outside(table.knots, start, count, knot) for knot in curve.x] == [0] * count


@settings(deadline=None)
@given(tables(), st.floats(-0.5, 1.5), st.floats(-0.5, 1.5))
def test_the_integral_is_that_of_the_polynomials_and_of_the_lines_beyond(table_and_curves, one, other):
    table, curves = table_and_curves
    for start, count, curve in zip(table.start, table.count, curves, strict=True):
        low, high = curve.x[0], curve.x[-1]
        bounds = [low + share * (high - low) for share in (one, other)]

        def line(end, x, curve=curve):
            return (x - end) * (float(curve(end)) + float(curve(end, 1)) * (x - end) / 2)

        expected = float(curve.integrate(*np.clip(bounds, low, high)))
        expected += sum(sign * line(np.clip(x, low, high), x) for sign, x in zip((-1, 1), bounds, strict=True))
        found = integral(table.knots, table.coefficients, start, count, *bounds)
        assert found == pytest.approx(expected, rel=1e-9, abs=1e-9 * (1 + np.abs(curve.c[2:]).max()))


def test_a_linear_curve_has_the_slope_of_the_interval_after_a_knot():
    table = concatenate([(np.array([0.0, 1.0, 3.0]), linear([0.0, 1.0, 3.0], [0.0, 2.0, 1.0]))])
    found = [evaluate(table.knots, table.coefficients, 0, 3, x, 0)[:3] for x in (0.5, 1.0, 2.0, 3.0)]
    assert found == [(1.0, 2.0, 0.0), (2.0, -0.5, 0.0), (1.5, -0.5, 0.0), (1.0, -0.5, 0.0)]
    assert integral(table.knots, table.coefficients, 0, 3, 0.0, 3.0) == 4.0


def test_no_curves_are_an_empty_table():
    table = concatenate([])
    assert table.coefficients.shape == (0, 4)
    assert len(table.knots) == len(table.start) == len(table.count) == 0


def test_a_long_uneven_series_matches_a_banded_solver():
    rng = np.random.default_rng(7)
    x = np.cumsum(rng.uniform(1e-4, 1e-1, 3000))
    y = np.cumsum(rng.normal(size=3000))
    reference = make_interp_spline(x, y, k=3, bc_type="natural")
    at = rng.uniform(x[0], x[-1], 500)
    ours = PPoly(descending(natural_spline(x, y)), x)
    np.testing.assert_allclose(ours(at), reference(at), rtol=1e-7, atol=1e-7 * np.abs(y).max())


SCRIPT = """
import json, numpy as np
from sheetmbs.engine.motion import curves, splines
x = np.array([0.0, 0.3, 1.0, 1.2, 2.0])
c = splines.concatenate([(x, splines.natural_spline(x, np.sin(x))), (x, splines.linear(x, np.cos(x)))])
row, found = 0, []
for start in c.start:
    for u in np.linspace(-0.5, 2.5, 31):
        y, slope, curvature, row = curves.evaluate(c.knots, c.coefficients, start, 5, u, row)
        area = curves.integral(c.knots, c.coefficients, start, 5, 0.1, u)
        found.append([float(v) for v in (y, slope, curvature, row, area, curves.outside(c.knots, start, 5, u))])
print(json.dumps(found))
"""

ROOT = Path(__file__).parents[2]


def test_without_jit_the_numbers_are_the_same():
    compiled, plain = (
        np.array(
            json.loads(
                subprocess.run(
                    [sys.executable, "-c", SCRIPT],
                    cwd=ROOT,
                    env=os.environ | {"NUMBA_DISABLE_JIT": switch},
                    capture_output=True,
                    check=True,
                ).stdout
            )
        )
        for switch in ("0", "1")
    )
    assert np.isfinite(compiled).all()
    np.testing.assert_allclose(compiled, plain, rtol=1e-12, atol=1e-14)
