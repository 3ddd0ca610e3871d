"""Analyses that cannot be completed: what they reach is kept, and a sentence names time, place and remedy."""

import re
from dataclasses import replace

import numpy as np
import pytest
from scipy.integrate import quad

import sheetmbs
from sheetmbs.analysis import dynamic
from sheetmbs.analysis.diagnosis.failure import Reached, explained
from sheetmbs.analysis.dynamic import Pace
from sheetmbs.analysis.integrators.interface import Status
from sheetmbs.lower import lower
from sheetmbs.model.model import Driver, Force, Formula, Joint
from sheetmbs.schema.expression import parse
from tests.support.mechanisms import (
    bar,
    body,
    double_pendulum,
    four_bar,
    hinge,
    model,
    on,
    slider_crank,
    turning,
    windows,
)
from tests.support.springs import make_spring

STILL = (0.0, 0.0, 0.0)
LOCKS_AT = np.arccos((4 + 9 - 4.2**2) / 12) / 2.0
"""of a four-bar 2, 2.2, 2 on a base of 3 driven at 2 rad/s: where coupler and rocker lie in one line"""


def formula(text, *variables, cell="Forces!D2"):
    return Formula(parse(text, lambda name: name in variables), cell=cell)


def pushed(expression, *variables, start=1.0, velocity=0.0, **settings):
    """A body of 1 kg at x = start under one force along x."""
    made = model((body("m", start, velocity=(velocity, 0.0, 0.0)),), gravity=STILL, **settings)
    push = Force("push", on("m"), (formula(expression, *variables), 0.0, 0.0), STILL)
    return replace(made, forces=(push,))


def locking(**settings):
    bodies, joints, _ = four_bar(a=2.0, b=2.2, c=2.0, d=3.0)
    joints = tuple(replace(joint, cell=f"Joints!A{row}") for row, joint in enumerate(joints, start=2))
    return model(bodies, joints, drivers=(turning("A", 2.0),), t_end=2.0, t_step=0.05, **settings)


def driven(expression, **settings):
    bodies, joints, _ = four_bar()
    driver = Driver("motor", None, "A", "angle", formula(expression, cell="Drivers!F2"), cell="Drivers!A2")
    return model(bodies, joints, drivers=(driver,), t_end=3.0, **settings)


def failed(made):
    """Its only error, after looking at what was reached until then."""
    result = sheetmbs.run(made)
    assert result.status == result.summary["status"] == "failed"
    assert np.isfinite(result.bodies.to_numpy()).all()
    (problem,) = (each for each in result.sheets.problems if each.severity == "error")
    for sentence in (problem.found, problem.problem, problem.mend):
        assert sentence
        assert "nan" not in sentence
        assert "  " not in sentence
    return result, problem


def time_of(problem):
    return float(re.search(r"t = ([\d.e+-]+) s", problem.found).group(1))


@pytest.mark.parametrize(
    "settings",
    [
        {"analysis": "kinematic"},
        {"analysis": "inverse dynamic"},
        {},
        {"integrator": "dopri5"},
        {"integrator": "rk4", "step": 0.01},
    ],
)
def test_linkage_that_locks_is_said_to_lock_whatever_the_analysis(settings):
    result, problem = failed(locking(**settings))
    assert problem.code == "locked"
    assert time_of(problem) == pytest.approx(LOCKS_AT, abs=1e-4)
    assert "drive A" in problem.found
    assert {"C", "D"} <= set(re.findall(r"\b[A-D]\b", problem.found))
    assert problem.cell.startswith("Joints!")
    reached = result.bodies["time"].iloc[-1]
    assert LOCKS_AT - 0.05 < reached < LOCKS_AT
    lower_arm = result.bodies["crank.phi"].iloc[-1]
    assert lower_arm == pytest.approx(2.0 * reached, abs=1e-9)


@pytest.mark.parametrize("analysis", ["kinematic", "inverse dynamic", "dynamic"])
def test_dead_point_of_a_slider_crank_that_its_slider_drives_is_named_with_its_driver(analysis):
    """Crank at 1 rad, slider driven inwards: it stops at the rod's length less the crank's."""
    crank, slide = np.array([np.cos(1.0), np.sin(1.0)]), np.cos(1.0) + np.sqrt(9.0 - np.sin(1.0) ** 2)
    bodies = (bar("crank", (0, 0), crank), bar("rod", crank, (slide, 0)), body("slider", slide))
    driver = Driver("push", "slider", None, "x", formula(f"{slide}-t"), cell="Drivers!A2")
    made = model(bodies, slider_crank()[1], drivers=(driver,), t_end=3.0, analysis=analysis)
    _result, problem = failed(made)
    assert "push" in problem.found
    assert time_of(problem) == pytest.approx(slide - 2.0, abs=1e-3)


def test_start_at_a_dead_point_is_said_so_before_any_row():
    bodies, joints = slider_crank()
    driver = Driver("push", "slider", None, "x", formula("4-t"), cell="Drivers!A2")
    result, problem = failed(model(bodies, joints, drivers=(driver,), analysis="kinematic"))
    assert "dead point" in problem.found
    assert time_of(problem) == 0.0
    assert len(result.bodies) == 0
    assert result.summary["accuracy check"] == "nothing to check"


@pytest.mark.parametrize("integrator", ["auto", "rk4"])
def test_force_that_has_no_value_from_a_time_on_is_named_with_its_cell(integrator):
    result, problem = failed(pushed("sqrt(2 - t)", t_end=5.0, integrator=integrator, step=0.01))
    assert (problem.code, problem.cell) == ("no-value", "Forces!D2")
    assert time_of(problem) == pytest.approx(2.0, abs=0.011)
    assert 1.85 < result.bodies["time"].iloc[-1] <= 2.0


@pytest.mark.parametrize("analysis", ["dynamic", "kinematic"])
def test_driver_that_has_no_value_from_a_time_on_is_named_with_its_cell(analysis):
    _result, problem = failed(driven("sqrt(2-t)-sqrt(2)", analysis=analysis))
    assert (problem.code, problem.cell) == ("no-value", "Drivers!F2")
    assert time_of(problem) == pytest.approx(2.0, abs=1e-3)


@pytest.mark.parametrize(
    ("expression", "what", "amount"),
    [("if(t < 1, t, t + 0.5)", "position", 0.5), ("if(t < 1, t, 3*t - 2)", "velocity", 2.0)],
)
def test_driver_that_jumps_is_named_with_time_and_amount(expression, what, amount):
    _result, problem = failed(driven(expression))
    assert (problem.code, problem.cell) == ("driver-jumps", "Drivers!A2")
    assert f"the {what} that motor prescribes jumps" in problem.found
    assert time_of(problem) == 1.0
    assert float(problem.found.rsplit(" ", 1)[1]) == pytest.approx(amount)
    assert "step(" in problem.mend


def test_pole_of_a_force_is_told_by_body_and_time():
    """x'' = -1/x^2 from x = 1, v = -1: v^2 = 2/x - 1, and x = 0 is reached after pi/2 - 1."""
    _result, problem = failed(pushed("-1/m.x^2", "m.x", velocity=-1.0, t_end=5.0))
    assert problem.code == "grows-without-bound"
    assert "the motion of m " in problem.found
    assert time_of(problem) == pytest.approx(np.pi / 2 - 1, abs=1e-5)


def test_motion_that_explodes_is_told_by_body_and_time():
    """x'' = x^2 from x = 1, v = 1: v^2 = (2 x^3 + 1)/3, and x is infinite after the integral of dx/v."""
    infinite = quad(lambda x: 1.0 / np.sqrt((2.0 * x**3 + 1.0) / 3.0), 1.0, np.inf)[0]
    _result, problem = failed(pushed("m.x^2", "m.x", velocity=1.0, t_end=5.0))
    assert problem.code == "grows-without-bound"
    assert time_of(problem) == pytest.approx(infinite, abs=1e-4)


@pytest.mark.parametrize(("k", "c", "fastest"), [(1e6, 0.0, 1e3), (100.0, 2e3, 2e3)])
def test_spring_or_damper_too_stiff_for_a_fixed_step_is_named_with_a_step_that_does(k, c, fastest):
    springs = (
        make_spring("soft", "translational", on("ground", -1.0, 1.0), on("m"), k=10.0),
        make_spring("hard", "translational", on("ground", -1.0), on("m"), k=k, c=c),
    )

    def vibrating(step, t_end):
        return model((body("m"),), springs=springs, integrator="rk4", step=step, t_end=t_end)

    _result, problem = failed(vibrating(0.05, 100.0))
    assert problem.code == "step-too-long"
    assert "the spring hard" in problem.found
    told = float(re.search(r"at ([\d.e+-]+) rad/s", problem.found).group(1))
    assert told == pytest.approx(fastest, rel=0.01)
    step = float(re.search(r"at most ([\d.e+-]+) s", problem.mend).group(1))
    assert sheetmbs.run(vibrating(step, 2.0)).status == "done"


def test_fixed_step_that_leads_nowhere_is_halved_and_said_so():
    """A four-bar driven by 2.8 rad a step: the linkage is lost on the way, and found by shorter steps."""
    bodies, joints, _ = four_bar()
    made = model(bodies, joints, drivers=(turning("A", 4.0),), t_end=7.0, t_step=0.7, integrator="rk4", step=0.7)
    result = sheetmbs.run(made)
    (problem,) = result.sheets.problems
    assert (result.status, problem.code, problem.severity) == ("done", "steps-halved", "note")
    assert result.summary["rejected steps"] == int(problem.found.split()[0]) > 0
    assert np.allclose(result.bodies["time"], 0.7 * np.arange(11), rtol=0, atol=1e-12)
    assert np.abs(result.bodies["crank.phi"] - 4.0 * result.bodies["time"]).max() < 1e-9


def test_fixed_step_beyond_all_measure_fails_in_words():
    result, problem = failed(double_pendulum(integrator="rk4", step=0.9, t_end=20.0))
    assert problem.code == "step-too-long"
    assert "a step of 0.9 s leads to no valid state" in problem.found
    assert result.summary["rejected steps"] > 0


def test_force_that_switches_where_the_motion_rests_ends_a_run_that_would_never_end(monkeypatch):
    """Dry friction as a jump: at t = v/5 the body stops, and the force switches at every step."""
    monkeypatch.setattr(dynamic, "MIN_STEPS_JUDGED", 3000)
    _result, problem = failed(pushed("-5*sign(m.vx)", "m.vx", velocity=-1.0, t_end=5.0))
    assert (problem.code, problem.cell) == ("stalled", "Forces!D2")
    assert time_of(problem) == pytest.approx(0.2, abs=0.01)
    assert "m.vx/0.01" in problem.mend
    gradual = sheetmbs.run(pushed("-5*max(-1, min(1, m.vx/0.01))", "m.vx", velocity=-1.0, t_end=1.0))
    assert gradual.status == "done"
    assert abs(gradual.bodies["m.vx"].iloc[-1]) < 1e-6


def test_pace_is_hopeless_only_where_short_steps_go_on():
    watched = Pace(0.0, 10.0)
    assert not watched.is_hopeless(1e-9, 100)  # a start may be slow
    assert not watched.is_hopeless(1.0, dynamic.MIN_STEPS_JUDGED)
    assert watched.is_hopeless(1.0 + 1e-9 * dynamic.MIN_STEPS_JUDGED * 0.5, 2 * dynamic.MIN_STEPS_JUDGED)
    assert not watched.is_hopeless(1.5, 3 * dynamic.MIN_STEPS_JUDGED)


def reached(made, y, t=1.0):
    """What is told of a model for which no step is short enough at a state (q, v)."""
    lowered = lower(made)
    start = np.concatenate((lowered.bodies.q, lowered.bodies.v, [0.0]))
    return explained(
        lowered, lowered.arrange(), Reached(int(Status.STEP_TOO_SMALL), t, np.append(y, 0.0), start, 0.0, 10.0)
    )


def test_singular_position_that_could_not_be_crossed_is_told_by_its_joints():
    """The bars of a parallelogram all but in one line."""
    made = windows(1)
    tilt = 1e-5
    q = []
    for foot, length, angle in ((0.0, 1.0, tilt), (1.0, 1.0, tilt)):
        q += [foot + 0.5 * length * np.cos(angle), 0.5 * np.sin(angle), angle]
    q += [0.5 + np.cos(tilt), np.sin(tilt), 0.0]
    problem = reached(made, np.concatenate((q, np.zeros(9))))
    assert problem.code == "singular-position"
    assert "left 0" in problem.found
    assert "formulation auto" in problem.mend


def test_linkage_that_locks_within_the_next_steps_is_told_from_a_state_before():
    """An integrator that tried in vain to cross the dead point has come back to a sound state: crank at 1.9 rad."""
    made = locking(analysis="kinematic")
    near = sheetmbs.run(replace(made, settings=replace(made.settings, t_end=0.95, t_step=0.95))).bodies.iloc[-1]
    bodies = ("crank", "coupler", "rocker")
    q = [near[f"{name}.{part}"] for name in bodies for part in ("x", "y", "phi")]
    v = [near[f"{name}.{part}"] for name in bodies for part in ("vx", "vy", "omega")]
    problem = reached(made, np.array(q + v), t=0.95)
    assert problem.code == "locked"
    assert "drive A" in problem.found
    assert time_of(problem) == pytest.approx(LOCKS_AT, abs=1e-4)


def test_nothing_is_blamed_where_nothing_can_be_found():
    made = model((bar("bar", (0, 0), (1, 0)),), (hinge("pin", on("ground"), on("bar", -0.5)),))
    problem = reached(made, np.array([0.5, 0.0, 0.0, 0.0, 0.0, 0.0]))
    assert problem.code == "step-too-small"
    assert "pin" not in problem.found


def test_a_kinematic_analysis_can_be_stopped_after_its_first_row():
    made = model(
        (body("wheel"),), (hinge("axle", on("ground"), on("wheel")),), drivers=(turning("axle", 1e9),), t_step=0.01
    )
    made = replace(made, settings=replace(made.settings, analysis="kinematic"))

    def press(done):
        reached.append(done)
        raise KeyboardInterrupt

    reached = []
    with pytest.raises(KeyboardInterrupt):
        sheetmbs.run(made, progress=press)
    assert reached == [pytest.approx(1 / 101)]


def test_a_link_too_short_to_be_squared_ends_in_a_sentence():
    link = Joint("link", "distance", on("ground"), on("bob"), values={"length": 1e-260})
    result = sheetmbs.run(model((body("bob", -1.0, inertia=0.0),), (link,)))
    assert result.status == "failed"
    assert "stalled" in {problem.code for problem in result.sheets.problems}
