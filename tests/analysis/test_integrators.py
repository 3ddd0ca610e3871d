"""Integrators: orders, tableaux, tolerances, and where reported rows stand."""

import sys
from types import SimpleNamespace

import numpy as np
import pytest
import scipy.integrate._ivp.dop853_coefficients as published
from scipy.integrate import RK45

import sheetmbs
from sheetmbs.analysis.integrators.interface import Status
from sheetmbs.analysis.integrators.stepping.driver import write_row
from sheetmbs.elements.integrators import INTEGRATORS, IntegratorEntry
from sheetmbs.engine.codes import Count
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.engine.revolution_counts import ANGLE
from tests.support.mechanisms import body, double_pendulum, hinge, model, on, windows
from tests.support.runs import TABLEAUX
from tests.support.springs import make_spring

ORDERS = {"rk4": 4, "kutta-merson": 4, "rkv65": 6, "dopri5": 5, "dop853": 8}


def end_of(result):
    return result.bodies.iloc[-1].drop("time").to_numpy()


@pytest.mark.parametrize("name", TABLEAUX)
def test_nodes_are_row_sums_and_weights_meet_the_first_order_conditions(name):
    method = TABLEAUX[name]
    rounding = np.maximum(1.0, np.abs(method.a).sum(axis=1))
    assert (np.abs(method.a.sum(axis=1) - method.c) / rounding).max() < 2e-15
    weights, c = method.a[method.stages], method.c
    rounding = np.abs(weights).sum()
    for power in range(min(method.order, 5)):
        assert weights @ c**power == pytest.approx(1 / (power + 1), abs=4e-16 * rounding)
    assert np.abs(method.error.sum(axis=1)).max() < 1e-13


@pytest.mark.parametrize("name", TABLEAUX)
def test_dense_output_ends_at_the_solution_and_starts_with_the_slope(name):
    method = TABLEAUX[name]
    rounding = np.maximum(1.0, np.abs(method.dense).sum(axis=1))
    assert (np.abs(method.dense.sum(axis=1) - method.a[method.stages]) / rounding).max() < 1e-14
    slope = np.zeros(len(method.c))
    slope[0] = 1.0
    assert np.abs(method.dense[:, 0] - slope).max() < 1e-12


def test_coefficients_are_the_published_ones():
    assert np.abs(TABLEAUX["dop853"].a[:13, :12] - published.A[:13, :12]).max() < 1e-15
    assert np.abs(TABLEAUX["dopri5"].a[:6, :5] - RK45.A).max() < 1e-15
    assert np.abs(TABLEAUX["dopri5"].dense - RK45.P).max() < 1e-14
    assert np.abs(TABLEAUX["dopri5"].error[0] + RK45.E).max() < 1e-15


@pytest.mark.parametrize("name", ["rk4", "kutta-merson"])
@pytest.mark.parametrize("formulation", ["projection", "lagrange"])
def test_fixed_step_method_shows_its_order(name, formulation):
    exact = end_of(sheetmbs.run(double_pendulum(rtol=1e-13)))
    errors = []
    for steps in (200, 400, 800):
        settings = {"integrator": name, "step": 1.0 / steps, "formulation": formulation}
        errors.append(np.abs(end_of(sheetmbs.run(double_pendulum(**settings)))[:6] - exact[:6]).max())
    observed = np.log2(np.array(errors[:-1]) / np.array(errors[1:]))
    assert np.abs(observed - ORDERS[name]).max() < 0.2, observed


@pytest.mark.parametrize("name", ["dopri5", "dop853"])
def test_error_falls_with_the_tolerance(name):
    exact = end_of(sheetmbs.run(double_pendulum(rtol=1e-13)))
    tolerances = 10.0 ** -np.arange(4, 11)
    runs = [sheetmbs.run(double_pendulum(integrator=name, rtol=rtol)) for rtol in tolerances]
    errors = np.array([np.abs(end_of(run)[:6] - exact[:6]).max() for run in runs])
    slope = np.polyfit(np.log10(tolerances), np.log10(errors), 1)[0]
    assert 0.75 < slope < 1.35
    assert (errors < 100 * tolerances).all()


@pytest.mark.parametrize("name", ["dopri5", "dop853"])
def test_steps_grow_in_number_as_the_order_says(name):
    steps = [sheetmbs.run(double_pendulum(integrator=name, rtol=rtol)).summary["steps"] for rtol in (1e-6, 1e-11)]
    exponent = np.log10(steps[1] / steps[0]) / 5
    assert 1 / exponent == pytest.approx(ORDERS[name], rel=0.35)


@pytest.mark.parametrize("name", TABLEAUX)
def test_rows_stand_at_every_t_step_and_exactly_at_the_end(name):
    result = sheetmbs.run(double_pendulum(t_end=1.05, t_step=0.1, integrator=name, step=0.013))
    times = result.bodies["time"].to_numpy()
    assert times[-1] == 1.05
    assert np.array_equal(times[:-1], 0.1 * np.arange(11))


@pytest.mark.parametrize(("name", "near"), [("dop853", 1e-7), ("dopri5", 1e-7), ("rk4", 1e-5)])
def test_rows_between_steps_agree_with_a_run_that_ends_there(name, near):
    settings = {"integrator": name, "step": 0.02}
    dense = sheetmbs.run(double_pendulum(t_end=1.0, t_step=0.047, **settings)).bodies
    for row in (3, 11):
        time = float(dense["time"].iloc[row])
        direct = sheetmbs.run(double_pendulum(t_end=time, t_step=time, **settings)).bodies
        assert np.abs(dense.iloc[row].to_numpy() - direct.iloc[-1].to_numpy())[:7].max() < near


def test_only_steps_that_count_evaluate_the_stages_of_dense_output():
    """Of dop853 a step has 12 stages, and 3 more where it has rows; each row is put on the constraints once."""
    summary = sheetmbs.run(double_pendulum(t_end=5.0, t_step=0.01, integrator="dop853", rtol=1e-6)).summary
    steps, rejected = summary["steps"], summary["rejected steps"]
    assert rejected > 0
    assert summary["evaluations"] <= 12 * (steps + rejected) + 3 * steps + 500


def test_units_of_length_do_not_change_the_steps():
    def pendulum(scale):
        bob = body("bob", scale, 0.0, mass=1.0, inertia=0.1 * scale**2)
        joints = (hinge("pin", on("ground"), on("bob", -scale)),)
        return sheetmbs.run(model((bob,), joints, gravity=(0.0, -9.81 * scale, 0.0), t_end=3.0))

    metre, millimetre = pendulum(1.0), pendulum(1000.0)
    assert metre.summary["steps"] == millimetre.summary["steps"]
    assert np.abs(metre.bodies["bob.phi"] - millimetre.bodies["bob.phi"]).max() < 1e-11


@pytest.mark.parametrize("rtol", 10.0 ** -np.arange(4, 11))
def test_a02_keeps_its_branch_through_singular_positions(rtol):
    """Reference of the IFToMM benchmark A02, N = 2, at t = 10 s, to ten digits."""
    phi = sheetmbs.run(windows(2, t_end=10.0, t_step=10.0, rtol=rtol)).bodies["rod 0.phi"].iloc[-1]
    assert np.hypot(np.cos(phi) - 0.3284581115, np.sin(phi) - 0.9445185382) < max(200 * rtol, 1e-7)


@pytest.mark.parametrize("rtol", [1e-4, 1e-7, 1e-10])
def test_a02_of_forty_windows_keeps_its_branch(rtol):
    """Reference of the IFToMM benchmark A02, N = 40, at t = 20 s, to ten digits."""
    phi = sheetmbs.run(windows(40, t_end=20.0, t_step=20.0, rtol=rtol)).bodies["rod 0.phi"].iloc[-1]
    assert np.hypot(np.cos(phi) - 0.4109011537, np.sin(phi) - 0.9116799010) < max(200 * rtol, 1e-6)


def test_fixed_step_too_long_for_a_stiff_spring_fails_in_words():
    spring = make_spring("stiff", "translational", on("ground", -1.0), on("m"), k=1e9, c=1e6)
    result = sheetmbs.run(model((body("m"),), springs=(spring,), integrator="rk4", step=0.1, t_end=100.0))
    assert result.status == "failed"
    assert "shorter step" in str(result.sheets.problems[-1])
    assert np.isfinite(result.bodies.to_numpy()).all()


def test_the_list_says_of_explicit_methods_what_their_tableaux_say():
    for name, tableau in TABLEAUX.items():
        entry = INTEGRATORS[name]
        assert (entry.has_fixed_step, entry.locates) == (tableau.estimates == 0, tableau.estimates > 0)


class Euler:
    """The simplest method there is, as one might add it: a step from row to row, no projection."""

    def __init__(self, run):
        self.run = run

    def advance(self, limit):
        run = self.run
        nq, nv = len(run.arrays.position_size), len(run.arrays.scale)
        for _ in range(limit):
            if run.row == len(run.rows.times):
                return int(Status.DONE)
            run.y += (run.rows.times[run.row] - run.t) * run.rates
            run.t = float(run.rows.times[run.row])
            evaluate(run.arrays, run.work, run.t, run.y[:nq], run.y[nq : nq + nv], run.rates, 0.0)
            write_row(run.rows, run.row, run.y, run.rates, run.work.turn, ANGLE)
            run.row += 1
            run.work.count[Count.STEPS] += 1
        return int(Status.PAUSED)


def test_a_new_integrator_is_its_file_and_one_line_of_the_list(monkeypatch):
    monkeypatch.setitem(sys.modules, "sheetmbs.analysis.integrators.euler", SimpleNamespace(Euler=Euler))
    monkeypatch.setitem(INTEGRATORS, "euler", IntegratorEntry("euler", "euler:Euler", has_fixed_step=True))
    found = sheetmbs.run(double_pendulum(integrator="euler", t_end=0.5, t_step=0.001))
    exact = sheetmbs.run(double_pendulum(t_end=0.5, t_step=0.5))
    assert (found.status, found.summary["integrator"], found.summary["step"]) == ("done", "euler", 0.001)
    assert np.abs(end_of(found)[:6] - end_of(exact)[:6]).max() < 0.02
