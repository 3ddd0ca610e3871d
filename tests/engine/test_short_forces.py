"""Forces that act for less than a step, at a time unknown: felt, or warned of; and the setting that lets steps see them."""

from dataclasses import replace

import numpy as np
import pytest

import sheetmbs
from sheetmbs.analysis.horizon import may_be_short
from sheetmbs.model.model import Force, Formula
from sheetmbs.schema.expression import parse
from tests.support.mechanisms import body, hinge, model, on

STILL = (0.0, 0.0, 0.0)
MASS = 2.0
ADAPTIVE = ("auto", "dop853", "rkv65", "dopri5", "abm", "lsoda", "bdf", "radau")


def in_time(at):
    return f"4000*exp(-((t-{at})/0.001)^2)", 1.0 + 4000.0 * 0.001 * np.sqrt(np.pi) / MASS


def in_place(at):
    return f"if(p.x > {at} and p.x < {at + 0.001}, 4000, 0)", np.sqrt(1.0 + 2.0 * 4000.0 * 0.001 / MASS)


def pushed(text, t_end, **settings):
    """A puck of 2 kg that slides at 1 m/s from x = 0, and what pushes it along x."""
    puck = body("p", mass=MASS, velocity=(1.0, 0.0, 0.0))
    formula = Formula(parse(text, lambda name: "." in name), cell="Forces!D3")
    made = model((puck,), gravity=STILL, t_end=t_end, **settings)
    return replace(made, forces=(Force("hit", on("p"), (formula, 0.0, 0.0), STILL),))


def outcome(made):
    """Speed at the end, and the warnings of forces that were not seen."""
    result = sheetmbs.run(made)
    unseen = [problem for problem in result.sheets.problems if problem.code == "unseen-force"]
    assert result.summary["accuracy check"].startswith("in doubt") or not unseen
    return result.bodies["p.vx"].iloc[-1], unseen


@pytest.mark.parametrize("t_step", [0.01, 0.1, 1.0])
@pytest.mark.parametrize("pulse", [in_time, in_place])
def test_a_millisecond_in_a_hundred_seconds_is_felt_or_warned_of(pulse, t_step):
    text, speed = pulse(50.3)
    found, unseen = outcome(pushed(text, 100.0, t_step=t_step))
    if not unseen:
        assert found == pytest.approx(speed, rel=1e-6)
        return
    assert [problem.cell for problem in unseen] == ["Forces!D3"]
    assert "t = 50.3 s" in unseen[0].found.replace("50.2999", "50.3").replace("50.3001", "50.3")
    assert "hit" in unseen[0].found
    assert "max_step" in unseen[0].mend


def test_longest_step_that_the_warning_names_lets_the_steps_see_it():
    text, speed = in_place(50.3)
    _found, unseen = outcome(pushed(text, 52.0, t_step=1.0))
    longest = float(unseen[0].mend.split(" to ")[1].split(" s")[0])
    found, unseen = outcome(pushed(text, 52.0, t_step=1.0, max_step=longest))
    assert found == pytest.approx(speed, rel=1e-6)
    assert not unseen


@pytest.mark.parametrize("name", ADAPTIVE)
@pytest.mark.parametrize("pulse", [in_time, in_place])
def test_every_adaptive_method_takes_no_step_longer_than_asked_for(pulse, name):
    text, speed = pulse(1.3)
    made = pushed(text, 2.0, t_step=0.5, integrator=name, max_step=5e-4)
    result = sheetmbs.run(made)
    assert result.bodies["p.vx"].iloc[-1] == pytest.approx(speed, rel=1e-4)
    assert result.summary["mean step"] <= 5e-4


@pytest.mark.parametrize("name", ["generalized-alpha", "hht"])
def test_methods_of_index_3_that_control_their_error_keep_to_it_too(name):
    summary = sheetmbs.run(pushed("0", 1.0, integrator=name, rtol=1e-3, max_step=0.01)).summary
    assert summary["steps"] >= 100


def test_a_longest_step_that_fixed_steps_cannot_heed_is_told():
    result = sheetmbs.run(pushed("0", 1.0, integrator="rk4", step=0.1, max_step=0.01))
    assert [problem.code for problem in result.sheets.problems] == ["unused-value"]
    assert "set step" in result.sheets.problems[0].mend


def test_fixed_steps_that_pass_over_a_force_are_told_of_their_step():
    _found, unseen = outcome(pushed(in_place(5.33)[0], 10.0, t_step=0.1, integrator="rk4", step=0.1))
    assert "set step to" in unseen[0].mend


def test_a_force_on_a_body_at_rest_is_missed_no_less():
    """No power and no energy tell of it: the body does not move until it is hit."""
    text, _speed = in_time(7.33)
    made = pushed(text, 10.0, t_step=1.0)
    made = replace(made, bodies=(body("p", mass=MASS),))
    found, unseen = outcome(made)
    assert unseen or found == pytest.approx(4000.0 * 0.001 * np.sqrt(np.pi) / MASS)


def test_a_longest_step_does_not_keep_a_linkage_from_crossing_a_singular_position():
    """A parallelogram that turns through the line in which all its bars lie, with steps of a hundredth of a turn at most."""
    from tests.support.mechanisms import windows

    made = windows(1, t_end=5.0, t_step=0.1)
    free = sheetmbs.run(made)
    bound = sheetmbs.run(replace(made, settings=replace(made.settings, max_step=0.03)))
    assert bound.status == "done"
    assert np.allclose(bound.bodies, free.bodies, atol=1e-4)


def test_pushes_that_come_faster_and_faster_are_told_as_soon_as_steps_pass_over_them():
    """Each lobe of the track pushes the puck on; in the end it passes several between two rows, and the energy hardly tells."""
    text = "1e4*max(0, sin(40*p.x) - 0.95)"
    lost, unseen = outcome(pushed(text, 3.0, t_step=0.01))
    assert "other times like that" in unseen[0].found
    coarse, told = outcome(pushed(text, 3.0, t_step=0.01, max_step=1e-3))
    fine, _told = outcome(pushed(text, 3.0, t_step=0.01, max_step=1e-4))
    assert abs(lost - fine) > 10.0
    assert coarse == pytest.approx(fine, rel=1e-5)
    assert not told


@pytest.mark.parametrize(
    "text",
    [
        "if(p.x > 0.5, 100, 0)",
        "if(p.y < -0.1, -5e4*(p.y + 0.1), 0)",
        "-3*abs(p.vx)*p.vx",
        "50*exp(-((t - 0.5)/0.05)^2)",
        "20*sin(30*t)*step(p.x, 0.2, 0, 0.4, 1)",
        "-200*sign(p.x - 0.5)*step(abs(p.x - 0.5), 0, 0, 0.01, 1)",
        "max(0, 300*sin(60*t))",
    ],
)
@pytest.mark.parametrize("t_step", [0.01, 0.1])
def test_forces_that_steps_feel_raise_no_warning(text, t_step):
    made = pushed(text, 3.0, t_step=t_step)
    rod = (body("p", 0.3, velocity=(0.0, 1.0, 3.0), mass=MASS), hinge("pin", on("ground"), on("p", -0.3)))
    swung = replace(made, bodies=rod[:1], joints=rod[1:], settings=replace(made.settings, gravity=(0.0, -9.81, 0.0)))
    for each in (made, swung):
        assert outcome(each)[1] == []


@pytest.mark.parametrize(
    ("text", "short"),
    [
        ("20", False),
        ("-20*p.vx - 300*p.x^2", False),
        ("5*sin(3*t)*cos(p.x)", False),
        ("if(t > 2, 1, 0)*p.x", False),
        ("exp(-t/3)", False),
        ("p.x/3", False),
        ("exp(-p.x^2)", True),
        ("exp(-(t - 1)^2)", True),
        ("1/(1 + p.x^2)", True),
        ("if(p.x > 1, 1, 0)", True),
        ("if(sin(t) > 0.999, 1, 0)", True),
        ("step(p.x, 0, 0, 1, 1)", True),
        ("max(0, p.x)", True),
        ("p.x^0.5", True),
    ],
)
def test_which_expressions_may_act_for_a_moment_at_a_time_unknown(text, short):
    assert may_be_short(parse(text, lambda name: "." in name).tree) == short
