"""Long series cost little more than reading them."""

import time

import numpy as np
import pytest

from sheetmbs.lower.lower_motions import Motions
from sheetmbs.model.model import Model, Settings

COUNT = 30_000


def in_plain_python(x, y):
    """Coefficients of a natural spline by elimination row by row, as they were once made."""
    h, slopes = np.diff(x), np.diff(y) / np.diff(x)
    low, pivots, up = h[:-1].tolist(), (2.0 * (h[:-1] + h[1:])).tolist(), h[1:].tolist()
    inner = [np.array([value]) for value in 6.0 * np.diff(slopes)]
    for k in range(1, len(pivots)):
        factor = low[k] / pivots[k - 1]
        pivots[k] -= factor * up[k - 1]
        inner[k] = inner[k] - factor * inner[k - 1]
    inner[-1] = inner[-1] / pivots[-1]
    for k in range(len(pivots) - 2, -1, -1):
        inner[k] = (inner[k] - up[k] * inner[k + 1]) / pivots[k]
    second = np.concatenate(([0.0], np.concatenate(inner), [0.0]))
    slope = slopes - h * (2.0 * second[:-1] + second[1:]) / 6.0
    return np.column_stack((y[:-1], slope, second[:-1] / 2.0, np.diff(second) / (6.0 * h)))


@pytest.mark.parametrize("uneven", [0.0, 0.3])
def test_splines_of_long_series_are_the_same_as_by_plain_elimination_in_a_fraction_of_its_time(uneven):
    rng = np.random.default_rng(5)
    x = 1e-3 * (np.arange(COUNT) + uneven * rng.uniform(-1, 1, COUNT))
    y = np.sin(3.0 * x) + 1e-3 * rng.standard_normal(COUNT)
    motions = Motions(Model(settings=Settings()))
    motions.add_samples(x[:10], y[:10])  # compiles
    began = time.process_time()
    motions.add_samples(x, y)
    ours = time.process_time() - began
    began = time.process_time()
    expected = in_plain_python(x, y)
    theirs = time.process_time() - began
    table = motions.curve_table()
    found = table.coefficients[table.start[1] : table.start[1] + COUNT - 1]
    assert np.max(np.abs(found - expected) / np.max(np.abs(expected), axis=0)) <= 1e-13
    assert ours < 0.3 * theirs
