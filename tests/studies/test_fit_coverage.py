"""Bands of fits of whole cars hold what was planted as often as they say, and the same directions are unseen in all cases."""

import pytest

from benchmarks.fits import CARS, coverage, read_car

SEEDS = 400
UNSEEN = {"suspension-double-wishbone": 4, "suspension-formula-student": 4, "suspension-macpherson": 2}
"""pivots that slide along the hinges of their arms"""


@pytest.mark.nightly
@pytest.mark.parametrize("name", CARS)
def test_bands_hold_the_truth_in_93_to_97_of_100_cases(name):
    held, unseen, _spent = coverage(read_car(name), SEEDS)
    assert len(unseen) >= 0.99 * SEEDS
    assert set(unseen) == {UNSEEN[name]}
    assert 0.93 <= held <= 0.97
