"""Links of little or no mass: forces on every body obey Newton and Euler, and steps are as long as with heavier links."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import sheetmbs
from sheetmbs.lower import lower
from sheetmbs.lower.system import IS_ROTATIONAL
from sheetmbs.results import reported_motion
from tests.lower.massless_mechanisms import G, control_arm, double_wishbone, inertia_forces, link, wrenches
from tests.support.mechanisms import body, hinge, model, on
from tests.support.spatial_mechanisms import joined, rigid, space

WORKBOOKS = Path(__file__).parents[2] / "workbooks"
LIGHT = (0.0, 1e-15, 1e-12, 1e-9, 1e-8, 1e-7, 1e-3)


def worst_imbalance(made):
    """Largest force or moment that reactions and springs leave over on any body, over the largest force; and the result."""
    result = sheetmbs.run(made)
    assert result.status == "done"
    assert result.summary["accuracy check"] == "passed"
    assert not [problem for problem in result.sheets.problems if problem.severity != "note"]
    left, size = 0.0, 0.0
    for each in made.bodies:
        forces, inertia = wrenches(result, made, each.name), inertia_forces(result, made, each.name)
        left = max(left, np.abs(forces - inertia).max())
        size = max(size, np.abs(inertia).max())
    return left / size, result


@pytest.mark.parametrize("mass", LIGHT)
def test_an_arm_carries_what_newton_says_however_light_it_is(mass):
    left, result = worst_imbalance(control_arm(mass))
    assert left < 1e-11
    assert result.summary["steps"] < 200


@pytest.mark.parametrize("mass", LIGHT)
@pytest.mark.parametrize("hinge_type", ["revolute", "cylindrical", "fixed"])
def test_an_arm_of_any_hinges_carries_what_newton_says(mass, hinge_type):
    left, result = worst_imbalance(control_arm(mass, hinge_type, t_end=1.0))
    assert left < 1e-11
    assert result.summary["steps"] < 200


def test_motion_with_a_massless_arm_is_the_limit_of_lighter_ones():
    """The motion depends smoothly on the mass m of the arm: two small masses extrapolate to none."""
    tables = [sheetmbs.run(control_arm(mass, rtol=1e-11, t_end=1.0)).bodies for mass in (0.0, 1e-5, 2e-5)]
    none, one, two = (table[["bob.x", "bob.y", "bob.z"]] for table in tables)
    changed = np.abs(one - none).max().max()
    assert changed > 5e-6
    assert np.abs(2.0 * one - two - none).max().max() < 1e-2 * changed


def test_a_pin_between_the_ground_and_an_arm_without_mass_yields_as_one_of_the_heaviest_part():
    """It still measures a length: no row of a displacement may pass for one of an angle, whose compliance is 0."""
    lowered = lower(double_wishbone(mass=0.0))
    rows = lowered.arrange().arrays.row
    is_angle = IS_ROTATIONAL[rows.kind]
    assert list(rows.compliance[is_angle]) == [0.0] * 4
    upright = (rows.body_i == 3) | (rows.body_j == 3)
    assert np.count_nonzero(~is_angle & ~upright) == 6
    assert set(rows.compliance[~is_angle & ~upright]) == {1.0 / 12.0}
    assert set(rows.compliance[~is_angle & upright]) == {1.0 / 12.0}


@pytest.mark.parametrize("mass", LIGHT)
@pytest.mark.parametrize("strut", ["lower arm", "upright"])
def test_a_double_wishbone_with_light_arms_is_in_balance(mass, strut):
    left, result = worst_imbalance(double_wishbone(mass, strut))
    assert left < 1e-10
    heavy = sheetmbs.run(double_wishbone(1e-3, strut))
    assert result.summary["evaluations"] < 1.2 * heavy.summary["evaluations"]


@pytest.mark.parametrize("mass", [0.0, 1e-12, 1e-8, 1e-6])
def test_friction_presses_with_the_true_reactions_of_massless_arms(mass):
    light = sheetmbs.run(double_wishbone(mass, friction=0.1, t_end=0.3))
    heavier = sheetmbs.run(double_wishbone(1e-4, friction=0.1, t_end=0.3))
    assert light.status == heavier.status == "done"
    assert {problem.code for problem in light.sheets.problems if problem.severity != "note"} <= {"creeps"}
    assert np.abs(light.joints - heavier.joints).max().max() < 1e-4 * np.abs(heavier.joints).max().max()


@pytest.mark.parametrize("mass", [0.0, 1e-12, 1e-9, 1e-6])
def test_a_planar_rod_of_no_mass_carries_its_bob(mass):
    bodies = [body("rod", 0.5, mass=mass, inertia=mass), body("bob", 1.3, 0.4, mass=2.0)]
    joints = [hinge("pivot", on("ground"), on("rod", -0.5)), hinge("pin", on("rod", 0.5), on("bob", -0.3, -0.4))]
    result = sheetmbs.run(model(bodies, joints, t_end=2.0))
    pull = result.joints[["pin.j.fx", "pin.j.fy"]].to_numpy()
    wanted = 2.0 * (result.bodies[["bob.ax", "bob.ay"]].to_numpy() + np.array([0.0, G]))
    assert np.abs(pull - wanted).max() < 1e-11 * np.abs(wanted).max()


@pytest.mark.parametrize("method", ["dopri5", "abm", "lsoda", "bdf", "radau", "generalized-alpha"])
def test_every_method_leaves_out_the_mass_that_an_arm_does_not_have(method):
    settings = {"integrator": method, "t_end": 0.3, "rtol": 1e-6}
    if method == "generalized-alpha":
        settings["step"] = 0.0005
    result = sheetmbs.run(made := control_arm(0.0, **settings))
    exact = sheetmbs.run(control_arm(0.0, rtol=1e-11, t_end=0.3))
    forces, inertia = wrenches(result, made, "bob"), inertia_forces(result, made, "bob")
    assert np.abs(forces - inertia).max() < 1e-9 * np.abs(inertia).max()
    assert np.abs(result.bodies - exact.bodies).max().max() < 2e-3


@pytest.mark.parametrize("formulation", ["lagrange", "baumgarte", "augmented-lagrangian", "coordinate-partitioning"])
def test_every_formulation_leaves_out_the_mass_that_an_arm_does_not_have(formulation):
    made = control_arm(0.0, formulation=formulation, t_end=0.5, rtol=1e-9)
    exact = sheetmbs.run(control_arm(0.0, rtol=1e-11, t_end=0.5))
    result = sheetmbs.run(made)
    assert np.abs(result.bodies - exact.bodies).max().max() < 1e-5
    forces, inertia = wrenches(result, made, "bob"), inertia_forces(result, made, "bob")
    assert np.abs(forces - inertia).max() < 1e-7 * np.abs(inertia).max()


@pytest.mark.parametrize("mass", LIGHT)
def test_an_arm_at_rest_carries_the_weight_on_it(mass):
    bodies = [link("arm", (0.5, 0, 0), mass), rigid("bob", (1, 0, -1))]
    joints = [
        joined(bodies, "pivot", "revolute", "ground", "arm", (0, 0, 0), (0, 0, 1)),
        joined(bodies, "ball", "spherical", "arm", "bob", (1, 0, 0)),
    ]
    result = sheetmbs.run(space(bodies, joints, analysis="equilibrium", t_end=None))
    assert abs(result.joints["ball.j.fz"].iloc[0] - G) < 1e-11 * G
    assert abs(result.joints["pivot.j.fz"].iloc[0] - G * (1.0 + mass)) < 1e-11 * G


@pytest.mark.parametrize("strut", ["lower arm", "upright"])
def test_reactions_at_rest_do_not_depend_on_inertias(strut):
    found = []
    for inertia in ((0.3, 0.45, 0.28), (30.0, 45.0, 28.0), (0.0, 0.0, 0.0), (1e-7, 2e-7, 1e-7)):
        made = double_wishbone(1.5, strut, analysis="equilibrium", t_end=None)
        bodies = [rigid(b.name, b.position, mass=b.mass, inertia=inertia) for b in made.bodies]
        found.append(sheetmbs.run(space(bodies, made.joints, springs=made.springs, analysis="equilibrium", t_end=None)))
    for other in found[1:]:
        assert np.abs(other.joints - found[0].joints).max().max() < 1e-7


def test_forces_that_do_not_balance_are_told_at_their_body(monkeypatch):
    """A reaction that is wrong by a thousandth, whatever spoils it, is a warning at the cell of the body."""
    judge = reported_motion.accuracy

    def spoiled(lowered, solution, _found):
        shifted = solution.a.copy()
        shifted[:, lowered.bodies.records[2].v] += 1e-2
        wrong = reported_motion.reported(lowered, replace(solution, a=shifted))
        return judge(lowered, solution, wrong)

    monkeypatch.setattr(reported_motion, "accuracy", spoiled)
    for analysis in ({}, {"analysis": "equilibrium", "t_end": None}):
        result = sheetmbs.run(control_arm(0.0, **analysis))
        assert result.summary["accuracy check"] == "in doubt: forces"
        assert any("applied forces and reactions of" in problem.found for problem in result.sheets.problems)


def tie_rod_mechanism(mass, **settings):
    """A hinged arm that pulls a sliding body through a rod with a ball joint at either end, which may spin about its axis."""
    bodies = [
        rigid("arm", (0, 0.2, 0), mass=2.0),
        link("tie rod", (0.05, 0.4, 0.25), mass),
        rigid("slider", (0.1, 0.4, 0.5), mass=1.5),
    ]
    joints = [
        joined(bodies, "pivot", "revolute", "ground", "arm", (0, 0, 0), (1, 0, 0)),
        joined(bodies, "inner ball", "spherical", "arm", "tie rod", (0, 0.4, 0)),
        joined(bodies, "outer ball", "spherical", "tie rod", "slider", (0.1, 0.4, 0.5)),
        joined(bodies, "rail", "translational", "ground", "slider", (0.1, 0.4, 0.5), (0, 0, 1)),
    ]
    return space(bodies, joints, **{"t_end": 1.0, "t_step": 0.02} | settings)


@pytest.mark.parametrize("mass", LIGHT)
def test_a_rod_that_may_spin_between_ball_joints_is_a_two_force_member(mass):
    left, result = worst_imbalance(made := tie_rod_mechanism(mass))
    assert left < 1e-10
    assert result.summary["steps"] < 200
    spin = result.bodies[["tie rod.wx", "tie rod.wy", "tie rod.wz"]].to_numpy()
    along = np.array([0.1, 0.0, 0.5]) / np.sqrt(0.26)
    assert np.abs(spin @ along).max() < 1e-4  # all that turns it is rounding
    if mass == 0.0:
        force = result.joints[[f"outer ball.j.f{axis}" for axis in "xyz"]].to_numpy()
        ends = [result.bodies[[f"{name}.{axis}" for axis in "xyz"]].to_numpy() for name in ("tie rod", "slider")]
        assert np.abs(np.cross(force, ends[1] - ends[0])).max() < 1e-10 * np.abs(force).max()
    assert made.bodies[1].mass == mass


def test_the_road_case_of_the_suspension_workbook_takes_no_longer_with_massless_links():
    road = sheetmbs.read(WORKBOOKS / "double-wishbone.xlsx", case="road")
    links = {"lower arm", "upper arm", "tie rod", "rack"}
    none = replace(
        road,
        bodies=tuple(
            replace(each, mass=0.0, inertia=np.zeros((3, 3))) if each.name in links else each for each in road.bodies
        ),
    )
    given, massless = sheetmbs.run(road), sheetmbs.run(none)
    assert massless.status == "done"
    assert massless.summary["accuracy check"] == "passed"
    assert massless.summary["evaluations"] < 1.1 * given.summary["evaluations"]
