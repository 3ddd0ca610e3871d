"""Degrees of freedom, redundant constraints, and models that cannot be analysed, in words."""

import re
from dataclasses import replace

import numpy as np
import pytest

import sheetmbs
from sheetmbs.model.model import Driver, Force, Formula, Joint, Quadratic, Series
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.schema.expression import parse
from tests.support.mechanisms import (
    bar,
    body,
    double_pendulum,
    four_bar,
    hinge,
    model,
    on,
    slide_axes,
    turning,
    windows,
)


def problem_of(result, code):
    return next(problem for problem in result.sheets.problems if problem.code == code)


def parallelogram(*, third=True):
    """A beam on parallel cranks of equal length; the third says what the first two say."""
    feet = (0.0, 1.0, 2.0) if third else (0.0, 2.0)
    cranks = [bar(f"crank {k}", (x, 0), (x, 1)) for k, x in enumerate(feet)]
    joints = []
    for k, x in enumerate(feet):
        joints += [
            hinge(f"foot {k}", on("ground", x), on(f"crank {k}", -0.5)),
            hinge(f"head {k}", on(f"crank {k}", 0.5), on("beam", x - 1)),
        ]
    return [*cranks, bar("beam", (0, 1), (2, 1))], joints


@pytest.mark.parametrize(
    ("made", "freedoms"),
    [
        (model((body("free"),)), 3),
        (double_pendulum(), 2),
        (model(*four_bar()[:2]), 1),
        (windows(3), 1),
        (model(*parallelogram(third=False)), 1),
        (model(*parallelogram()), 1),
    ],
)
def test_degrees_of_freedom_are_the_true_number(made, freedoms):
    assert sheetmbs.run(made).summary["degrees of freedom"] == freedoms


def test_third_crank_of_a_parallelogram_is_redundant_named_and_stops_nothing():
    one, two = (sheetmbs.run(model(*parallelogram(third=third), t_end=2.0)) for third in (True, False))
    assert one.summary["redundant constraints"].startswith("1: ")
    assert {"foot 1", "head 1"} <= set(one.summary["redundant constraints"][3:].split(", "))
    assert one.status == "done"
    assert one.constraints["position_violation"].max() < 1e-9
    assert two.summary["redundant constraints"] == 0
    assert any(problem.code == "reactions-not-unique" for problem in one.sheets.problems)


def test_reactions_of_a_doubly_held_beam_are_shared_evenly():
    beam = body("beam", 0.0, 0.0, mass=4.0)
    joints = (hinge("left", on("ground", -1.0), on("beam", -1.0)), hinge("right", on("ground", 1.0), on("beam", 1.0)))
    result = sheetmbs.run(model((beam,), joints, analysis="inverse dynamic"))
    last = result.joints.iloc[-1]
    assert last["left.j.fy"] == pytest.approx(4 * 9.81 / 2, rel=1e-9)
    assert last["right.j.fy"] == pytest.approx(4 * 9.81 / 2, rel=1e-9)
    assert abs(last["left.j.fx"]) < 1e-8
    assert "left, right" in result.summary["reactions not unique, least-norm values given"]


def test_joint_given_twice_changes_no_motion():
    pin = hinge("pin", on("ground"), on("bob", -1.0))
    twin = hinge("twin", on("ground"), on("bob", -1.0))
    one, two = (sheetmbs.run(model((body("bob", 1.0),), joints)) for joints in ((pin,), (pin, twin)))
    assert np.abs(one.bodies - two.bodies).max().max() < 1e-10
    assert two.summary["redundant constraints"] == "2: pin, twin"
    assert np.abs(two.joints["pin.j.fy"] - two.joints["twin.j.fy"]).max() < 1e-5
    assert np.abs(one.joints["pin.j.fy"] - 2 * two.joints["pin.j.fy"]).max() < 1e-5


@pytest.mark.parametrize("analysis", ["kinematic", "inverse dynamic"])
def test_model_with_a_free_body_is_under_driven_and_says_which(analysis):
    links = (bar("upper", (0, 0), (1, 0)), bar("lower", (1, 0), (2, 0)))
    joints = (hinge("top", on("ground"), on("upper", -0.5)), hinge("elbow", on("upper", 0.5), on("lower", -0.5)))
    with pytest.raises(WorkbookError, match=r"1 degree of freedom is not driven: lower") as raised:
        sheetmbs.run(model(links, joints, drivers=(turning("top", 1.0),), analysis=analysis))
    assert raised.value.problems[0].code == "under-driven"


def test_drivers_that_contradict_each_other_are_named():
    bodies, joints, _ = four_bar()
    drivers = (turning("A", 1.0), turning("D", 1.0))
    with pytest.raises(WorkbookError, match=r"drive A.* drive D|drive D.* drive A") as raised:
        sheetmbs.run(model(bodies, joints, drivers=drivers, analysis="kinematic"))
    assert raised.value.problems[0].code == "over-driven"


def test_joint_that_holds_what_a_driver_moves_is_the_one_too_many():
    bodies, joints, _ = four_bar()
    hold = Joint("hold", "coordinate", on("rocker"), on("ground"), coordinate="phi", cell="Joints!B6")
    with pytest.raises(WorkbookError) as raised:
        sheetmbs.run(model(bodies, (*joints, hold), drivers=(turning("A", 1.0),), analysis="kinematic"))
    [problem] = raised.value.problems
    assert (problem.code, problem.cell) == ("over-driven", "Joints!B6")
    assert "remove hold" in problem.mend


def test_limit_is_told_in_the_drivers_own_quantity_and_unit():
    bodies, joints, _ = four_bar(2.5, 3.0, 2.0, 4.2)
    driver = replace(turning("A", 3.0), unit=("deg", np.pi / 180))
    made = model(bodies, joints, drivers=(driver,), t_step=0.01, analysis="kinematic")
    problem = problem_of(sheetmbs.run(made), "locked")
    stop = np.degrees(np.arccos((2.5**2 + 4.2**2 - 5.0**2) / (2 * 2.5 * 4.2)))
    told = problem.found.split("(angle of drive A = ")[1].split(" deg)")[0]
    assert float(told) == pytest.approx(stop, abs=0.1)


def test_poses_are_compared_with_the_closed_mechanism_and_not_with_the_first_row_of_a_sweep():
    bodies, joints, _ = four_bar()
    sweep = turning("A", 1.0, -0.7)
    swept = sheetmbs.run(model(bodies, joints, drivers=(sweep,), analysis="kinematic"))
    assert abs(swept.bodies["crank.phi"].iloc[0] + 0.7) < 1e-9
    assert not any(problem.code == "moved" for problem in swept.sheets.problems)
    aside = (replace(bodies[0], position=bodies[0].position + np.array([0.2, 0.1, 0.0])), *bodies[1:])
    rough = sheetmbs.run(model(aside, joints, drivers=(sweep,), analysis="kinematic"))
    assert "crank" in problem_of(rough, "moved").found


def test_check_of_initial_conditions_names_the_cell_of_each_violated_joint():
    bodies = (body("bob", 1.001), body("next", 3.0))
    joints = [
        replace(hinge("pin", on("ground"), on("bob", -1.0)), cell="Joints!A3"),
        replace(hinge("elbow", on("bob", 1.0), on("next", -0.999)), cell="Joints!A4"),
        replace(hinge("end", on("bob", 0.5), on("next", -1.0)), cell="Joints!A5"),
    ]
    with pytest.raises(WorkbookError) as raised:
        sheetmbs.run(model(bodies, joints, initial_conditions="check"))
    assert [problem.cell for problem in raised.value.problems] == ["Joints!A3", "Joints!A5"]


def test_drivers_that_agree_do_not_stop_the_analysis():
    times = np.linspace(0.0, 1.0, 11)
    twin = Driver("phi of bob", "bob", None, "phi", Series(times, 2.0 * times), guiding=True)
    pin = hinge("pin", on("ground"), on("bob", -1.0))
    result = sheetmbs.run(model((body("bob", 1.0),), (pin,), drivers=(turning("pin", 2.0), twin), analysis="kinematic"))
    assert result.status == "done"
    assert np.abs(result.bodies["bob.phi"] - 2.0 * result.bodies["time"]).max() < 1e-9


def test_start_at_a_dead_point_is_not_taken_for_a_redundancy():
    """A rhombus folded flat: two rows seem dependent there, and nowhere else."""
    links = [bar("a", (0, 0), (1, 0)), bar("b", (1, 0), (2, 0)), bar("c", (1, 0), (2, 0))]
    joints = [
        hinge("A", on("ground"), on("a", -0.5)),
        hinge("B", on("a", 0.5), on("b", -0.5)),
        hinge("C", on("b", 0.5), on("c", 0.5)),
        hinge("D", on("ground", 1.0), on("c", -0.5)),
    ]
    summary = sheetmbs.run(model(links, joints, t_end=0.1)).summary
    assert summary["degrees of freedom"] == 1
    assert summary["redundant constraints"] == 0
    assert summary["start"] == "at a singular position"


@pytest.mark.parametrize("solver", ["dogleg", "newton", "levenberg-marquardt"])
def test_position_solvers_reach_the_same_motion(solver):
    bodies, joints, _ = four_bar()
    made = model(bodies, joints, drivers=(turning("A", 6.0),), analysis="kinematic", position_solver=solver)
    plain = model(bodies, joints, drivers=(turning("A", 6.0),), analysis="kinematic", t_step=0.01)
    coarse, fine = sheetmbs.run(made).bodies, sheetmbs.run(plain).bodies.iloc[::10]
    assert np.abs(coarse.to_numpy() - fine.to_numpy()).max() < 1e-8


def test_crank_that_cannot_turn_fully_locks_in_words_and_leaves_the_motion_until_then():
    """a = 2.5, b = 3, c = 2, d = 4.2 violates Grashof: the crank stops where b and c are in line."""
    bodies, joints, _ = four_bar(2.5, 3.0, 2.0, 4.2)
    made = model(bodies, joints, drivers=(turning("A", 3.0),), t_step=0.01, analysis="kinematic")
    result = sheetmbs.run(made)
    stop = np.arccos((2.5**2 + 4.2**2 - 5.0**2) / (2 * 2.5 * 4.2)) / 3.0
    assert result.status == "failed"
    problem = problem_of(result, "locked")
    assert any(name in problem.found for name in "BCD")
    assert result.bodies["time"].iloc[-1] == pytest.approx(stop, abs=0.011)
    assert float(problem.found.split("t = ")[1].split(" s")[0]) == pytest.approx(stop, abs=1e-3)


def test_loop_whose_links_are_too_short_cannot_be_assembled_and_names_what_stays_open():
    far = Joint("too far", "revolute", on("bob", 1.0), on("ground", 5.0))
    result = sheetmbs.run(model((body("bob", 1.0),), (hinge("pin", on("ground"), on("bob", -1.0)), far)))
    assert result.status == "failed"
    assert "too far" in problem_of(result, "not-assembled").found
    assert len(result.bodies) == 0


def test_poor_start_is_assembled_to_the_nearest_configuration():
    bob = body("bob", 1.4, -0.3, 0.25)
    result = sheetmbs.run(model((bob,), (hinge("pin", on("ground"), on("bob", -1.0)),), t_end=0.1))
    first = result.bodies.iloc[0]
    assert np.hypot(first["bob.x"] - np.cos(first["bob.phi"]), first["bob.y"] - np.sin(first["bob.phi"])) < 1e-10
    assert any(problem.code == "moved" for problem in result.sheets.problems)


def test_formula_without_a_value_names_its_time_and_its_fault():
    driver = Driver("root", None, "pin", "angle", Formula(parse("sqrt(1 - 2*t)"), cell="Drivers!D3"))
    result = sheetmbs.run(
        model(
            (body("bob", 1.0),), (hinge("pin", on("ground"), on("bob", -1.0)),), drivers=(driver,), analysis="kinematic"
        )
    )
    problem = problem_of(result, "no-value")
    assert problem.cell == "Drivers!D3"
    assert '"sqrt(1 - 2*t)" has no value near t = 0.' in problem.found
    assert result.bodies["time"].iloc[-1] == pytest.approx(0.4)


def test_force_without_a_value_leaves_its_reactions_empty_and_fails_in_words():
    broken = Force("broken", on("bob"), (Formula(parse("sqrt(0.55 - t)"), cell="Forces!C2"), 0.0, 0.0), (0.0, 0.0, 0.0))
    joints = (hinge("pin", on("ground"), on("bob", -1.0)),)
    made = model((body("bob", 1.0),), joints, drivers=(turning("pin", 1.0),), analysis="inverse dynamic")
    result = sheetmbs.run(replace(made, forces=(broken,)))
    assert result.status == "failed"
    assert problem_of(result, "no-value").cell == "Forces!C2"
    assert result.joints["pin.j.fx"].isna().sum() == 5
    assert result.bodies.notna().all().all()


def test_body_without_mass_is_named():
    with pytest.raises(WorkbookError, match="bob has no mass"):
        sheetmbs.run(model((replace(body("bob"), mass=None),)))


def test_driver_moves_a_distance_as_a_ram():
    ram = Joint("ram", "distance", on("ground", 1.0, -1.0), on("jib"))
    driver = Driver("extend", None, "ram", "distance", Quadratic(1.0, 0.2, 0.0))
    jib = body("jib", 1.0, mass=10.0, inertia=3.0)
    made = model(
        (jib,), (hinge("pin", on("ground"), on("jib", -1.0)), ram), drivers=(driver,), analysis="inverse dynamic"
    )
    result = sheetmbs.run(made)
    frame = result.bodies
    assert np.abs(np.hypot(frame["jib.x"] - 1, frame["jib.y"] + 1) - 1 - 0.2 * frame["time"]).max() < 1e-9
    lever = (frame["jib.x"] + frame["jib.y"]) / (1 + 0.2 * frame["time"])
    moment = 13.0 * frame["jib.alpha"] + 98.1 * frame["jib.x"]
    assert np.abs(result.drivers["extend.force"] * lever - moment).max() < 1e-8


@pytest.mark.parametrize("start", [0.0, 1.0])
def test_slider_driven_into_its_dead_centre_is_stopped_in_words(start):
    """At x = r + l the slider no longer tells the crank where to go; x = r + l - (1 - t)^2 arrives there at t = 1."""
    x = 3.0 - (1.0 - start) ** 2
    angle = np.arccos((1 + x**2 - 4) / (2 * x))
    pin = (np.cos(angle), np.sin(angle))
    bodies = (bar("crank", (0, 0), pin), bar("rod", pin, (x, 0)), body("slider", x))
    rail = Joint("rail", "translational", on("ground", axes=slide_axes(0)), on("slider", axes=slide_axes(0)))
    joints = (
        hinge("main", on("ground"), on("crank", -0.5)),
        hinge("pin", on("crank", 0.5), on("rod", -1.0)),
        hinge("wrist", on("rod", 1.0), on("slider")),
        rail,
    )
    driver = Driver("pull", "slider", None, "x", Formula(parse("3 - (1 - t)^2")))
    made = model(bodies, joints, drivers=(driver,), analysis="kinematic", t_start=start, t_end=start + 1.0)
    result = sheetmbs.run(made)
    assert result.status == "failed"
    assert "dead point" in problem_of(result, "singular-position").found
    assert len(result.bodies) == (10 if start == 0.0 else 0)


SWAPPED = [  # joint, the bodies it has in place of its own
    *(("A", "ground", "coupler"), ("A", "crank", "coupler"), ("A", "crank", "rocker")),
    *(("B", "ground", "crank"), ("C", "ground", "coupler"), ("C", "crank", "rocker"), ("D", "ground", "crank")),
]


def elsewhere(joint, bodies, *names):
    """The joint at the same place between other bodies."""
    place = {each.name: each.position for each in bodies} | {"ground": np.zeros(3)}
    turn = {each.name: each.angles[2] for each in bodies} | {"ground": 0.0}

    def rotated(vector, angle):
        return np.array(
            [
                np.cos(angle) * vector[0] - np.sin(angle) * vector[1],
                np.sin(angle) * vector[0] + np.cos(angle) * vector[1],
            ]
        )

    there = place[joint.i.body][:2] + rotated(joint.i.origin, turn[joint.i.body])
    ends = [replace(joint.i, body=n, origin=np.array([*rotated(there - place[n][:2], -turn[n]), 0.0])) for n in names]
    return replace(joint, i=ends[0], j=ends[1])


@pytest.mark.parametrize(("name", "one", "other"), SWAPPED)
def test_a_joint_between_the_wrong_bodies_is_the_one_that_is_named(name, one, other):
    bodies, joints, _ = four_bar()
    names = [each.name for each in bodies]
    assert {one, other} <= {"ground", *names}
    wrong = tuple(elsewhere(each, bodies, one, other) if each.name == name else each for each in joints)
    wrong = tuple(replace(each, cell=f"Joints!A{row}") for row, each in enumerate(wrong, start=2))
    with pytest.raises(WorkbookError) as raised:
        sheetmbs.run(model(bodies, wrong, drivers=(turning("A", 1.0),), analysis="kinematic"))
    [problem] = raised.value.problems
    assert problem.code == "over-driven"
    assert problem.cell.startswith("Joints!")
    assert re.search(rf"\b{name}\b", problem.found + problem.mend)
    assert "drive A" in problem.found
    assert "prescribe a motion" not in problem.found


def test_drivers_that_are_too_many_are_told_in_the_plural():
    bodies, joints, _ = four_bar()
    with pytest.raises(WorkbookError) as raised:
        sheetmbs.run(model(bodies, joints, drivers=(turning("A", 1.0), turning("D", 1.0)), analysis="kinematic"))
    assert "drive A and drive D prescribe motions" in raised.value.problems[0].found
