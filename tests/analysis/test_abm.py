"""Adams-Bashforth-Moulton of variable step and order: its formulas, and the motions it computes."""

from dataclasses import replace

import numpy as np
import pytest
from numpy.polynomial import Polynomial

import sheetmbs
from sheetmbs.analysis.integrators import adams
from sheetmbs.analysis.integrators.adams import (
    BEFORE,
    DIFFERENCES,
    AdamsBashforthMoulton,
    G,
    accept,
    interpolate,
    predict,
    set_formula,
)
from sheetmbs.analysis.integrators.interface import Status
from sheetmbs.engine.codes import Count
from sheetmbs.model.model import Force, ForceSeries, Formula
from sheetmbs.schema.expression import parse
from tests.analysis.squeezer import squeezer
from tests.support import references_planar
from tests.support.mechanisms import body, double_pendulum, hinge, model, on, slider_crank, windows
from tests.support.runs import advanced, start, violations
from tests.support.spatial_mechanisms import bricard, joined, rod, space

STILL = (0.0, 0.0, 0.0)


class Stepper:
    """One PECE step after the other, of steps and orders that the test chooses."""

    def __init__(self, derivative, t, y):
        self.derivative, self.t, self.y = derivative, t, np.array([y])
        self.formula = adams.new_formula()
        self.phi, self.ahead = np.zeros((DIFFERENCES, 1)), np.zeros((DIFFERENCES, 1))
        self.predicted = np.zeros(1)
        self.phi[1] = derivative(t, self.y)

    def step(self, order, h):
        set_formula(self.formula, order, h)
        predict(self.formula, order, h, self.y, self.phi, self.ahead, self.predicted)
        self.t += h
        first = self.derivative(self.t, self.predicted)
        self.y = self.predicted + h * self.formula[G, order + 1] * (first - self.ahead[1])
        accept(self.formula, order, self.phi, self.ahead, self.derivative(self.t, self.y))

    def at(self, order, t):
        inside = np.zeros(1)
        interpolate(self.formula, order, t - self.t, self.y, self.phi, inside)
        return inside[0]


def test_equal_steps_have_the_coefficients_of_adams_and_bashforth():
    """Hairer, Norsett and Wanner 1993, tables III.1.1 and III.1.2."""
    formula = adams.new_formula()
    formula[BEFORE, 1:13] = np.arange(1, 13) * 0.1
    set_formula(formula, 7, 0.1)
    bashforth = [1, 1 / 2, 5 / 12, 3 / 8, 251 / 720, 95 / 288, 19087 / 60480, 5257 / 17280]
    assert formula[G, 1:9] == pytest.approx(bashforth, rel=1e-14)
    moulton = [1, 1 / 2, 1 / 12, 1 / 24, 19 / 720, 3 / 160, 863 / 60480, 275 / 24192]
    assert adams.MOULTON[:8] == pytest.approx(moulton, rel=1e-13)


@pytest.mark.parametrize("order", range(1, adams.HIGHEST + 1))
def test_a_polynomial_is_integrated_exactly_over_uneven_steps_and_between_them(order):
    """The corrector of order k + 1, and the interpolant, are exact where f is of degree k."""
    draw = np.random.default_rng(order)
    slope = Polynomial(draw.uniform(-1.0, 1.0, order + 1))
    exact = slope.integ()
    stepper = Stepper(lambda t, _y: np.array([slope(t)]), -3.0, 0.0)
    for k in range(1, order + 1):  # until the history is long enough
        stepper.step(k, 0.1 * draw.uniform(0.7, 1.3))
    stepper.y[0] = exact(stepper.t)
    for _ in range(6):
        before = stepper.t
        stepper.step(order, 0.1 * draw.uniform(0.7, 1.3))
        assert stepper.y[0] == pytest.approx(exact(stepper.t), rel=1e-9, abs=1e-9)
        for theta in (0.1, 0.5, 0.9):
            t = before + theta * (stepper.t - before)
            assert stepper.at(order, t) == pytest.approx(exact(t), rel=1e-9, abs=1e-9)


def bell(t, y):
    """Derivative of 1/(1 + t^2)."""
    return -2.0 * t * y**2


def wave(t, y):
    """Derivative of exp(sin t)."""
    return np.cos(t) * y


@pytest.mark.parametrize(
    ("order", "derivative", "exact", "end", "steps"),
    [
        *((order, bell, lambda t: 1.0 / (1.0 + t**2), 2.0, (128, 256, 512)) for order in (1, 2, 3, 4)),
        (5, bell, lambda t: 1.0 / (1.0 + t**2), 2.0, (128, 192, 256)),
        (6, wave, lambda t: np.exp(np.sin(t)), 6.0, (192, 256, 512)),
        (8, wave, lambda t: np.exp(np.sin(t)), 6.0, (64, 96, 128)),
    ],
)
def test_equal_steps_of_one_order_show_that_of_the_corrector(order, derivative, exact, end, steps):
    """With local extrapolation the order is one above that of the predictor."""
    errors = []
    for count in steps:
        h = end / count
        stepper = Stepper(derivative, 0.0, exact(0.0))
        stepper.formula[BEFORE, 1:13] = np.arange(1, 13) * h
        past = -h * np.arange(12)
        differences = derivative(past, exact(past))
        for i in range(1, 13):
            stepper.phi[i] = differences[0]
            differences = differences[:-1] - differences[1:]
        for _ in range(count):
            stepper.step(order, h)
        errors.append((h, abs(stepper.y[0] - exact(end))))
    h, error = np.log(np.array(errors)).T
    assert np.abs(np.diff(error) / np.diff(h) - (order + 1)).max() < 0.2


def ends(rtol, method=AdamsBashforthMoulton):
    return advanced(method, double_pendulum(t_end=2.0), rtol=rtol).y[:6]


def test_error_is_proportional_to_the_tolerance():
    exact = sheetmbs.run(double_pendulum(t_end=2.0, rtol=1e-13, integrator="dop853")).bodies.iloc[-1]
    exact = exact[["upper.x", "upper.y", "upper.phi", "lower.x", "lower.y", "lower.phi"]].to_numpy()
    tolerances = 10.0 ** -np.arange(3, 12)
    errors = np.array([np.abs(ends(rtol) - exact).max() for rtol in tolerances])
    assert 0.85 < np.polyfit(np.log10(tolerances), np.log10(errors), 1)[0] < 1.15
    assert (errors < 100 * tolerances).all()


def test_squeezer_reaches_the_published_angle_in_fewer_evaluations_than_runge_kutta():
    """IFToMM A03: beta(0.05) = 33.825867767 rad (Hairer and Wanner, sec. VII.7)."""
    run = advanced(AdamsBashforthMoulton, squeezer(), rtol=1e-10)
    assert abs(run.y[2] - 33.825867767) < 1e-8
    others = [sheetmbs.run(squeezer(integrator=name, rtol=1e-10)).summary for name in ("dop853", "dopri5")]
    assert run.work.count[Count.EVALUATIONS] < 0.7 * others[0]["evaluations"]
    assert run.work.count[Count.EVALUATIONS] < 0.3 * others[1]["evaluations"]


def test_projection_keeps_the_constraints_and_costs_the_history_nothing():
    projected = advanced(AdamsBashforthMoulton, squeezer(t_step=0.005))
    drifting = advanced(AdamsBashforthMoulton, squeezer(t_step=0.005), project=0.0)
    assert violations(projected)[:, 0].max() < 1e-12
    assert violations(projected)[:, 1].max() < 1e-9
    assert violations(drifting)[:, 0].max() > 1e-11
    counts = [run.work.count[Count.EVALUATIONS] for run in (projected, drifting)]
    assert counts[0] < 1.05 * counts[1]


def test_slider_crank_moves_as_with_a_one_step_method():
    made = model(*slider_crank(), t_end=3.0, t_step=0.05)
    run = advanced(AdamsBashforthMoulton, made, rtol=1e-10)
    other = sheetmbs.run(replace(made, settings=replace(made.settings, integrator="dop853", rtol=1e-12))).bodies
    for k, name in enumerate(("crank", "rod", "slider")):
        assert np.abs(run.rows.q[:, 3 * k] - other[f"{name}.x"]).max() < 1e-8
        assert np.abs(run.rows.q[:, 3 * k + 2] - other[f"{name}.phi"]).max() < 1e-8
        assert np.abs(run.rows.v[:, 3 * k + 2] - other[f"{name}.omega"]).max() < 1e-7
        assert np.abs(run.rows.a[:, 3 * k] - other[f"{name}.ax"]).max() < 1e-6
    assert violations(run)[:, 0].max() < 1e-11


@pytest.mark.parametrize("rtol", [1e-4, 1e-6, 1e-8, 1e-10])
def test_a02_keeps_its_branch_through_singular_positions(rtol):
    """IFToMM A02, N = 2, at t = 10 s."""
    run = advanced(AdamsBashforthMoulton, windows(2, t_end=10.0, t_step=10.0), rtol=rtol)
    phi = run.y[2]
    assert np.hypot(np.cos(phi) - 0.3284581115, np.sin(phi) - 0.9445185382) < max(200 * rtol, 1e-8)


def test_stuck_at_a_singular_position_it_goes_back_and_crosses():
    run = advanced(AdamsBashforthMoulton, windows(2, t_end=10.0, t_step=0.01), rtol=1e-11)
    in_line, _ = references_planar.windows(np.array(run.passed))
    assert len(in_line) > 0
    assert np.abs(np.sin(in_line)).max() < 0.1  # where it says it passed, the rods do lie along the ground
    phi, rate = references_planar.windows(run.rows.times)
    assert np.abs(run.rows.q[:, 2] - phi).max() < 1e-7
    assert np.abs(run.rows.v[:, 2] - rate).max() < 1e-6


def test_bricard_mechanism_reaches_the_published_point():
    """IFToMM A04: P3(9) = (0.292609586, -0.889369143, -0.457189815)."""
    run = advanced(AdamsBashforthMoulton, bricard(t_end=9.0, t_step=9.0), rtol=1e-9)
    x, y, z, e0, e1, e2, e3 = run.y[14:21]
    half = np.array([2 * (e1 * e3 + e0 * e2), 2 * (e2 * e3 - e0 * e1), 2 * (e0**2 + e3**2) - 1]) / 2
    assert np.abs(np.array([x, y, z]) - half - [0.292609586, -0.889369143, -0.457189815]).max() < 1e-7


def test_angles_in_space_are_counted_past_a_turn():
    wheel = rod("wheel", (0, 0, 0), (1, 0, 0), velocity=(0, 10, 0), angular_velocity=(0, 0, 20))
    made = space(
        [wheel], [joined([wheel], "axle", "revolute", "ground", "wheel")], gravity=STILL, t_end=3.0, t_step=1.0
    )
    run = advanced(AdamsBashforthMoulton, made)
    assert run.rows.turn[:, 0] == pytest.approx(20.0 * run.rows.times, abs=1e-6)


@pytest.mark.parametrize("t_step", [0.047, 0.5])
def test_rows_stand_at_exact_times_and_are_those_of_a_run_that_ends_there(t_step):
    run = advanced(AdamsBashforthMoulton, double_pendulum(t_end=1.0, t_step=t_step))
    assert run.row == len(run.rows.times)
    assert run.t == run.rows.times[-1] == 1.0
    for row in (1, len(run.rows.times) // 2, len(run.rows.times) - 1):
        time = float(run.rows.times[row])
        direct = advanced(AdamsBashforthMoulton, double_pendulum(t_end=time, t_step=time))
        for name in ("q", "v", "a", "work"):
            assert np.abs(getattr(run.rows, name)[row] - getattr(direct.rows, name)[1]).max() < 1e-6


def test_a_run_in_short_pieces_is_the_same_run():
    whole = advanced(AdamsBashforthMoulton, double_pendulum())
    pieces = advanced(AdamsBashforthMoulton, double_pendulum(), limit=3)
    assert np.array_equal(whole.rows.q, pieces.rows.q)
    assert np.array_equal(whole.y, pieces.y)
    assert np.array_equal(whole.rates, pieces.rates)


def test_units_of_length_do_not_change_the_steps():
    def pendulum(scale):
        bob = body("bob", scale, 0.0, mass=1.0, inertia=0.1 * scale**2)
        joints = (hinge("pin", on("ground"), on("bob", -scale)),)
        return advanced(AdamsBashforthMoulton, model((bob,), joints, gravity=(0.0, -9.81 * scale, 0.0), t_end=3.0))

    metre, millimetre = pendulum(1.0), pendulum(1000.0)
    assert metre.work.count[Count.STEPS] == millimetre.work.count[Count.STEPS]
    assert np.abs(metre.rows.q[:, 2] - millimetre.rows.q[:, 2]).max() < 1e-10


def puck(force, t_end=10.0, **more):
    made = model((body("puck", mass=2.0),), gravity=STILL, t_end=t_end, t_step=t_end / 2)
    forces = () if force is None else (Force("hit", on("puck"), (Formula(parse(force)), 0.0, 0.0), STILL),)
    return replace(made, forces=forces, **more)


@pytest.mark.parametrize("begin", [0.3, 4.0, 9.9])
def test_millisecond_pulse_is_not_missed(begin):
    run = advanced(AdamsBashforthMoulton, puck(f"if(t > {begin} and t < {begin + 0.001}, 4000, 0)"))
    assert abs(2.0 * run.y[3] - 4.0) < 1e-8


def test_narrow_pulse_of_a_smooth_series_is_not_missed():
    times = np.linspace(0.0, 10.0, 2001)
    fx = 1000.0 * np.exp(-(((times - 5.0) / 0.02) ** 2))
    samples = np.column_stack((fx, 0 * fx, 0 * fx))
    run = advanced(
        AdamsBashforthMoulton, puck(None, force_series=(ForceSeries("puck", times, samples, 0 * samples, 0 * samples),))
    )
    assert abs(2.0 * run.y[3] - 20.0 * np.sqrt(np.pi)) < 1e-6


def test_force_that_jumps_gives_the_motion_of_the_closed_form():
    """A force of sin t that is turned round at t = 2: the step ends there, and the history is forgotten."""
    run = advanced(AdamsBashforthMoulton, puck("if(t < 2, sin(t), -3*sin(t))", t_end=4.0))
    speed = ((1.0 - np.cos(2.0)) - 3.0 * (np.cos(2.0) - np.cos(4.0))) / 2.0
    assert abs(run.y[3] - speed) < 1e-9


def test_series_of_samples_is_integrated_without_falling_back_to_short_steps():
    times = np.linspace(0.0, 10.0, 301)
    smooth = np.column_stack((np.sin(times), np.cos(times), 0 * times))
    series = ForceSeries("puck", times, smooth, 0 * smooth, 0 * smooth)
    run = advanced(AdamsBashforthMoulton, puck(None, force_series=(series,)))
    assert abs(2.0 * run.y[3] - (1.0 - np.cos(10.0))) < 1e-6
    assert run.work.count[Count.STEPS] < 300


def test_a_formula_without_a_value_ends_the_run_in_a_status():
    run = start(puck("sqrt(1 - t)", t_end=2.0))
    assert AdamsBashforthMoulton(run).advance(10000) == Status.STEP_TOO_SMALL
    assert run.work.fault[0]
    assert np.isfinite(run.y).all()
