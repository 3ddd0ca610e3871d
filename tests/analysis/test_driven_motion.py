"""Driven mechanisms as a whole: rates, branches, change points, and where they must stop."""

import numpy as np
import pytest

import sheetmbs
from sheetmbs.model.model import Driver, Formula, Joint
from sheetmbs.schema.expression import parse
from tests.engine.test_newton import SOLVERS, driven, four_bar_angles
from tests.support.mechanisms import bar, body, hinge, model, on, slide_axes, turning, windows


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


@pytest.mark.parametrize("analysis", ["kinematic", "inverse dynamic", "dynamic"])
@pytest.mark.parametrize(
    ("text", "what", "t", "amount"),
    [
        ("if(t < 0.55, 0, 0.4)", "position", 0.55, 0.4),
        ("if(t > 0.5, 0.3, 0)", "position", 0.5, 0.3),
        ("sign(t - 0.4)*0.1", "position", 0.4, 0.2),
        ("if(sin(9*t) > 0.5, 0.1, 0)", "position", np.pi / 54, 0.1),
        ("atan2(sin(5*t), cos(5*t))", "position", np.pi / 5, 2 * np.pi),
        ("if(t >= 1, 0.3, 0)", "position", 1.0, 0.3),
        ("if(t > 0, 0.3, 0)", "position", 0.0, 0.3),
        ("abs(t - 0.45)", "velocity", 0.45, 2.0),
        ("max(0, 2*t - 0.6)", "velocity", 0.3, 2.0),
        ("min(t, 0.7)", "velocity", 0.7, 1.0),
        ("abs(sin(9*t))", "velocity", np.pi / 9, 18.0),
    ],
)
def test_driver_that_jumps_ends_every_analysis_before_the_jump(analysis, text, what, t, amount):
    result = sheetmbs.run(bar_driven_by(text, analysis))
    assert result.status == "failed"
    problem = next(problem for problem in result.sheets.problems if problem.severity == "error")
    assert problem.code == "driver-jumps"
    assert f"the {what} that jump prescribes jumps by" in problem.found
    assert float(problem.found.split("t = ")[1].split(" s")[0]) == pytest.approx(t, rel=1e-5)
    assert float(problem.found.rsplit(" ", 1)[1]) == pytest.approx(amount, rel=1e-3)
    rows = np.linspace(0.0, 1.0, 11)
    assert len(result.bodies) == np.count_nonzero(rows < t - 1e-9)


@pytest.mark.parametrize("analysis", ["kinematic", "inverse dynamic", "dynamic"])
@pytest.mark.parametrize(
    ("text", "last"),
    [
        ("if(t < 0.5, t^2, t - 0.25)", (0.75, 1.0, 0.0)),
        ("step(t, 0.2, 0, 0.6, 1)", (1.0, 0.0, 0.0)),
        ("abs(t)", (1.0, 1.0, 0.0)),
        ("abs(t - 1)", (0.0, -1.0, 0.0)),
        ("max(0, t - 1)", (0.0, 0.0, 0.0)),
        ("if(t > 1, 0.3, 0)", (0.0, 0.0, 0.0)),
        ("if(t >= 0, 0.3, 0)", (0.3, 0.0, 0.0)),
        ("0.3*t + 1e-4*sin(3000*t)", (0.3 + 1e-4 * np.sin(3000), 0.3 + 0.3 * np.cos(3000), -900 * np.sin(3000))),
    ],
)
def test_driver_that_is_smooth_between_both_ends_is_followed(analysis, text, last):
    result = sheetmbs.run(bar_driven_by(text, analysis))
    assert result.status == "done"
    found = result.bodies.iloc[-1][["a.phi", "a.omega", "a.alpha"]].to_numpy()
    assert found == pytest.approx(last, rel=1e-6, abs=1e-7)


def bar_driven_by(text, analysis):
    return model(
        (bar("a", (0, 0), (1, 0)),),
        (hinge("pin", on("ground"), on("a", -0.5)),),
        drivers=(Driver("jump", None, "pin", "angle", Formula(parse(text))),),
        analysis=analysis,
        t_end=1.0,
        t_step=0.1,
    )


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
