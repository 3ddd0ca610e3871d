"""The runs test: its probability is that of all orders of the same signs, as closely as the normal approximation is."""

from __future__ import annotations

from itertools import combinations
from math import erfc, sqrt

import numpy as np
import pytest

from sheetmbs.measured.runs_test import runs_probability


def signs(text):
    return np.array([{"+": 1.0, "-": -2.0, "0": 0.0}[each] for each in text])


def test_a_worked_number():
    """6 of each sign in 4 runs: mean 7, variance 2 36 (72 - 12)/(144 11) = 30/11, z = -3/1.65145."""
    found = runs_probability(np.arange(12.0), signs("+++---+++---"))
    assert found == pytest.approx(erfc(3.0 / sqrt(30.0 / 11.0) / sqrt(2.0)), rel=1e-14)
    assert found == pytest.approx(0.0693, abs=1e-4)


def test_mean_and_variance_are_those_of_all_orders():
    """Over every order of 4 and 6 signs the squared deviation in the exponent has the mean 1."""
    squares = []
    for places in combinations(range(10), 4):
        series = np.ones(10)
        series[list(places)] = -1.0
        runs = 1 + np.sum(series[1:] != series[:-1])
        found = runs_probability(np.arange(10.0), series)
        squares.append((found, runs))
    by_runs = {runs: found for found, runs in squares}
    mean = np.mean([runs for _found, runs in squares])
    variance = np.var([runs for _found, runs in squares])
    for runs, found in by_runs.items():
        assert found == pytest.approx(erfc(abs(runs - mean) / sqrt(2.0 * variance)), rel=1e-12)


def test_the_order_is_that_of_x_and_zeros_do_not_count():
    x = np.array([3.0, 1, 2, 4, 5, 6, 7, 8, 9, 10, 11])
    ordered = runs_probability(np.sort(x), signs("+-+-+-+-+-0"))
    shuffled = np.argsort(x)
    values = np.empty(11)
    values[shuffled] = signs("+-+-+-+-+-0")
    assert runs_probability(x, values) == pytest.approx(ordered)
    assert runs_probability(np.arange(10.0), signs("+-+-+-+-+-")) == pytest.approx(ordered)


def test_few_signs_or_one_sign_say_nothing():
    assert runs_probability(np.arange(9.0), signs("+-+-+-+-+")) is None
    assert runs_probability(np.arange(12.0), signs("++++++++++++")) is None
