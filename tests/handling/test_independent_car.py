"""A car with level parallel arms on soft springs, solved once more: poses, forces and balance by a few lines of these tests.

Its uprights move on circles about the inner lines of their arms and never turn against the body but by the steer, so that
the mechanism is known in closed form: W = (x, s (p + r cos q), z + r sin q) at the angle q of the arms. The rest is the
balance of forces and moments about the centre of gravity, and virtual work of each arm.
"""

import numpy as np
import pytest
from scipy.optimize import brentq, fsolve

from tests.support.handling_books import COEFFICIENTS, column, handled, read_off, single_track_book

G, DEG = 9.81, np.pi / 180.0
MASS, FRONT_ARM, REAR_ARM, HEIGHT, RADIUS, SPEED = 300.0, 0.80, 0.75, 0.30, 0.23, 15.0
LENGTH = FRONT_ARM + REAR_ARM
INNER, ARM, LEVER = (
    0.2,
    0.4,
    0.08,
)  # of arms and tie rods: inner end, length, and distance of the tie rod before the kingpin
MIDDLE = 0.23
RATES = {"F": 35e3, "R": 40e3}
CORNERS = {"FL": (0.0, 1.0), "FR": (0.0, -1.0), "RL": (-LENGTH, 1.0), "RR": (-LENGTH, -1.0)}
TYRES = {"F": (15000.0, 900.0, 0.03), "R": (18000.0, 1100.0, 0.02)}
"""cornering stiffness, camber stiffness, trail"""
CENTRE = np.array([-FRONT_ARM, 0.0, HEIGHT])
STATIC = {"F": 0.5 * MASS * G * REAR_ARM / LENGTH, "R": 0.5 * MASS * G * FRONT_ARM / LENGTH}


def middle(corner, q):
    """The wheel's middle in the body at an angle of its arms."""
    x, side = CORNERS[corner]
    return np.array([x, side * (INNER + ARM * np.cos(q)), MIDDLE + ARM * np.sin(q)])


def by_angle(q, side):
    return ARM * np.array([0.0, -side * np.sin(q), np.cos(q)])


def damper(q):
    """Length of the damper from 0.3 m along the lower arm to the body, and its derivative by the angle."""
    y, z = INNER + 0.3 * np.cos(q) - 0.3, 0.13 + 0.3 * np.sin(q) - 0.53
    length = np.hypot(y, z)
    return length, (-0.3 * np.sin(q) * y + 0.3 * np.cos(q) * z) / length


def spring_force(corner, q):
    """Compression: at design it carries the static load, N r + S dl/dq = 0."""
    length, slope = damper(0.0)
    axle = corner[0]
    return -STATIC[axle] * ARM / slope + RATES[axle] * (length - damper(q)[0])


def steer_of(rack, q, side):
    """Steer angle of a front wheel: the tie rod keeps its length."""

    def stretch(angle):
        across = side * ARM * np.cos(q) + LEVER * np.sin(angle) - rack
        return np.hypot(LEVER * (np.cos(angle) - 1.0), across) ** 2 + (ARM * np.sin(q)) ** 2 - ARM**2

    return brentq(stretch, -0.5, 0.5, xtol=1e-15)


def car(beta, rack):
    """The state of the car: ay, ax, yaw moment about its centre of gravity, roll, and loads."""

    def balance(unknown):
        ay, ax, height, roll, pitch = unknown[:5]
        angles, loads = unknown[5:9], unknown[9:13] * MASS * G
        cr, sr, cp, sp = np.cos(roll), np.sin(roll), np.cos(pitch), np.sin(pitch)
        to_road = np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]]) @ np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])
        up = to_road.T[:, 2]
        path = np.array([np.cos(beta), np.sin(beta), 0.0])
        across = np.array([-np.sin(beta), np.cos(beta), 0.0])
        force, moment, gaps, works = np.zeros(3), np.zeros(3), [], []
        for (corner, (_x, side)), q, load in zip(CORNERS.items(), angles, loads, strict=True):
            stiffness, camber_stiffness, trail = TYRES[corner[0]]
            steer = steer_of(rack, q, side) if corner[0] == "F" else 0.0
            spin = np.array([-np.sin(steer), np.cos(steer), 0.0])
            below = up - (up @ spin) * spin
            contact = middle(corner, q) - RADIUS * below / np.linalg.norm(below)
            gaps.append(up @ contact + height)
            axis, arm = to_road @ spin, to_road @ (contact - CENTRE)
            ahead = np.cross(axis, [0.0, 0.0, 1.0])
            ahead /= np.linalg.norm(ahead)
            left = np.cross([0.0, 0.0, 1.0], ahead)
            motion = SPEED * path + ay / SPEED * np.cross([0.0, 0.0, 1.0], arm)
            alpha, gamma = np.arctan((motion @ left) / (motion @ ahead)), np.arcsin(axis[2])
            fy = -stiffness * alpha - camber_stiffness * gamma
            mz = -trail * fy
            fx = mz * np.sin(gamma) / RADIUS  # it rolls free
            own = fx * ahead + fy * left + load * np.array([0.0, 0.0, 1.0])
            force += own
            moment += np.cross(arm, own) + mz * np.array([0.0, 0.0, 1.0])
            works.append((to_road.T @ own) @ by_angle(q, side) + spring_force(corner, q) * damper(q)[1])
        wanted = MASS * (ay * across + ax * path + np.array([0.0, 0.0, G]))
        rest = [*(force - wanted) / (MASS * G), *moment[:2] / (MASS * G), *gaps, *np.array(works) / (MASS * G)]
        return np.array(rest), moment[2]

    begin = np.zeros(13)
    begin[9:] = np.repeat([STATIC["F"], STATIC["R"]], 2) / (MASS * G)
    solved = fsolve(lambda unknown: balance(unknown)[0], begin, xtol=1e-13)
    left, yaw = balance(solved)
    assert np.max(np.abs(left)) < 1e-10
    return solved, yaw


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    rows = [("d", "yaw moment", SPEED, None, None, "-2 deg", "2 deg", "1 deg", "-4 mm", "4 mm", "2 mm")]
    values = [
        (name, key, value)
        for name, (cornering, camber, trail) in TYRES.items()
        for key, value in (
            ("cornering stiffness", cornering),
            ("camber stiffness", camber),
            ("trail", trail),
            ("slip stiffness", 30000.0),
        )
    ]
    others = {"Tyre coefficients": [COEFFICIENTS, *values]}
    settings = {"cg height": (f"{1e3 * HEIGHT} mm",), "unsprung mass": (0, 0)}
    path = single_track_book(tmp_path_factory.mktemp("books") / "car.xlsx", rows, settings=settings, others=others)
    return handled(path)["d"]


def test_every_state_is_that_of_the_car_of_these_tests(found):
    for k in range(len(column(found, "ay"))):
        own, yaw = car(column(found, "beta")[k] * DEG, column(found, "rack")[k] / 1e3)
        assert column(found, "ay")[k] == pytest.approx(own[0], abs=1e-7 * G)
        assert column(found, "ax")[k] == pytest.approx(own[1], abs=1e-7 * G)
        assert column(found, "yaw_moment")[k] == pytest.approx(yaw, abs=1e-6 * MASS * G * LENGTH)
        assert column(found, "roll")[k] == pytest.approx(own[3] / DEG, abs=1e-6)
        loads = [column(found, f"{corner}.fz")[k] for corner in CORNERS]
        assert loads == pytest.approx(MASS * G * own[9:], abs=1e-6 * MASS * G)
        travels = [
            1e3 * (middle(corner, q) - middle(corner, 0.0))[2] for corner, q in zip(CORNERS, own[5:9], strict=True)
        ]
        assert [column(found, f"{corner}.travel")[k] for corner in CORNERS] == pytest.approx(travels, abs=1e-4)


def test_slopes_at_the_origin_are_those_of_the_car_of_these_tests(found):
    def slopes(beta, rack):
        (high, more), (low, less) = car(beta, rack), car(-beta, -rack)
        step = 2.0 * (beta or rack)
        return (high[0] - low[0]) / step / G, (more - less) / step / (MASS * G * LENGTH), (high[3] - low[3]) / step

    ay_beta, cn_beta, roll_beta = slopes(1e-5, 0.0)
    ay_rack, cn_rack, roll_rack = slopes(0.0, 1e-6)
    turn = -cn_rack / cn_beta
    assert read_off(found, "stability") == pytest.approx(cn_beta / ay_beta, rel=1e-5)
    assert read_off(found, "weathervane") == pytest.approx(cn_beta * DEG, rel=1e-5)
    gradient = (roll_rack + turn * roll_beta) / (ay_rack + turn * ay_beta) / DEG
    assert read_off(found, "roll_gradient") == pytest.approx(gradient, rel=1e-5)
