"""The low-pass filter, derivatives and the residual analysis of gait against closed forms."""

from math import cos, sin

import numpy as np
import pytest
from scipy.signal import butter

from sheetmbs.gait.signals.derivatives import derivatives
from sheetmbs.gait.signals.low_pass import both_passes, low_pass, residual_analysis, single_pass

NOISE = np.random.default_rng(20)
CORRECTIONS = {2: 0.64359, 4: 0.80224, 8: 0.89568}
"""of the tangent, as printed by Robertson and Dowling"""


def sine(frequency, rate, count=6001, phase=0.0):
    return np.sin(2 * np.pi * frequency * np.arange(count) / rate + phase)


def amplitude(values, frequency, rate):
    """Of the sine in the middle of values that are one there, with the largest deviation from it."""
    middle = slice(len(values) // 3, 2 * len(values) // 3)
    angle = 2 * np.pi * frequency * np.arange(len(values))[middle] / rate
    waves = np.column_stack((np.sin(angle), np.cos(angle)))
    (along, across), *_ = np.linalg.lstsq(waves, values[middle], rcond=None)
    assert np.max(np.abs(waves @ (along, across) - values[middle])) < 1e-9
    return along, across


# the filter


@pytest.mark.parametrize("order", [2, 4, 8])
@pytest.mark.parametrize("meaning", ["effective", "single pass"])
@pytest.mark.parametrize(("frequency", "cutoff", "rate"), [(1.0, 6.0, 100.0), (6.0, 6.0, 100.0), (11.0, 8.0, 450.0)])
def test_the_gain_on_a_long_sinusoid_is_the_closed_form_without_lag(order, meaning, frequency, cutoff, rate):
    w = np.tan(np.pi * cutoff / rate) / (CORRECTIONS[order] if meaning == "effective" else 1.0)
    expected = 1 / (1 + (np.tan(np.pi * frequency / rate) / w) ** order)
    filtered = low_pass(sine(frequency, rate), rate, cutoff, order=order, meaning=meaning)
    along, across = amplitude(filtered, frequency, rate)
    exact = (np.sqrt(2) - 1) ** (1 / order)
    w = np.tan(np.pi * cutoff / rate) / (exact if meaning == "effective" else 1.0)
    assert along == pytest.approx(expected, abs=3e-5), "with the printed corrections"
    assert along == pytest.approx(1 / (1 + (np.tan(np.pi * frequency / rate) / w) ** order), abs=1e-9)
    assert across == pytest.approx(0.0, abs=1e-9)


@pytest.mark.parametrize("order", [2, 4, 8])
def test_an_effective_cutoff_is_where_both_passes_leave_half_the_power(order):
    along, _ = amplitude(low_pass(sine(6.0, 100.0), 100.0, 6.0, order=order), 6.0, 100.0)
    assert along == pytest.approx(np.sqrt(0.5), abs=1e-9)


def test_both_cutoffs_can_be_printed():
    assert f"{single_pass(6.0, 100.0, 4, 'effective'):.2f}" == "7.43"
    assert both_passes(6.0, 100.0, 4, "effective") == pytest.approx(6.0, rel=1e-12)
    low = both_passes(6.0, 100.0, 4, "single pass")
    assert single_pass(low, 100.0, 4, "effective") == pytest.approx(6.0, rel=1e-12)


def recursion(x, cutoff, rate):
    """Two passes of the second-order recursion of the format page, over samples that are padded already."""
    w = np.tan(np.pi * cutoff / rate) / (np.sqrt(2) - 1) ** 0.25
    k1, k2 = np.sqrt(2) * w, w**2
    a0 = k2 / (1 + k1 + k2)
    a1, b1 = 2 * a0, 2 * a0 * (1 / k2 - 1)
    b2 = 1 - a1 - 2 * a0 - b1
    for _ in range(2):
        y = np.empty_like(x)
        for i in range(len(x)):
            before = [(x[max(i - k, 0)], y[i - k] if i >= k else x[0]) for k in (1, 2)]
            y[i] = a0 * x[i] + a1 * before[0][0] + a0 * before[1][0] + b1 * before[0][1] + b2 * before[1][1]
        x = y[::-1]
    return x


def padded(x, pad, padding):
    ahead = {
        "odd": [2 * x[0] - x[k] for k in range(pad, 0, -1)],
        "even": [x[k] for k in range(pad, 0, -1)],
        "constant": [x[0]] * pad,
        "none": [],
    }[padding]
    after = {
        "odd": [2 * x[-1] - x[-1 - k] for k in range(1, pad + 1)],
        "even": [x[-1 - k] for k in range(1, pad + 1)],
        "constant": [x[-1]] * pad,
        "none": [],
    }[padding]
    return np.array([*ahead, *x, *after]), len(ahead)


@pytest.mark.parametrize("padding", ["odd", "even", "constant", "none"])
@pytest.mark.parametrize(("cutoff", "rate", "pad"), [(6.0, 100.0, 17), (6.0, 150.0, 25), (7.43, 60.0, 9)])
def test_samples_near_the_ends_are_those_of_the_recursion_over_the_padding(padding, cutoff, rate, pad):
    x = np.cumsum(NOISE.standard_normal(60))
    long, offset = padded(x, pad, padding)
    expected = recursion(long, cutoff, rate)[offset : offset + len(x)]
    assert np.allclose(low_pass(x, rate, cutoff, padding=padding), expected, rtol=0, atol=1e-11)


def test_a_run_shorter_than_the_padding_is_padded_by_what_it_has():
    x = np.array([1.0, 3.0, 2.0, 5.0, 4.0])
    long, offset = padded(x, 4, "odd")
    assert np.allclose(low_pass(x, 100.0, 6.0), recursion(long, 6.0, 100.0)[offset : offset + 5], rtol=0, atol=1e-12)
    assert low_pass(np.array([7.0]), 100.0, 6.0) == pytest.approx([7.0])


@pytest.mark.parametrize("order", [2, 4, 8])
@pytest.mark.parametrize("padding", ["odd", "even", "constant", "none"])
def test_constants_stay_and_with_odd_padding_straight_lines_too(order, padding):
    assert np.allclose(low_pass(np.full(80, 3.7), 100.0, 6.0, order=order, padding=padding), 3.7, rtol=1e-12)


def test_the_filter_is_linear_and_has_no_direction():
    x, y = NOISE.standard_normal((2, 400))
    both = low_pass(np.array([x, y, 2 * x - 3 * y, x[::-1]]), 100.0, 6.0)
    assert np.allclose(both[2], 2 * both[0] - 3 * both[1], rtol=0, atol=1e-12)
    middle = slice(100, 300)
    assert np.allclose(both[3][::-1][middle], both[0][middle], rtol=0, atol=1e-9)


def test_each_run_between_gaps_is_filtered_by_itself():
    x = NOISE.standard_normal((3, 2, 200)).cumsum(axis=-1)
    x[0, :, 90:100] = np.nan
    x[1, 1, :7] = np.nan
    filtered = low_pass(x, 100.0, 6.0)
    assert np.array_equal(np.isnan(filtered), np.isnan(x))
    assert np.allclose(filtered[0, 0, :90], low_pass(x[0, 0, :90], 100.0, 6.0), rtol=0, atol=1e-12)
    assert np.allclose(filtered[0, 1, 100:], low_pass(x[0, 1, 100:], 100.0, 6.0), rtol=0, atol=1e-12)
    assert np.allclose(filtered[1, 1, 7:], low_pass(x[1, 1, 7:], 100.0, 6.0), rtol=0, atol=1e-12)
    assert np.allclose(filtered[2], low_pass(x[2], 100.0, 6.0), rtol=0, atol=1e-12)


def test_each_marker_may_have_its_own_cutoff_and_none():
    x = NOISE.standard_normal((3, 2, 200))
    cutoffs = np.array([6.0, 9.0, np.inf])
    filtered = low_pass(x, 100.0, cutoffs[:, None])
    assert np.array_equal(filtered[0], low_pass(x[0], 100.0, 6.0))
    assert np.array_equal(filtered[1], low_pass(x[1], 100.0, 9.0))
    assert np.array_equal(filtered[2], x[2])


@pytest.mark.parametrize("cutoff", [0.0, -1.0, 50.0])
def test_a_cutoff_that_no_filter_has_is_an_error(cutoff):
    with pytest.raises(ValueError, match="half the rate"):
        low_pass(np.zeros(50), 100.0, cutoff)


def test_the_sections_are_those_of_the_format_page():
    w = np.tan(np.pi * 6.0 / 100.0) / (np.sqrt(2) - 1) ** 0.25
    a0 = w**2 / (1 + np.sqrt(2) * w + w**2)
    assert butter(2, single_pass(6.0, 100.0, 4, "effective"), fs=100.0, output="sos")[0, 0] == pytest.approx(
        a0, rel=1e-12
    )


# derivatives


@pytest.mark.parametrize(
    ("kind", "first", "second"),
    [
        ("spline", lambda a: 3 * sin(a) / (a * (2 + cos(a))), lambda a: 6 * (1 - cos(a)) / (a**2 * (2 + cos(a)))),
        ("central", lambda a: sin(a) / a, lambda a: (sin(a) / a) ** 2),
        ("3-point", lambda a: sin(a) / a, lambda a: 2 * (1 - cos(a)) / a**2),
    ],
)
@pytest.mark.parametrize("frequency", [1.0, 4.0, 12.0])
def test_derivatives_of_a_sinusoid_have_the_gains_of_the_format_page(kind, first, second, frequency):
    rate, omega = 100.0, 2 * np.pi * frequency
    angle = omega / rate
    gains = first(angle), second(angle)
    speed, acceleration = derivatives(sine(frequency, rate, 901), rate, kind)
    _, speed_gain = amplitude(speed / omega, frequency, rate)
    acceleration_gain, _ = amplitude(-acceleration / omega**2, frequency, rate)
    assert (speed_gain, acceleration_gain) == (pytest.approx(gains[0], abs=1e-9), pytest.approx(gains[1], abs=1e-9))
    error = {"spline": 1 / 12, "central": -1 / 3, "3-point": -1 / 12}[kind] * angle**2
    assert gains[1] - 1 == pytest.approx(error, rel=0.25), "as the format page says"


def test_a_spline_reproduces_cubics_up_to_the_ends_and_differences_parabolas_inside():
    t = np.arange(40) / 80.0
    cubic = 2 - t + 3 * t**2 - 5 * t**3
    speed, acceleration = derivatives(cubic, 80.0, "spline")
    assert np.allclose(speed, -1 + 6 * t - 15 * t**2, rtol=0, atol=1e-10)
    assert np.allclose(acceleration, 6 - 30 * t, rtol=0, atol=1e-8)
    for kind, lost in (("3-point", 1), ("central", 2)):
        speed, acceleration = derivatives(3 * t**2 - t, 80.0, kind)
        assert np.allclose(speed[1:-1], 6 * t[1:-1] - 1, rtol=0, atol=1e-11)
        assert np.allclose(acceleration[lost:-lost], 6.0, rtol=0, atol=1e-9)
        assert np.isnan(speed[[0, -1]]).all()
        assert np.isnan(acceleration[:lost]).all()
        assert np.isnan(acceleration[-lost:]).all()


def test_derivatives_do_not_look_across_gaps():
    x = NOISE.standard_normal((2, 60)).cumsum(axis=-1)
    x[0, 20:25] = np.nan
    x[0, 28] = np.nan
    speed, acceleration = derivatives(x, 100.0)
    alone = derivatives(x[0, :20], 100.0)
    assert np.allclose(speed[0, :20], alone[0], rtol=0, atol=1e-10)
    assert np.allclose(acceleration[0, :20], alone[1], rtol=0, atol=1e-8)
    assert np.isnan(speed[0, 20:29]).all(), "three samples make no spline"
    assert np.isfinite(acceleration[1]).all()


# the residual analysis


def walking(count=1000, rate=100.0):
    """A marker of a few harmonics of a stride, (3, n) in mm."""
    t = np.arange(count) / rate
    strides = [(400, 0.93, 0.3), (90, 1.86, 1.0), (25, 2.8, 2.0), (8, 3.7, 0.5), (2, 4.65, 1.5)]
    forward = 1200 * t + sum(a * np.sin(2 * np.pi * f * t + p) for a, f, p in strides)
    return np.array([forward, 0.3 * (forward - 1200 * t), 0.1 * np.cos(2 * np.pi * 0.93 * t)])


@pytest.mark.parametrize("planted", [0.3, 1.0, 3.0])
def test_planted_noise_is_found(planted):
    clean = walking()
    markers = np.array([clean + planted * NOISE.standard_normal(clean.shape) for _ in range(12)])
    found = residual_analysis(markers, 100.0)
    assert np.all((found.noise > 0.93 * planted) & (found.noise < 1.05 * planted))
    assert np.all((found.advised > 4.0) & (found.advised < 9.0))


def test_more_noise_advises_a_lower_cutoff_and_the_unit_does_not_matter():
    clean, noise = walking(), NOISE.standard_normal((3, 1000))
    markers = np.array([clean + each * noise for each in (0.2, 1.0, 5.0)])
    found, in_metres = residual_analysis(markers, 100.0), residual_analysis(markers / 1000.0, 100.0)
    assert np.all(np.diff(found.advised) < 0.0)
    assert np.allclose(in_metres.advised, found.advised, rtol=1e-9)
    assert np.allclose(in_metres.noise * 1000.0, found.noise, rtol=1e-9)


def test_residuals_are_what_the_filter_takes_away():
    markers = walking()[None] + NOISE.standard_normal((1, 3, 1000))
    found = residual_analysis(markers, 100.0)
    direct = [np.sqrt(np.mean((markers - low_pass(markers, 100.0, each)) ** 2)) for each in found.cutoffs]
    assert np.allclose(found.residuals[0], direct, rtol=5e-3)
    assert (found.cutoffs[0], found.cutoffs[-1]) == (1.0, 20.0)
    assert residual_analysis(markers, 60.0).cutoffs[-1] == 15.0


def test_a_line_that_meets_a_hand_made_residual():
    markers = walking()[None] + NOISE.standard_normal((1, 3, 1000))
    found = residual_analysis(markers, 100.0)
    slope, noise = np.polyfit(found.cutoffs[19:], found.residuals[0, 19:], 1)
    assert found.cutoffs[19] == 10.5
    assert found.noise[0] == pytest.approx(noise, rel=1e-12)
    assert np.interp(found.advised[0], found.cutoffs, found.residuals[0]) == pytest.approx(noise, rel=1e-9)
    assert slope < 0.0


def test_markers_with_gaps_are_judged_by_their_runs_and_those_without_samples_not():
    markers = np.array([walking(), walking(), np.full((3, 1000), np.nan)]) + NOISE.standard_normal((3, 3, 1000))
    markers[1, :, 400:430] = np.nan
    found = residual_analysis(markers, 100.0)
    assert np.all((found.noise[:2] > 0.9) & (found.noise[:2] < 1.1))
    assert np.isnan(found.noise[2])
    assert np.isnan(found.advised[2])
    still = residual_analysis(np.ones((1, 3, 100)), 100.0)
    assert still.noise[0] == 0.0
    assert np.isnan(still.advised[0])
