"""Joints in space: derivatives against differences, rigid motions, action and reaction, power of drivers, freedoms removed."""

from dataclasses import replace

import numpy as np
import pytest

import sheetmbs
from sheetmbs.elements import JOINTS
from sheetmbs.elements.marker import Marker, triad
from sheetmbs.engine.algebra.newton import DOGLEG, solve_accelerations, solve_positions, solve_velocities
from sheetmbs.lower import lower
from sheetmbs.model.model import Driver, Joint, Model, Quadratic, Settings
from tests.support.joint_freedoms import REMOVED
from tests.support.spatial_mechanisms import rigid, turned

TYPES = tuple(
    name for name, each in JOINTS.items() if "3D" in each.dimensions and not each.coupling and name != "coordinate"
)
PAIRS = (("ground", "b"), ("a", "ground"), ("a", "b"))
SKEW = np.array([[0.3, 0.02, -0.01], [0.02, 0.4, 0.03], [-0.01, 0.03, 0.35]])
POSES = {"a": ((0.2, 0.1, -0.3), (0.5, -0.3, 0.8)), "b": ((1.1, -0.4, 0.6), (-0.7, 0.4, 0.2))}
BODIES = tuple(rigid(name, *POSES[name], mass=m, inertia=SKEW) for name, m in (("a", 1.0), ("b", 2.0)))
AXIS, SECOND, PLACE = np.array([0.3, -0.5, 0.8]), np.array([0.8, 0.48, 0.0]), np.array([0.7, 0.2, 0.1])
RADIUS = 0.35
VALUES = {"screw": {"pitch": 0.3}, "wheel-on-road": {"radius": RADIUS}}


def marker(body, place, axes):
    position, turn = (
        (np.zeros(3), np.eye(3)) if body == "ground" else (np.array(POSES[body][0]), turned(*POSES[body][1]))
    )
    return Marker(body, turn.T @ (place - position), turn.T @ axes)


def joint(kind, pair, name="joint"):
    """A joint that fits the initial configuration; a distance spans a gap."""
    declared = JOINTS[kind]
    second = triad(SECOND) if declared.second_axis == "needed" else triad(AXIS)
    apart = np.array([0.4, 0.3, -0.2]) if kind == "distance" else np.zeros(3)
    if kind == "wheel-on-road":
        n, w = (each / np.linalg.norm(each) for each in (AXIS, SECOND))
        apart = n * RADIUS * np.sqrt(1.0 - (n @ w) ** 2) + np.cross(n, w)  # beside the point of the road too
    i, j = marker(pair[0], PLACE, triad(AXIS)), marker(pair[1], PLACE + apart, second)
    return Joint(name, kind, i, j, values=VALUES.get(kind, {}))


def system(joints, drivers=()):
    settings = Settings(dimension="3D", gravity=(0.0, 0.0, 0.0), t_end=1.0, t_step=0.5)
    lowered = lower(Model(settings=settings, bodies=BODIES, joints=tuple(joints), drivers=tuple(drivers)))
    return lowered, lowered.arrange(weights=np.ones(12))


def coupled(kind, carrier):
    """A coupling of two joints with a carrier in common, or with the ground."""
    second = JOINTS[kind].coupling.second
    one = joint("revolute", (carrier, "a" if carrier != "a" else "b"), "one")
    other_axes = triad(np.array([0.1, 0.9, -0.2]))
    moving = "b" if carrier != "a" else "ground"
    other = Joint(
        "other",
        "revolute" if second == "angle" else "translational",
        marker(carrier, PLACE, other_axes),
        marker(moving, PLACE, other_axes),
    )
    values = {"ratio": -1.7, "radius": 0.05}
    return one, other, Joint("joint", kind, one.j, other.j, values=values, couples=("one", "other"))


def residual(arranged, q):
    solve_positions(arranged.arrays, arranged.work, 0.0, q.copy(), np.inf, DOGLEG)
    return arranged.work.phi.copy()


def jacobian(arranged, q):
    residual(arranged, q)
    return arranged.jacobian().dense()


CASES = [([joint(kind, pair)], f"{kind} {'-'.join(pair)}") for kind in TYPES for pair in PAIRS]
CASES += [
    (coupled(kind, carrier), f"{kind} on {carrier}")
    for kind in ("gear", "rack-and-pinion")
    for carrier in ("ground", "a")
]
every_joint = pytest.mark.parametrize("joints", [case for case, _ in CASES], ids=[name for _, name in CASES])

AWAY = np.array([0.05, -0.03, 0.04, 0.1, -0.2, 0.15, -0.04, 0.06, 0.02, -0.1, 0.2, 0.1])
RATES = np.array([0.7, -1.1, 0.5, 1.9, -0.4, 0.8, -0.3, 0.9, 0.2, -1.3, 0.6, 1.1])


@every_joint
def test_jacobian_is_the_derivative_of_the_residual(joints):
    lowered, arranged = system(joints)
    q = lowered.moved(lowered.bodies.q, AWAY)
    h = 1e-6
    differences = np.column_stack(
        [
            (residual(arranged, lowered.moved(q, h * e)) - residual(arranged, lowered.moved(q, -h * e))) / (2 * h)
            for e in np.eye(12)
        ]
    )
    assert np.abs(jacobian(arranged, q) - differences).max() < 1e-8


@every_joint
def test_gamma_is_minus_the_rate_of_the_jacobian_times_velocity(joints):
    """Along the motion with constant velocities in body axes, of which RATES is the tangent."""
    lowered, arranged = system(joints)
    q = lowered.moved(lowered.bodies.q, AWAY)
    h = 1e-5
    before, after = (jacobian(arranged, lowered.moved(q, s * h * RATES)) @ RATES for s in (-1, 1))
    residual(arranged, q)
    solve_velocities(arranged.arrays, arranged.work, RATES.copy(), 1e-12)
    solve_accelerations(arranged.arrays, arranged.work, RATES, np.zeros(12))
    assert np.abs(arranged.work.gamma + (after - before) / (2 * h)).max() < 1e-7


@pytest.mark.parametrize("kind", TYPES)
def test_joint_removes_as_many_freedoms_as_the_book_says(kind):
    lowered, arranged = system([joint(kind, ("a", "b"))])
    assert np.linalg.matrix_rank(jacobian(arranged, lowered.bodies.q)) == len(arranged.arrays.row) == REMOVED[kind]


@pytest.mark.parametrize("kind", TYPES)
def test_joint_fits_the_configuration_it_was_given_in(kind):
    lowered, arranged = system([joint(kind, ("a", "b"))])
    found = residual(arranged, lowered.bodies.q)
    if kind in {"revolute-cylindrical", "universal", "perpendicular"}:
        found = found[np.abs(found) > 1e-12]  # the two directions stand a little askew
        assert len(found) <= 1
    else:
        assert np.abs(found).max() < 1e-14


@pytest.mark.parametrize("kind", TYPES)
def test_a_motion_of_both_bodies_as_one_changes_no_residual(kind):
    lowered, arranged = system([joint(kind, ("a", "b"))])
    q = lowered.moved(lowered.bodies.q, AWAY)
    before = residual(arranged, q)
    turn = turned(0.9, -0.4, 1.3)
    moved = q.copy()
    half = np.array([np.cos(0.35), *(np.sin(0.35) * np.array([0.6, 0.0, 0.8]))])
    e0, e = half[0], half[1:]
    turn = (2 * e0**2 - 1) * np.eye(3) + 2 * (
        np.outer(e, e) + e0 * np.array([[0, -e[2], e[1]], [e[2], 0, -e[0]], [-e[1], e[0], 0]])
    )
    for at in (0, 7):
        f0, f = q[at + 3], q[at + 4 : at + 7]
        moved[at : at + 3] = turn @ q[at : at + 3] + np.array([1.0, -2.0, 0.5])
        moved[at + 3 : at + 7] = [e0 * f0 - e @ f, *(e0 * f + f0 * e + np.cross(e, f))]
    after = residual(arranged, moved)
    translations = [int(row.kind) == 0 for row in arranged.arrays.row]  # common points: a vector that turns along
    same = ~np.array(translations)
    assert np.abs(after[same] - before[same]).max(initial=0.0) < 1e-14
    assert abs(np.linalg.norm(after[~same]) - np.linalg.norm(before[~same])) < 1e-14


@pytest.mark.parametrize("kind", TYPES)
def test_force_and_moment_on_one_body_oppose_those_on_the_other(kind):
    lowered, arranged = system([joint(kind, ("a", "b"))])
    residual(arranged, lowered.bodies.q)
    place, parts = arranged.work.place, arranged.arrays.part
    total = np.zeros((len(arranged.arrays.row), 12))
    for p, part in enumerate(parts):
        total[part.target] += arranged.work.gradient[p]
    for row, both in zip(arranged.arrays.row, total, strict=True):
        arm = place[row.frame_j, 3:6] - place[row.frame_i, 3:6]
        assert np.allclose(both[:3], -both[6:9], atol=1e-15)
        assert np.allclose(both[3:6] + both[9:] + np.cross(arm, both[6:9]), 0.0, atol=1e-14)


def test_a_gear_moves_no_angular_momentum_in_or_out():
    """Its moments on both wheels and on their carrier, which turns freely, sum to nothing."""
    one, other, joined = coupled("gear", "a")
    other = replace(other, j=marker("b", PLACE, triad(np.array([0.1, 0.9, -0.2]))))
    lowered, arranged = system([one, other, replace(joined, j=other.j)])
    residual(arranged, lowered.bodies.q)
    geared = next(r for r, row in enumerate(arranged.arrays.row) if row.terms)
    gradients = [arranged.work.gradient[p] for p, part in enumerate(arranged.arrays.part) if part.target == geared]
    assert len(gradients) == 2
    assert np.abs(sum(gradient[3:6] + gradient[9:] for gradient in gradients)).max() < 1e-14


def test_gears_and_racks_keep_their_ratio_over_many_turns():
    """A planetary train on a carrier and a rack; the first wheel makes four turns, the second ten; their powers cancel."""
    axis = triad(np.array([0.0, 0.0, 1.0]))
    place = np.zeros(3)
    bodies = tuple(
        rigid(name, (0.0, 0.0, 0.0), (0.3 * k, 0.0, 0.0), inertia=(0.1, 0.1, 0.2)) for k, name in enumerate("abc")
    )

    def at(name, along=None):
        axes = axis if along is None else triad(np.array(along))
        if name == "ground":
            return Marker(name, place, axes)
        angle = 0.3 * "abc".index(name)
        return Marker(name, place, turned(angle, 0.0, 0.0).T @ axes)

    joints = (
        Joint("one", "revolute", at("ground"), at("a")),
        Joint("two", "revolute", at("a"), at("b")),
        Joint("slide", "translational", at("ground", (1.0, 0.0, 0.0)), at("c", (1.0, 0.0, 0.0))),
        Joint("teeth", "gear", at("a"), at("b"), values={"ratio": -2.5}, couples=("one", "two")),
        Joint("rack", "rack-and-pinion", at("b"), at("c"), values={"radius": 0.05}, couples=("two", "slide")),
    )
    drive = Driver("drive", None, "one", "angle", Quadratic(0.0, 5.0, 2.0))
    settings = Settings(dimension="3D", gravity=(0.0, 0.0, 0.0), t_end=3.0, t_step=0.5)
    for analysis in ("inverse dynamic", "dynamic"):
        result = sheetmbs.run(
            Model(settings=settings, bodies=bodies, joints=joints, drivers=(drive,)), analysis=analysis
        )
        found = result.joints
        t = found["time"]
        angle = 5.0 * t + t**2
        assert np.abs(found["one.angle"] - angle).max() < 1e-8
        assert np.abs(found["two.angle"] + 2.5 * angle).max() < 1e-8
        assert np.abs(found["slide.displacement"] + 0.125 * angle).max() < 1e-8
        carried = 0.2 + (1 - 2.5) ** 2 * 0.2 + 0.125**2 * 1.0  # as felt at the driven hinge
        assert np.abs(result.drivers["drive.moment"] - 2.0 * carried).max() < 1e-9
    assert result.summary["energy drift"] < 1e-7


DRIVEN = [(kind, coordinate) for kind in TYPES for coordinate in JOINTS[kind].coordinates]


@pytest.mark.parametrize(("kind", "coordinate"), DRIVEN)
def test_driver_turns_or_moves_its_joint_as_told_and_past_a_turn(kind, coordinate):
    """The joint alone holds the body against ground; what else is free keeps still by least change."""
    held = joint(kind, ("ground", "b"))
    rate, acceleration = (9.0, 4.0) if coordinate == "angle" else (0.4, 0.2)
    start = np.linalg.norm([0.4, 0.3, -0.2]) if coordinate == "distance" else 0.0
    drive = Driver("drive", None, "joint", coordinate, Quadratic(start, rate, acceleration))
    made = Model(
        settings=Settings(dimension="3D", gravity=(0.0, 0.0, 0.0), t_end=1.0, t_step=0.1),
        bodies=BODIES[1:],
        joints=(held,),
        drivers=(drive,),
    )
    result = sheetmbs.run(made)
    assert result.status == "done"
    joints = result.joints
    two = len(JOINTS[kind].coordinates) > 1
    t = joints["time"]
    assert np.abs(joints[f"joint.{coordinate}"] - (start + rate * t + acceleration * t**2 / 2)).max() < 1e-8
    assert np.abs(joints[f"joint.{coordinate}_rate" if two else "joint.rate"] - (rate + acceleration * t)).max() < 1e-8
    name = "moment" if coordinate == "angle" else "force"
    drivers = result.drivers
    assert np.abs(drivers["drive.power"] - drivers[f"drive.{name}"] * (rate + acceleration * t)).max() < 1e-9
    energy = result.constraints["kinetic_energy"]
    work = np.array(
        [0.0, *np.cumsum(0.5 * (drivers["drive.power"].to_numpy()[1:] + drivers["drive.power"].to_numpy()[:-1]) * 0.1)]
    )
    assert np.abs(energy - energy[0] - work).max() < 0.02 * np.abs(energy).max()
    assert result.summary["energy drift"] < 1e-6


@pytest.mark.parametrize("kind", TYPES)
def test_joint_does_no_work(kind):
    """Energy, momentum and angular momentum of two bodies that only the joint ties together."""
    bodies = tuple(
        replace(body, velocity=np.array(v), angular_velocity=np.array(w))
        for body, v, w in zip(
            BODIES, ((0.3, 0.1, -0.2), (-0.4, 0.5, 0.1)), ((1.0, -2.0, 0.5), (0.7, 0.4, -1.5)), strict=True
        )
    )
    settings = Settings(dimension="3D", gravity=(0.0, 0.0, 0.0), t_end=2.0, t_step=0.5)
    result = sheetmbs.run(Model(settings=settings, bodies=bodies, joints=(joint(kind, ("a", "b")),)))
    energy = result.constraints["total_energy"]
    assert np.abs(energy - energy[0]).max() < 1e-7 * energy[0]
    assert result.summary["linear momentum drift"] < 1e-7
    assert result.summary["angular momentum drift"] < 1e-7
    assert result.constraints["position_violation"].max() < 1e-11
