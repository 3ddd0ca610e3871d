"""scipy's LSODA behind the interface of our own integrators."""

import subprocess
import sys
from dataclasses import replace

import numpy as np
import pytest

import sheetmbs
from sheetmbs.analysis.integrators.interface import Status
from sheetmbs.analysis.integrators.lsoda import Lsoda, longest, stops
from sheetmbs.engine.codes import Count
from sheetmbs.model.model import Curve, Force, ForceSeries, Formula
from sheetmbs.schema.expression import parse
from tests.analysis.squeezer import squeezer
from tests.support.mechanisms import body, double_pendulum, model, on, slider_crank, windows
from tests.support.runs import advanced, start, violations
from tests.support.spatial_mechanisms import joined, rod, space
from tests.support.springs import make_spring

STILL = (0.0, 0.0, 0.0)


def test_nothing_loads_scipy_before_the_first_step():
    code = "import sys, sheetmbs.analysis.integrators.lsoda; sys.exit('scipy.integrate' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


def test_error_is_proportional_to_the_tolerance():
    exact = sheetmbs.run(double_pendulum(t_end=2.0, rtol=1e-13, integrator="dop853")).bodies.iloc[-1]
    exact = exact[["upper.x", "upper.y", "upper.phi", "lower.x", "lower.y", "lower.phi"]].to_numpy()
    tolerances = 10.0 ** -np.arange(3, 11)
    errors = [np.abs(advanced(Lsoda, double_pendulum(t_end=2.0), rtol=r).y[:6] - exact).max() for r in tolerances]
    assert 0.8 < np.polyfit(np.log10(tolerances), np.log10(errors), 1)[0] < 1.2
    assert (errors < 100 * tolerances).all()


def test_squeezer_reaches_the_published_angle():
    """IFToMM A03: beta(0.05) = 33.825867767 rad (Hairer and Wanner, sec. VII.7)."""
    assert abs(advanced(Lsoda, squeezer(), rtol=1e-9).y[2] - 33.825867767) < 1e-7


def test_slider_crank_moves_as_with_a_one_step_method():
    made = model(*slider_crank(), t_end=3.0, t_step=0.05)
    run = advanced(Lsoda, made, rtol=1e-10)
    other = sheetmbs.run(replace(made, settings=replace(made.settings, integrator="dop853", rtol=1e-12))).bodies
    for k, name in enumerate(("crank", "rod", "slider")):
        assert np.abs(run.rows.q[:, 3 * k] - other[f"{name}.x"]).max() < 1e-8
        assert np.abs(run.rows.q[:, 3 * k + 2] - other[f"{name}.phi"]).max() < 1e-8
        assert np.abs(run.rows.v[:, 3 * k + 2] - other[f"{name}.omega"]).max() < 1e-7
        assert np.abs(run.rows.a[:, 3 * k] - other[f"{name}.ax"]).max() < 1e-6


@pytest.mark.parametrize("made", [squeezer(t_step=0.005), model(*slider_crank(), t_end=5.0)])
def test_rows_are_on_the_constraints_and_what_is_integrated_stays_near_them(made):
    run = start(made)
    integrator = Lsoda(run)
    assert integrator.advance(100000) == 0
    assert violations(run)[:, 0].max() < 1e-11
    state = integrator.solver.y[: len(run.arrays.position_size)]
    assert np.abs(state - run.y[: len(state)]).max() < 1e-8
    drifting = start(made, project=0.0)
    assert Lsoda(drifting).advance(100000) == 0
    assert np.abs(state - run.y[: len(state)]).max() < 0.1 * violations(drifting)[:, 0].max()


@pytest.mark.parametrize("rtol", [1e-4, 1e-6])
def test_a02_keeps_its_branch_through_singular_positions(rtol):
    """IFToMM A02, N = 2, at t = 10 s."""
    phi = advanced(Lsoda, windows(2, t_end=10.0, t_step=10.0), rtol=rtol).y[2]
    assert np.hypot(np.cos(phi) - 0.3284581115, np.sin(phi) - 0.9445185382) < 200 * rtol


def test_stuck_at_a_singular_position_it_says_so_at_once():
    run = start(windows(2, t_end=10.0, t_step=10.0), rtol=1e-10)
    assert Lsoda(run).advance(100000) == Status.STEP_TOO_SMALL
    assert run.work.count[Count.EVALUATIONS] < 5000
    assert np.isfinite(run.y).all()


def test_stiff_spring_is_taken_by_long_steps():
    """Overdamped: x = A exp(s1 t) + B exp(s2 t), s1 = -1/40, s2 = -4e5; an explicit method needs 10^6 evaluations."""
    k, c = 1e4, 4e5
    spring = make_spring("stiff", "translational", on("ground", -1.0), on("m"), k=k, c=c, natural=0.5)
    run = advanced(Lsoda, model((body("m", mass=1.0),), springs=(spring,), gravity=STILL, t_end=10.0), rtol=1e-6)
    s2 = -(c + np.sqrt(c**2 - 4.0 * k)) / 2.0
    s1 = k / s2
    stretch = 0.5 * (s2 * np.exp(s1 * run.rows.times) - s1 * np.exp(s2 * run.rows.times)) / (s2 - s1)
    assert np.abs(run.rows.q[:, 0] + 0.5 - stretch).max() < 1e-5
    assert run.work.count[Count.EVALUATIONS] < 3000


def test_angles_in_space_are_counted_past_a_turn():
    wheel = rod("wheel", (0, 0, 0), (1, 0, 0), velocity=(0, 10, 0), angular_velocity=(0, 0, 20))
    made = space(
        [wheel], [joined([wheel], "axle", "revolute", "ground", "wheel")], gravity=STILL, t_end=3.0, t_step=1.0
    )
    run = advanced(Lsoda, made)
    assert run.rows.turn[:, 0] == pytest.approx(20.0 * run.rows.times, abs=1e-5)


@pytest.mark.parametrize("t_step", [0.047, 0.5])
def test_rows_stand_at_exact_times_and_are_those_of_a_run_that_ends_there(t_step):
    run = advanced(Lsoda, double_pendulum(t_end=1.0, t_step=t_step))
    assert run.row == len(run.rows.times)
    assert run.t == run.rows.times[-1] == 1.0
    for row in (1, len(run.rows.times) // 2, len(run.rows.times) - 1):
        time = float(run.rows.times[row])
        direct = advanced(Lsoda, double_pendulum(t_end=time, t_step=time))
        for name in ("q", "v", "a", "work"):
            assert np.abs(getattr(run.rows, name)[row] - getattr(direct.rows, name)[1]).max() < 2e-6


def test_a_run_in_short_pieces_is_the_same_run():
    whole = advanced(Lsoda, double_pendulum())
    pieces = advanced(Lsoda, double_pendulum(), limit=3)
    assert np.abs(whole.rows.q - pieces.rows.q).max() < 1e-8
    assert whole.work.count[Count.STEPS] == pytest.approx(pieces.work.count[Count.STEPS], abs=2)


def puck(force=None, **more):
    made = model((body("puck", mass=2.0),), gravity=STILL, t_end=10.0, t_step=5.0)
    forces = () if force is None else (Force("hit", on("puck"), (Formula(parse(force)), 0.0, 0.0), STILL),)
    return replace(made, **({"forces": forces} | more))


@pytest.mark.parametrize("begin", [0.3, 4.0, 9.9])
def test_millisecond_pulse_of_a_formula_is_not_missed(begin):
    run = advanced(Lsoda, puck(f"if(t > {begin} and t < {begin + 0.001}, 4000, 0)"))
    assert abs(2.0 * run.y[3] - 4.0) < 1e-6


def test_millisecond_pulse_of_a_curve_is_not_missed():
    pulse = Curve("pulse", np.array([0.0, 4.0, 4.0005, 4.001, 10.0]), np.array([0.0, 0.0, 1.0, 0.0, 0.0]))
    force = Force("hit", on("puck"), (4000.0, 0.0, 0.0), STILL, curve="pulse")
    assert abs(2.0 * advanced(Lsoda, puck(forces=(force,), curves=(pulse,))).y[3] - 2.0) < 1e-6


def test_narrow_pulse_of_a_smooth_series_is_not_missed():
    times = np.linspace(0.0, 10.0, 2001)
    fx = 1000.0 * np.exp(-(((times - 5.0) / 0.02) ** 2))
    samples = np.column_stack((fx, 0 * fx, 0 * fx))
    run = advanced(Lsoda, puck(force_series=(ForceSeries("puck", times, samples, 0 * samples, 0 * samples),)))
    assert abs(2.0 * run.y[3] - 20.0 * np.sqrt(np.pi)) < 1e-6


def test_stops_are_the_times_that_no_step_may_pass():
    table = np.array(
        [[-np.inf, 1.0, 0.0], [1.0, 4.0, 0.0], [2.0, 4.0, 0.0], [4.0, 6.5, 1.0], [5.0, 8.0, 0.0], [6.0, np.inf, 0.0]]
    )
    table = np.column_stack((table, np.full(6, np.inf)))
    assert stops(table, 9.0).tolist() == [1.0, 4.0, 9.0]
    assert stops(table, 3.0).tolist() == [1.0, 3.0]
    assert longest(table, 4.0, 9.0) == 1.5
    assert longest(table, 0.0, 0.5) == np.inf
    table[:, 3] = 1.25
    assert longest(table, 0.0, 0.5) == longest(table, 4.0, 9.0) == 1.25


def test_a_formula_without_a_value_ends_the_run_in_a_status():
    run = start(puck("sqrt(1 - t)"))
    assert Lsoda(run).advance(10000) in (Status.STEP_TOO_SMALL, Status.NOT_FINITE)
    assert run.work.fault[0]
    assert np.isfinite(run.y).all()
