"""Residuals: the cubic through rows, readings beyond them, and what an offset that is a rule takes away."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sheetmbs.measured.measurement import Measurement
from sheetmbs.measured.residuals import computed_at_points, interpolated, residual_changes, residuals
from sheetmbs.schema.cell import Place
from sheetmbs.schema.table import Table


def measurement(x, y, offset="number"):
    x, y = np.array(x, float), np.array(y, float)
    rows = np.arange(3, 3 + len(x))
    place = Place("Measurements", 2, 1)
    return Measurement(
        *("toe", "FL.toe", "deg", "heave", "mbs Sweep heave", "travel", "mm", "mbs Sweep heave"),
        *(x, y, None, offset, "Measured", 2, rows, place),
    )


def cubic(x):
    x = np.asarray(x)
    return 1 - 2 * x + 0.5 * x**2 + 0.1 * x**3


ROWS = np.array([-3.0, -2.0, 0.0, 0.5, 2.0, 3.0])


def table():
    return Table("mbs Sweep heave", ("travel", "FL.toe"), ("mm", "deg"), np.column_stack((ROWS, cubic(ROWS))))


def test_a_cubic_is_found_exactly_between_uneven_rows():
    at = np.linspace(-3, 3, 61)
    np.testing.assert_allclose(interpolated(ROWS, cubic(ROWS), at), cubic(at), rtol=0, atol=1e-13)


def test_the_error_of_a_smooth_course_falls_with_the_fourth_power_of_the_step():
    at = np.linspace(0.1, 6.1, 50)
    errors = []
    for count in (41, 81):
        rows = np.linspace(0, 2 * np.pi, count)
        errors.append(np.abs(interpolated(rows, np.sin(rows), at) - np.sin(at)).max())
    assert 10 < errors[0] / errors[1] < 22


def test_there_is_no_value_beyond_the_rows_nor_in_a_gap():
    y = np.array([0.0, 1.0, np.nan, 3.0, 4.0])
    found = interpolated(np.arange(5.0), y, np.array([-0.1, 0.0, 0.5, 1.0, 1.5, 2.0, 3.0, 3.5, 4.0, 4.1]))
    expected = [np.nan, 0.0, 0.5, 1.0, np.nan, np.nan, 3.0, 3.5, 4.0, np.nan]
    np.testing.assert_allclose(found, expected)


def test_rows_may_go_down():
    np.testing.assert_allclose(interpolated(ROWS[::-1], cubic(ROWS)[::-1], np.array([1.0])), cubic([1.0]))


def test_a_jump_is_no_slope():
    x, y = np.array([0.0, 1, 2, 2, 3, 4]), np.array([0.0, 1, 2, 12, 13, 14])
    np.testing.assert_allclose(interpolated(x, y, np.array([1.5, 2.0, 2.5])), [1.5, 2.0, 12.5])


def test_where_x_turns_back_only_rows_count_that_say_one_thing():
    x, y = np.array([0.0, 1, 2, 1, 0.5]), np.array([0.0, 1, 2, 5, 6])
    np.testing.assert_allclose(interpolated(x, y, np.array([0.25, 0.5, 1.0, 2.0])), [np.nan, 6, np.nan, 2])


def test_residuals_are_measured_less_computed_and_readings_outside_are_counted():
    x = [2.5, -2.5, 4.0, 1.0, 1.0]
    found = residuals(own := measurement(x, cubic(x) + 0.25), computed_at_points(own, [table()]))
    assert found.outside == 1
    np.testing.assert_allclose(found.residuals, 0.25, atol=1e-13)
    assert found.rms == pytest.approx(0.25)


X = np.array([-2.0, -1.0, 1.0, 1.5])
NOISE = np.array([0.1, -0.2, 0.3, 0.05])


@pytest.mark.parametrize(
    ("rule", "expected"),
    [("number", NOISE + 7), ("first", NOISE - NOISE[0]), ("fit", NOISE - NOISE.mean())],
)
def test_an_offset_takes_a_constant_away(rule, expected):
    own = measurement(X, cubic(X) + NOISE + 7, rule)
    found = residuals(own, computed_at_points(own, [table()]))
    np.testing.assert_allclose(found.residuals, expected, atol=1e-13)


def test_zero_counts_both_curves_from_their_value_at_zero():
    own = measurement(X, cubic(X) + NOISE + 7, "zero")
    measured_at_zero = 0.5 * (own.y[1] + own.y[2])  # halfway between -1 and 1
    found = residuals(own, computed_at_points(own, [table()]))
    np.testing.assert_allclose(found.residuals, (own.y - measured_at_zero) - (cubic(X) - cubic(0)), atol=1e-13)


@pytest.mark.parametrize("rule", ["number", "zero", "first", "fit"])
def test_changes_of_residuals_are_those_of_changed_values(rule):
    own = measurement(X, cubic(X) + NOISE, rule)
    computed = computed_at_points(own, [table()])
    change = np.linspace(1, 2, len(computed)) ** 2
    before, after = residuals(own, computed), residuals(own, computed + change)
    np.testing.assert_allclose(residual_changes(before, change), after.residuals - before.residuals, atol=1e-13)
    both = residual_changes(before, np.column_stack((change, -change)))
    np.testing.assert_allclose(both[:, 0], -both[:, 1])


def test_a_case_of_one_row_has_its_value_at_every_reading():
    one = Table("mbs Loads", ("FL.tie rod",), ("N",), np.array([[5.0]]))
    own = replace(measurement([1, 2], [6, 7]), over="", sheet="mbs Loads", of="FL.tie rod")
    np.testing.assert_allclose(residuals(own, computed_at_points(own, [one])).residuals, [1, 2])
