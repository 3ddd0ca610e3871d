"""The spatial rigid body against closed forms and independent integrations, at default settings."""

from dataclasses import replace
from functools import cache

import numpy as np
import pytest
from scipy.integrate import solve_ivp
from scipy.interpolate import CubicSpline
from scipy.spatial.transform import Rotation
from scipy.special import ellipj, ellipk

import sheetmbs
from sheetmbs.elements.marker import Marker
from sheetmbs.model.model import Force, ForceSeries
from sheetmbs.problems.errors import WorkbookError
from tests.support.spatial_mechanisms import joined, rigid, space, turned

WEIGHTLESS = (0.0, 0.0, 0.0)
GRAVITY = 9.81


def run(bodies, joints=(), **more):
    result = sheetmbs.run(space(bodies, joints, **more))
    assert result.status == "done"
    return result


def of(frame, body, names):
    """(n, k) columns of a body."""
    return frame[[f"{body}.{name}" for name in names.split()]].to_numpy()


def euler(result, body="body"):
    return of(result.bodies, body, "e0 e1 e2 e3")


def turns(result, body="body"):
    """(n, 3, 3) rotation matrices, written out from the Euler parameters (Nikravesh 1988, eq. 6.15)."""
    e = euler(result, body)
    e0, vector = e[:, 0], e[:, 1:]
    skew = np.zeros((len(e), 3, 3))
    skew[:, 0, 1], skew[:, 0, 2], skew[:, 1, 2] = -e[:, 3], e[:, 2], -e[:, 1]
    skew -= skew.transpose(0, 2, 1)
    square = (2 * e0**2 - 1)[:, None, None] * np.eye(3)
    return square + 2 * np.einsum("ni,nj->nij", vector, vector) + 2 * e0[:, None, None] * skew


def spins(result, body="body"):
    return of(result.bodies, body, "wx wy wz")


def times(result):
    return result.bodies["time"].to_numpy()


def newton_euler(body, load, t):
    """Position, velocity, rotation matrix and body angular velocity of a free body, each over ``t``.

    load(t, r, turn) -> global force at the centre of mass, moment in body axes. Integrates the rotation matrix itself.
    """
    inertia, mass = body.inertia, body.mass

    def rates(time, state):
        r, v, turn, w = state[:3], state[3:6], state[6:15].reshape(3, 3), state[15:]
        force, moment = load(time, r, turn)
        skew = np.array([[0, -w[2], w[1]], [w[2], 0, -w[0]], [-w[1], w[0], 0]])
        spin_rate = np.linalg.solve(inertia, moment - np.cross(w, inertia @ w))
        return np.concatenate([v, force / mass, (turn @ skew).ravel(), spin_rate])

    start = np.concatenate([body.position, body.velocity, turned(*body.angles).ravel(), body.angular_velocity])
    found = solve_ivp(rates, (t[0], t[-1]), start, "DOP853", t, rtol=1e-13, atol=1e-13).y.T
    return found[:, :3], found[:, 3:6], found[:, 6:15].reshape(-1, 3, 3), found[:, 15:]


# --- free ---------------------------------------------------------------------------------------------------------------

MOMENTS = np.array([1.0, 2.0, 3.0])
NEAR_ONE = 0.9999
SPEED = 3.0


def tumbling(t):
    """(n, 3) angular velocity that starts almost about the intermediate axis (Landau and Lifshitz, Mechanics, sec. 37).

    m is near 1: the body rests on its unstable axis most of the time and turns over in between, with the period 4 K / rate.
    """
    i1, i2, i3 = MOMENTS
    first = SPEED * np.sqrt(NEAR_ONE * (i3 - i2) * i3 / ((i2 - i1) * i1))
    energy, square = i1 * first**2 + i3 * SPEED**2, i1**2 * first**2 + i3**2 * SPEED**2
    rate = np.sqrt((i3 - i2) * (square - energy * i1) / (i1 * i2 * i3))
    sn, cn, dn, _ = ellipj(ellipk(NEAR_ONE) + rate * t, NEAR_ONE)
    second = np.sqrt((energy * i3 - square) / (i2 * (i3 - i2)))
    return np.stack([first * cn, second * sn, SPEED * dn], axis=1)


@cache
def tumbled():
    start = tumbling(np.zeros(1))[0]
    body = rigid("body", inertia=MOMENTS, angles=(0.3, -0.4, 0.5), angular_velocity=start)
    return body, run([body], gravity=WEIGHTLESS, t_end=20.0, t_step=0.02)


def test_tumbling_reference_obeys_the_equations_of_euler_and_turns_over():
    t = np.linspace(0.0, 20.0, 40001)
    w = tumbling(t)
    rate = CubicSpline(t, w)(t, 1)
    missing = MOMENTS * rate + np.cross(w, MOMENTS * w)
    assert np.abs(missing)[5:-5].max() < 1e-7
    assert w[0, 1] > 0.99 * np.linalg.norm(w[0])
    assert w[:, 1].min() < -0.99 * w[0, 1]


def test_body_about_its_intermediate_axis_turns_over_as_jacobis_elliptic_functions_say():
    _, result = tumbled()
    expected = tumbling(times(result))
    assert np.abs(spins(result) - expected).max() < 1e-8 * np.abs(expected).max()


def test_angular_accelerations_of_the_tumbling_body_are_those_of_the_elliptic_functions():
    _, result = tumbled()
    w = tumbling(times(result))
    expected = -np.cross(w, MOMENTS * w) / MOMENTS
    assert np.abs(of(result.bodies, "body", "alphax alphay alphaz") - expected).max() < 1e-7


def test_tumbling_body_is_turned_as_its_angular_velocity_says():
    body, result = tumbled()
    t = times(result)

    def rates(time, turn):
        x, y, z = tumbling(np.array([time]))[0]
        return (turn.reshape(3, 3) @ np.array([[0, -z, y], [z, 0, -x], [-y, x, 0]])).ravel()

    start = turned(*body.angles).ravel()
    expected = solve_ivp(rates, (0.0, 20.0), start, "DOP853", t, rtol=1e-12, atol=1e-12).y.T.reshape(-1, 3, 3)
    assert np.abs(turns(result) - expected).max() < 1e-7


def test_tumbling_body_keeps_its_angular_momentum_in_space_and_its_energy():
    _, result = tumbled()
    momentum = np.einsum("nij,nj->ni", turns(result), spins(result) * MOMENTS)
    assert np.abs(momentum - momentum[0]).max() < 1e-8 * np.linalg.norm(momentum[0])
    energy = result.constraints["kinetic_energy"].to_numpy()
    assert np.ptp(energy) < 1e-8 * energy[0]


def test_a_body_whose_euler_parameters_are_all_zero_is_refused():
    body = replace(rigid("body", inertia=MOMENTS), euler=np.zeros(4))
    with pytest.raises(WorkbookError, match="the Euler parameters of body: 0, 0, 0, 0"):
        run([body])


def test_euler_parameters_of_the_tumbling_body_have_length_one_in_every_row():
    _, result = tumbled()
    assert np.abs(np.linalg.norm(euler(result), axis=1) - 1).max() < 1e-12


def test_body_with_products_of_inertia_moves_as_the_same_body_in_its_principal_axes():
    principal = rigid(
        "body", (0.1, 0.2, 0.3), (0.2, -0.3, 0.4), 2.0, (0.4, 0.7, 0.9), angular_velocity=(3.0, 2.0, -1.0)
    )
    other = Rotation.from_rotvec([0.5, -0.8, 1.1]).as_matrix()  # columns: principal axes in the other frame
    yaw, pitch, roll = Rotation.from_matrix(turned(*principal.angles) @ other.T).as_euler("ZYX")
    skewed = rigid(
        *("body", (0.1, 0.2, 0.3), (yaw, pitch, roll), 2.0, other @ principal.inertia @ other.T),
        angular_velocity=other @ principal.angular_velocity,
    )
    assert np.abs(skewed.inertia - np.diag(np.diag(skewed.inertia))).max() > 0.1
    one, two = (run([body], t_end=5.0, t_step=0.05) for body in (principal, skewed))
    assert np.abs(turns(two) @ other - turns(one)).max() < 1e-9
    assert np.abs(spins(two) - spins(one) @ other.T).max() < 1e-9
    own, same = (of(result.bodies, "body", "alphax alphay alphaz") for result in (two, one))
    assert np.abs(own - same @ other.T).max() < 1e-8
    assert np.abs(of(one.bodies, "body", "x y z vx vy vz") - of(two.bodies, "body", "x y z vx vy vz")).max() < 1e-12


def test_moments_of_inertia_in_any_order_give_the_same_motion_about_renamed_axes():
    # x, y, z of the first body are y, z, x of the second
    first = rigid("body", inertia=(0.4, 0.7, 0.9), angular_velocity=(0.1, 2.0, 0.2))
    second = rigid("body", inertia=(0.9, 0.4, 0.7), angular_velocity=(0.2, 0.1, 2.0))
    one, two = (run([body], gravity=WEIGHTLESS, t_end=10.0, t_step=0.1) for body in (first, second))
    assert np.abs(spins(one)[:, [2, 0, 1]] - spins(two)).max() < 1e-8


def test_thrown_body_spins_on_while_its_centre_flies_along_a_parabola():
    body = rigid("body", inertia=MOMENTS, velocity=(1.0, 2.0, 3.0), angular_velocity=(0.5, 1.0, -2.0))
    thrown, floating = (run([body], gravity=g, t_end=2.0) for g in ((0.0, 0.0, -GRAVITY), WEIGHTLESS))
    t = times(thrown)
    path = np.stack([t, 2 * t, 3 * t - GRAVITY * t**2 / 2], axis=1)
    assert np.abs(of(thrown.bodies, "body", "x y z") - path).max() < 1e-12
    assert np.abs(spins(thrown) - spins(floating)).max() < 1e-8


# --- with loads -----------------------------------------------------------------------------------------------------------


def test_constant_global_moment_turns_a_ball_about_its_own_direction():
    moment = np.array([0.3, -0.2, 0.6])
    body = rigid("body", inertia=(0.5, 0.5, 0.5), angles=(0.4, 0.1, -0.7), moment=moment)
    result = run([body], gravity=WEIGHTLESS, t_end=4.0)
    t = times(result)
    expected = Rotation.from_rotvec(np.outer(t**2, moment)).as_matrix() @ turned(*body.angles)  # M t^2 / (2 I)
    assert np.abs(turns(result) - expected).max() < 1e-8
    global_spin = np.einsum("nij,nj->ni", turns(result), spins(result))
    assert np.abs(global_spin - np.outer(t, moment) / 0.5).max() < 1e-9


def test_moment_fixed_in_a_symmetric_body_speeds_it_up_and_winds_its_wobble():
    axial, across, moment = 0.8, 0.5, 0.3
    start = np.array([0.4, -0.3, 2.0])
    body = rigid("body", inertia=(across, across, axial), angles=(0.2, 0.3, 0.1), angular_velocity=start)
    screw = Force("screw", Marker("body"), WEIGHTLESS, (0.0, 0.0, moment), in_body_axes=True)
    result = run([body], gravity=WEIGHTLESS, t_end=6.0, forces=(screw,))
    t = times(result)
    # Euler: A w1' = (A - C) w2 w3, A w2' = -(A - C) w1 w3, C w3' = M
    third = start[2] + moment * t / axial
    angle = (axial - across) / across * (start[2] * t + moment * t**2 / (2 * axial))
    wobble = (start[0] + 1j * start[1]) * np.exp(1j * angle)
    assert np.abs(spins(result) - np.stack([wobble.real, wobble.imag, third], axis=1)).max() < 1e-8


def test_moment_given_as_a_series_turns_a_ball_by_its_second_integral():
    samples = np.linspace(0.0, 3.0, 31)
    direction = np.array([2.0, -1.0, 2.0]) / 3
    values = np.outer(0.4 - 0.5 * samples, direction)  # a straight line, which a natural spline follows exactly
    series = ForceSeries("body", samples, np.zeros((31, 3)), values, np.zeros((31, 3)))
    body = rigid("body", inertia=(0.2, 0.2, 0.2))
    model = space([body], gravity=WEIGHTLESS, t_end=3.0)
    result = sheetmbs.run(sheetmbs.model.model.Model(**(vars(model) | {"force_series": (series,)})))
    t = times(result)
    angle = (0.4 * t**2 / 2 - 0.5 * t**3 / 6) / 0.2
    assert np.abs(turns(result) - Rotation.from_rotvec(np.outer(angle, direction)).as_matrix()).max() < 1e-9


@pytest.mark.parametrize("frame", ["centre", "body", "global"])
def test_series_of_forces_and_moments_move_a_body_as_newton_and_euler_say(frame):
    samples = np.linspace(0.0, 2.0, 81)
    forces = np.stack([np.sin(samples), 0.5 + samples, -np.cos(2 * samples)], axis=1)
    moments = np.stack([0.1 * samples, np.cos(samples), 0.2 + 0 * samples], axis=1)
    arms = np.stack([0.1 + 0 * samples, 0.1 * samples, -0.2 + 0 * samples], axis=1)
    series = ForceSeries("body", samples, forces, moments, arms, frame)
    force, moment, arm = (CubicSpline(samples, each, bc_type="natural") for each in (forces, moments, arms))
    body = rigid(
        *("body", (0.1, -0.2, 0.3), (0.5, -0.6, 0.7), 2.0, [[0.5, 0.1, 0.0], [0.1, 0.7, -0.1], [0.0, -0.1, 0.9]]),
        velocity=(0.3, 0.1, -0.2),
        angular_velocity=(1.0, -2.0, 0.5),
    )

    def load(t, r, turn):
        lever = {"centre": np.zeros(3), "body": turn @ arm(t), "global": arm(t) - r}[frame]
        return force(t), turn.T @ (moment(t) + np.cross(lever, force(t)))

    model = space([body], gravity=WEIGHTLESS, t_end=2.0, t_step=0.05)
    result = sheetmbs.run(sheetmbs.model.model.Model(**(vars(model) | {"force_series": (series,)})))
    r, v, turn, w = newton_euler(body, load, times(result))
    assert np.abs(of(result.bodies, "body", "x y z") - r).max() < 1e-8 * np.abs(r).max()
    assert np.abs(of(result.bodies, "body", "vx vy vz") - v).max() < 1e-7
    assert np.abs(turns(result) - turn).max() < 3e-7
    assert np.abs(spins(result) - w).max() < 1e-8 * np.abs(w).max()


def test_thrust_at_a_point_in_body_axes_moves_a_body_as_newton_and_euler_say():
    point, thrust, twist = np.array([0.2, -0.1, 0.3]), (3.0, -1.0, 2.0), (0.1, 0.4, -0.2)
    body = rigid("body", (0, 0, 1), (0.3, 0.2, 0.1), 1.5, (0.2, 0.35, 0.3), angular_velocity=(1.0, 2.0, 3.0))
    rocket = Force("rocket", Marker("body", point), thrust, twist, in_body_axes=True)

    def load(_, __, turn):
        return turn @ thrust + 1.5 * np.array([0, 0, -GRAVITY]), np.array(twist) + np.cross(point, thrust)

    result = run([body], t_end=3.0, t_step=0.1, forces=(rocket,))
    r, v, turn, w = newton_euler(body, load, times(result))
    assert np.abs(of(result.bodies, "body", "x y z") - r).max() < 1e-7
    assert np.abs(of(result.bodies, "body", "vx vy vz") - v).max() < 1e-7
    assert np.abs(turns(result) - turn).max() < 1e-7
    assert np.abs(spins(result) - w).max() < 1e-7


# --- heavy top -----------------------------------------------------------------------------------------------------------

TOP_MASS, ARM, AXIAL, ACROSS, TILT = 1.2, 0.15, 0.004, 0.0025, 0.6
ABOUT_TIP = ACROSS + TOP_MASS * ARM**2


@cache
def spun(spin, precession, **settings):
    """A symmetric top on a ball joint at its tip: spin about its line, precession about the vertical, no nutation at first."""
    turn = turned(0.0, 0.0, TILT)
    start = np.array([0.0, precession * np.sin(TILT), precession * np.cos(TILT) + spin])
    velocity = np.cross(turn @ start, turn @ np.array([0.0, 0.0, ARM]))
    top = rigid(
        *("top", turn @ np.array([0.0, 0.0, ARM]), (0.0, 0.0, TILT), TOP_MASS, (ACROSS, ACROSS, AXIAL)),
        velocity=velocity,
        angular_velocity=start,
    )
    return run([top], [joined([top], "tip", "spherical", "ground", "top")], t_end=5.0, t_step=0.01, **settings)


def top_by_euler_angles(spin, precession, t):
    """Precession, nutation and spin of the top, R = Rz Rx Rz (Goldstein, Classical Mechanics, sec. 5.7), and its spins."""
    about_line = AXIAL * (spin + precession * np.cos(TILT))
    upright = ABOUT_TIP * precession * np.sin(TILT) ** 2 + about_line * np.cos(TILT)

    def rates(_, state):
        _, theta, _, theta_rate = state
        s, c = np.sin(theta), np.cos(theta)
        turning = (upright - about_line * c) / (ABOUT_TIP * s**2)
        moment = TOP_MASS * GRAVITY * ARM * s + ABOUT_TIP * turning**2 * s * c - about_line * turning * s
        return [turning, theta_rate, about_line / AXIAL - turning * c, moment / ABOUT_TIP]

    found = solve_ivp(rates, (0.0, t[-1]), [0.0, TILT, 0.0, 0.0], "DOP853", t, rtol=1e-13, atol=1e-13).y
    phi, theta, psi, _ = found
    phi_rate, theta_rate, psi_rate, _ = np.array([rates(0.0, state) for state in found.T]).T
    w = np.stack(
        [
            phi_rate * np.sin(theta) * np.sin(psi) + theta_rate * np.cos(psi),
            phi_rate * np.sin(theta) * np.cos(psi) - theta_rate * np.sin(psi),
            phi_rate * np.cos(theta) + psi_rate,
        ],
        axis=1,
    )
    return Rotation.from_euler("ZXZ", np.stack([phi, theta, psi], axis=1)).as_matrix(), w, theta


TOPS = {"with cusps": (150.0, 0.0), "with loops": (150.0, -4.0), "with waves": (150.0, 6.0), "slow": (90.0, 2.0)}


@pytest.mark.parametrize("name", TOPS)
@pytest.mark.parametrize(("settings", "tolerance"), [((), 1e-6), ((("rtol", 1e-10),), 3e-8)], ids=["default", "fine"])
def test_heavy_top_moves_as_its_euler_angles_say(name, settings, tolerance):
    result = spun(*TOPS[name], **dict(settings))
    turn, w, theta = top_by_euler_angles(*TOPS[name], times(result))
    assert np.ptp(theta) > 0.01
    assert np.abs(turns(result, "top") - turn).max() < tolerance
    assert np.abs(spins(result, "top") - w).max() < tolerance * np.abs(w).max()


@pytest.mark.parametrize("name", TOPS)
def test_heavy_top_keeps_its_energy_its_spin_and_its_momentum_about_the_vertical(name):
    result = spun(*TOPS[name])
    turn, w = turns(result, "top"), spins(result, "top")
    assert np.ptp(w[:, 2]) < 1e-9 * np.abs(w[0, 2])
    momentum = np.einsum("nij,nj->ni", turn, w * np.array([ABOUT_TIP, ABOUT_TIP, AXIAL]))[:, 2]
    assert np.ptp(momentum) < 1e-7 * np.abs(momentum[0])
    constraints = result.constraints
    assert np.ptp(constraints["total_energy"]) < 1e-7 * constraints["kinetic_energy"].max()


@pytest.mark.parametrize("name", TOPS)
def test_tip_of_the_heavy_top_stays_and_carries_what_weight_and_motion_ask(name):
    result = spun(*TOPS[name])
    tip = of(result.bodies, "top", "x y z") - ARM * turns(result, "top")[:, :, 2]
    assert np.abs(tip).max() < 1e-11
    force = result.joints[["tip.j.fx", "tip.j.fy", "tip.j.fz"]].to_numpy()
    asked = TOP_MASS * (of(result.bodies, "top", "ax ay az") + np.array([0, 0, GRAVITY]))
    assert np.abs(force - asked).max() < 1e-9 * np.abs(asked).max()


@pytest.mark.parametrize("name", TOPS)
def test_euler_parameters_of_the_heavy_top_have_length_one_in_every_row(name):
    assert np.abs(np.linalg.norm(euler(spun(*TOPS[name]), "top"), axis=1) - 1).max() < 1e-12


def test_heavy_top_with_the_steady_rate_of_precession_does_not_nod():
    # A' w^2 cos - C n w + m g l = 0 for the spin n about its line
    n = 150.0
    a, b, c = ABOUT_TIP * np.cos(TILT), -AXIAL * n, TOP_MASS * GRAVITY * ARM
    slow = (-b - np.sqrt(b**2 - 4 * a * c)) / (2 * a)
    result = spun(n - slow * np.cos(TILT), slow)
    height = result.bodies["top.z"].to_numpy()
    assert np.ptp(height) < 1e-8
    path = np.unwrap(np.arctan2(result.bodies["top.x"], -result.bodies["top.y"]))
    assert path[-1] / 5.0 == pytest.approx(slow, rel=1e-7)


# --- motions in a plane -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("axis", [(0, 1, 0), (1, 0, 0), (1, 2, 0), (-3, 1, 0)])
def test_body_hinged_about_any_level_axis_swings_as_elliptic_functions_say(axis):
    axis = np.array(axis, dtype=float) / np.linalg.norm(axis)
    mass, arm, inertia, tilt = 0.8, 0.4, 0.05, 2.0
    outward = np.cross(axis, [0.0, 0.0, -1.0])
    centre = arm * (np.cos(tilt) * np.array([0.0, 0.0, -1.0]) + np.sin(tilt) * outward)
    tensor = 0.03 * np.eye(3) + (inertia - 0.03) * np.outer(axis, axis)
    body = rigid("body", centre, mass=mass, inertia=tensor)
    result = run([body], [joined([body], "hinge", "revolute", "ground", "body", axis=axis)], t_end=5.0, t_step=0.01)
    omega, m = np.sqrt(mass * GRAVITY * arm / (inertia + mass * arm**2)), np.sin(tilt / 2) ** 2
    t = times(result)
    sn, cn, dn, _ = ellipj(ellipk(m) + omega * t, m)
    angle = 2 * np.arctan2(np.sqrt(m) * sn, dn)
    assert np.abs(result.joints["hinge.angle"] - (angle - tilt)).max() < 1e-7
    assert np.abs(result.joints["hinge.rate"] - 2 * np.sqrt(m) * omega * cn).max() < 1e-6
    path = arm * (np.outer(np.cos(angle), [0.0, 0.0, -1.0]) + np.outer(np.sin(angle), outward))
    assert np.abs(of(result.bodies, "body", "x y z") - path).max() < 1e-7


def test_body_spinning_about_a_principal_axis_stays_in_its_plane_and_counts_on_past_a_turn():
    body = rigid("body", inertia=(0.2, 0.3, 0.5), velocity=(1.0, -2.0, 0.0), angular_velocity=(0.0, 0.0, 7.0))
    result = run([body], gravity=(0.0, -GRAVITY, 0.0), t_end=4.0, t_step=0.05)
    t = times(result)
    assert np.abs(of(result.bodies, "body", "yaw pitch roll") - np.outer(t, [7.0, 0.0, 0.0])).max() < 1e-8 * 28.0
    expected = np.stack([t, -2 * t - GRAVITY * t**2 / 2, 0 * t], axis=1)
    assert np.abs(of(result.bodies, "body", "x y z") - expected).max() < 1e-11


def test_yaw_pitch_and_roll_of_a_body_are_read_as_turns_about_z_then_y_then_x():
    body = rigid("body", angles=(0.3, -0.5, 0.9))
    result = run([body], gravity=WEIGHTLESS, t_end=0.1)
    expected = Rotation.from_euler("ZYX", [0.3, -0.5, 0.9]).as_matrix()
    assert np.abs(turns(result)[0] - expected).max() < 1e-15
    assert np.abs(of(result.bodies, "body", "yaw pitch roll")[0] - [0.3, -0.5, 0.9]).max() < 1e-15
