"""Kernels of backward differentiation: differences, the Newton matrix, small dense systems, and a short motion."""

import numpy as np
import pytest

from sheetmbs.analysis.integrators.ndf.corrector import linearise
from sheetmbs.analysis.integrators.ndf.differences import (
    HIGHEST,
    LEADING,
    change_step,
    interpolate,
    make_memory,
    predict,
)
from sheetmbs.engine.algebra.dense import factor_dense, solve_dense
from sheetmbs.engine.evaluate import evaluate
from sheetmbs.lower import lower
from sheetmbs.model.model import Joint
from tests.analysis.stiff_runs import STILL, begun, displacement, finished, on_a_rail
from tests.support.mechanisms import body, double_pendulum, model, on, slide_axes
from tests.support.springs import make_spring

ORDERS = range(1, HIGHEST + 1)


def samples(polynomial, t, h):
    """Backward differences at t of a polynomial sampled with step h: (orders, 1)."""
    table = [polynomial(t - h * np.arange(HIGHEST + 3))]
    while len(table) < HIGHEST + 3:
        table.append(-np.diff(table[-1]))
    return np.array([row[0] for row in table])[:, None]


@pytest.mark.parametrize("order", ORDERS)
def test_formulas_are_exact_for_polynomials_of_their_order_and_no_higher(order):
    h, t = 0.3, 0.7
    for degree in (order, order + 1):
        power = np.polynomial.Polynomial([0.0] * degree + [1.0])
        predicted, past = np.zeros(1), np.zeros(1)
        predict(samples(power, t, h), order, predicted, past)
        solved = past[0] + h / LEADING[order] * power.deriv()(t + h)
        assert (abs(predicted[0] - power(t + h)) < 1e-12) == (degree == order)
        assert (abs(solved - power(t + h)) < 1e-12) == (degree == order)


@pytest.mark.parametrize("ratio", [0.1, 0.8, 1.7, 5.0])
@pytest.mark.parametrize("order", ORDERS)
def test_change_of_step_keeps_the_polynomial(order, ratio):
    polynomial = np.polynomial.Polynomial(np.arange(1.0, order + 2.0))
    table = samples(polynomial, 0.7, 0.2)
    change_step(table, order, ratio)
    assert table[: order + 1] == pytest.approx(samples(polynomial, 0.7, 0.2 * ratio)[: order + 1], rel=1e-10, abs=1e-10)
    between = np.zeros(1)
    interpolate(table, order, -0.37, between)
    assert between[0] == pytest.approx(polynomial(0.7 - 0.37 * 0.2 * ratio), rel=1e-12)


def test_small_dense_systems_are_solved_even_where_rows_must_change_places():
    a = np.random.default_rng(3).normal(size=(7, 7))
    a[0, 0] = 0.0
    x, factors, swap = np.arange(7.0), a.copy(), np.zeros(7, dtype=np.int64)
    factor_dense(factors, 7, swap)
    b = a @ x
    solve_dense(factors, 7, swap, b)
    assert b == pytest.approx(x, abs=1e-12)


def linear_response(made):
    """Basis of the tangent space and both matrices at the start of a model."""
    run = begun(made)
    memory, arrays = make_memory(run.arrays), run.arrays
    memory.trial[:] = run.y
    evaluate(arrays, run.work, 0.0, memory.trial_q, memory.trial_v, memory.rates, 0.0)
    system = lower(made).arrange()
    evaluate(system.arrays, system.work, 0.0, run.y[:-1][: len(run.y) // 2], run.rows.v[0], run.rates, 0.0)
    memory.state.rate = 1.0
    linearise(arrays, run.work, memory, 0.0)
    rank = memory.state[0].rank
    return (
        system.jacobian().dense(),
        memory.basis[:rank],
        memory.by_position[:rank, :rank],
        memory.by_velocity[:rank, :rank],
    )


def test_basis_spans_the_motions_that_joints_allow():
    jacobian, basis, _, _ = linear_response(double_pendulum())
    assert basis @ basis.T == pytest.approx(np.eye(2), abs=1e-12)
    assert np.abs(jacobian @ basis.T).max() < 1e-12


def test_matrices_are_stiffness_and_damping_over_mass():
    spring = make_spring("s", "translational", on("ground", -1.0), on("m"), k=40.0, c=3.0)
    rail = Joint("rail", "translational", on("ground", axes=slide_axes(0)), on("m", axes=slide_axes(0)))
    made = model((body("m", mass=2.0),), (rail,), springs=(spring,), gravity=STILL)
    _, _, by_position, by_velocity = linear_response(made)
    assert by_position[0, 0] == pytest.approx(-20.0, rel=1e-6)
    assert by_velocity[0, 0] == pytest.approx(-1.5, rel=1e-6)


def test_short_motion_follows_the_closed_form():
    run = finished(on_a_rail(40.0, 3.0, t_end=0.2, t_step=0.07), rtol=1e-4)
    assert np.abs(run.rows.q[:, 0] + 0.4 - displacement(run.rows.times, 40.0, 3.0)).max() < 1e-5
