"""A car whose parts give way: its states obey closed forms, laws of springs, and the equilibrium of each axle by itself."""

from __future__ import annotations

import numpy as np
import pytest

from sheetmbs.engine.car_on_tyres import FX, FY, FZ
from sheetmbs.suspension.handling.elastic_states import ElasticSearch
from sheetmbs.suspension.handling.steady_states import (
    AY,
    BETA,
    COUNT,
    EFFORT,
    LOADS,
    RACK,
    RACK_FORCE,
    ROLL,
    SQUARE,
    TRAVELS,
    YAW,
    closed_by,
    holding,
)
from sheetmbs.suspension.run_suspension import run_suspension
from tests.support.handling_books import (
    COEFFICIENTS,
    CORNERS,
    FRONT_ARM,
    FRONT_STIFFNESS,
    LENGTH,
    MASS,
    REAR_ARM,
    REAR_STIFFNESS,
    handled,
    linear_tyres,
    read_off,
    single_track_book,
    student_book,
)

G = 9.81
HEADS = ("axle", "part", "k", "k_conical")
TIE_ROD, LEVER, TRAIL = 2e5, 0.08, 0.02
"""stiffness, N/m; distance of the tie rod from the kingpin and trail of the tyre, m"""
SMALL = ("d", "yaw moment", "15 m/s", None, None, "-1 deg", "1 deg", "1 deg", "-2 mm", "2 mm", "2 mm")
SOFT = 1e7
"""N/m"""


def parts(stiffness):
    """Elastic parts all over a car, of this stiffness, N/m."""
    elastic = [("front", "lower arm front"), ("front", "lower arm rear"), ("front", "upper arm front")]
    elastic += [("front", "tie rod"), ("front", "rack"), ("rear", "lower arm rear"), ("rear", "tie rod")]
    rows = [(*each, f"{stiffness} N/m", None) for each in elastic]
    return [HEADS, *rows, ("front", "wheel bearing", None, f"{0.05 * stiffness} N*m/rad")]


def single_track(folder, axle):
    """A single-track car on tyres with trail whose tie rods give way on one axle."""
    sheets = linear_tyres()
    sheets["Tyre coefficients"] = [*sheets["Tyre coefficients"], ("F", "trail", TRAIL), ("R", "trail", TRAIL)]
    assert sheets["Tyre coefficients"][0] == COEFFICIENTS
    sheets["Compliance"] = [HEADS, (axle, "tie rod", f"{TIE_ROD} N/m", None)]
    return handled(single_track_book(folder / f"{axle}.xlsx", [SMALL], others=sheets))["d"]


@pytest.mark.parametrize(("axle", "sign", "arm"), [("front", 1.0, REAR_ARM + TRAIL), ("rear", -1.0, FRONT_ARM - TRAIL)])
def test_a_tie_rod_that_gives_way_adds_lateral_force_compliance_steer_to_the_gradient(tmp_path, axle, sign, arm):
    # K = W_f/C_f - W_r/C_r; half the side force of the axle turns each wheel by t F/2 over k lever^2
    front, rear = REAR_ARM + TRAIL, FRONT_ARM - TRAIL
    rigid = MASS * G / LENGTH * (front / FRONT_STIFFNESS - rear / REAR_STIFFNESS)
    added = sign * TRAIL / (2.0 * TIE_ROD * LEVER**2) * MASS * G * arm / LENGTH
    found = read_off(single_track(tmp_path, axle), "understeer_gradient")
    assert found == pytest.approx(np.degrees(rigid + added), rel=1e-9)


@pytest.fixture(scope="module")
def cars(tmp_path_factory):
    """A formula student car: rigid, with elastic parts, and with parts a hundred times as stiff."""
    folder = tmp_path_factory.mktemp("books")
    sheets = {"rigid": {}, "soft": {"Compliance": parts(SOFT)}, "stiff": {"Compliance": parts(1e2 * SOFT)}}
    return {
        name: run_suspension(student_book(folder / f"{name}.xlsx", [SMALL], others=own)).base.handling_car
        for name, own in sheets.items()
    }


PLACE = np.array([-0.02, 0.003])
"""beta, rad, and rack, m, of a left turn"""


def cornering(car, beta=PLACE[0], rack=PLACE[1]):
    """A state in a left turn, the wheels rolling free, with what closes it."""
    closure = closed_by(1, [holding(BETA, beta), holding(RACK, rack), holding(SQUARE, 15.0**2), holding(EFFORT, 0.0)])
    found = car.steady.solve(car.steady.at_design(1, 15.0), car.torques(1), closure)
    assert found.good.all()
    return found, closure


def test_differences_from_the_rigid_car_fall_with_the_stiffness(cars):
    rigid, soft, stiff = (cornering(cars[name])[0] for name in ("rigid", "soft", "stiff"))
    for number in (0, 1):
        own = [each.slopes(number)[0, [AY, ROLL, YAW]] for each in (rigid, soft, stiff)]
        assert np.all(np.abs(own[1] - own[0]) > 1e-4 * np.abs(own[0]))
        assert (own[2] - own[0]) / (own[1] - own[0]) == pytest.approx(np.full(3, 1e-2), rel=0.05)
    apart = [each.x[0, AY] - rigid.x[0, AY] for each in (soft, stiff)]
    assert apart[1] / apart[0] == pytest.approx(1e-2, rel=0.05)


def test_slopes_of_the_compliant_car_are_those_of_its_states(cars):
    car, step = cars["soft"], 1e-5
    middle, _closure = cornering(car)
    for number, own in ((0, np.array([step, 0.0])), (1, np.array([0.0, 0.1 * step]))):
        size = np.sum(own)
        states = [cornering(car, *(PLACE + sign * own))[0] for sign in (1.0, -1.0)]
        both = [np.concatenate((each.x[0], each.read[0])) for each in states]
        by_difference = (both[0] - both[1]) / (2.0 * size)
        exact = middle.slopes(number)[0]
        for place in (AY, ROLL, YAW, RACK_FORCE, *range(TRAVELS.start, TRAVELS.stop), LOADS.start):
            assert exact[place] == pytest.approx(by_difference[place], rel=1e-5, abs=1e-6 * np.abs(by_difference).max())


def test_each_axle_is_where_it_comes_to_rest_under_its_wheels_by_itself(cars):
    car = cars["soft"]
    found, closure = cornering(car)
    search = ElasticSearch(car.steady, found.x, car.torques(1), closure, found.lifted, np.inf)
    search.settle()
    for axle in search.axles:
        alone = axle.of.solve(axle.standing(np.arange(1)), axle.of.design_poses)
        assert alone.reached.all()
        assert alone.poses.place == pytest.approx(axle.poses.place, abs=1e-9)
        assert alone.poses.turn == pytest.approx(axle.poses.turn, abs=1e-8)


def test_forces_of_the_compliant_car_are_mass_times_acceleration_and_mirror(cars):
    car = cars["soft"]
    left, closure = cornering(car)
    right, _closure = cornering(car, *-PLACE)
    wheels = car.steady.wheels(left, car.torques(1), closure).columns[0]
    assert np.sum(wheels[:, FZ]) == pytest.approx(car.steady.weight, rel=1e-9)
    assert left.residual[0] < 1e-9
    assert right.x[0, AY] == pytest.approx(-left.x[0, AY], rel=1e-8)
    assert right.x[0, LOADS] == pytest.approx(left.x[0, LOADS][[1, 0, 3, 2]], rel=1e-8)
    mean = np.hypot(np.sum(wheels[:, FX]), np.sum(wheels[:, FY]))
    assert mean > 0.5 * car.steady.weight * abs(left.x[0, AY]) / G
    assert left.x.shape[1] == COUNT


def test_the_settings_of_the_steering_give_way_without_a_sheet_compliance(tmp_path):
    stiffness = 2.0 * np.pi * 50.0
    rows = {"steering stiffness": (f"{stiffness} N*m/rad",), "rack per turn": ("100 mm",)}
    sheets = linear_tyres()
    sheets["Tyre coefficients"] = [*sheets["Tyre coefficients"], ("F", "trail", TRAIL), ("R", "trail", TRAIL)]
    found = handled(single_track_book(tmp_path / "car.xlsx", [SMALL], settings=rows, others=sheets))["d"]
    # in series with the rack the column is k (2 pi/rack per turn)^2, on which the forces of both tie rods act
    front, rear, rack = REAR_ARM + TRAIL, FRONT_ARM - TRAIL, stiffness * (2.0 * np.pi / 0.1) ** 2
    rigid = MASS * G / LENGTH * (front / FRONT_STIFFNESS - rear / REAR_STIFFNESS)
    added = TRAIL / (rack * LEVER**2) * MASS * G * front / LENGTH
    assert read_off(found, "understeer_gradient") == pytest.approx(np.degrees(rigid + added), rel=1e-9)


CASES = (
    ("name", "method", "speed", "ax", "ay"),
    ("left", "tyres", "54 km/h", 0.0, 0.8),
    ("stop", "tyres", "54 km/h", -0.5, 0.4),
)


def loads_of(path, stiffness):
    """Columns of load cases on tyres, by name."""
    sheets = {"Load cases": CASES} | ({} if stiffness is None else {"Compliance": parts(stiffness)})
    loads = run_suspension(student_book(path, [SMALL], others=sheets)).base.loads
    return {column.name: column.values for column in loads.columns}


def test_load_cases_on_tyres_rest_on_their_elastic_parts_and_balance(tmp_path):
    soft = loads_of(tmp_path / "soft.xlsx", SOFT)
    assert np.max(soft["residual"]) < 1e-8, "virtual work, and forces on the chassis"
    assert soft["ax"] == pytest.approx(G * np.array([0.0, -0.5]), abs=1e-8)
    assert np.sum([soft[f"{corner}.fz"] for corner in CORNERS], axis=0) == pytest.approx(280.0 * G, rel=1e-9)
    # what the rack is held by is the spring of the rack times what it gives way
    assert any("d_" in name for name in soft), "bushings have columns of their own"
    rigid, stiff = loads_of(tmp_path / "rigid.xlsx", None), loads_of(tmp_path / "stiff.xlsx", 1e2 * SOFT)
    apart = [np.abs(own["FL.tie rod"] - rigid["FL.tie rod"]) for own in (soft, stiff)]
    assert np.all(apart[0] > 1e-3)
    assert apart[1] == pytest.approx(1e-2 * apart[0], rel=0.1)
