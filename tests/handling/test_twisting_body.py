"""A car whose body twists between its axles, and tyres whose carcass gives way: shares of load transfer and closed forms."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from sheetmbs.suspension.handling.steady_states import (
    AX,
    AY,
    BETA,
    EFFORT,
    IN_TRIM,
    LOADS,
    RACK,
    RACK_FORCE,
    ROLL,
    SQUARE,
    TWISTING,
    YAW,
    closed_by,
    holding,
)
from sheetmbs.suspension.run_suspension import run_suspension
from tests.support.handling_books import FRONT_ARM, LENGTH, MASS, REAR_ARM, single_track_book, student_book

G = 9.81
TRACK = 1.2
"""m, of the single-track car"""
TORSION = 1500.0
"""N m/rad, soft enough that the body twists by a third of its roll"""
CARCASS = 1e5
"""N/m"""
SMALL = ("d", "yaw moment", "15 m/s", None, None, "-1 deg", "1 deg", "1 deg", "-2 mm", "2 mm", "2 mm")
STRAIGHT = {"toe": ("0 deg", "0 deg"), "camber": ("0 deg", "0 deg"), "tyre rate": None}
CASES = (("name", "method", "speed", "ax", "ay"), ("left", "tyres", "54 km/h", 0.0, 0.5))
PLACE = np.array([-0.006, 0.001])
"""beta, rad, and rack, m, of a left turn"""


@pytest.fixture(scope="module")
def results(tmp_path_factory):
    """A student car with stiff tie rods and a body that twists."""
    rows = [("axle", "part", "k", "k_torsion"), *((axle, "tie rod", "1e8 N/m", None) for axle in ("front", "rear"))]
    rows.append(("front", "chassis", None, f"{TORSION} N*m/rad"))
    sheets = {"Compliance": rows, "Sweeps": [("name", "type"), ("heave", "heave")], "Load cases": CASES}
    path = tmp_path_factory.mktemp("books") / "car.xlsx"
    return run_suspension(student_book(path, [SMALL], friction=None, settings=STRAIGHT, others=sheets))


@pytest.fixture(scope="module")
def twisting(results):
    """The same car with another torsional stiffness of its body; None: it is rigid."""
    car = results.base.handling_car
    return lambda torsion: replace(car, steady=replace(car.steady, torsion=torsion))


def in_trim(car, ay=0.0, speed=15.0):
    """A state without yaw moment at a constant speed, m/s."""
    asked = [holding(SQUARE, speed**2), holding(AY, ay), IN_TRIM, holding(AX, 0.0)]
    found = car.steady.solve(car.steady.at_design(1, speed), car.torques(1), closed_by(1, asked))
    assert found.good.all()
    return found


def cornering(car, beta=PLACE[0], rack=PLACE[1]):
    """A state at a body slip angle and a rack travel."""
    asked = [holding(BETA, beta), holding(RACK, rack), holding(SQUARE, 15.0**2), holding(EFFORT, 0.0)]
    found = car.steady.solve(car.steady.at_design(1, 15.0), car.torques(1), closed_by(1, asked))
    assert found.good.all()
    return found


def transfer(car):
    """Load transfer (front, rear) by lateral acceleration in a straight run, and the twist by it."""
    slopes = in_trim(car).slopes(1)[0]
    by_ay = slopes[LOADS]
    twist = 0.0 if car.steady.torsion is None else -slopes[TWISTING] / car.steady.torsion
    return by_ay[[1, 3]] - by_ay[[0, 2]], twist


def test_a_body_that_twists_shares_load_transfer_as_two_halves_joined_by_a_spring_do(results, twisting):
    def share(car):
        own = transfer(car)[0]
        return 100.0 * own[0] / np.sum(own)

    # which the sweep has in closed form, by roll centres and stiffnesses of the axles
    told = float(results.sweeps["heave"].query("travel == 0").iloc[0]["torsion_share"])
    assert share(twisting(TORSION)) == pytest.approx(told, rel=2e-3)
    assert share(twisting(None)) > told + 3.0


def test_load_transfer_differs_from_the_sweep_by_what_steered_wheels_shift(results, twisting):
    # which falls with the square of the speed, in proportion to the rack travel that the curve asks for
    car = twisting(None)

    def share_and_rack(speed):
        slopes = in_trim(car, speed=speed).slopes(1)[0]
        own = slopes[LOADS][[1, 3]] - slopes[LOADS][[0, 2]]
        return np.array([100.0 * own[0] / np.sum(own), slopes[RACK]])

    straight = share_and_rack(1e4)
    told = float(results.sweeps["heave"].query("travel == 0").iloc[0]["load_transfer_front_share"])
    assert straight[0] == pytest.approx(told, abs=0.03)
    (slow, slow_rack), (fast, fast_rack) = (share_and_rack(speed) - straight for speed in (10.0, 15.0))
    assert slow < -0.5
    assert slow / fast == pytest.approx(slow_rack / fast_rack, rel=5e-3)


def test_what_the_torsion_carries_over_follows_the_law_of_springs_in_series(twisting):
    # twist(k) (K + k) is the moment that twists, and T(k) = (K T(0) + k T(rigid))/(K + k), K that of both axles in series
    soft, hard = 0.1 * TORSION, TORSION
    (loose, more), (_own, less), (rigid, _none) = (transfer(twisting(k)) for k in (soft, hard, None))
    series = (less * hard - more * soft) / (more - less)
    assert series > 0.2 * TORSION
    alone = ((series + soft) * loose - soft * rigid) / series
    for k in (0.5 * TORSION, 3.0 * TORSION, 1e2 * TORSION):
        shared, twisted = transfer(twisting(k))
        assert twisted == pytest.approx(more * (series + soft) / (series + k), rel=1e-7)
        assert shared == pytest.approx((series * alone + k * rigid) / (series + k), rel=1e-7)


def test_states_of_a_body_that_twists_mirror_and_have_exact_slopes(twisting):
    car = twisting(TORSION)
    found, mirrored = cornering(car), cornering(car, *-PLACE)
    assert mirrored.x[0, AY] == pytest.approx(-found.x[0, AY], rel=1e-9)
    assert car.steady.twist(mirrored)[0] == pytest.approx(-car.steady.twist(found)[0], rel=1e-7)
    step = np.array([1e-5, 0.0])
    both = [
        np.concatenate((each.x[0], each.read[0])) for each in (cornering(car, *(PLACE + s * step)) for s in (1, -1))
    ]
    exact = found.slopes(0)[0]
    for place in (AY, ROLL, YAW, RACK_FORCE, TWISTING):
        assert exact[place] == pytest.approx((both[0] - both[1])[place] / 2e-5, rel=1e-6)


def test_a_load_case_in_trim_rests_on_the_twisted_body(results):
    (twist,) = [each.values[0] for each in results.base.loads.columns if each.name == "chassis_twist"]
    (residual,) = [each.values[0] for each in results.base.loads.columns if each.name == "residual"]
    assert residual < 1e-8, "members, rockers and uprights are in equilibrium"
    car = results.base.handling_car
    assert twist == pytest.approx(np.degrees(car.steady.twist(in_trim(car, 0.5 * G))[0]), rel=1e-7)


def test_the_sheet_of_a_row_has_the_twist_of_the_body(results):
    (row,) = results.base.handling.found
    twist, roll = (np.asarray(row.table.values[:, row.table.columns.index(name)]) for name in ("chassis_twist", "roll"))
    assert np.nanmax(np.abs(twist)) > 0.1 * np.nanmax(np.abs(roll))


def test_a_carcass_that_gives_way_moves_the_contacts_against_the_load_transfer(tmp_path):
    # contacts move by F/(2 k) into the curve; the centre of gravity at the height of the road transfers nothing else
    sheets = {"Compliance": [("axle", "part", "k_axial"), ("front", "tyre", f"{CARCASS} N/m")]}
    book = single_track_book(tmp_path / "car.xlsx", [SMALL], others=sheets)
    by_ay = in_trim(run_suspension(book).base.handling_car).slopes(1)[0, LOADS]
    transferred = 0.5 * TRACK * np.sum(by_ay[[1, 3]] - by_ay[[0, 2]])
    share = REAR_ARM / LENGTH
    assert share + FRONT_ARM / LENGTH == 1.0
    assert transferred == pytest.approx(MASS * G * share * MASS * share / (2.0 * CARCASS), rel=1e-6)
