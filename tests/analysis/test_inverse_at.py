"""Inverse dynamics frame by frame: what the analysis of a workbook finds, laws of closed form, and each frame by itself."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.spatial.transform import Rotation

import sheetmbs
from sheetmbs.analysis.inverse_at import inverse_at
from sheetmbs.model.model import Clearance, Driver, Force, ForceSeries, Formula, Joint, Model, Quadratic, Settings
from sheetmbs.schema.expression import parse
from tests.support import gait_walker as walker
from tests.support.mechanisms import bar, body, double_pendulum, four_bar, hinge, model, on, slide_axes
from tests.support.spatial_mechanisms import rigid
from tests.support.springs import make_spring


def formula(text):
    return Formula(parse(text))


def measured(table, bodies, columns):
    """(n, bodies, 3) of the motion columns of a run."""
    return np.stack([table[[f"{name}.{column}" for column in columns]].to_numpy() for name in bodies], axis=1)


def of_run(result):
    names = [each.name for each in result.model.bodies]
    return [
        measured(result.bodies, names, each)
        for each in (["x", "y", "phi"], ["vx", "vy", "omega"], ["ax", "ay", "alpha"])
    ]


def arm_on_a_cart(**more):
    """A cart on a rail, an arm of two links on it, all driven; a torsion spring that turns far, a damper, loads."""
    bodies = (body("cart", 0.0, 0.0, mass=3.0), bar("upper", (0, 0), (1, 0)), bar("lower", (1, 0), (2, 0), mass=0.5))
    joints = (
        Joint("rail", "translational", on("ground", axes=slide_axes(0)), on("cart", axes=slide_axes(0))),
        hinge("top", on("cart"), on("upper", -0.5)),
        hinge("elbow", on("lower", -0.5), on("upper", 0.5)),
    )
    drivers = (
        Driver("a", None, "rail", "displacement", formula("0.2*sin(2*t)")),
        Driver("b", None, "top", "angle", formula("5*t^2")),
        Driver("c", None, "elbow", "angle", formula("0.5*cos(2*t)-0.5")),
    )
    springs = (
        make_spring("coil", "rotational", on("ground"), on("upper"), k=7.0, natural=0.4),
        make_spring("strut", "translational", on("cart", 0.1, 1.0), on("lower", 0.2), k=50.0, c=3.0, natural=0.5),
    )
    return replace(model(bodies, joints, drivers=drivers, springs=springs, analysis="inverse dynamic"), **more)


def test_loads_are_those_of_the_inverse_dynamic_analysis_of_a_workbook():
    force = Force("push", on("lower", 0.3, 0.1), (2.0, formula("3*t"), 0.0), (0.0, 0.0, 1.0), in_body_axes=True)
    result = sheetmbs.run(arm_on_a_cart(forces=(force,)))
    found = sheetmbs.inverse_at(result.model, *of_run(result), times=result.bodies["time"].to_numpy())
    assert found.residual == {}
    for joint, driver in (("rail", "a"), ("top", "b"), ("elbow", "c")):
        shown = result.joints[[f"{joint}.j.fx", f"{joint}.j.fy", f"{joint}.j.m"]].to_numpy().copy()
        if joint == "rail":
            shown[:, 0] += result.drivers[f"{driver}.force"]
        else:
            shown[:, 2] += result.drivers[f"{driver}.moment"]
        assert np.abs(found.reactions[joint] - shown).max() < 1e-9 * np.abs(shown).max()
        assert found.violation[joint].max() < 1e-9


def test_wrenches_about_the_origin_are_measured_loads_of_a_workbook():
    """A load that a workbook gives at a point is taken out of the model and handed over as a wrench."""
    plain = arm_on_a_cart()
    times = np.linspace(0.0, 1.0, 11)
    force = np.column_stack((3.0 + times, 20.0 * times, 0.0 * times))
    point = np.column_stack((0.4 + times, 0.0 * times, 0.0 * times))
    moment = np.column_stack((0.0 * times, 0.0 * times, 2.0 - times))
    series = ForceSeries("lower", times, force, moment, point, "global")
    result = sheetmbs.run(replace(plain, force_series=(series,)))
    wrench = np.column_stack((force[:, :2], moment[:, 2] + np.cross(point, force)[:, 2]))
    motion = of_run(result)
    found = inverse_at(plain, *motion, {"lower": wrench})
    with_series = inverse_at(result.model, *motion, times=times)
    for joint in ("rail", "top", "elbow"):
        assert np.abs(found.reactions[joint] - with_series.reactions[joint]).max() < 1e-9
    shown = result.joints[["elbow.i.fx", "elbow.i.fy"]].to_numpy()
    assert np.abs(found.reactions["elbow"][:, :2] + shown).max() < 1e-9


def walking(time):
    """The walker as a model of jointed bodies with its motion, and wrenches of the ground by foot."""
    walk = walker.walk(time)
    bodies = tuple(body(each.name, mass=each.mass, inertia=each.inertia) for each in walk.pieces.values())

    def reach(name, end):
        each = walk.pieces[name]
        offset, angle = getattr(each, end).value - each.com.value, each.angle.value
        c, s = np.cos(angle[0]), np.sin(angle[0])
        return on(name, *(np.array([[c, s], [-s, c]]) @ offset[0]))

    joints = []
    for side in ("right", "left"):
        foot, shank, thigh = (f"{side} {name}" for name in ("foot", "shank", "thigh"))
        joints += [
            hinge(f"{side} ankle", reach(shank, "distal"), reach(foot, "proximal")),
            hinge(f"{side} knee", reach(thigh, "distal"), reach(shank, "proximal")),
            hinge(f"{side} hip", reach("trunk", "distal"), reach(thigh, "proximal")),
        ]
    q, v, a = (
        np.stack(
            [np.column_stack((getattr(each.com, part), getattr(each.angle, part))) for each in walk.pieces.values()],
            axis=1,
        )
        for part in ("value", "rate", "second")
    )
    wrenches = {f"{side} foot": np.column_stack(wrench) for side, wrench in walker.ground(time).items()}
    return Model(settings=Settings(), bodies=bodies, joints=tuple(joints)), q, v, a, wrenches


def test_joints_of_the_exact_walker_carry_what_newton_and_euler_ask_for():
    time = np.linspace(0.0, 2.0, 101)
    model_, *motion, wrenches = walking(time)
    found = inverse_at(model_, *motion, wrenches, roots=["trunk"])
    for label, load in walker.joint_loads(time).items():
        assert np.abs(found.reactions[label] - np.column_stack((load.force, load.moment))).max() < 1e-9
        assert found.violation[label].max() < 1e-12
    assert np.abs(found.residual["trunk"]).max() < 1e-9


def test_the_residual_stands_at_the_root_that_is_named_and_joints_pass_it_on():
    time = np.linspace(0.0, 1.0, 21)
    model_, *motion, wrenches = walking(time)
    short = {"right foot": wrenches["right foot"]}
    by_trunk = inverse_at(model_, *motion, short, roots=["trunk"])
    by_foot = inverse_at(model_, *motion, short, roots=["left foot"])
    left = wrenches["left foot"]
    assert np.abs(by_trunk.residual["trunk"] - left).max() < 1e-9
    assert np.abs(by_foot.residual["left foot"] - left).max() < 1e-9
    whole = inverse_at(model_, *motion, wrenches).reactions["left knee"]
    assert np.abs(by_foot.reactions["left knee"] - whole).max() < 1e-9
    assert np.abs(by_trunk.reactions["left knee"] - whole).max() > 100.0


def test_a_frame_that_is_not_known_leaves_all_others_and_other_bodies_alone():
    time = np.linspace(0.0, 1.0, 21)
    model_, q, v, a, wrenches = walking(time)
    whole = inverse_at(model_, q, v, a, wrenches, roots=["trunk"]).reactions
    shank = [each.name for each in model_.bodies].index("left shank")
    q[7, shank], a[9, shank, 2] = np.nan, np.nan
    found = inverse_at(model_, q, v, a, wrenches, roots=["trunk"]).reactions
    blank = {label: np.flatnonzero(np.any(np.isnan(load), axis=1)).tolist() for label, load in found.items()}
    assert blank == {label: [7, 9] if label in {"left knee", "left hip"} else [] for label in blank}
    for label, load in found.items():
        there = ~np.isnan(load)
        assert np.array_equal(load[there], whole[label][there])


def test_a_spring_that_was_blank_in_one_frame_is_itself_in_the_next():
    result = sheetmbs.run(arm_on_a_cart())
    q, v, a = of_run(result)
    whole = inverse_at(result.model, q, v, a).reactions["top"]
    q[4] = np.nan
    found = inverse_at(result.model, q, v, a).reactions["top"]
    assert np.all(np.isnan(found[4]))
    assert np.array_equal(np.delete(found, 4, axis=0), np.delete(whole, 4, axis=0))


def tumbling(time, spin, precession, tilt):
    """A symmetric top: its rotation, angular velocity and acceleration when it precesses steadily about z."""
    turn = (
        Rotation.from_rotvec(np.outer(precession * time, [0, 0, 1]))
        * Rotation.from_rotvec([tilt, 0, 0])
        * Rotation.from_rotvec(np.outer(spin * time, [0, 0, 1]))
    )
    axis = turn.as_matrix()[:, :, 2]
    omega = np.array([0, 0, precession]) + spin * axis
    alpha = spin * np.cross([0, 0, precession], axis)
    return turn.as_matrix(), omega, alpha


def test_a_top_that_tumbles_freely_needs_nothing():
    """Without moments a symmetric body precesses at rate H/I, its spin (1 - J/I) of the rate about its axis."""
    inertia, polar, tilt, precession = 0.3, 0.5, 0.7, 4.0
    spin = precession * np.cos(tilt) * (inertia - polar) / polar
    time = np.linspace(0.0, 2.0, 50)
    turned, omega, alpha = tumbling(time, spin, precession, tilt)
    top = Model(
        settings=Settings(dimension="3D", gravity=(0.0, 0.0, -9.81)),
        bodies=(rigid("top", mass=2.0, inertia=(inertia, inertia, polar)),),
    )
    flight = np.column_stack((1.0 + 2.0 * time, 0.0 * time, 3.0 * time - 4.905 * time**2))
    speed = np.column_stack((2.0 + 0.0 * time, 0.0 * time, 3.0 - 9.81 * time))
    fall = np.tile([0.0, 0.0, -9.81], (len(time), 1))
    q = flight[:, None], turned[:, None]
    found = inverse_at(top, q, np.hstack((speed, omega))[:, None], np.hstack((fall, alpha))[:, None])
    assert np.abs(found.residual["top"]).max() < 1e-12
    faster = inverse_at(top, q, np.hstack((speed, 1.1 * omega))[:, None], np.hstack((fall, alpha))[:, None])
    assert np.abs(faster.residual["top"]).max() > 0.1


def test_the_moment_on_a_tumbling_body_of_any_inertia_is_the_change_of_its_angular_momentum():
    tensor = np.array([[0.30, 0.04, -0.02], [0.04, 0.45, 0.05], [-0.02, 0.05, 0.60]])
    time, step = np.linspace(0.0, 1.0, 20), 1e-5
    block = Model(
        settings=Settings(dimension="3D", gravity=(0.0, 0.0, 0.0)), bodies=(rigid("block", mass=2.0, inertia=tensor),)
    )
    turned, omega, alpha = tumbling(time, 3.0, 2.0, 0.7)
    place = np.tile([0.5, -1.0, 2.0], (len(time), 1))
    still = np.zeros((len(time), 3))
    wrench = np.tile([0.0, 0.0, 0.0, 1.0, 2.0, 3.0], (len(time), 1))
    found = inverse_at(
        block,
        (place[:, None], turned[:, None]),
        np.hstack((still, omega))[:, None],
        np.hstack((still, alpha))[:, None],
        {"block": wrench},
    )

    def momentum(at):
        r, w, _ = tumbling(at, 3.0, 2.0, 0.7)
        return np.einsum("nij,jk,nlk,nl->ni", r, tensor, r, w)

    change = (momentum(time + step) - momentum(time - step)) / (2 * step)
    assert np.abs(found.residual["block"][:, 3:] - (change - [1.0, 2.0, 3.0])).max() < 1e-7
    assert np.abs(found.residual["block"][:, :3]).max() < 1e-12


def test_a_spatial_joint_hands_on_force_and_moment_at_its_point():
    """A body at rest on the ground by a ball joint beside it, under its weight alone."""
    beam = Model(
        settings=Settings(dimension="3D", gravity=(0.0, 0.0, -10.0)),
        bodies=(rigid("arm", mass=2.0),),
        joints=(Joint("wall", "spherical", on("arm", -1.5), on("ground")),),
    )
    turned = Rotation.from_rotvec([0.0, 0.0, np.pi / 2]).as_matrix()
    q = np.array([[[0.0, 1.5, 0.0]]]), turned[None, None]
    found = inverse_at(beam, q, np.zeros((1, 1, 6)), np.zeros((1, 1, 6)))
    assert np.allclose(found.reactions["wall"], [[0.0, 0.0, -20.0, -30.0, 0.0, 0.0]])
    assert found.violation["wall"][0] < 1e-12


def test_a_pose_off_its_joint_is_told():
    pendulum = double_pendulum()
    q = np.array([[[0.5, 0.0, 0.0], [1.5, 0.02, 0.0]]])
    found = inverse_at(pendulum, q, np.zeros((1, 2, 3)), np.zeros((1, 2, 3)))
    assert np.allclose([found.violation[name][0] for name in ("top", "elbow")], [0.0, 0.02])


LOOSE = Clearance("c", "lankarani-nikravesh", on("ground"), on("one"), 1.0, 0.9, (1.0, 1.0), (0.3, 0.3))
STILL = np.zeros((1, 3, 3))


def test_a_closed_chain_is_refused_by_the_names_of_its_joints():
    bodies, joints, _ = four_bar()
    with pytest.raises(sheetmbs.WorkbookError) as told:
        inverse_at(model(bodies, joints), STILL, STILL, STILL)
    found = told.value.problems[0]
    closing, others = found.found.removeprefix("joint ").split(" closes a loop with ")
    assert {closing, *others.split(", ")} == {"A", "B", "C", "D"}
    assert "depends on which of them is driven" in found.problem


@pytest.mark.parametrize(
    ("changed", "word"),
    [
        ({"bodies": (body("one", mass=None),)}, "its mass or inertia is blank"),
        ({"forces": (Force("f", on("one"), (formula("t"), 0.0, 0.0), (0.0, 0.0, 0.0)),)}, "times of the frames"),
        ({"clearances": (LOOSE,)}, "clearance"),
    ],
)
def test_what_has_no_place_in_a_tree_of_rigid_bodies_is_refused_in_words(changed, word):
    given = replace(model((body("one"),)), **changed)
    with pytest.raises(sheetmbs.WorkbookError, match=word):
        inverse_at(given, STILL[:, :1], STILL[:, :1], STILL[:, :1])


def test_arrays_that_do_not_fit_are_refused_in_words():
    one = model((body("one"),))
    good = STILL[:, :1]
    with pytest.raises(ValueError, match=r"v has the shape \(1, 3, 3\); here it must be \(1, 1, 3\)"):
        inverse_at(one, good, STILL, good)
    with pytest.raises(ValueError, match="there is no body 'two'"):
        inverse_at(one, good, good, good, {"two": good[:, 0]})
    space = Model(settings=Settings(dimension="3D"), bodies=(rigid("one"),))
    with pytest.raises(ValueError, match="rotation matrices"):
        inverse_at(space, (good, np.full((1, 1, 3, 3), 0.5)), np.zeros((1, 1, 6)), np.zeros((1, 1, 6)))


def test_drivers_and_initial_poses_do_not_count():
    pendulum = double_pendulum()
    driven = replace(pendulum, drivers=(Driver("d", None, "top", "angle", Quadratic(0.0, 3.0, 1.0)),))
    moved = replace(driven, bodies=tuple(replace(each, position=each.position + 5.0) for each in driven.bodies))
    rng = np.random.default_rng(1)
    q, v, a = rng.normal(size=(3, 4, 2, 3))
    found, other = inverse_at(pendulum, q, v, a), inverse_at(moved, q, v, a)
    for joint in ("top", "elbow"):
        assert np.array_equal(found.reactions[joint], other.reactions[joint])
