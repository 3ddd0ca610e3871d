"""States of a whole car on its tyres obey the balance of forces; its wheels and differentials obey their rules."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import openpyxl
import pytest

from sheetmbs.engine.car_on_tyres import DRIVING, LEFT_MORE, LOCKED, RIGHT_MORE
from sheetmbs.suspension.handling.steady_states import (
    AX,
    AY,
    COUNT,
    EFFORT,
    FASTER_LEFT,
    IN_TRIM,
    LOADS,
    PRESSED,
    RACK,
    SQUARE,
    TRAVELS,
    closed_by,
    holding,
)
from sheetmbs.suspension.run_suspension import run_suspension
from tests.support.handling_books import (
    CORNERS,
    MASS,
    column,
    handled,
    on_path,
    read_off,
    single_track_book,
    student_book,
)

G = 9.81
SIDES = ((0, 1.0), (1, -1.0))
"""places of the wheels of an axle, and the sense in which their axes point to the left"""
ROWS = [
    ("d", "yaw moment", "60 km/h", None, None, "-4 deg", "4 deg", "2 deg", "-10 mm", "10 mm", "5 mm"),
    ("c", "circle", None, "15 m"),
]


@pytest.fixture(scope="module")
def solved(tmp_path_factory):
    return run_suspension(student_book(tmp_path_factory.mktemp("books") / "car.xlsx", ROWS)).base


@pytest.fixture(scope="module")
def car(solved):
    return solved.handling_car


def at_speed(car, conditions, start=None, lifted=None, speed=15.0):
    """One state at a speed."""
    steady = car.steady
    x = steady.at_design(1, speed) if start is None else start
    return steady.solve(x, car.torques(1), closed_by(1, [holding(SQUARE, speed**2), *conditions]), lifted)


def turn_of(roll, pitch):
    """From the body to the road, as Ry(pitch) Rx(roll)."""
    cr, sr, cp, sp = np.cos(roll), np.sin(roll), np.cos(pitch), np.sin(pitch)
    return np.array([[cp, 0, sp], [0, 1, 0], [-sp, 0, cp]]) @ np.array([[1, 0, 0], [0, cr, -sr], [0, sr, cr]])


@pytest.mark.parametrize("name", ["d", "c"])
def test_forces_of_the_sheet_are_mass_times_acceleration(solved, car, name):
    found = next(each for each in solved.handling.found if each.row.name == name)
    mass = car.steady.kernel.parts.mass
    known = np.flatnonzero(np.isfinite(column(found, "ay")))
    assert len(known) > 15
    for k in known:
        total = sum(on_path(found, k, corner) for corner in CORNERS)
        wanted = mass * np.array([column(found, "ax")[k], column(found, "ay")[k], G])
        assert total == pytest.approx(wanted, abs=1e-9 * mass * G)


@pytest.mark.parametrize("name", ["d", "c"])
def test_moments_about_the_centre_of_gravity_leave_the_yaw_moment_alone(solved, car, name):
    found = next(each for each in solved.handling.found if each.row.name == name)
    parts, steady = car.steady.kernel.parts, car.steady
    for k in np.flatnonzero(np.isfinite(column(found, "ay")))[::4]:
        travel = np.array([[column(found, f"{corner}.travel")[k] for corner in CORNERS]]) / 1e3
        states, _reached = steady.standing.states(travel, np.array([column(found, "rack")[k] / 1e3]))
        turn = turn_of(*(np.radians(column(found, each)[k]) for each in ("roll", "pitch")))
        up = turn.T[:, 2]
        wheels = [
            (sign, state.vectors[0, 3 * side : 3 * side + 2, 0]) for state in states.values() for side, sign in SIDES
        ]
        shifts = np.repeat(parts.shift, 2, axis=0)
        masses = [
            (mass.mass, state.vectors[0, 6 + number, 0])
            for state in states.values()
            for number, mass in enumerate(state.fixed.masses)
        ]
        shift_of = [
            shift for shift, state in zip(parts.shift, states.values(), strict=True) for _ in state.fixed.masses
        ]
        weighted = sum(mass * (at + shift) for (mass, at), shift in zip(masses, shift_of, strict=True))
        middle = (weighted + parts.sprung_mass * parts.sprung_at) / parts.mass
        moment = np.zeros(3)
        for corner, (sign, (centre, axis)), shift, radius in zip(CORNERS, wheels, shifts, parts.radius, strict=True):
            spin = sign * axis
            down = up - (up @ spin) * spin
            contact = centre + shift - radius * down / np.linalg.norm(down)
            pressed = column(found, f"{corner}.fz")[k] - parts.design_load[CORNERS.index(corner)]
            contact += pressed * parts.softness[CORNERS.index(corner)] * up
            level = turn @ (contact - middle)
            heading = np.radians(column(found, f"{corner}.steer")[k])
            ahead, left = (np.cos(heading), np.sin(heading), 0.0), (-np.sin(heading), np.cos(heading), 0.0)
            force, torque = (
                np.array(ahead) * column(found, f"{corner}.{first}")[k]
                + np.array(left) * column(found, f"{corner}.{second}")[k]
                + np.array((0.0, 0.0, 1.0)) * column(found, f"{corner}.{third}")[k]
                for first, second, third in (("fx", "fy", "fz"), ("mx", "my", "mz"))
            )
            moment += np.cross(level, force) + torque
        assert moment == pytest.approx([0.0, 0.0, column(found, "yaw_moment")[k]], abs=1e-8 * parts.mass * G)


STIFF_FRONT = (
    ("name", "axle", "kind", "k"),
    ("spring", "front", "spring", "60 N/mm"),
    ("spring", "rear", "spring", "60 N/mm"),
    ("bar", "front", "U bar", "6000 N*m/rad"),
)
"""springs of a car whose inner front wheel lifts"""


@pytest.fixture(scope="module")
def tall(tmp_path_factory):
    others = {"Suspension springs": STIFF_FRONT}
    path = tmp_path_factory.mktemp("books") / "tall.xlsx"
    book = student_book(path, ROWS[1:], 1.6, settings={"cg height": ("400 mm",)}, others=others)
    return run_suspension(book).base.handling_car


def at_ay(car, ay, before):
    """A state in trim at ay/g, begun from another."""
    start, lifted = (None, None) if before is None else (before.x, before.lifted)
    return at_speed(car, [holding(AY, ay * G), holding(EFFORT, 0.0), IN_TRIM], start, lifted)


def above_road(state):
    """By how much each wheel is over the place at which it would just touch, m."""
    return state.read[0, PRESSED.start - COUNT : PRESSED.stop - COUNT]


def test_the_inner_front_wheel_lifts_and_comes_back_at_the_same_ay(tall):
    states, found = [], None
    for ay in np.arange(0.0, 1.1, 0.05):
        found = at_ay(tall, ay, found)
        assert found.good.all(), found.why
        states.append(found)
    off = [each.lifted[0].tolist() for each in states]
    assert off[0] == [False] * 4
    assert off[-1] == [True, False, False, False]
    for each in states:
        is_off = each.lifted[0]
        assert np.all(each.x[0, LOADS][is_off] == 0.0)
        assert np.all(each.x[0, LOADS][~is_off] > 0.0)
        assert np.all(above_road(each)[is_off] > 0.0)
    for ay, each in reversed(list(zip(np.arange(0.0, 1.1, 0.05), states, strict=True))):
        found = at_ay(tall, ay, found)
        assert found.good.all(), found.why
        assert found.lifted.tolist() == each.lifted.tolist()
        assert found.x[0, TRAVELS] == pytest.approx(each.x[0, TRAVELS], abs=1e-9)


def test_a_state_goes_on_without_a_jump_where_a_wheel_lifts(tall):
    low, high = at_ay(tall, 0.8, None), at_ay(tall, 1.0, at_ay(tall, 0.9, None))
    assert not low.lifted.any()
    assert high.lifted.any()
    ends = 0.8, 1.0
    while ends[1] - ends[0] > 1e-8:
        middle = 0.5 * sum(ends)
        found = at_ay(tall, middle, low)
        assert found.good.all(), found.why
        ends = (ends[0], middle) if found.lifted.any() else (middle, ends[1])
        low, high = (low, found) if found.lifted.any() else (found, high)
    assert low.x[0, TRAVELS] == pytest.approx(high.x[0, TRAVELS], abs=1e-8)
    assert low.x[0, LOADS] == pytest.approx(high.x[0, LOADS], abs=1e-3)


def driven(car, word, bias=2.0):
    """A state that drives hard in a turn, with a differential."""
    steady, torques = car.steady, car.torques(1)
    kernel = replace(steady.kernel, bias=np.array([1.0, bias]))
    steady = replace(steady, kernel=kernel)
    torques = replace(
        torques,
        differential=np.array([[0, LOCKED if word != "open" else 0]]),
        limited=np.array([False, word == "limited"]),
    )
    x, lifted = steady.at_design(1, 15.0), None
    for share in np.linspace(0.1, 1.0, 8):
        conditions = [holding(SQUARE, 225.0), holding(AY, 0.3 * share * G), holding(AX, 0.6 * share * G), IN_TRIM]
        found = steady.solve(x, torques, closed_by(1, conditions), lifted)
        assert found.good.all(), found.why
        x, lifted = found.x, found.lifted
    wheels = steady.wheels(found, torques, closed_by(1, conditions)).columns
    return found, wheels[0, 2:, DRIVING], float(found.read[0, FASTER_LEFT.start - COUNT + 1])


def test_an_open_differential_shares_torques_equally(car):
    _found, torque, faster = driven(car, "open")
    assert torque[0] == pytest.approx(torque[1], rel=1e-9)
    assert faster != 0.0


def test_a_locked_differential_makes_the_wheels_turn_at_one_speed(car):
    _found, torque, faster = driven(car, "locked")
    assert faster == pytest.approx(0.0, abs=1e-9)
    assert torque[0] > torque[1]  # the inner wheel is the slower one


def test_a_limited_differential_gives_the_slower_wheel_its_bias(car):
    locked = driven(car, "locked")[1]
    found, torque, faster = driven(car, "limited", bias=1.1)
    assert locked[0] / locked[1] > 1.1
    more, less = (0, 1) if found.differential[0, 1] == LEFT_MORE else (1, 0)
    assert torque[more] == pytest.approx(1.1 * torque[less], rel=1e-9)
    assert (faster < 0.0) == (more == 0)
    found, wide, faster = driven(car, "limited", bias=50.0)
    assert found.differential[0, 1] in {LOCKED, LEFT_MORE, RIGHT_MORE}
    assert wide == pytest.approx(locked, rel=1e-7)
    assert faster == pytest.approx(0.0, abs=1e-9)


def test_the_largest_ay_of_a_circle_is_that_of_a_search_by_halving(solved, car):
    found = next(each for each in solved.handling.found if each.row.name == "c")
    torques = car.torques(1)

    def state(ay, start, lifted):
        conditions = [holding(AX, 0.0), holding(AY, ay), IN_TRIM, holding(SQUARE, 15.0 * ay)]
        return car.steady.solve(start, torques, closed_by(1, conditions), lifted)

    low, step = 0.02 * G, 0.02 * G
    best = state(low, car.steady.at_design(1, np.sqrt(15.0 * low)), None)
    while step > 1e-7 * G:
        tried = state(low + step, best.x, best.lifted)
        if tried.good[0]:
            low, best = low + step, tried
        else:
            step *= 0.5
    assert read_off(found, "max_trimmed_ay") == pytest.approx(low / G, abs=1e-6)
    assert read_off(found, "max_trimmed_ay_right") == pytest.approx(low / G, abs=1e-6)
    assert best.x[0, RACK] > 0.0


def test_the_torque_at_the_steering_wheel_holds_the_trail_of_the_tyres(tmp_path):
    trail = [("F", "trail", 0.02), ("R", "trail", 0.02)]
    path = single_track_book(tmp_path / "car.xlsx", [("v", "circle", "15 m/s")], settings={"rack per turn": ("90 mm",)})
    book = openpyxl.load_workbook(path)
    for row in trail:
        book["Tyre coefficients"].append(row)
    book.save(path)
    found = handled(path)["v"]
    ay, torque, force = (column(found, name) for name in ("ay", "steering_torque", "steering_force"))
    assert np.all(force[ay > 0.1] > 0.0)
    fy = sum(column(found, f"{corner}.fy") for corner in ("FL", "FR"))
    assert force[np.argmin(np.abs(ay - 0.05 * G))] * 0.08 == pytest.approx(
        0.02 * fy[np.argmin(np.abs(ay - 0.05 * G))], rel=1e-3
    )
    assert torque == pytest.approx(force * 0.09 / (2.0 * np.pi), rel=1e-9, abs=1e-9 * MASS)


def test_states_of_a_diagram_on_a_circle_have_its_radius(tmp_path):
    rows = [("r", "yaw moment", None, "20 m", None, "-4 deg", "4 deg", "2 deg", "-10 mm", "10 mm", "5 mm")]
    found = handled(student_book(tmp_path / "car.xlsx", rows))["r"]
    ay, speed, rate = (column(found, name) for name in ("ay", "speed", "yaw_rate"))
    known = np.isfinite(ay)
    assert 3 < np.sum(known) < len(ay)
    assert np.all(ay[known] > 0.0)
    assert speed[known] ** 2 == pytest.approx(20.0 * ay[known], rel=1e-9)
    assert np.radians(rate[known]) == pytest.approx(speed[known] / 20.0, rel=1e-9)
    why = found.table.texts[found.table.columns.index("why")].texts
    assert [bool(text) for text in why] == (~known).tolist()


def test_a_circle_that_the_lock_does_not_allow_is_a_row_that_says_so(tmp_path):
    found = handled(student_book(tmp_path / "car.xlsx", [("c", "circle", None, "2 m")]))["c"]
    assert np.isnan(column(found, "ay")).all()
    assert all(found.table.texts[found.table.columns.index("why")].texts)
