"""The kernels that solve for positions, velocities and accelerations; `test_driven_motion.py` has whole analyses."""

import os
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import sheetmbs
from sheetmbs.engine.algebra.newton import (
    DOGLEG,
    LEVENBERG_MARQUARDT,
    NEWTON,
    DrivenMotion,
    move_through,
    solve_accelerations,
    solve_positions,
    solve_velocities,
)
from sheetmbs.engine.codes import Count
from sheetmbs.lower import lower
from sheetmbs.model.model import Joint
from tests.support.mechanisms import body, four_bar, model, on, slider_crank, turning

WORKBOOKS = Path(__file__).parents[2] / "workbooks"
IS_PLAIN_PYTHON = os.environ.get("NUMBA_DISABLE_JIT") == "1"
"""as `test_kernels_without_jit.py` runs these tests, several hundred times as slow"""
SOLVERS = {"dogleg": DOGLEG, "newton": NEWTON, "levenberg-marquardt": LEVENBERG_MARQUARDT}


def driven(angle=0.7, speed=1.0, **more):
    bodies, joints, _ = four_bar()
    return model(bodies, joints, drivers=(turning("A", speed, angle),), analysis="kinematic", **more)


def solved(made, q, method):
    """Whether the solver closes the model from q, where it ends, the residual there and the iterations it took."""
    system = lower(made).arrange()
    found = q.copy()
    status = solve_positions(system.arrays, system.work, 0.0, found, 1e-10, method)
    return status == 0, found, np.abs(system.work.phi).max(), system.work.count[Count.ITERATIONS]


def four_bar_angles(crank, *, rocker_up=True):
    """Coupler and rocker of the four-bar 1, 3.5, 3, 4 by the law of cosines."""
    pin = np.array([np.cos(crank), np.sin(crank)])
    across = np.array([4.0, 0.0]) - pin
    reach = np.hypot(*across)
    corner = np.arccos((3.5**2 + reach**2 - 3.0**2) / (2 * 3.5 * reach))
    coupler = np.arctan2(across[1], across[0]) + (corner if rocker_up else -corner)
    head = pin + 3.5 * np.array([np.cos(coupler), np.sin(coupler)])
    return coupler, np.arctan2(head[1], head[0] - 4.0)


@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize("made", [driven(), model(*slider_crank(), drivers=(turning("main", 1.0, 0.4),))])
def test_every_solver_closes_a_loop_to_rounding_and_all_reach_the_same_place(made, name):
    q = lower(made).bodies.q + 0.1
    closed, found, residual, _ = solved(made, q, SOLVERS[name])
    assert closed
    assert residual < 1e-13
    assert np.abs(found - solved(made, q, DOGLEG)[1]).max() < 1e-10


def test_solver_finds_the_angles_that_the_law_of_cosines_gives():
    _, found, _, _ = solved(driven(0.7), lower(driven()).bodies.q, DOGLEG)
    assert (found[5], found[8]) == pytest.approx(four_bar_angles(0.7), abs=1e-12)


def test_newton_doubles_its_digits_with_every_iteration():
    made = driven(0.3)
    arranged = lower(made).arrange()
    q = lower(made).bodies.q
    sizes = []
    for limit in (1e-2, 1e-5, 1e-10):
        found = q.copy()
        arranged.work.count[:] = 0
        assert solve_positions(arranged.arrays, arranged.work, 0.0, found, limit, NEWTON) == 0
        sizes.append(int(arranged.work.count[Count.ITERATIONS]))
    assert sizes[2] - sizes[0] <= 2


def test_dogleg_assembles_where_plain_newton_wanders_off():
    """Newton's way falls into a cycle from every start near this one, the coupler turned by 2 rad."""
    made = driven()
    q = lower(made).bodies.q.copy()
    q[5] += 2.0
    assert not solved(made, q, NEWTON)[0]
    closed, found, _, iterations = solved(made, q, DOGLEG)
    assert closed
    assert iterations < 60
    upper, lower_branch = four_bar_angles(0.7), four_bar_angles(0.7, rocker_up=False)
    turned = np.exp(1j * np.array([found[5], found[8]]))
    assert min(np.abs(turned - np.exp(1j * np.array(branch))).max() for branch in (upper, lower_branch)) < 1e-9


@settings(deadline=None, max_examples=15 if IS_PLAIN_PYTHON else 150)
@given(st.integers(0, 100_000), st.sampled_from(["four-bar", "driven four-bar", "slider-crank", "links"]))
def test_dogleg_assembles_from_anywhere(seed, name):
    links = (
        Joint("left", "distance", on("ground"), on("a"), values={"length": 1.5}),
        Joint("right", "distance", on("ground", 2.0), on("a"), values={"length": 1.2}),
        Joint("top", "distance", on("ground", 1.0, 3.0), on("a", 0.5), values={"length": 2.5}),
    )
    made = {
        "four-bar": model(*four_bar()[:2]),
        "driven four-bar": driven(),
        "slider-crank": model(*slider_crank()),
        "links": model((body("a", 1.0),), links),
    }[name]
    rng = np.random.default_rng(seed)
    q = lower(made).bodies.q.copy()
    q += 2.0 * rng.normal(size=len(q))
    assert solved(made, q, DOGLEG)[0]


@pytest.mark.parametrize("moved", [1e-4, 1e-2, 0.1])
@pytest.mark.parametrize("name", SOLVERS)
@pytest.mark.parametrize("book", ["flyball-governor", "gyroscope"])
def test_thin_rods_among_heavy_bodies_are_assembled(book, name, moved):
    """Their inertias are a millionth of those of the bodies they carry; poses are off by a share of the size of the model."""
    lowered = lower(sheetmbs.read(WORKBOOKS / f"{book}.xlsx"))
    bodies = lowered.bodies
    system = lowered.arrange()
    size = np.where(bodies.velocity_class == 1, 1.0, bodies.length)
    rng = np.random.default_rng(5)
    for _ in range(5):
        q = np.array(lowered.moved(bodies.q, moved * size * rng.normal(size=len(size))))
        assert solve_positions(system.arrays, system.work, 0.0, q, 1e-10, SOLVERS[name]) == 0


def test_infinite_tolerance_evaluates_and_moves_nothing():
    made = driven()
    system = lower(made).arrange()
    q = lower(made).bodies.q + 0.3
    kept = q.copy()
    solve_positions(system.arrays, system.work, 0.0, q, np.inf, DOGLEG)
    assert (q == kept).all()
    assert np.abs(system.work.phi).max() > 0.1


def test_velocities_change_least_in_the_measure_of_mass():
    bodies, joints, _ = four_bar()
    lowered = lower(model(bodies, joints))
    system = lowered.arrange()
    q = lowered.bodies.q.copy()
    assert solve_positions(system.arrays, system.work, 0.0, q, 1e-12, DOGLEG) == 0
    jacobian = system.jacobian().dense() / system.arrays.scale
    mass = np.diag(system.arrays.mass)
    wish = np.random.default_rng(3).normal(size=9)
    v = wish.copy()
    solve_velocities(system.arrays, system.work, v, 1e-12)
    kkt = np.block([[mass, jacobian.T], [jacobian, np.zeros((8, 8))]])
    exact = np.linalg.solve(kkt, np.concatenate((mass @ wish, np.zeros(8))))[:9]
    assert np.abs(v - exact).max() < 1e-10
    a = np.zeros(9)
    solve_accelerations(system.arrays, system.work, v, a)
    assert np.abs(jacobian @ a - system.work.gamma).max() < 1e-9


def test_step_that_goes_too_far_is_halved_on_the_way():
    used = []
    for far in (0.1, 6.0):
        motion, count = moved_through(driven(0.0, 1.0), np.array([0.0, far]))
        used.append(count)
        assert motion.positions[1, 5] == pytest.approx(four_bar_angles(far)[0], abs=1e-9)
    assert used[1] > 4 * used[0]


def moved_through(made, times):
    """The motion of a planar mechanism of three bodies, and how many factors its rows after the first took."""
    system, rows = lower(made).arrange(), len(times)
    motion = [np.zeros((rows, 9)) for _ in range(3)]
    state = lower(made).bodies.q.copy(), np.zeros(9), np.zeros(9), np.zeros(9)
    asked = DrivenMotion(times, *motion, np.zeros((rows, 0)), *state, 1e-10, DOGLEG)
    assert move_through(system.arrays, system.work, asked, 0, 1) == (1, 0)
    system.work.count[:] = 0
    assert move_through(system.arrays, system.work, asked, 1, rows) == (rows, 0)
    return asked, int(system.work.count[Count.FACTORISATIONS])


@pytest.mark.parametrize(("rows", "each"), [(101, 1), (31, 1), (11, 2), (3, 4)])
def test_rows_take_few_factors_where_they_are_close_and_satisfy_all_equations_to_rounding(rows, each):
    times = np.linspace(0.0, 0.5, rows)
    motion, factors = moved_through(driven(0.3, 1.0), times)
    assert factors <= each * rows + 2
    exact = np.array([four_bar_angles(0.3 + t) for t in times])
    assert np.abs(motion.positions[:, [5, 8]] - exact).max() < 2e-15
    step = 1e-3
    moved = [np.array([four_bar_angles(0.3 + t + k * step) for t in times]) for k in (-2, -1, 1, 2)]
    rate = (8.0 * (moved[2] - moved[1]) - (moved[3] - moved[0])) / (12.0 * step)
    bend = (16.0 * (moved[2] + moved[1]) - (moved[3] + moved[0]) - 30.0 * exact) / (12.0 * step**2)
    assert np.abs(motion.velocities[:, [5, 8]] - rate).max() < 1e-10
    assert np.abs(motion.accelerations[:, [5, 8]] - bend).max() < 1e-7
