"""Gaps of markers: short ones are filled through five good samples on each side, long ones stay."""

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from sheetmbs.gait.signals.gaps import bounds, drop_short_runs, fill_gaps

NOISE = np.random.default_rng(21)


def with_gaps(values, *gaps):
    values = np.array(values, dtype=float)
    for first, last in gaps:
        values[..., first : last + 1] = np.nan
    return values


def test_a_tenth_of_a_second_is_filled_and_one_frame_more_is_not():
    x = with_gaps(np.arange(200.0), (50, 59), (100, 110))
    found = fill_gaps(x, 100.0)
    assert list(np.flatnonzero(found.filled)) == list(range(50, 60))
    assert list(np.flatnonzero(found.left)) == list(range(100, 111))
    assert list(np.flatnonzero(fill_gaps(x, 100.0, limit=0.11).left)) == []
    assert fill_gaps(x, 150.0).filled.sum() == 21, "15 frames of 150 Hz are a tenth of a second"


def test_the_filling_is_the_spline_through_five_good_samples_on_each_side():
    x = NOISE.standard_normal((2, 80)).cumsum(axis=-1)
    good = [*range(25, 30), *range(36, 41)]
    expected = CubicSpline(np.array(good) / 100.0, x[:, good], axis=-1)(np.arange(30, 36) / 100.0)
    found = fill_gaps(with_gaps(x, (30, 35)), 100.0)
    assert np.allclose(found.values[:, 30:36], expected, rtol=0, atol=1e-12)
    recorded = np.r_[0:30, 36:80]
    assert np.array_equal(found.values[:, recorded], x[:, recorded])


def test_cubics_and_lines_are_met_exactly():
    t = np.arange(60) / 100.0
    cubic = 1 + t - 4 * t**2 + 9 * t**3
    assert np.allclose(fill_gaps(with_gaps(cubic, (20, 28)), 100.0).values, cubic, rtol=0, atol=1e-12)
    line = 3 - 2 * t
    found = fill_gaps(with_gaps(line, (1, 1), (20, 28), (31, 33)), 100.0, kind="linear").values
    assert np.allclose(found, line, rtol=0, atol=1e-12)


def test_linear_runs_straight_between_the_neighbours():
    found = fill_gaps(np.array([0.0, 5.0, np.nan, np.nan, 8.0, 0.0]), 100.0, kind="linear")
    assert found.values == pytest.approx([0.0, 5.0, 6.0, 7.0, 8.0, 0.0])


def test_nothing_is_filled_where_that_is_not_wanted():
    x = with_gaps(np.arange(40.0), (10, 11))
    for found in (fill_gaps(x, 100.0, kind="none"), fill_gaps(x, 100.0, limit=0.0)):
        assert not found.filled.any()
        assert np.array_equal(found.left, np.isnan(x))


def test_nothing_is_extrapolated():
    x = with_gaps(np.arange(40.0), (0, 1), (39, 39))
    found = fill_gaps(x, 100.0)
    assert list(np.flatnonzero(found.left)) == [0, 1, 39]
    assert not found.filled.any()


def test_good_samples_beyond_a_gap_that_stays_do_not_count():
    t = np.arange(100) / 100.0
    before, after = np.sin(9 * t), np.cos(5 * t) + 7.0
    jumped = np.where(np.arange(100) < 50, before, after)
    x = with_gaps(jumped, (40, 55), (58, 59))
    good = [56, 57, 60, 61, 62, 63, 64]
    expected = CubicSpline(t[good], after[good])(t[58:60])
    assert np.allclose(fill_gaps(x, 100.0).values[58:60], expected, rtol=0, atol=1e-12)


def test_the_ankle_of_the_format_page_errs_by_millimetres_for_ten_frames_and_not_for_five():
    t = np.arange(300) / 100.0
    swing = (
        0.30 * np.sin(2 * np.pi * 0.9 * t) + 0.08 * np.sin(2 * np.pi * 1.8 * t + 1) + 0.03 * np.sin(2 * np.pi * 2.7 * t)
    )
    worst = []
    for length in (5, 10, 20):
        errors = [
            np.max(np.abs(fill_gaps(with_gaps(swing, (k, k + length - 1)), 100.0, limit=1.0).values - swing))
            for k in range(60, 240, 3)
        ]
        worst.append(max(errors))
    assert worst[0] < 0.001
    assert worst[0] < worst[1] < worst[2]


def test_each_coordinate_has_its_own_gaps():
    x = np.tile(np.arange(50.0), (2, 3, 1))
    x[1, 0, 10] = np.nan
    x[0, 2] = np.nan
    found = fill_gaps(x, 100.0)
    assert found.filled.sum() == 1
    assert found.filled[1, 0, 10]
    assert found.left.sum() == 50
    assert found.left[0, 2].all(), "a coordinate without a column is no gap to fill"


# runs between gaps


def test_runs_between_gaps_shorter_than_three_periods_of_the_cutoff_are_dropped():
    x = with_gaps(np.arange(300.0), (50, 69), (119, 139), (190, 219))
    values, dropped = drop_short_runs(x, 100.0, 6.0)
    assert bounds(dropped) == [(70, 118)], "49 samples are dropped, 50 stay"
    assert np.isnan(values[70:119]).all()
    assert np.isfinite(values[140:190]).all()


def test_a_run_at_the_start_of_a_trial_stays_and_one_after_missing_frames_does_not():
    values, dropped = drop_short_runs(with_gaps(np.arange(200.0), (20, 60)), 100.0, 6.0)
    assert not dropped.any()
    values, dropped = drop_short_runs(with_gaps(np.arange(200.0), (0, 3), (20, 60)), 100.0, 6.0)
    assert list(np.flatnonzero(dropped)) == list(range(4, 20))
    assert np.isfinite(values[61:]).all()


def test_each_marker_has_its_own_periods_and_without_a_filter_nothing_is_dropped():
    x = np.tile(with_gaps(np.arange(200.0), (0, 3), (40, 60)), (3, 2, 1))
    _, dropped = drop_short_runs(x, 100.0, np.array([6.0, 12.0, np.inf])[:, None])
    assert [bool(each.any()) for each in dropped] == [True, False, False]


def test_runs_of_a_mask_have_their_first_and_last_sample():
    mask = np.zeros(10, dtype=bool)
    mask[[0, 1, 5]] = True
    mask[8:] = True
    assert bounds(mask) == [(0, 1), (5, 5), (8, 9)]
    assert bounds(np.zeros(3, dtype=bool)) == []
