"""Positions, velocities and accelerations of driven mechanisms: solvers, branches, and where they must stop."""

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
    move_through,
    solve_accelerations,
    solve_positions,
    solve_velocities,
)
from sheetmbs.engine.codes import Count
from sheetmbs.lower import lower
from sheetmbs.model import Driver, Formula, Joint
from sheetmbs.schema.expression import parse
from tests.mechanisms import bar, body, four_bar, hinge, model, on, slide_axes, slider_crank, turning, windows

WORKBOOKS = Path(__file__).parents[1] / "workbooks"
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


@settings(deadline=None, max_examples=150)
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


def arm(coordinate, motion):
    """A driven coordinate between two moving bodies; the first turns about ground by another driver."""
    links = (bar("a", (0, 0), (1, 0)), body("b", 2.0, 0.3, 0.2))
    root = hinge("root", on("ground"), on("a", -0.5))
    swing = Driver("swing", None, "root", "angle", Formula(parse("0.8*sin(2*t)")))
    if coordinate == "angle":
        joints = (root, hinge("second", on("a", 0.5), on("b", -1.0, -0.3)))
    elif coordinate == "displacement":
        axes = slide_axes(0.3)
        joints = (root, Joint("second", "translational", on("a", 0.5, axes=axes), on("b", axes=slide_axes(0.1))))
    else:
        # the strut replaces one of the two bars that carry b, whose angle to a is held
        joints = (
            root,
            Joint("second", "distance", on("a", 0.5), on("b")),
            Joint("third", "distance", on("a", 0.0, 1.0), on("b", -0.2)),
        )
        hold = Driver("hold", "b", None, "phi", Formula(parse("0.2 + 0.1*t")))
        return links, joints, (swing, hold, Driver("move", None, "second", coordinate, motion))
    return links, joints, (swing, Driver("move", None, "second", coordinate, motion))


@pytest.mark.parametrize(
    ("coordinate", "text"),
    [("angle", "0.5*t^2"), ("displacement", "0.3*sin(3*t)"), ("distance", "1.0440306508910550 + 0.2*t^2")],
)
def test_velocities_and_accelerations_are_the_rates_of_the_positions(coordinate, text):
    bodies, joints, drivers = arm(coordinate, Formula(parse(text)))
    result = sheetmbs.run(model(bodies, joints, drivers=drivers, analysis="kinematic", t_step=1e-3, t_end=0.5))
    assert result.status == "done"
    frame, h = result.bodies, 1e-3
    for name in ("a", "b"):
        for slow, fast in (("x", "vx"), ("y", "vy"), ("phi", "omega"), ("vx", "ax"), ("vy", "ay"), ("omega", "alpha")):
            values = frame[f"{name}.{slow}"].to_numpy()
            rate = (values[:-4] - 8 * values[1:-3] + 8 * values[3:-1] - values[4:]) / (12 * h)
            assert np.abs(rate - frame[f"{name}.{fast}"].to_numpy()[2:-2]).max() < 1e-7


@pytest.mark.parametrize("solver", SOLVERS)
@pytest.mark.parametrize("rows", [1, 2, 3, 5])
def test_rows_far_apart_stay_on_the_branch_and_count_the_turns(rows, solver):
    """Two turns of the crank in a few rows: far more than any solver can follow in one step."""
    made = driven(0.0, 1.0, t_end=4 * np.pi, t_step=4 * np.pi / rows, position_solver=solver)
    last = sheetmbs.run(made).bodies.iloc[-1]
    coupler, rocker = four_bar_angles(0.0)
    assert last["crank.phi"] == pytest.approx(4 * np.pi, abs=1e-10)
    assert (last["coupler.phi"], last["rocker.phi"]) == pytest.approx((coupler, rocker), abs=1e-9)


def test_step_that_goes_too_far_is_halved_on_the_way():
    made = driven(0.0, 1.0)
    system = lower(made).arrange()
    q, v, a = lower(made).bodies.q.copy(), np.zeros(9), np.zeros(9)
    used = []
    for far in (0.1, 6.0):
        system.work.count[:] = 0
        times = np.array([0.0, far])
        motion = [np.zeros((2, 9)) for _ in range(3)]
        state = q.copy(), v.copy(), a.copy()
        assert move_through(
            system.arrays, system.work, times, 0, 2, *state, *motion, np.zeros((2, 0)), 1e-10, DOGLEG
        ) == (2, 0)
        used.append(int(system.work.count[Count.FACTORISATIONS]))
        assert motion[0][1, 5] == pytest.approx(four_bar_angles(far)[0], abs=1e-9)
    assert used[1] > 4 * used[0]


def test_driver_that_jumps_is_followed():
    """No step, however short, comes near a jump: the mechanism closes on its other side nevertheless."""
    made = model(
        (bar("a", (0, 0), (1, 0)),),
        (hinge("pin", on("ground"), on("a", -0.5)),),
        drivers=(Driver("jump", None, "pin", "angle", Formula(parse("if(t < 0.55, 0, 0.4)"))),),
        analysis="kinematic",
    )
    result = sheetmbs.run(made)
    assert result.status == "done"
    assert result.bodies["a.phi"].to_numpy() == pytest.approx([0.0] * 6 + [0.4] * 5, abs=1e-12)


def parallel_cranks(rows, turns=1.0):
    made = windows(1, t_end=2 * np.pi * turns, t_step=2 * np.pi * turns / rows, analysis="kinematic")
    return type(made)(**{**made.__dict__, "drivers": (turning("foot 0", 1.0),)})


@pytest.mark.parametrize("rows", [9, 35, 333])
def test_parallelogram_passes_its_change_points_without_folding(rows):
    """Where the cranks lie flat it could go on as an antiparallelogram; no row falls on that point."""
    result = sheetmbs.run(parallel_cranks(rows))
    assert result.status == "done"
    assert np.abs(result.bodies["top 0.phi"]).max() < 1e-7
    assert np.abs(result.bodies["rod 0.phi"] - result.bodies["rod 1.phi"]).max() < 1e-7


def test_row_on_a_change_point_is_refused_in_words():
    result = sheetmbs.run(parallel_cranks(8))
    assert result.status == "failed"
    assert len(result.bodies) == 2
    problem = next(p for p in result.sheets.problems if p.severity == "error")
    assert problem.code == "singular-position"
    assert f"t = {np.pi / 2:.6g} s" in problem.found


def test_ram_that_is_longer_than_its_jib_can_reach_locks_where_both_are_in_line():
    """A jib of 1 m on a ram from (0, -2): the longest ram is 3 m, reached at t = (3 - sqrt 5)/0.5 s."""
    joints = (
        hinge("pin", on("ground"), on("jib", -0.5)),
        Joint("ram", "distance", on("ground", 0.0, -2.0), on("jib", 0.5)),
    )
    extend = Driver("extend", None, "ram", "distance", Formula(parse("sqrt(5) + 0.5*t")))
    made = model((bar("jib", (0, 0), (1, 0)),), joints, drivers=(extend,), analysis="kinematic", t_end=3.0, t_step=0.05)
    result = sheetmbs.run(made)
    assert result.status == "failed"
    problem = next(p for p in result.sheets.problems if p.severity == "error")
    assert problem.code in {"locked", "singular-position"}
    reached = float(problem.found.split("t = ")[1].split(" s")[0])
    assert reached == pytest.approx((3 - np.sqrt(5)) / 0.5, abs=1e-3)
    assert result.bodies["time"].iloc[-1] == pytest.approx(1.5)
