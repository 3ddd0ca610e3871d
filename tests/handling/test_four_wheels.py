"""A car whose suspension is nearly rigid is the four-wheel model of textbooks, solved here by a few lines of its own."""

import shutil

import numpy as np
import pytest
from scipy.optimize import fsolve

from tests.support import tyres
from tests.support.car_books import car_book
from tests.support.handling_books import COEFFICIENTS, HANDLING, UPRIGHT_CAR, UPRIGHT_KINGPIN, column, handled, read_off

FILE = "MagicFormula61_Parameters.tir"
G, DEG = 9.81, np.pi / 180.0
MASS, FRONT_ARM, REAR_ARM, TRACK, HEIGHT, FRONT_SHARE, SPEED = 1600.0, 1.25, 1.45, 1.56, 0.55, 0.58, 30.0
LENGTH = FRONT_ARM + REAR_ARM
CORNERS = {"FL": (FRONT_ARM, 0.5 * TRACK), "FR": (FRONT_ARM, -0.5 * TRACK)}
CORNERS |= {"RL": (-REAR_ARM, 0.5 * TRACK), "RR": (-REAR_ARM, -0.5 * TRACK)}
# beta, delta in deg -> ay/g, N, CN and Fz of FL, FR, RL, RR: the same tyre, as measured, on all wheels
TABLE = (
    ((0, 1), (0.202327514, 2502.097918, 0.059040707), (3565.2701, 4864.0633, 3163.0806, 4103.5861)),
    ((0, 4), (0.583680566, 7192.601071, 0.169720077), (2341.2676, 6088.0658, 2276.7340, 4989.9327)),
    ((-1, 0), (0.367016951, -2391.290110, -0.056426032), (3036.6778, 5392.6556, 2780.3069, 4486.3598)),
    ((-2, 3), (0.890767019, 1043.769614, 0.024629290), (1355.6334, 7073.6999, 1562.9989, 5703.6677)),
    ((2, -3), (-0.892667856, -1085.404357, -0.025611724), (7079.8009, 1349.5324, 5708.0857, 1558.5810)),
    ((-5, 6), (0.993877144, -1136.878498, -0.026826332), (1024.6880, 7404.6453, 1323.3488, 5943.3179)),
    ((-4, 2), (0.994236042, -501.222961, -0.011827098), (1023.5361, 7405.7973, 1322.5146, 5944.1520)),
)


PRESSURE = 260e3
NO_SHIFTS = {"LHX": 0.0, "LVX": 0.0, "LHY": 0.0, "LVY": 0.0}
FORMULA = tyres.formula(61, **NO_SHIFTS)
"""the equations of the tyre, transcribed once more in the tests"""


def side_force(alpha, load, mirrored):
    """Fy and Mz of a wheel that rolls free without a drag of its own."""
    sense = -1.0 if mirrored else 1.0
    _fx, fy, mz, *_others = FORMULA.forces(0.0, sense * alpha, 0.0, load, PRESSURE, SPEED)
    return sense * fy.real, sense * mz.real


def four_wheels(beta, delta, *, mounted, slows):
    """ay, yaw moment and loads of the model; angles in rad, delta one of both front wheels or one of each.

    mounted: whether tyres of the left are mirror images of those of the right, where they were measured. slows: whether the
    drag of slip angles slows the car and moves its load to the front.
    """

    steers = np.broadcast_to(delta, 2)

    def state(unknown):
        ay, ax = unknown
        force, moment, loads = np.zeros(2), 0.0, []
        # the moments of inertia forces are about lines of the car, which lies at beta to the path
        ahead, left = (
            (ax * np.cos(beta) - ay * np.sin(beta), ay * np.cos(beta) + ax * np.sin(beta)) if slows else (0.0, ay)
        )
        for x, y in CORNERS.values():
            is_front, side = x > 0.0, np.sign(y)
            share, arm = (FRONT_SHARE, REAR_ARM) if is_front else (1.0 - FRONT_SHARE, FRONT_ARM)
            load = 0.5 * MASS * G * arm / LENGTH - side * share * MASS * left * HEIGHT / TRACK
            load -= (0.5 if is_front else -0.5) * MASS * ahead * HEIGHT / LENGTH
            steer, rate = (steers[int(side < 0.0)] if is_front else 0.0), ay / SPEED
            alpha = np.arctan2(SPEED * np.sin(beta) + rate * x, SPEED * np.cos(beta) - rate * y) - steer
            fy, mz = side_force(alpha, load, mounted and side > 0.0)
            own = fy * np.array([-np.sin(steer), np.cos(steer)])
            force += own
            moment += x * own[1] - y * own[0] + mz
            loads.append(load)
        along = force @ [np.cos(beta), np.sin(beta)] if slows else 0.0
        across = force @ [-np.sin(beta), np.cos(beta)]
        return np.array([across / MASS - ay, along / MASS - ax]), moment, np.array(loads)

    solved = fsolve(lambda unknown: state(unknown)[0], np.zeros(2), xtol=1e-13)
    return solved[0], *state(solved)[1:]


@pytest.mark.parametrize(("angles", "found", "loads"), TABLE)
def test_the_model_of_these_tests_has_the_numbers_of_another_one(angles, found, loads):
    ay, moment, own = four_wheels(*np.multiply(angles, DEG), mounted=False, slows=False)
    assert (ay / G, moment, moment / (MASS * G * LENGTH)) == pytest.approx(found, rel=2e-7, abs=2e-8)
    assert own == pytest.approx(loads, abs=2e-4)


def moved(points, x, y):
    """Hardpoints further outboard and along the car, mm."""
    return {name: (at[0] + x, at[1] + y, at[2]) for name, at in points.items()}


STIFF = (
    ("name", "axle", "kind", "k"),
    ("spring", "front", "spring", f"{2e6 * FRONT_SHARE} N/mm"),
    ("spring", "rear", "spring", f"{2e6 * (1.0 - FRONT_SHARE)} N/mm"),
)
"""springs so stiff that the car hardly rolls, in the shares of the load transfer: roll centres are on the road"""


@pytest.fixture(scope="module")
def found(tmp_path_factory):
    folder = tmp_path_factory.mktemp("books")
    shutil.copy(tyres.FILES / FILE, folder / FILE)
    zeros = [("car tyre", name, 0) for name in (*NO_SHIFTS, "LMX", "LMY")]
    others = {
        "Tyres": [("name", "file", "pressure"), ("car tyre", FILE, f"{PRESSURE} Pa")],
        "Tyre coefficients": [COEFFICIENTS, *zeros],
        "Handling": [
            HANDLING,
            ("d", "yaw moment", f"{SPEED} m/s", None, None, "-5 deg", "5 deg", "1 deg", "-8 mm", "8 mm", "2 mm"),
        ],
    }
    settings = {
        **UPRIGHT_CAR,
        "wheelbase": (f"{1e3 * LENGTH} mm",),
        "cg height": (f"{1e3 * HEIGHT} mm",),
        "mass": (f"{MASS} kg",),
        "weight front": (REAR_ARM / LENGTH,),
        "unsprung mass": None,
        "rack per turn": None,
    }
    out = 500.0 * TRACK - 600.0
    front, rear = moved(UPRIGHT_KINGPIN, 0.0, out), moved(UPRIGHT_KINGPIN, -1e3 * LENGTH, out)
    path = car_book(folder / "car.xlsx", settings, front=front, rear=rear, springs=STIFF, others=others)
    return handled(path)["d"]


def test_states_of_the_diagram_are_those_of_the_model(found):
    known = np.flatnonzero(np.isfinite(column(found, "ay")))
    assert len(known) > 80
    for k in known[::3]:
        beta = column(found, "beta")[k] * DEG
        delta = [column(found, f"{corner}.steer")[k] * DEG for corner in ("FL", "FR")]
        ay, moment, loads = four_wheels(beta, delta, mounted=True, slows=True)
        assert column(found, "ay_g")[k] == pytest.approx(ay / G, abs=2e-5)
        assert column(found, "CN")[k] == pytest.approx(moment / (MASS * G * LENGTH), abs=3e-5)
        own = [column(found, f"{corner}.fz")[k] for corner in CORNERS]
        assert own == pytest.approx(loads, abs=1e-4 * MASS * G)


def test_slopes_at_the_origin_are_those_of_the_model(found):
    step = 1e-4

    def slopes(which):
        low, high = (four_wheels(*np.multiply(sense * step, which), mounted=True, slows=True) for sense in (-1.0, 1.0))
        return np.subtract(high[:2], low[:2]) / (2.0 * step) / np.array([G, MASS * G * LENGTH])

    (ay_beta, cn_beta), (ay_delta, cn_delta) = slopes((1.0, 0.0)), slopes((0.0, 1.0))
    along = ay_delta - ay_beta * cn_delta / cn_beta
    assert read_off(found, "stability") == pytest.approx(cn_beta / ay_beta, rel=1e-4)
    assert read_off(found, "weathervane") == pytest.approx(cn_beta * DEG, rel=1e-4)
    assert read_off(found, "control") == pytest.approx(cn_delta * DEG, rel=1e-4)
    gradient = (1.0 / along - LENGTH * G / SPEED**2) / DEG
    assert read_off(found, "understeer_gradient") == pytest.approx(gradient, abs=1e-4)
