"""A step reaches no further than what curves and formulas of time have in store, so no short pulse is missed."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

import sheetmbs
from sheetmbs.analysis.horizon import switching_times
from sheetmbs.model.model import Curve, Force, ForceSeries, Formula
from sheetmbs.schema.expression import parse
from tests.support.mechanisms import body, model, on

STILL = (0.0, 0.0, 0.0)


def pushed(force, **more):
    made = model((body("puck", mass=2.0),), gravity=STILL, t_end=10.0, t_step=5.0)
    return sheetmbs.run(replace(made, forces=(force,), **more)).bodies["puck.vx"].iloc[-1] * 2.0


@pytest.mark.parametrize("start", [0.3, 4.0, 9.9])
def test_millisecond_pulse_of_a_curve_is_not_missed(start):
    pulse = Curve(
        "pulse", np.array([0.0, start, start + 0.0005, start + 0.001, 10.0]), np.array([0.0, 0.0, 1.0, 0.0, 0.0])
    )
    force = Force("hit", on("puck"), (4000.0, 0.0, 0.0), STILL, curve="pulse")
    assert abs(pushed(force, curves=(pulse,)) - 4000.0 * 0.001 / 2) < 1e-8


@pytest.mark.parametrize("start", [0.3, 4.0, 9.9])
def test_millisecond_pulse_of_an_expression_is_not_missed(start):
    text = f"if(t > {start} and t < {start + 0.001}, 4000, 0)"
    force = Force("hit", on("puck"), (Formula(parse(text)), 0.0, 0.0), STILL)
    assert abs(pushed(force) - 4.0) < 1e-8


def test_smooth_step_of_a_millisecond_is_not_missed():
    text = "4000*(step(t, 5, 0, 5.0005, 1) - step(t, 5.0005, 0, 5.001, 1))"
    force = Force("hit", on("puck"), (Formula(parse(text)), 0.0, 0.0), STILL)
    assert abs(pushed(force) - 4000.0 * 0.0005) < 1e-8


def test_pulse_in_a_measured_series_is_not_missed():
    times = np.linspace(0.0, 10.0, 2001)
    fx = np.where(np.abs(times - 5.0) < 0.011, 1000.0, 0.0)
    samples = np.column_stack((fx, 0 * fx, 0 * fx))
    made = model((body("puck", mass=2.0),), gravity=STILL, t_end=10.0, t_step=5.0)
    series = ForceSeries("puck", times, samples, 0 * samples, 0 * samples)
    found = sheetmbs.run(replace(made, force_series=(series,))).bodies["puck.vx"].iloc[-1] * 2.0
    assert abs(found - CubicSpline(times, fx, bc_type="natural").integrate(0.0, 10.0)) < 1e-5


@pytest.mark.parametrize(
    ("text", "times"),
    [
        ("if(t > 2, 1, 0)", [2.0]),
        ("if(2*t + 1 <= 4 or t > 7, 1, 0)", [1.5, 7.0]),
        ("step(t, 1, 0, 3, 5)", [1.0, 3.0]),
        ("abs(t - 4)", [4.0]),
        ("max(t/2, 3)", [6.0]),
        ("sign(5 - t)*t", [5.0]),
        ("sin(t) + t^2", []),
        ("if(sin(t) > 0, 1, 0)", []),
    ],
)
def test_times_at_which_formulas_switch_over(text, times):
    assert sorted(switching_times(parse(text).tree)) == pytest.approx(times)


def test_dense_smooth_series_costs_no_more_than_its_samples_ask_for():
    times = np.linspace(0.0, 10.0, 301)
    smooth = np.column_stack((np.sin(times), np.cos(times), 0 * times))
    made = model((body("puck", mass=2.0),), gravity=STILL, t_end=10.0, t_step=5.0)
    series = ForceSeries("puck", times, smooth, 0 * smooth, 0 * smooth)
    steps = sheetmbs.run(replace(made, force_series=(series,))).summary["steps"]
    assert 100 <= steps <= 110
