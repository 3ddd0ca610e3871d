"""Poses and wheel loads of load cases: balances of the whole car, closed forms, lifted wheels, the linear method."""

from __future__ import annotations

import re

import numpy as np
import pytest

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.suspension.kinematics.axle_system import Placing
from sheetmbs.suspension.loads.car_balance import CarBalance
from sheetmbs.suspension.run_suspension import run_suspension
from tests.support.hardpoint_books import hardpoint_book
from tests.support.load_books import FRONT, REAR, SPRINGS, car_book

G, MASS, SHARE, HEIGHT, BASE = 9.81, 280.0, 0.47, 0.300, 1.550
CORNERS = ("FL", "FR", "RL", "RR")
CASES = (
    ("name", "ax", "ay", "az", "rack", "downforce_front", "downforce_rear"),
    ("static",),
    ("bump", None, None, 2.0),
    ("brake", -1.1),
    ("left", None, 0.9),
    ("turn", -0.5, -0.7, 1.2, "6 mm", 150.0, 250.0),
    ("drive", 0.7),
)


def loads(path):
    return run_suspension(path).base.loads


def of_corners(found, name):
    """(cases, 4)."""
    return np.stack([found.column(f"{corner}.{name}") for corner in CORNERS], axis=-1)


@pytest.mark.parametrize("tyre", [(), (("tyre rate", "110 N/mm", "125 N/mm"),)], ids=["rigid tyres", "soft tyres"])
def test_the_whole_car_is_in_balance_where_it_rests(tmp_path, tyre):
    results = run_suspension(car_book(tmp_path / "b.xlsx", cases=CASES, settings=tyre))
    base, found = results.base, results.base.loads
    fx, fy, fz, travel = (of_corners(found, name) for name in ("fx", "fy", "fz", "travel"))
    roll, pitch = np.radians(found.column("roll")), np.radians(found.column("pitch"))
    n = np.stack((-np.sin(pitch), np.sin(roll) * np.cos(pitch), np.cos(roll) * np.cos(pitch)), axis=-1)
    ahead = np.array([1.0, 0.0, 0.0]) - n * n[:, :1]
    ahead /= np.linalg.norm(ahead, axis=1, keepdims=True)
    left = np.cross(n, ahead)
    ax, ay, az = (np.array([getattr(case, name) for case in found.cases])[:, None] * G for name in ("ax", "ay", "az"))
    pull = -(ax * ahead + ay * left + az * n)
    rack = np.array([case.rack for case in found.cases])
    force, total = np.zeros((len(rack), 3)), np.zeros((len(rack), 3))
    unsprung, first = np.zeros(3), 0.0
    for number in range(4):
        axle, side = base.car.axles[number // 2], ("left", "right")[number % 2]
        system = base.systems[axle.name]
        own = {each: travel[:, 2 * (number // 2) + k] * 1e-3 for k, each in enumerate(("left", "right"))}
        touch, middle, heading = np.zeros((3, len(rack), 3))
        for row in range(len(rack)):
            at = Placing(
                {k: v[row : row + 1] for k, v in own.items()}, *(x[row : row + 1] for x in (rack, roll, pitch))
            )
            wheel = system.wheels(at)[0][side]
            touch[row], middle[row], heading[row] = (
                each.value[0] for each in (wheel.contact, wheel.centre, wheel.heading)
            )
        design = 0.5 * MASS * G * (SHARE if number < 2 else 1.0 - SHARE)
        rate = 110e3 if number < 2 else 125e3
        pressed = (fz[:, number] - design) / rate if tyre else np.zeros(len(rack))
        ground = touch + n * pressed[:, None]
        if number == 0:
            level = np.sum(ground * n, axis=1)
        assert np.sum(ground * n, axis=1) == pytest.approx(level, abs=1e-12), "all four stand on one plane"
        tyre_force = (
            fz[:, number, None] * n + fx[:, number, None] * heading + fy[:, number, None] * np.cross(n, heading)
        )
        mass = 11.0 if number < 2 else 12.0
        for at, push in ((ground, tyre_force), (middle, mass * pull)):
            force += push
            total += np.cross(at, push)
        unsprung, first = unsprung + mass * axle.points[side]["wheel centre"].position, first + mass
    fronts, rears = (
        np.mean([base.car.axles[k].design_contact(side) for side in ("left", "right")], axis=0) for k in (0, 1)
    )
    along = fronts - rears
    up = np.array([-along[2], 0.0, along[0]]) / np.hypot(along[0], along[2])
    sprung = MASS - first
    place = (MASS * (SHARE * fronts + (1.0 - SHARE) * rears + HEIGHT * up) - unsprung) / sprung
    pressing = [(fronts, "front"), (rears, "rear")]
    for at, push in [(place, sprung * pull)] + [
        (at, -np.array([case.downforce.get(name, 0.0) for case in found.cases])[:, None] * n) for at, name in pressing
    ]:
        force += push
        total += np.cross(at, push)
    assert np.sum(force * n, axis=1) == pytest.approx(0.0, abs=1e-8)
    assert np.sum(force * ahead, axis=1) == pytest.approx(-found.column("held_fx"), abs=1e-8)
    assert np.sum(force * left, axis=1) == pytest.approx(-found.column("held_fy"), abs=1e-8)
    about_road = total - np.cross(level[:, None] * n, force)
    assert np.sum(about_road * ahead, axis=1) == pytest.approx(0.0, abs=1e-7)
    assert np.sum(about_road * left, axis=1) == pytest.approx(0.0, abs=1e-7)


def test_axle_loads_follow_the_formulas_of_accelerations(tmp_path):
    found = loads(car_book(tmp_path / "b.xlsx", cases=CASES))
    fz = of_corners(found, "fz")
    for row, case in enumerate(found.cases):
        down = case.downforce
        moved = MASS * G * case.ax * HEIGHT / BASE
        front = MASS * G * case.az * SHARE - moved + down["front"]
        rear = MASS * G * case.az * (1.0 - SHARE) + moved + down["rear"]
        assert fz[row].sum() == pytest.approx(front + rear, rel=1e-12)
        # contacts move by a few mm on a base of 1550, so the formulas hold to some newtons
        assert fz[row, :2].sum() == pytest.approx(front, rel=0.02), case.name


def test_forces_in_the_road_are_shared_as_the_page_says(tmp_path):
    heads = ("name", "ax", "ay", "lateral_split_wheels", "longitudinal_split", "force_by", "FL.fy")
    rows = (heads, ("a", -0.5, 0.6), ("b", -0.5, 0.6, "equal", "fz"), ("c", 0.5, None, None, None, "brakes"))
    rows = (*rows, ("d", 0.5), ("e", None, 0.6, None, None, None, 123.0))
    found = loads(car_book(tmp_path / "b.xlsx", cases=rows, settings=[("drive rear", "75 %")]))
    fx, fy, fz = (of_corners(found, name) for name in ("fx", "fy", "fz"))
    weight = MASS * G
    for k, share in ((0, SHARE), (2, 1.0 - SHARE)):
        axle = fz[:, k : k + 2] / fz[:, k : k + 2].sum(axis=1, keepdims=True)
        assert fy[0, k : k + 2] == pytest.approx(weight * 0.6 * share * axle[0], rel=1e-12)
        assert fy[1, k : k + 2] == pytest.approx(weight * 0.3 * share, rel=1e-12)
        brake, drive = (0.6, 0.25) if k == 0 else (0.4, 0.75)
        assert fx[0, k : k + 2] == pytest.approx(-weight * 0.25 * brake, rel=1e-12)
        assert fx[1, k : k + 2] == pytest.approx(-weight * 0.5 * brake * axle[1], rel=1e-12)
        assert fx[2, k : k + 2] == pytest.approx(weight * 0.25 * brake, rel=1e-12)
        assert fx[3, k : k + 2] == pytest.approx(weight * 0.25 * drive, rel=1e-12)
    assert fy[4, 0] == 123.0
    assert fy[4, 1] == pytest.approx(weight * 0.6 * SHARE * fz[4, 1] / fz[4, :2].sum(), rel=1e-12)


def test_the_car_stands_at_design_under_its_corner_loads(tmp_path):
    level = [("camber", 0, 0), ("toe", 0, 0)]  # contacts of both axles then are equally high, and the road is level
    found = loads(car_book(tmp_path / "b.xlsx", cases=CASES[:2], settings=level))
    assert of_corners(found, "travel") == pytest.approx(0.0, abs=1e-9)
    assert found.column("roll") == pytest.approx(0.0, abs=1e-12)
    halves = 0.5 * MASS * G * np.array([SHARE, SHARE, 1.0 - SHARE, 1.0 - SHARE])
    assert of_corners(found, "fz")[0] == pytest.approx(halves, rel=1e-12)


def test_the_linear_method_is_the_equilibrium_of_small_accelerations(tmp_path):
    small = 1e-3
    cases = (("name", "ay", "method"), ("rests", small), ("linear", small, "linear"))
    level = [("camber", 0, 0), ("toe", 0, 0)]
    found = loads(car_book(tmp_path / "b.xlsx", cases=cases, settings=level))
    fz = of_corners(found, "fz")
    for k in (0, 2):
        rests, linear = fz[:, k + 1] - fz[:, k]
        assert linear == pytest.approx(rests, rel=0.01)
    tracks = np.array([2 * 600.0, 2 * 580.0])
    moved = 0.5 * (fz[1, 1::2] - fz[1, ::2]) @ tracks * 1e-3
    assert moved == pytest.approx(MASS * small * G * HEIGHT, rel=0.02), "moments, with what the lean adds"


def test_the_linear_method_transfers_what_the_metrics_say(tmp_path):
    cases = (("name", "ay", "method"), ("linear", 0.5, "linear"))
    results = run_suspension(car_book(tmp_path / "b.xlsx", cases=cases))
    found, heave = results.base.loads, results.table("heave")
    design = int(np.argmin(np.abs(heave.rows)))
    fz = of_corners(found, "fz")[0]
    for axle, k in (("front", 0), ("rear", 2)):
        told = heave.values[design, heave.columns.index(f"{axle}.load_transfer_total")]
        assert 0.5 * (fz[k + 1] - fz[k]) == pytest.approx(0.5 * told, rel=1e-3), "per g"


def test_a_lifted_wheel_gives_its_rest_to_the_other_axle_until_the_car_rolls_over(tmp_path):
    cases = (("name", "ay", "method"), ("light", 1.0), ("hard", 1.6), ("over", 2.4), ("by line", 1.6, "linear"))
    found = loads(car_book(tmp_path / "b.xlsx", cases=cases))
    assert found.marks[:2] == ("", "FL lifted")
    assert found.column("FL.fz")[1] == 0.0
    assert found.column("FL.fz")[3] == 0.0
    assert found.column("FL.fy")[1] == 0.0
    assert found.marks[2] == "the car rolls over"
    assert found.failed == (False, False, True, False)
    assert np.isnan(found.column("FL.fz")[2])
    # front transfers all it has; moments about the road leave the rest to the rear
    moved = 0.5 * MASS * G * SHARE * 1.2 + 0.5 * (found.column("RR.fz")[3] - found.column("RL.fz")[3]) * 1.16
    assert moved == pytest.approx(1.6 * MASS * G * HEIGHT, rel=0.03)


@pytest.mark.parametrize("beyond", [1.05, 1.5, 3.0])
def test_beyond_what_a_rigid_car_stands_it_falls_over_and_no_spring_is_blamed(tmp_path, beyond):
    half_track = SHARE * 0.6 + (1.0 - SHARE) * 0.58
    sideways, forward, back = (beyond * lever / HEIGHT for lever in (half_track, (1.0 - SHARE) * BASE, SHARE * BASE))
    cases = (("name", "ax", "ay"), ("side", 0, sideways), ("brake", -forward, 0), ("drive", back, 0))
    results = run_suspension(car_book(tmp_path / "b.xlsx", cases=cases))
    told = "the car rolls over", "the car tips over its front axle", "the car tips over its rear axle"
    assert results.base.loads.marks == told
    mends = {problem.mend for problem in results.base.problems if problem.code == "no-pose"}
    assert mends == {"lower the accelerations"}


def test_given_loads_win_and_the_pose_follows_from_them(tmp_path):
    heads = ("name", *(f"{corner}.fz" for corner in CORNERS))
    found = loads(car_book(tmp_path / "b.xlsx", cases=(heads, ("case", 900, 500, 700, 800))))
    assert of_corners(found, "fz")[0] == pytest.approx([900, 500, 700, 800])
    travel = of_corners(found, "travel")[0]
    assert travel[0] > travel[1] + 1.0
    assert found.column("residual")[0] < 1e-9
    assert found.column("FL.spring difference")[0] == pytest.approx(0.0, abs=1e-9)


def test_one_axle_stands_at_design_with_its_share_of_the_weight(tmp_path):
    settings = [("type", "double wishbone"), ("tyre radius", "230 mm"), ("mass", 280), ("weight front", 0.47)]
    settings += [("cg height", "300 mm"), ("wheelbase", "1550 mm"), ("brake front", 0.6)]
    cases = [("name", "ax", "ay"), ("brake", -1.0, 0.4)]
    path = hardpoint_book(tmp_path / "b.xlsx", FRONT, settings, others={"Load cases": cases})
    found = loads(path)
    half = 0.5 * (MASS * G * SHARE + MASS * G * HEIGHT / BASE)
    assert found.column("FL.fz")[0] == pytest.approx(half, rel=1e-12)
    assert found.column("FR.fy")[0] == pytest.approx(0.5 * MASS * G * 0.4 * SHARE, rel=1e-12)
    assert found.column("FL.travel")[0] == 0.0


def test_default_cases_are_there_where_masses_are_known(tmp_path):
    found = loads(car_book(tmp_path / "b.xlsx"))
    assert [case.name for case in found.cases][:3] == ["static 1 g", "3 g vertical", "braking 1.4 g"]
    assert not any(found.failed), found.marks
    lock = found.cases[[case.name for case in found.cases].index("left 1.6 g, full lock")]
    assert lock.rack == pytest.approx(0.025), "ahead of the axle it steers to the left as it goes to the left"
    behind = {name: (-x, y, z) if "tie rod" in name else (x, y, z) for name, (x, y, z) in FRONT.items()}
    turned = loads(car_book(tmp_path / "d.xlsx", points={"front": behind, "rear": REAR}))
    assert turned.cases[found.cases.index(lock)].rack < 0.0
    assert loads(car_book(tmp_path / "c.xlsx", settings=[("mass", None)])).cases == ()


MISTAKES = {
    "a pose unknown": (("name", "pose"), ("case", "resting"), "Load cases!B2"),
    "a mass in the place of g": (("name", "ax"), ("case", "3 kg"), "Load cases!B2"),
    "a name twice": (("name", "ax"), ("case", 1), ("Case", 1), "Load cases!A3"),
    "a wheel pulled down": (("name", "FL.fz"), ("case", -5), "Load cases!B2"),
    "rack and steering wheel": (("name", "rack", "steering_wheel"), ("case", "1 mm", "5 deg"), "Load cases!C2"),
    "a wheel without ratio": (("name", "steering_wheel"), ("case", "5 deg"), "Load cases!B2"),
    "a factor of nothing": (("name", "factor"), ("case", 0), "Load cases!B2"),
}


@pytest.mark.parametrize("what", MISTAKES)
def test_mistakes_in_load_cases_are_told_at_their_cells(tmp_path, what):
    *rows, cell = MISTAKES[what]
    with pytest.raises(WorkbookError) as caught:
        loads(car_book(tmp_path / "b.xlsx", cases=rows))
    assert [problem.cell for problem in caught.value.problems] == [cell]


@pytest.mark.parametrize("setting", ["cg height", "wheelbase", "mass"])
def test_settings_that_loads_need_are_asked_for(tmp_path, setting):
    with pytest.raises(WorkbookError) as caught:
        loads(car_book(tmp_path / "b.xlsx", cases=(("name", "ay"), ("case", 1)), settings=[(setting, None)]))
    assert any(setting in problem.problem and problem.cell == "Load cases!B2" for problem in caught.value.problems)


def test_g_may_be_written_behind_accelerations(tmp_path):
    plain = loads(car_book(tmp_path / "a.xlsx", cases=(("name", "ay"), ("case", 0.5))))
    for heads, value in ((("name", "ay [g]"), 0.5), (("name", "ay"), "0.5 g")):
        found = loads(car_book(tmp_path / "b.xlsx", cases=(heads, ("case", value))))
        assert found.column("FL.fz") == pytest.approx(plain.column("FL.fz"), rel=1e-12)


def test_solve_height_finds_where_springs_that_are_given_let_the_car_stand(tmp_path):
    free = [(*SPRINGS[0], "preload")]
    free += [(*row, *(None,) * (5 - len(row)), 600.0 if row[2] == "spring" else None) for row in SPRINGS[1:]]
    path = car_book(tmp_path / "b.xlsx", springs=free, settings=[("ride height", "solve height")])
    base = run_suspension(path).base
    static = base.loads.cases.index(base.loads.cases[0])
    assert base.heights["FL"] > 1e-3, "its springs are too soft"
    for corner in CORNERS:
        assert base.heights[corner] * 1e3 == pytest.approx(base.loads.column(f"{corner}.travel")[static], abs=1e-9)
    frame = run_suspension(path).table("heave").frame()
    travel, force, ratio = (frame[name].to_numpy() for name in ("travel", "FL.spring_force", "FL.motion_ratio"))
    # what the springs carry over their wheels, less what hangs on them, is the load of a corner at that travel
    carried = np.interp(base.heights["FL"] * 1e3, travel, force * ratio)
    assert carried == pytest.approx(0.5 * MASS * G * SHARE - 11.0 * G, rel=0.01)
    assert run_suspension(car_book(tmp_path / "c.xlsx")).base.heights == {}


def test_travels_are_told_in_the_unit_of_the_hardpoints(tmp_path):
    points = {
        axle: {name: tuple(value / 25.4 for value in place) for name, place in each.items()}
        for axle, each in (("front", FRONT), ("rear", REAR))
    }
    cases = (("name", "ay"), ("case", 0.5))
    mm = loads(car_book(tmp_path / "a.xlsx", cases=cases))
    inches = loads(car_book(tmp_path / "b.xlsx", cases=cases, points=points, unit="inch"))
    assert inches.column("FL.travel") * 25.4 == pytest.approx(mm.column("FL.travel"), rel=1e-9)
    assert inches.column("FL.tie rod") == pytest.approx(mm.column("FL.tie rod"), rel=1e-9)


def soft_springs():
    """Springs of a tenth of the rate, without stops."""
    rows = [row for row in SPRINGS[1:] if row[2] != "bump stop"]
    return [
        SPRINGS[0],
        *((*row[:3], "{} {}".format(0.1 * float(row[3].split()[0]), row[3].split(" ", 1)[1])) for row in rows),
    ]


def test_the_remark_of_a_case_without_a_pose_tells_where_its_wheel_last_stood(tmp_path):
    found = loads(car_book(tmp_path / "soft.xlsx", springs=soft_springs()))
    told = re.compile(
        r"(..) runs out of travel: it stands at (\S+) mm (\d+)% of the way .* and at (\d+)% no pose is found"
    )
    lost = [(case, told.match(mark)) for case, mark in zip(found.cases, found.marks, strict=True) if told.match(mark)]
    assert len(lost) == 5
    heads, rows = ("name", "ax", "ay", "az", "rack"), []
    for case, words in lost:
        for share in (int(words[3]) / 100, int(words[4]) / 100):
            ax, ay, az = share * case.ax, share * case.ay, 1.0 + share * (case.az - 1.0)
            rows.append((f"{case.name} {share}", ax, ay, az, f"{case.rack * 1e3!r} mm"))
    eased = loads(car_book(tmp_path / "eased.xlsx", springs=soft_springs(), cases=(heads, *rows)))
    for number, (case, words) in enumerate(lost):
        travels = [eased.column(f"{corner}.travel")[2 * number] for corner in CORNERS]
        assert travels[CORNERS.index(words[1])] == pytest.approx(float(words[2]), abs=0.006), case.name
        assert max(map(abs, travels)) == pytest.approx(abs(float(words[2])), abs=0.006), "it has gone farthest"
        assert list(eased.failed[2 * number : 2 * number + 2]) == [False, True]


def test_a_step_takes_all_away_that_its_equations_leave_over_and_leaves_other_cases_alone(tmp_path, monkeypatch):
    newton, asked = CarBalance.newton, []

    def checked(self, x, rows):
        change, matrix = newton(self, x, rows)
        others = np.setdiff1d(np.arange(len(x)), rows)
        assert not change[others].any()
        assert not matrix[others].any()
        every, _matrix = newton(self, x, np.arange(len(x)))
        assert np.array_equal(every[rows], change[rows])
        moved = x + 1e-6 * change  # a millionth of the step takes a millionth away of what is left over
        over = np.einsum("nij,nj->ni", matrix, change)
        less = np.einsum("nij,nj->ni", *newton(self, moved, rows)[::-1])
        assert less == pytest.approx((1.0 - 1e-6) * over, abs=1e-9 * np.abs(over).max() + 1e-11 * MASS * G)
        asked.append(len(rows) / len(x))
        return change, matrix

    monkeypatch.setattr(CarBalance, "newton", checked)
    assert not any(loads(car_book(tmp_path / "b.xlsx", cases=CASES)).failed)
    assert 0.0 < min(asked) < max(asked) == 1.0, "cases come to rest one after another"


def test_cases_without_a_pose_are_given_up_early(tmp_path, monkeypatch):
    steps, newton = [], CarBalance.newton
    monkeypatch.setattr(CarBalance, "newton", lambda self, x, rows: steps.append(1) or newton(self, x, rows))
    found = loads(car_book(tmp_path / "soft.xlsx", springs=soft_springs()))
    assert sum(found.failed) == 9
    assert len(steps) < 180, "those that may have fallen over are led there once more, in shorter steps"


def test_sweeps_that_say_nothing_of_travel_start_where_the_car_stands(tmp_path):
    free = [(*SPRINGS[0], "preload")]
    free += [
        (*row, *(None,) * (5 - len(row)), {"front": 600.0, "rear": 850.0}[row[1]] if row[2] == "spring" else None)
        for row in SPRINGS[1:]
    ]
    asked = [("ride height", "solve height")]
    results = run_suspension(car_book(tmp_path / "b.xlsx", springs=free, settings=asked))
    base = results.base
    assert abs(base.heights["FL"] - base.heights["RL"]) > 1e-3
    for axle, corner in (("front", "FL"), ("rear", "RL")):
        height = base.heights[corner]
        steer, roll, single = (base.swept[name][axle].travel for name in ("steer", "roll", "single wheel"))
        straight = [
            int(np.argmin(np.abs(base.plans[name].column(by)))) for name, by in (("steer", "rack"), ("roll", "roll"))
        ]
        assert steer["left"] == pytest.approx(height, abs=1e-15)
        assert roll["left"][straight[1]] == pytest.approx(height, abs=1e-12)
        assert single["right"] == pytest.approx(height, abs=1e-15)
    travel = base.plans["heave"].travel
    middle = 0.5 * (base.heights["FL"] + base.heights["RL"])
    assert np.min(np.abs(travel - middle)) < 1e-12, "it goes up and down from where the car stands"
    assert 0.0 in travel, "the value at 0 is always a row"
    page = " ".join(str(cell.value) for page in results.sheets.pages for cell in page.cells)
    assert f"front stands {base.heights['FL'] * 1e3:+.2f} mm from design" in page
    heads = ("name", "type", "travel")
    given = {"Sweeps": [heads, ("held", "steer", "3 mm"), ("free", "steer"), ("kept", "steer", "0 mm")]}
    base = run_suspension(car_book(tmp_path / "c.xlsx", springs=free, settings=asked, others=given)).base
    found = [base.swept[name]["rear"].travel["right"][0] for name in ("held", "free", "kept")]
    assert found == pytest.approx([3e-3, base.heights["RR"], 0.0], abs=1e-15)


def test_a_spring_that_says_nothing_of_its_force_is_refused_where_the_height_is_asked_for(tmp_path):
    path = car_book(tmp_path / "b.xlsx", settings=[("ride height", "solve height")])
    with pytest.raises(WorkbookError) as refused:
        run_suspension(path)
    told = {(problem.code, problem.cell) for problem in refused.value.problems}
    assert told == {("no-force", "Suspension springs!A2"), ("no-force", "Suspension springs!A5")}


def test_a_car_that_rolls_over_does_so_at_all_higher_accelerations_too(tmp_path):
    """Soft springs lean far before it falls, and Newton's method then finds no pose: that is no end of travel."""
    springs = [  # captive: a spring that only pushes lets a wheel in the air fall, which nothing else holds here
        ("name", "axle", "kind", "k", "tension"),
        ("spring", "front", "spring", "24 N/mm", "yes"),
        ("spring", "rear", "spring", "26 N/mm", "yes"),
    ]
    accelerations = [1.8 + 0.15 * k for k in range(8)]
    cases = [("name", "ay", "ax"), *((f"{ay:.2f}", ay, 0.8) for ay in accelerations)]
    marks = loads(car_book(tmp_path / "b.xlsx", springs=springs, cases=cases, settings=[("cg height", "199 mm")])).marks
    falls = [mark == "the car rolls over" for mark in marks]
    assert any(falls)
    assert not all(falls)
    assert falls == sorted(falls)
    assert not any("runs out of travel" in mark for mark in marks)


def test_a_given_pose_has_a_result_above_what_springs_carry(tmp_path):
    cases = [("name", "pose", "az"), ("design", "design", 12), ("rest", "equilibrium", 12)]
    found = loads(car_book(tmp_path / "soft.xlsx", springs=soft_springs(), cases=cases))
    assert found.failed == (False, True)
    assert found.marks[0].startswith("wheel loads by the linear method")
    assert found.column("FL.fz")[0] == pytest.approx(12 * 0.5 * MASS * G * SHARE)
    assert found.column("residual")[0] < 1e-9
