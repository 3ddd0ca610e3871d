"""Inverse dynamics: torques of closed form, free bodies in balance, and forces that answer to no frame of reference."""

from dataclasses import replace

import numpy as np
import pytest

import sheetmbs
from sheetmbs.elements.marker import GROUND
from sheetmbs.model.model import Driver, Force, ForceSeries, Formula, Joint, Point, Quadratic, Series
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
    slider_crank,
    turning,
)
from tests.support.springs import make_spring

GRAVITY = 9.81


def inverse(bodies, joints, drivers, **more):
    return sheetmbs.run(model(bodies, joints, drivers=drivers, analysis="inverse dynamic", **more))


def test_torque_of_a_driven_bar_is_inertia_and_weight():
    motion = Formula(parse("0.4*sin(3*t)"))
    driver = Driver("motor", None, "pin", "angle", motion)
    result = inverse((bar("bar", (0, 0), (2, 0), mass=3.0),), (hinge("pin", on("ground"), on("bar", -1.0)),), (driver,))
    t = result.drivers["time"]
    angle = 0.4 * np.sin(3 * t)
    torque = 3.0 * 2.0**2 / 3 * (-9 * angle) + 3.0 * GRAVITY * np.cos(angle)
    assert np.abs(result.drivers["motor.moment"] - torque).max() < 1e-10
    assert np.abs(result.drivers["motor.power"] - torque * 1.2 * np.cos(3 * t)).max() < 1e-10


def test_torques_of_a_two_link_arm_are_those_of_its_lagrangian():
    """Uniform links of 1.0 and 0.8 m, 2 and 3 kg, driven at both joints."""
    m1, m2, l1, l2 = 2.0, 3.0, 1.0, 0.8
    links = (bar("upper", (0, 0), (l1, 0), mass=m1), bar("fore", (l1, 0), (l1 + l2, 0), mass=m2))
    joints = (
        hinge("shoulder", on("ground"), on("upper", -l1 / 2)),
        hinge("elbow", on("upper", l1 / 2), on("fore", -l2 / 2)),
    )
    drivers = (
        Driver("first", None, "shoulder", "angle", Formula(parse("t^2"))),
        Driver("second", None, "elbow", "angle", Formula(parse("sin(2*t)"))),
    )
    result = inverse(links, joints, drivers)
    t = result.drivers["time"].to_numpy()
    a, a1, a2 = t**2, 2 * t, 2 + 0 * t
    b, b1, b2 = np.sin(2 * t), 2 * np.cos(2 * t), -4 * np.sin(2 * t)
    coupling = m2 * l1 * l2 / 2
    m22 = m2 * l2**2 / 3
    m12 = m22 + coupling * np.cos(b)
    m11 = m1 * l1**2 / 3 + m2 * l1**2 + m22 + 2 * coupling * np.cos(b)
    g2 = m2 * GRAVITY * l2 / 2 * np.cos(a + b)
    g1 = (m1 / 2 + m2) * GRAVITY * l1 * np.cos(a) + g2
    first = m11 * a2 + m12 * b2 - coupling * np.sin(b) * (2 * a1 * b1 + b1**2) + g1
    second = m12 * a2 + m22 * b2 + coupling * np.sin(b) * a1**2 + g2
    assert np.abs(result.drivers["first.moment"] - first).max() < 1e-9
    assert np.abs(result.drivers["second.moment"] - second).max() < 1e-9


def test_massless_slider_crank_passes_the_piston_force_on_as_statics_says():
    """Rod force F/cos(b) with sin(b) = r sin(a)/l; the guide takes F tan(b), the crank F times its virtual arm."""
    bodies, joints = slider_crank(0.5, 2.0)
    weightless = tuple(replace(b, mass=0.0, inertia=np.zeros((3, 3))) for b in bodies)
    gas = Force("gas", on("slider"), (-1000.0, 0.0, 0.0), (0.0, 0.0, 0.0))
    made = model(weightless, joints, drivers=(turning("main", 5.0, 0.3),), analysis="inverse dynamic")
    result = sheetmbs.run(replace(made, forces=(gas,)))
    a = 0.3 + 5.0 * result.drivers["time"].to_numpy()
    b = np.arcsin(0.5 * np.sin(a) / 2.0)
    assert np.abs(result.joints["wrist.j.fx"] - 1000.0).max() < 1e-6
    assert np.abs(np.abs(result.joints["rail.j.fy"]) - np.abs(1000.0 * np.tan(b))).max() < 1e-6
    arm = 0.5 * np.sin(a) + 0.5 * np.cos(a) * np.tan(b)
    assert np.abs(result.drivers["drive main.moment"] + 1000.0 * arm).max() < 1e-6


def mixed():
    """A driven crank, a slider on a rocking rail, a strut, a spring, loads, and a fixed lump: one of everything."""
    pin = (np.cos(0.5), np.sin(0.5))
    tip = (2.5, 0.4)
    bodies = (
        bar("crank", (0, 0), pin, mass=1.5),
        bar("rod", pin, tip, mass=2.5),
        body("block", *tip, 0.2, mass=0.7, inertia=0.05),
        bar("rail", (3, -1), (2.2, 0.8), mass=2.0),
        body("lump", 3.0, 1.5, 0.4, mass=0.3, inertia=0.02),
    )
    place = {b.name: (b.position[:2], b.angles[2]) for b in bodies} | {GROUND: (np.zeros(2), 0.0)}

    def at(name, point, angle=None):
        centre, phi = place[name]
        c, s = np.cos(phi), np.sin(phi)
        dx, dy = np.array(point) - centre
        return on(name, c * dx + s * dy, c * dy - s * dx, None if angle is None else slide_axes(angle - phi))

    joints = (
        hinge("main", at(GROUND, (0, 0)), at("crank", (0, 0))),
        hinge("pin", at("crank", pin), at("rod", pin)),
        hinge("tip", at("rod", tip), at("block", tip)),
        hinge("foot", at("rail", (3, -1)), at(GROUND, (3, -1))),
        Joint(
            "slide",
            "translational",
            at("rail", (tip[0] - 0.6 * np.cos(1.9), tip[1] - 0.6 * np.sin(1.9)), 1.9),
            at("block", tip, 1.9),
        ),
        Joint("weld", "fixed", at("rail", (3, 1), 0.0), at("lump", (3, 1), 0.0)),
    )
    spring = make_spring(
        "spring", "translational", at("crank", (0.4, 0.4)), at("lump", (3.2, 1.4)), k=30.0, c=4.0, natural=2.0
    )
    turn = make_spring("turn", "rotational", on("crank"), on("rod"), k=3.0, c=0.4, natural=0.1)
    push = Force(
        "push", at("rod", (1.5, 0.9)), (3.0, Formula(parse("2*cos(t)")), 0.0), (0.0, 0.0, 1.5), in_body_axes=True
    )
    return bodies, joints, (spring, turn), (push,)


def mixed_model(analysis, **more):
    bodies, joints, springs, forces = mixed()
    drivers = (
        Driver("motor", None, "main", "angle", Formula(parse("0.6*t + 0.1*sin(4*t)"))),
        Driver("tilt", "rail", None, "phi", Formula(parse(f"{bodies[3].angles[2]:.17g} + 0.2*sin(t)"))),
    )
    made = model(bodies, joints, springs=springs, analysis=analysis, **more)
    return replace(made, forces=forces, drivers=drivers if analysis == "inverse dynamic" else drivers[:1])


def run_mixed(analysis="inverse dynamic"):
    made = mixed_model(analysis)
    return made.bodies, made.joints, sheetmbs.run(made)


def applied(frame, springs, name, bodies):
    """Force and moment about its centre of mass on a body of `mixed`, from springs and loads, by the sketch."""
    rows = len(frame)
    force, moment = np.zeros((rows, 2)), np.zeros(rows)
    where = {b.name: (b.position[:2], b.angles[2]) for b in bodies}

    def now(name, point):
        centre, phi = where[name]
        c, s = np.cos(phi), np.sin(phi)
        local = np.array([[c, s], [-s, c]]) @ (np.array(point) - centre)
        angle = frame[f"{name}.phi"].to_numpy()
        arm = np.column_stack(
            (np.cos(angle) * local[0] - np.sin(angle) * local[1], np.sin(angle) * local[0] + np.cos(angle) * local[1])
        )
        return frame[[f"{name}.x", f"{name}.y"]].to_numpy() + arm, arm

    ends = now("crank", (0.4, 0.4)), now("lump", (3.2, 1.4))
    along = ends[1][0] - ends[0][0]
    length = np.hypot(*along.T)
    pull = springs["spring.force"].to_numpy()[:, None] * along / length[:, None]
    assert np.abs(springs["spring.length"] - length).max() < 1e-12
    assert np.abs(springs["spring.spring_force"] - 30.0 * (length - 2.0)).max() < 1e-10
    for owner, sign, (_, arm) in (("crank", 1.0, ends[0]), ("lump", -1.0, ends[1])):
        if name == owner:
            force += sign * pull
            moment += sign * (arm[:, 0] * pull[:, 1] - arm[:, 1] * pull[:, 0])
    turn = springs["turn.moment"].to_numpy()
    moment += turn * ((name == "crank") * 1.0 - (name == "rod") * 1.0)
    if name == "rod":
        angle = frame["rod.phi"].to_numpy()
        fx, fy = 3.0 + 0 * angle, 2.0 * np.cos(frame["time"].to_numpy())
        push = np.column_stack((np.cos(angle) * fx - np.sin(angle) * fy, np.sin(angle) * fx + np.cos(angle) * fy))
        _, arm = now("rod", (1.5, 0.9))
        force += push
        moment += 1.5 + arm[:, 0] * push[:, 1] - arm[:, 1] * push[:, 0]
    return force, moment


@pytest.mark.parametrize("analysis", ["inverse dynamic", "dynamic"])
def test_every_body_is_in_balance_under_its_reactions(analysis):
    bodies, joints, result = run_mixed(analysis)
    assert result.status == "done"
    frame = result.bodies
    for b in bodies:
        force, moment = applied(frame, result.springs, b.name, bodies)
        force[:, 1] -= GRAVITY * b.mass
        for joint in joints:
            for side, marker in (("i", joint.i), ("j", joint.j)):
                if marker.body == b.name:
                    force += result.joints[[f"{joint.name}.{side}.fx", f"{joint.name}.{side}.fy"]].to_numpy()
                    moment += result.joints[f"{joint.name}.{side}.m_com"].to_numpy()
        if b.name == "crank":
            moment += result.drivers["motor.moment"].to_numpy()
        if b.name == "rail" and analysis == "inverse dynamic":
            moment += result.drivers["tilt.moment"].to_numpy()
        inertia = b.inertia[2, 2]
        assert np.abs(force - b.mass * frame[[f"{b.name}.ax", f"{b.name}.ay"]].to_numpy()).max() < 1e-8
        assert np.abs(moment - inertia * frame[f"{b.name}.alpha"].to_numpy()).max() < 1e-8


def test_reactions_on_both_bodies_are_equal_and_opposite_about_any_point():
    _, joints, result = run_mixed()
    frame = result.bodies

    def placed(marker):
        if marker.body == GROUND:
            return np.tile(marker.origin[:2], (len(frame), 1))
        angle = frame[f"{marker.body}.phi"].to_numpy()
        x, y = marker.origin[:2]
        arm = np.column_stack((np.cos(angle) * x - np.sin(angle) * y, np.sin(angle) * x + np.cos(angle) * y))
        return frame[[f"{marker.body}.x", f"{marker.body}.y"]].to_numpy() + arm

    for joint in joints:
        sums = np.zeros((len(frame), 3))
        for side, marker in (("i", joint.i), ("j", joint.j)):
            fx, fy, m = (result.joints[f"{joint.name}.{side}.{c}"].to_numpy() for c in ("fx", "fy", "m"))
            point = placed(marker)
            sums += np.column_stack((fx, fy, m + point[:, 0] * fy - point[:, 1] * fx))
            if marker.body != GROUND:
                arm = point - frame[[f"{marker.body}.x", f"{marker.body}.y"]].to_numpy()
                about = m + arm[:, 0] * fy - arm[:, 1] * fx
                assert np.abs(result.joints[f"{joint.name}.{side}.m_com"] - about).max() < 1e-10
        assert np.abs(sums).max() < 1e-9


def test_hinge_bears_no_moment_and_slide_no_force_along_its_axis():
    _, _, result = run_mixed()
    for name in ("main", "pin", "tip", "foot"):
        assert np.abs(result.joints[f"{name}.i.m"]).max() < 1e-9
    axis = 1.9 + result.bodies["rail.phi"] - result.bodies["rail.phi"][0]
    along = result.joints["slide.j.fx"] * np.cos(axis) + result.joints["slide.j.fy"] * np.sin(axis)
    across = result.joints["slide.j.fy"] * np.cos(axis) - result.joints["slide.j.fx"] * np.sin(axis)
    assert np.abs(along).max() < 1e-9
    assert np.abs(across).max() > 0.1


def test_motion_that_needs_no_help_gets_none():
    """Guided along its own free fall, a double pendulum asks nothing of its guides and its reactions are the same."""
    free = sheetmbs.run(double_pendulum(t_step=0.002, rtol=1e-11))
    t = free.bodies["time"].to_numpy()
    guides = tuple(
        Driver(f"{name}.phi", name, None, "phi", Series(t, free.bodies[f"{name}.phi"].to_numpy()), guiding=True)
        for name in ("upper", "lower")
    )
    made = double_pendulum(t_step=0.002, analysis="inverse dynamic", guiding_spline="not-a-knot")
    held = sheetmbs.run(replace(made, drivers=guides))
    assert held.drivers[["upper.phi.moment", "lower.phi.moment"]].abs().max().max() < 5e-3
    for column in ("top.j.fx", "top.j.fy", "elbow.j.fx", "elbow.j.fy"):
        assert np.abs(held.joints[column] - free.joints[column]).max() < 5e-3
        assert np.abs(free.joints[column]).max() > 1.0


def test_motor_between_two_links_turns_one_and_is_held_by_the_other():
    """Far from gravity, the first link pinned and undriven by itself: its driver bears the second motor's reaction."""
    links = (bar("a", (0, 0), (1, 0)), body("rotor", 1.0, inertia=0.4))
    joints = (hinge("root", on("ground"), on("a", -0.5)), hinge("shaft", on("a", 0.5), on("rotor")))
    drivers = (turning("root", 0.0), Driver("motor", None, "shaft", "angle", Quadratic(0.0, 0.0, 5.0)))
    found = inverse(links, joints, drivers, gravity=(0.0, 0.0, 0.0)).drivers
    assert np.abs(found["motor.moment"] - 0.4 * 5.0).max() < 1e-12
    assert np.abs(found["drive root.moment"] - 0.4 * 5.0).max() < 1e-12
    assert np.abs(found["motor.power"] - 2.0 * 5.0 * found["time"]).max() < 1e-12


def test_guides_along_x_and_y_push_along_x_and_y():
    times = np.linspace(0.0, 1.0, 41)
    guides = (
        Driver("puck.x", "puck", None, "x", Series(times, times**3), guiding=True),
        Driver("puck.y", "puck", None, "y", Series(times, 0.0 * times), guiding=True),
        Driver("puck.phi", "puck", None, "phi", Series(times, times**2), guiding=True),
    )
    found = inverse((body("puck", mass=2.0, inertia=0.5),), (), guides, guiding_spline="not-a-knot").drivers
    assert np.abs(found["puck.x.force"] - 12.0 * found["time"]).max() < 1e-9
    assert np.abs(found["puck.y.force"] - 2.0 * GRAVITY).max() < 1e-10
    assert np.abs(found["puck.phi.moment"] - 1.0).max() < 1e-9


def moved(made, turn, shift):
    """The whole model, gravity included, turned about the origin and shifted."""
    c, s = np.cos(turn), np.sin(turn)
    r = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
    shift = np.array([*shift, 0.0])

    def marker(m):
        return replace(m, origin=r @ m.origin + shift, axes=r @ m.axes) if m.body == GROUND else m

    bodies = tuple(
        replace(
            b,
            position=r @ b.position + shift,
            angles=b.angles + turn * np.array([0.0, 0.0, 1.0]),
            velocity=r @ b.velocity,
        )
        for b in made.bodies
    )
    return replace(
        made,
        bodies=bodies,
        joints=tuple(replace(j, i=marker(j.i), j=marker(j.j)) for j in made.joints),
        springs=tuple(replace(k, i=marker(k.i), j=marker(k.j)) for k in made.springs),
        settings=replace(made.settings, gravity=tuple(r @ made.settings.gravity)),
    )


@pytest.mark.parametrize("analysis", ["inverse dynamic", "dynamic"])
def test_forces_do_not_depend_on_where_the_model_stands(analysis):
    made = mixed_model(analysis)
    made = replace(made, drivers=(made.drivers[0], turning("foot", 0.3))[: len(made.drivers)])
    turn = 2.3
    here, there = sheetmbs.run(made), sheetmbs.run(moved(made, turn, (30.0, -12.0)))
    c, s = np.cos(turn), np.sin(turn)
    near = 1e-8 if analysis == "inverse dynamic" else 1e-5
    for b in made.bodies:
        x, y = here.bodies[f"{b.name}.ax"], here.bodies[f"{b.name}.ay"]
        assert np.abs(there.bodies[f"{b.name}.ax"] - (c * x - s * y)).max() < near
        assert np.abs(there.bodies[f"{b.name}.alpha"] - here.bodies[f"{b.name}.alpha"]).max() < near
    for joint in made.joints:
        for side in "ij":
            x, y = (here.joints[f"{joint.name}.{side}.{k}"] for k in ("fx", "fy"))
            assert np.abs(there.joints[f"{joint.name}.{side}.fy"] - (s * x + c * y)).max() < near
            assert np.abs(there.joints[f"{joint.name}.{side}.m"] - here.joints[f"{joint.name}.{side}.m"]).max() < near


def test_ground_bears_the_weight_and_the_change_of_momentum_of_a_whole_mechanism():
    bodies, joints, _ = four_bar()
    result = inverse(bodies, joints, (turning("A", 6.0),))
    carried = result.joints["A.i.fy"] + result.joints["D.i.fy"]
    pushed = result.joints["A.i.fx"] + result.joints["D.i.fx"]
    rising = sum(result.bodies[f"{b.name}.ay"] + GRAVITY for b in bodies)
    assert np.abs(carried + rising).max() < 1e-9
    assert np.abs(pushed + sum(result.bodies[f"{b.name}.ax"] for b in bodies)).max() < 1e-9


def test_foot_force_measured_under_a_moving_foot_goes_up_the_leg():
    """A vertical force that stays at x = 0.3 while the leg swings over it."""
    times = np.linspace(0.0, 1.0, 21)
    column = np.ones((21, 1))
    load = ForceSeries("leg", times, column * [0, 700.0, 0], column * [0, 0, 0], column * [0.3, -1.0, 0], "global")
    leg = bar("leg", (0, 0), (0, -1), mass=10.0)
    driver = Driver("hip", None, "joint", "angle", Formula(parse("0.3*sin(2*t)")))
    made = model(
        (leg,), (hinge("joint", on("ground"), on("leg", -0.5)),), drivers=(driver,), analysis="inverse dynamic"
    )
    result = sheetmbs.run(replace(made, force_series=(load,), points=(Point("toe", on("leg", 0.5), report=True),)))
    angle = 0.3 * np.sin(2 * result.bodies["time"])
    expected = 10.0 / 3 * -4 * angle + 10.0 * GRAVITY * 0.5 * np.sin(angle) - 0.3 * 700.0
    assert np.abs(result.drivers["hip.moment"] - expected).max() < 1e-9
    assert np.abs(result.points["toe.x"] - np.sin(angle)).max() < 1e-12
    assert np.abs(result.points["toe.vx"] - np.cos(angle) * 0.6 * np.cos(2 * result.bodies["time"])).max() < 1e-12
