"""The sheet Steering: universal joints against vectors of their pins, what they do to columns of results, and its mistakes."""

from __future__ import annotations

import numpy as np
import pytest

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.schema.suspension_inputs import ShaftKind
from sheetmbs.suspension.layout.steering_column import ShaftEnd, SteeringColumn
from sheetmbs.suspension.run_suspension import run_suspension
from tests.support.car_books import FRONT, REAR, SETTINGS, car_book
from tests.support.opened import checked

HEADS = ("name", "kind", "x", "y", "z", "phase", "ratio", "efficiency", "k", "play", "diameter", "design")
UNITS = ("units", None, "mm", "mm", "mm", "deg", None, None, "N*m/deg", "deg", "mm", None)
WHEEL = ("rim", "wheel", -550, 0, 560, None, None, None, None, None, 260)
UPPER = ("upper joint", "universal joint", -300, 0, 480)
LOWER = ("lower joint", "universal joint", -60, 40, 280, 35, None, 0.98)
PINION = ("pinion", "pinion", -20, 0, 150, None, None, 0.95, None, 2)
SHAFTS = (HEADS, UNITS, WHEEL, UPPER, LOWER, PINION)
STEER = (
    (
        "name",
        "type",
        "rack_from",
        "rack_to",
        "rack_step",
        "steering_wheel_from",
        "steering_wheel_to",
        "steering_wheel_step",
    ),
    ("steer", "steer", "-20 mm", "20 mm", "1 mm", None, None, None),
    ("turn", "steer", None, None, None, "-80 deg", "80 deg", "20 deg"),
)
CASES = (
    ("name", "ay", "rack", "steering_wheel", "pose"),
    ("left", 0.8, None, "60 deg", "design"),
    ("right", -0.8, "-12 mm", None, "design"),
)
PER_TURN = 90.0
"""mm, of the test car"""


def column(*angles, twist=0.0, phases=(0.0, 0.0)):
    """A chain of shafts, each at an angle to the one before it; the plane of the last two is turned by ``twist``."""
    along, normal = [np.array([1.0, 0.0, 0.0])], np.array([0.0, 0.0, 1.0])
    for number, angle in enumerate(angles):
        last = along[-1]
        if number:
            normal = turned(last, normal, twist)
        along.append(turned(normal, last, angle))
    points = np.cumsum([np.zeros(3), *along], axis=0)
    joints = [
        ShaftEnd(f"joint {at}", ShaftKind.JOINT, point, phase)
        for at, (point, phase) in enumerate(zip(points[1:-1], phases, strict=False), start=1)
    ]
    ends = ShaftEnd("wheel", ShaftKind.WHEEL, points[0]), *joints, ShaftEnd("pinion", ShaftKind.PINION, points[-1])
    return SteeringColumn(ends), along


def turned(axis, arm, angle):
    """An arm turned about an axis, by Rodrigues' formula."""
    return arm * np.cos(angle) + np.cross(axis, arm) * np.sin(angle) + axis * (axis @ arm) * (1.0 - np.cos(angle))


def pin_angles(along, phases, wheel):
    """The angle of the last shaft by the pins of all joints, which stay square to both shafts and to each other."""
    angle = -wheel
    yoke = None
    for before, after, phase in zip(along, along[1:], phases, strict=False):
        reference = np.cross(before, after) / np.linalg.norm(np.cross(before, after)) if yoke is None else yoke
        pin = turned(before, reference, phase)
        outs = [np.cross(after, turned(before, pin, each)) for each in (0.0, *angle)]
        first, *others = [out / np.linalg.norm(out) for out in outs]
        yoke = first
        angle = np.unwrap([np.arctan2(np.cross(first, out) @ after, first @ out) for out in others], period=2 * np.pi)
    return -angle


TURNS = np.radians(np.linspace(0.0, 360.0, 721))


@pytest.mark.parametrize(
    ("beta", "least", "largest"),
    [(20, 0.9396926, 1.0641778), (30, 0.8660254, 1.1547005), (40, 0.7660444, 1.3054073)],
)
def test_the_rate_of_one_joint_lies_between_the_cosine_of_its_angle_and_the_inverse(beta, least, largest):
    shafts, _along = column(np.radians(beta))
    rate = shafts.rate(TURNS)
    assert (rate.min(), rate.max()) == pytest.approx((least, largest), abs=5e-8)
    assert shafts.ripple == pytest.approx(largest - least, abs=1e-7)


@pytest.mark.parametrize("second", [0.5, -0.5])
def test_two_joints_of_equal_angles_in_one_plane_and_in_phase_turn_evenly(second):
    shafts, _along = column(0.5, second)
    assert np.abs(shafts.pinion(TURNS) - TURNS).max() < 1e-12
    assert abs(shafts.ripple) < 1e-12
    off, _along = column(0.5, second, phases=(0.0, np.pi / 2.0))
    single, _along = column(0.5)
    rates = single.rate(TURNS)
    assert off.ripple == pytest.approx(rates.max() ** 2 - rates.min() ** 2, abs=1e-9), "a quarter off they add up"


def test_shafts_in_space_turn_as_the_pins_of_their_joints_do():
    phases = (0.3, -0.8, 0.45)
    shafts, along = column(0.4, 0.6, 0.35, twist=0.7, phases=phases)
    wheel = np.linspace(0.0, 7.0, 400)
    assert shafts.pinion(wheel) == pytest.approx(pin_angles(along, phases, wheel), abs=1e-12)
    assert shafts.wheel(shafts.pinion(wheel)) == pytest.approx(wheel, abs=1e-12)
    step = 1e-5
    slope = (shafts.pinion(wheel + step) - shafts.pinion(wheel - step)) / (2.0 * step)
    assert shafts.rate(wheel) == pytest.approx(slope, abs=1e-9)


def test_the_wheel_to_the_left_turns_against_the_direction_towards_the_pinion():
    phase, beta = np.radians(25.0), np.radians(35.0)
    shafts, _along = column(beta, phases=(phase,))
    wheel = np.radians(np.linspace(-90.0, 90.0, 37))
    by_hand = np.cos(beta) / (1.0 - (np.sin(beta) * np.sin(phase - wheel)) ** 2)
    assert shafts.rate(wheel) == pytest.approx(by_hand, abs=1e-13)


def test_the_least_ripple_has_the_phase_that_turns_both_joints_into_one_plane():
    first, second, twist = np.radians([20.0, 28.0, 36.0])
    shafts, _along = column(first, second, twist=twist, phases=(0.0, 0.0))
    ripple, phase, joint = shafts.least_ripple
    assert (np.degrees(phase), joint) == (pytest.approx(36.0, abs=1e-3), "joint 2")
    flat, _along = column(first, second)
    rates = flat.rate(np.linspace(0.0, np.pi, 200_001))
    assert ripple == pytest.approx(rates.max() - rates.min(), abs=1e-8)
    assert ripple < shafts.ripple
    alone, _along = column(first)
    assert alone.least_ripple is None, "over a whole turn the phase of one joint changes nothing"


def test_a_gear_multiplies_and_a_joint_behind_it_counts_its_phase_from_its_own_plane():
    points = [(0, 0, 0), (1, 0, 0), (2, 0, 0), (3, 1, 0)]
    kinds = ShaftKind.WHEEL, ShaftKind.GEAR, ShaftKind.JOINT, ShaftKind.PINION
    rows = [
        ShaftEnd(kind, kind, np.array(point, dtype=float), 0.2 if kind == ShaftKind.JOINT else 0.0, -2.0)
        for kind, point in zip(kinds, points, strict=True)
    ]
    shafts = SteeringColumn(tuple(rows))
    alone, _along = column(np.pi / 4.0, phases=(0.2,))
    assert shafts.pinion(TURNS) == pytest.approx(alone.pinion(-2.0 * TURNS), abs=1e-12)


def run(path, shafts=SHAFTS, **others):
    sheets = {"Sweeps": STEER, "Load cases": CASES} | ({"Steering": shafts} if shafts else {})
    return run_suspension(car_book(path, others=sheets | others.pop("others", {}), **others))


def columns(results, sweep):
    table = results.table(sweep)
    return dict(zip(table.columns, table.values.T, strict=True))


@pytest.fixture(scope="module")
def car(tmp_path_factory):
    return run(tmp_path_factory.mktemp("steering") / "b.xlsx")


def test_angles_of_the_wheel_become_rack_travel_through_the_shafts(car):
    shafts = car.base.car.steered.column
    found = columns(car, "turn")
    assert found["steering_wheel"] == pytest.approx(np.arange(-80.0, 81.0, 20.0), abs=1e-10)
    pinion = np.degrees(shafts.pinion(np.radians(found["steering_wheel"])))
    assert found["pinion"] == pytest.approx(pinion, abs=1e-10)
    assert found["rack"] == pytest.approx(pinion * PER_TURN / 360.0, abs=1e-10)
    assert np.abs(found["rack"] - found["steering_wheel"] * PER_TURN / 360.0).max() > 0.5, "the shafts do something"


def test_the_overall_ratio_is_local_and_the_asymmetry_compares_both_ways(car):
    found = columns(car, "steer")
    slope = np.gradient(found["steering_wheel"]) / np.gradient(found["FL.steer"])
    assert found["FL.steer_ratio_overall"][1:-1] == pytest.approx(slope[1:-1], rel=3e-3)
    shafts = car.base.car.steered.column
    wheel = np.radians(found["steering_wheel"])
    both = shafts.pinion(wheel) + shafts.pinion(-wheel)
    assert found["steering_asymmetry"] == pytest.approx(np.degrees(both) * PER_TURN / 360.0, abs=1e-10)
    assert np.abs(found["steering_asymmetry"]).max() > 0.1


def test_the_torque_at_the_wheel_does_the_work_of_the_rack_and_of_what_is_lost(car):
    loads, shafts = car.base.loads, car.base.car.steered.column
    rack, force = loads.column("rack"), loads.column("front.steering_force")
    assert rack[0] == pytest.approx(np.degrees(shafts.pinion(np.radians(60.0))) * PER_TURN / 360.0, abs=1e-10)
    wheel = shafts.wheel(rack / PER_TURN * 2.0 * np.pi)
    step = 1e-6
    travel = 1e-3 * PER_TURN / (2.0 * np.pi) * (shafts.pinion(wheel + step) - shafts.pinion(wheel - step))
    torque = loads.column("front.steering_torque")
    assert torque * 2.0 * step * 0.98 * 0.95 == pytest.approx(force * travel, rel=1e-8)
    assert np.abs(torque).min() > 0.1
    assert loads.column("front.hand_force") == pytest.approx(np.abs(torque) / 0.26, rel=1e-12)


def test_the_page_shows_joint_angles_ripple_and_the_phase_that_would_be_best(car, tmp_path):
    page = next(page for page in car.sheets.pages if page.name == "mbs Suspension")
    cells = {(cell.row, cell.column): cell.value for cell in page.cells}
    rows = {cells[row, 1]: cells.get((row, 3)) for row, column in cells if column == 1 and (row, 1) in cells}
    upper = np.subtract(UPPER[2:5], WHEEL[2:5]), np.subtract(LOWER[2:5], UPPER[2:5])
    beta = np.arccos(upper[0] @ upper[1] / np.linalg.norm(upper[0]) / np.linalg.norm(upper[1]))
    assert rows["joint angle, upper joint"] == pytest.approx(np.degrees(beta), abs=1e-9)
    shafts = car.base.car.steered.column
    rates = shafts.rate(np.linspace(0.0, 2.0 * np.pi, 200_001))
    assert rows["steering ripple"] == pytest.approx(100.0 * (rates.max() - rates.min()), abs=1e-6)
    assert rows["steering play"] == pytest.approx(2.0 * PER_TURN / 360.0, abs=1e-12)
    ripple, phase, joint = shafts.least_ripple
    text = f"least ripple {100.0 * ripple:.2f} % at phase {np.degrees(phase):.2f} deg of {joint}"
    assert text in cells.values()
    other = [(*LOWER[:5], float(np.degrees(phase)), *LOWER[6:])]
    best = run(tmp_path / "b.xlsx", (HEADS, UNITS, WHEEL, UPPER, *other, PINION))
    assert best.base.car.steered.column.ripple == pytest.approx(ripple, abs=1e-8)


def test_axes_of_hardpoints_are_those_of_the_shafts(car, tmp_path):
    turned_over = [(*row[:2], row[2], -row[3], -row[4], *row[5:]) for row in (WHEEL, UPPER, LOWER, PINION)]
    points = {
        axle: {name: (x, -y, -z) for name, (x, y, z) in named.items()}
        for axle, named in (("front", FRONT), ("rear", REAR))
    }
    found = run(
        tmp_path / "b.xlsx",
        (HEADS, UNITS, *turned_over),
        settings={"axes": ("SAE J670",), "input side": ("left",)},
        **points,
    )
    assert columns(found, "turn")["rack"] == pytest.approx(columns(car, "turn")["rack"], abs=1e-9)


def test_a_row_of_a_design_stands_where_the_row_stood_that_it_replaces(tmp_path):
    moved = (*UPPER[:2], -310, 0, 500, None, None, None, None, None, None, "B")
    found = run(tmp_path / "b.xlsx", (*SHAFTS, moved))
    other = next(design for design in found.designs if design.name == "B").car.steered.column
    assert [end.name for end in other.ends] == ["rim", "upper joint", "lower joint", "pinion"]
    assert other.joints[0].beta != found.base.car.steered.column.joints[0].beta
    table = columns(found, "turn")
    assert "B/steering_wheel" in table


def test_without_shafts_the_wheel_is_the_pinion(tmp_path):
    found = run(tmp_path / "b.xlsx", None)
    table = columns(found, "turn")
    assert table["rack"] == pytest.approx(np.arange(-80.0, 81.0, 20.0) * PER_TURN / 360.0, abs=1e-12)
    assert "steering_wheel" not in table
    straight = run(tmp_path / "c.xlsx", (HEADS, UNITS, WHEEL, PINION))
    assert columns(straight, "turn")["rack"] == pytest.approx(table["rack"], abs=1e-12)
    assert straight.base.loads.column("front.steering_torque") == pytest.approx(
        found.base.loads.column("front.steering_torque") / 0.95, rel=1e-12
    )


def test_stiffness_of_shafts_is_checked_and_does_not_count(tmp_path):
    stiff = (*PINION[:8], 40, *PINION[9:])
    _content, found = checked(car_book(tmp_path / "b.xlsx", others={"Steering": (*SHAFTS[:-1], stiff)}))
    (problem,) = [each for each in found if each.severity == "note"]
    assert (problem.code, problem.cell) == ("not-counted", "Steering!I6")


@pytest.mark.parametrize(
    ("rows", "code", "cell", "words"),
    [
        ((UPPER, LOWER, PINION), "wrong-order", "Steering!B3", "begin with a row of kind wheel"),
        ((WHEEL, UPPER, LOWER), "wrong-order", "Steering!B5", "end with a row of kind pinion"),
        ((WHEEL, PINION, LOWER), "wrong-order", "Steering!B4", "move this row to the bottom"),
        ((WHEEL, (*UPPER[:4], None), LOWER, PINION), "missing-value", "Steering!E4", "angles of universal joints"),
        ((WHEEL, ("g", "gear", -300, 0, 480), PINION), "missing-value", "Steering!G4", "turns out per turn in"),
        ((WHEEL, (*UPPER, None, None, 97), LOWER, PINION), "out-of-range", "Steering!H4", "97 %"),
        ((WHEEL, UPPER, (*LOWER[:2], -300, 0, 480), PINION), "out-of-range", "Steering!C5", "both are the same"),
        ((WHEEL, UPPER, (*LOWER[:2], -600, 0, 500), PINION), "joint-angle", "Steering!C4", "90 deg or more"),
        ((WHEEL, (UPPER[0], "cardan", *UPPER[2:]), LOWER, PINION), "unknown-value", "Steering!B4", "universal joint"),
        ((WHEEL, UPPER, (UPPER[0], *LOWER[1:]), PINION), "duplicate-name", "Steering!A5", "given already"),
    ],
)
def test_what_cannot_be_turned_is_an_error_at_its_cell(tmp_path, rows, code, cell, words):
    with pytest.raises(WorkbookError) as refused:
        run(tmp_path / "b.xlsx", (HEADS, UNITS, *rows))
    problem = next(each for each in refused.value.problems if each.severity == "error")
    assert (problem.code, problem.cell) == (code, cell)
    assert words in str(problem)


def test_a_joint_above_45_deg_and_a_wheel_in_metres_get_warnings(tmp_path):
    steep = (*LOWER[:2], -290, 40, 280, *LOWER[5:])
    book = car_book(tmp_path / "b.xlsx", others={"Steering": (HEADS, UNITS, (*WHEEL[:10], 0.26), UPPER, steep, PINION)})
    found = {each.cell: each.code for each in checked(book)[1] if each.severity == "warning"}
    assert found == {"Steering!C4": "joint-angle", "Steering!C5": "joint-angle", "Steering!K3": "implausible-value"}


def test_shafts_that_steer_nothing_are_pointed_out(tmp_path):
    rows = {"Steering": SHAFTS}
    _content, nothing = checked(car_book(tmp_path / "b.xlsx", {"steering": ("none", "none")}, others=rows))
    problem = next(each for each in nothing if each.cell.startswith("Steering"))
    assert (problem.code, problem.cell) == ("unused-value", "Steering!A3")
    _content, unknown = checked(car_book(tmp_path / "c.xlsx", {"rack per turn": None}, others=rows))
    (problem,) = unknown
    assert (problem.code, problem.cell) == ("missing-setting", "Steering!A3")
    assert SETTINGS["rack per turn"] == (f"{PER_TURN:g} mm",)
