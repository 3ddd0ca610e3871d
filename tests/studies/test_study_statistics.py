"""What is said of the responses of a study, against closed forms."""

from __future__ import annotations

from statistics import NormalDist

import numpy as np
import pytest
from scipy.stats import binom

from sheetmbs.studies.statistics.sample_statistics import (
    PERCENTILES,
    counted_bins,
    sample_percentiles,
    samples_needed,
    share_of,
    spread,
)
from sheetmbs.studies.statistics.variable_effects import linear_effects, single_changes

FAILED = np.nan


def test_spread_leaves_failed_variants_out_and_says_where_the_ends_stand():
    found = spread(np.array([3.0, FAILED, 1.0, 8.0]))
    assert (found.known, found.smallest, found.largest, found.mean) == (3, 1.0, 8.0, 4.0)
    assert (found.at_smallest, found.at_largest) == (2, 3)
    assert found.deviation == pytest.approx(np.sqrt(13.0))  # (1 + 9 + 16) / 2


def test_nothing_is_said_of_responses_that_all_failed():
    found = spread(np.full(3, FAILED))
    assert found.known == 0
    assert np.isnan(found.mean)
    assert found.at_smallest == -1


def test_effects_of_a_linear_model_are_its_coefficients():
    rng = np.random.default_rng(1)
    x = rng.uniform([-1.0, 10.0, 500.0], [1.0, 20.0, 900.0], (80, 3))
    y = 7.0 + x @ [2.0, -0.3, 0.004]
    y[[5, 17]] = FAILED
    found = linear_effects(x, y)
    assert found.slopes == pytest.approx([2.0, -0.3, 0.004], rel=1e-10)
    assert found.r_squared == pytest.approx(1.0)
    assert found.used == 78
    kept = np.isfinite(y)
    share = np.array([2.0, -0.3, 0.004]) * x[kept].std(axis=0) / y[kept].std()
    assert found.standardised == pytest.approx(share, rel=1e-10)


def test_squares_of_standardised_coefficients_sum_up_to_r_squared_of_a_balanced_grid():
    x = np.array([(a, b) for a in (-1.0, 0.0, 1.0) for b in (-2.0, 2.0)])
    y = 3.0 * x[:, 0] + x[:, 1] + 2.0 * x[:, 0] * x[:, 1] / 2.0
    found = linear_effects(x, y)
    assert (found.standardised**2).sum() == pytest.approx(found.r_squared)
    # variances: 9 * 2/3 of a, 4 of b, 2/3 * 4 of their product, which no straight line explains
    assert found.r_squared == pytest.approx((6.0 + 4.0) / (6.0 + 4.0 + 8.0 / 3.0))


def test_what_few_samples_explain_by_chance_is_not_counted():
    """Of noise that depends on nothing, R^2 tends to variables / (samples - 1), and what is adjusted to nothing."""
    rng = np.random.default_rng(4)
    found = [linear_effects(rng.normal(size=(8, 3)), rng.normal(size=8)) for _ in range(2_000)]
    assert np.mean([each.r_squared for each in found]) == pytest.approx(3.0 / 7.0, abs=0.02)
    assert np.mean([each.adjusted for each in found]) == pytest.approx(0.0, abs=0.04)


def test_a_variable_that_does_not_vary_has_no_effect_that_could_be_told():
    x = np.column_stack([np.linspace(0.0, 1.0, 9), np.full(9, 5.0)])
    found = linear_effects(x, 4.0 * x[:, 0])
    assert found.slopes[0] == pytest.approx(4.0)
    assert np.isnan(found.slopes[1])


@pytest.mark.parametrize(
    ("x", "said"),
    [
        (np.array([[0.0, 0.0], [1.0, 2.0], [2.0, 1.0]]), "4 solved variants are needed"),
        (np.column_stack([np.arange(9.0), 2.0 * np.arange(9.0)]), "vary together"),
        (np.ones((9, 2)), "no variable varies"),
        (np.zeros((0, 2)), "no variable varies"),
    ],
)
def test_where_effects_cannot_be_told_apart_words_say_why(x, said):
    found = linear_effects(x, np.arange(float(len(x))))
    assert said in found.why
    assert np.isnan(found.slopes).all()


def test_a_response_that_does_not_vary_has_no_effects_and_no_r_squared():
    found = linear_effects(np.arange(10.0)[:, np.newaxis], np.full(10, 3.3))
    assert found.slopes == [0.0]
    assert np.isnan(found.r_squared)


def test_single_changes_are_those_of_one_variable_alone():
    values = np.array([[1.0, 5.0], [0.0, 5.0], [3.0, 5.0], [1.0, 4.0], [1.0, 6.0], [3.0, 6.0]])
    responses = (10.0 * values[:, 0] + values[:, 1] ** 2)[:, np.newaxis]
    first, second = (single_changes(values, responses, k) for k in (0, 1))
    assert first.values.tolist() == [0.0, 1.0, 3.0]
    assert first.rows.tolist() == [1, 0, 2]
    assert first.effect(0) == 30.0
    assert second.values.tolist() == [4.0, 5.0, 6.0]
    assert second.effect(0) == 20.0
    assert not second.turns(0)


def test_a_response_that_rises_and_falls_within_a_range_is_said_to_turn():
    values = np.array([[0.0], [-1.0], [1.0]])
    assert single_changes(values, values**2, 0).turns(0)
    assert single_changes(values, values**2, 0).effect(0) == 0.0
    one_left = np.array([[0.0], [FAILED], [FAILED]])
    assert np.isnan(single_changes(values, one_left, 0).effect(0))


def test_rounding_is_no_effect_of_a_variable():
    values = np.array([[0.0], [-1.0], [1.0]])
    changes = single_changes(values, np.array([[160.0], [160.0 + 3e-14], [160.0 - 3e-14]]), 0)
    assert (changes.effect(0), changes.span(0), changes.turns(0)) == (0.0, 0.0, False)


def test_the_effect_of_a_variable_is_told_between_values_that_did_not_fail():
    values = np.array([[0.0], [-1.0], [1.0]])
    changes = single_changes(values, np.array([[2.0], [FAILED], [5.0]]), 0)
    known, responses = changes.known(0)
    assert (known.tolist(), responses.tolist()) == ([0.0, 1.0], [2.0, 5.0])
    assert changes.effect(0) == 3.0


def test_percentiles_of_a_normal_distribution_lie_where_they_should():
    samples = np.random.default_rng(2).normal(20.0, 3.0, 40_000)
    for found in sample_percentiles(np.append(samples, FAILED)):
        truth = NormalDist(20.0, 3.0).inv_cdf(found.percent / 100.0)
        assert found.low <= found.value <= found.high
        # five deviations of the estimate: density at the percentile, binomial
        density = NormalDist(20.0, 3.0).pdf(truth)
        share = found.percent / 100.0
        assert abs(found.value - truth) < 5.0 * np.sqrt(share * (1.0 - share) / len(samples)) / density


@pytest.mark.parametrize("count", [3_688, 10_000])
def test_intervals_of_percentiles_hold_at_least_95_percent_of_the_time(count):
    # of the numbers 1 .. count, ranks are values: the ends say between which sorted samples a percentile lies
    for found in sample_percentiles(np.arange(1.0, count + 1.0)):
        share = found.percent / 100.0
        # fewer than `high` samples and at least `low` of them lie below the percentile
        covered = binom.cdf(found.high - 1, count, share) - binom.cdf(found.low - 1, count, share)
        assert covered >= 0.95, found


def test_a_percentile_beyond_which_no_sample_need_lie_is_not_told():
    found = {each.percent: each for each in sample_percentiles(np.arange(100.0))}
    assert [percent for percent in PERCENTILES if np.isfinite(found[percent].value)] == [5.0, 50.0, 95.0]
    assert found[0.1].needed == found[99.9].needed == 3_688
    assert 0.999**3_688 < 0.025 < 0.999**3_687
    assert samples_needed(50.0) == 6


def test_shares_have_the_interval_of_wilson():
    # Newcombe, Statistics in Medicine 17 (1998) 857-872, table I: 81 of 263 and 15 of 148, method 3
    for held, count, low, high in ((81, 263, 0.2553, 0.3662), (15, 148, 0.0624, 0.1605)):
        found = share_of(held, count)
        assert found.low == pytest.approx(low, abs=5e-5)
        assert found.high == pytest.approx(high, abs=5e-5)
    assert share_of(0, 20).low == 0.0
    assert np.isnan(share_of(0, 0).share)


def test_indices_of_the_ishigami_function_are_those_of_its_closed_form():
    sobol = pytest.importorskip("SALib.sample.sobol", reason="SALib is not installed (extra study)")
    from sheetmbs.studies.methods.global_sensitivity import sobol_indices

    problem = {"num_vars": 3, "names": ["a", "b", "c"], "bounds": [[-np.pi, np.pi]] * 3}
    x = sobol.sample(problem, 1024, calc_second_order=True, seed=1)
    y = np.sin(x[:, 0]) + 7.0 * np.sin(x[:, 1]) ** 2 + 0.1 * x[:, 2] ** 4 * np.sin(x[:, 0])
    y[40] = FAILED
    found = sobol_indices("y", y, 3)
    assert (found.blocks, found.left_out) == (1023, 1)
    # Ishigami and Homma 1990 with a = 7, b = 0.1: V1 = (1 + b pi^4 / 5)^2 / 2, V2 = a^2 / 8, V13 = 8 b^2 pi^8 / 225
    v1, v2, v13 = 0.5 * (1 + 0.1 * np.pi**4 / 5) ** 2, 49 / 8, 8 * 0.01 * np.pi**8 / 225
    v = v1 + v2 + v13
    assert (np.abs(found.first - np.array([v1, v2, 0.0]) / v) < found.first_band).all()
    assert (np.abs(found.total - np.array([v1 + v13, v2, v13]) / v) < found.total_band).all()
    again = sobol_indices("y", y, 3)
    assert np.array_equal(again.first_band, found.first_band)


def test_indices_of_a_response_that_does_not_vary_are_not_told():
    from sheetmbs.studies.methods.global_sensitivity import sobol_indices

    found = sobol_indices("y", np.full(4 * 8, 2.0), 3)
    assert np.isnan(found.first).all()
    assert found.blocks == 4


def test_bins_count_every_sample_and_end_at_the_limit():
    values = np.append(np.random.default_rng(4).normal(0.0, 1.0, 500), FAILED)
    inside = values <= 0.73
    found = counted_bins(values, inside, 0.73)
    assert found.inside.sum() == np.sum(values <= 0.73)
    assert found.outside.sum() == np.sum(values > 0.73)
    # no bin holds both
    assert not np.any((found.inside > 0) & (found.outside > 0))
    assert counted_bins(np.full(9, 2.0), np.ones(9, dtype=bool), None) is None
