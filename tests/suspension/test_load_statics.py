"""Member forces of load cases against frames solved by hand, and the laws that every force must obey."""

from __future__ import annotations

import numpy as np
import pytest

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.suspension.run_suspension import run_suspension
from tests.support.hardpoint_books import LEVEL_ARMS, ROCKER, WISHBONES, hardpoint_book
from tests.support.load_books import FRONT, REAR, SPRINGS, car_book
from tests.support.opened import sheet_values

LEVEL = {
    **LEVEL_ARMS,
    "damper outer": (0, 600, 130),
    "damper chassis": (0, 600, 530),
}
HEADS = ("name", "pose", "FL.fx", "FL.fy", "FL.fz", "FL.mz", "FR.fx", "FR.fy", "FR.fz", "FR.mz", "force_by")
ZERO = (0, 0, 0, 0)


def loads(path):
    return run_suspension(path).base.loads


def one_axle(path, points, row, *settings, heads=HEADS):
    """The only case of a front axle, as a function from names of columns to numbers."""
    given = [("type", "double wishbone"), ("tyre radius", "230 mm"), *settings]
    found = loads(hardpoint_book(path, points, given, others={"Load cases": [heads, row]}))
    return lambda name: found.column(name)[0]


def test_level_arms_carry_what_a_frame_solved_by_hand_carries(tmp_path):
    fy, fz = 800.0, 1200.0
    of = one_axle(tmp_path / "b.xlsx", LEVEL, ("case", "design", 0, fy, fz, 0, *ZERO))
    upper = (0.02 * fz + 0.13 * fy) / 0.2  # moments about the lower ball joint, per its height below the upper one
    assert of("FL.spring") == pytest.approx(fz, rel=1e-10), "straight above the ball joint"
    assert of("FL.upper ball joint.fy") == pytest.approx(upper, rel=1e-10)
    assert of("FL.lower ball joint.fy") == pytest.approx(-fy - upper, rel=1e-10)
    assert of("FL.lower ball joint.fz") == pytest.approx(-fz, rel=1e-10)
    assert of("FL.tie rod") == pytest.approx(0.0, abs=1e-7)
    along = np.hypot(400.0, 100.0) / 400.0 / 2.0
    for leg in ("front", "rear"):
        assert of(f"FL.upper arm {leg} leg") == pytest.approx(-upper * along, rel=1e-10)
        assert of(f"FL.lower arm {leg} leg") == pytest.approx((fy + upper) * along, rel=1e-10)
    assert of("FL.lower arm bending") == pytest.approx(0.0, abs=1e-7), "the damper stands on the ball joint"
    pushed = upper / 2.0  # on either pivot across the hinge, for the arm is symmetric
    assert of("FL.upper arm front pivot equal") == pytest.approx(pushed, rel=1e-10)


@pytest.mark.parametrize(("brakes", "height"), [("outboard", -0.13), ("inboard", 0.10)])
def test_brakes_decide_at_what_height_their_force_reaches_the_upright(tmp_path, brakes, height):
    fx = -1000.0
    row = ("case", "design", fx, 0, 0, 0, *ZERO, "brakes")
    of = one_axle(tmp_path / "b.xlsx", LEVEL, row, ("brakes", brakes))
    assert of("FL.upper ball joint.fx") == pytest.approx(-fx * height / 0.2, rel=1e-9)
    # about the kingpin, whose outer side the force pulls back by 20 mm; the tie rod acts 80 mm ahead of it
    assert of("FL.tie rod") == pytest.approx(-fx * 0.02 / 0.08, rel=1e-9)


def test_a_halfshaft_takes_the_torque_that_drives_the_wheel(tmp_path):
    row = ("case", "design", 900.0, 0, 0, 0, *ZERO, "drive")
    shaft = one_axle(tmp_path / "a.xlsx", LEVEL, row)
    hub = one_axle(tmp_path / "b.xlsx", LEVEL, row, ("drive", "outboard"))
    assert shaft("FL.upper ball joint.fx") == pytest.approx(-900.0 * 0.1 / 0.2, rel=1e-9)
    assert hub("FL.upper ball joint.fx") == pytest.approx(900.0 * 0.13 / 0.2, rel=1e-9)
    assert shaft("FL.wheel bearing.my") == pytest.approx(0.0, abs=1e-9)
    assert hub("FL.wheel bearing.my") == pytest.approx(-900.0 * 0.23, rel=1e-12)


WRENCHES = ((-700.0, 900.0, 1500.0, 12.0), (400.0, -1200.0, 2100.0, -9.0))


@pytest.mark.parametrize("wrench", WRENCHES)
def test_an_upright_on_six_rods_carries_as_six_equations_say(tmp_path, wrench):
    points = {**WISHBONES, "damper outer": (15, 560, 200), "damper chassis": (40, 330, 520)}
    settings = [("damper on", "upright"), ("camber", "-1.2 deg"), ("toe", "0.4 deg")]
    of = one_axle(tmp_path / "b.xlsx", points, ("case", "design", *wrench, *ZERO, "brakes"), *settings)
    p = {name: np.array(position) * 1e-3 for name, position in points.items()}
    rods = {
        "FL.lower arm front leg": ("lower arm front", "lower ball joint"),
        "FL.lower arm rear leg": ("lower arm rear", "lower ball joint"),
        "FL.upper arm front leg": ("upper arm front", "upper ball joint"),
        "FL.upper arm rear leg": ("upper arm rear", "upper ball joint"),
        "FL.tie rod": ("tie rod inner", "tie rod outer"),
        "spring": ("damper chassis", "damper outer"),
    }
    columns = []
    for inner, outer in rods.values():
        pull = (p[inner] - p[outer]) / np.linalg.norm(p[inner] - p[outer])
        columns.append(np.concatenate((pull, np.cross(p[outer], pull))))
    camber, toe = np.radians((-1.2, 0.4))
    spin = np.array([np.cos(camber) * np.sin(toe), np.cos(camber) * np.cos(toe), -np.sin(camber)])
    up = np.array([0.0, 0.0, 1.0])
    down = up - spin * spin[2]
    contact = p["wheel centre"] - 0.23 * down / np.linalg.norm(down)
    heading = np.cross(spin, up) / np.linalg.norm(np.cross(spin, up))
    fx, fy, fz, mz = wrench
    force = fx * heading + fy * np.cross(up, heading) + fz * up
    loaded = np.concatenate((force, np.cross(contact, force) + mz * up))
    tension = np.linalg.solve(np.array(columns).T, -loaded)
    for name, value in zip(rods, tension, strict=True):
        found = -of("FL.spring") if name == "spring" else of(name)
        assert found == pytest.approx(value, rel=1e-8, abs=1e-6), name


def test_pivots_carry_what_their_legs_bring(tmp_path):
    points = {**WISHBONES, "damper outer": (15, 560, 200), "damper chassis": (40, 330, 520)}
    row = ("case", "design", *WRENCHES[0], *ZERO, "brakes")
    of = one_axle(tmp_path / "b.xlsx", points, row, ("damper on", "upright"))
    for arm in ("lower", "upper"):
        ends = {name: np.array(points[f"{arm} arm {name}"]) for name in ("front", "rear")}
        joint = np.array(points[f"{arm} ball joint"])
        line = ends["rear"] - ends["front"]
        line = line / np.linalg.norm(line)
        total = sum(
            of(f"FL.{arm} arm {name} leg") * (ends[name] - joint) / np.linalg.norm(ends[name] - joint) for name in ends
        )
        hinge = np.array([of(f"FL.{arm} arm hinge.f{axis}") for axis in "xyz"])
        assert hinge == pytest.approx(total, rel=1e-8, abs=1e-6), "of the chassis on the arm"
        for name, end in ends.items():
            leg = of(f"FL.{arm} arm {name} leg") * (end - joint) / np.linalg.norm(end - joint)
            pivot = np.array([of(f"FL.{arm} arm {name} pivot equal.f{axis}") for axis in "xyz"])
            across = pivot - line * (pivot @ line)
            assert across == pytest.approx(leg - line * (leg @ line), rel=1e-8, abs=1e-6)
            assert pivot @ line == pytest.approx(hinge @ line / 2.0, rel=1e-8, abs=1e-6)
            most = np.sqrt(across @ across + (hinge @ line) ** 2)
            assert of(f"FL.{arm} arm {name} pivot max") == pytest.approx(most, rel=1e-8)


ROCKERS = {
    axle: {
        name: position
        for name, position in {**points, **{k: (x + at, y, z) for k, (x, y, z) in ROCKER.items()}}.items()
        if name != "damper outer" and "bar" not in name
    }
    for axle, points, at in (("front", FRONT, 0), ("rear", REAR, -1550))
}
CASES = (
    ("name", "ax", "ay", "az", "rack", "pose", "travel_left", "travel_right", "method", "FL.mz", "downforce_rear"),
    ("static",),
    ("bump", None, None, 1.6),
    ("brake", -0.9, None, None, None),
    ("left", None, 0.8),
    ("right", None, -0.8),
    ("turn", -0.4, 0.6, None, "8 mm", None, None, None, None, 15.0, 300.0),
    ("drive", 0.6),
    ("given", -0.5, 0.5, None, "4 mm", "given", "-6 mm", "9 mm"),
    ("design", None, 0.7, None, None, "design"),
    ("linear", 0.3, 0.7, None, None, None, None, None, "linear"),
)
MODELS = {
    "direct dampers and a bar": {},
    "rockers": {
        "points": ROCKERS,
        "settings": [("actuation", "push-rod", "pull-rod")],
        "springs": [SPRINGS[0], ("spring", "front", "spring", "90 N/mm"), ("spring", "rear", "spring", "95 N/mm")],
    },
    "soft tyres and inboard brakes": {"settings": [("tyre rate", "110 N/mm", "120 N/mm"), ("brakes", None, "inboard")]},
}


@pytest.mark.parametrize("model", MODELS)
def test_virtual_work_and_what_the_chassis_is_given_agree_in_every_case(tmp_path, model):
    found = loads(car_book(tmp_path / "b.xlsx", cases=CASES, **MODELS[model]))
    assert not any(found.failed), found.marks
    assert found.column("residual").max() < 1e-9


def test_a_case_to_the_left_is_the_mirror_image_of_that_to_the_right(tmp_path):
    found = loads(car_book(tmp_path / "b.xlsx", cases=CASES))
    names = [case.name for case in found.cases]
    left, right = names.index("left"), names.index("right")
    odd = (".fy", ".mx", ".mz")
    for column in found.columns:
        name = column.name
        other = name.translate(str.maketrans("LR", "RL")) if name[1:2] in ("L", "R") and name[2:3] == "." else name
        if name.startswith(("FL", "FR", "RL", "RR")):
            other = name[0] + ("R" if name[1] == "L" else "L") + name[2:]
        is_odd = name.endswith(odd) or name in ("roll", "held_fy", "yaw_moment", "front.bar", "front.rack")
        is_odd |= name.endswith("steering_force")
        if name == "residual":
            continue
        mirrored = next(each for each in found.columns if each.name == other).values[right]
        sign = -1.0 if is_odd else 1.0
        scale = max(1.0, abs(column.values[left]))
        assert column.values[left] == pytest.approx(sign * mirrored, rel=1e-7, abs=1e-6 * scale), name


def test_a_spring_carries_by_its_law_where_the_car_rests(tmp_path):
    found = loads(car_book(tmp_path / "b.xlsx", cases=CASES))
    for row, case in enumerate(found.cases):
        differs = abs(found.column("FL.spring difference")[row]) > 1e-6
        assert differs == (case.pose in ("given", "design")), case.name


def test_the_factor_multiplies_every_force_and_leaves_the_pose(tmp_path):
    cases = (("name", "ay", "ax", "factor"), ("once", 0.7, -0.3), ("safe", 0.7, -0.3, 1.5))
    found = loads(car_book(tmp_path / "b.xlsx", cases=cases))
    for column in found.columns:
        share = 1.5 if column.unit in ("N", "N*m") else 1.0
        if column.name != "residual":
            once, safe = column.values
            assert safe == pytest.approx(share * once, rel=1e-7, abs=1e-5), column.name


def test_the_sheet_lists_cases_and_below_them_the_extremes_of_every_member(tmp_path):
    cases = (("name", "ay", "ax"), ("left", 0.8), ("right", -0.8), ("over", 3.0), ("brake", None, -1.0))
    path = car_book(tmp_path / "b.xlsx", cases=cases)
    results = run_suspension(path)
    results.save(tmp_path / "out.xlsx")
    rows = sheet_values(tmp_path / "out.xlsx", "mbs Loads")
    heads, units = rows[0], rows[1]
    assert heads[:3] == ("case", "remark", "FL.fx")
    assert [row[0] for row in rows[2:6]] == ["left", "right", "over", "brake"]
    assert rows[4][1] == "the car rolls over"
    assert set(rows[4][2:]) == {None}, "no numbers of a case without a pose"
    found = results.base.loads
    at = heads.index("FL.tie rod")
    assert units[at] == "N"
    assert [rows[k][at] for k in (2, 3, 5)] == pytest.approx(found.column("FL.tie rod")[[0, 1, 3]], rel=1e-12)
    first = next(k for k, row in enumerate(rows) if row[:6] == ("member", "unit", "max", "its case", "min", "its case"))
    listed = {row[0]: row for row in rows[first + 1 :]}
    for name in ("FL.tie rod", "RR.spring", "front.bar", "FL.lower ball joint", "front.rack"):
        values = found.column(name)
        most, least = int(np.nanargmax(values)), int(np.nanargmin(values))
        assert listed[name][2] == pytest.approx(values[most], rel=1e-12)
        assert listed[name][3] == found.cases[most].name
        assert listed[name][4] == pytest.approx(values[least], rel=1e-12)
        assert listed[name][5] == found.cases[least].name
    assert "FL.travel" not in listed
    assert [problem.cell for problem in results.sheets.problems if problem.code == "no-pose"] == ["Load cases!A4"]


def test_vertical_loads_that_are_given_need_no_mass_and_no_other_force(tmp_path):
    heads = ("name", "pose", "FL.fz", "FR.fz")
    alone = one_axle(tmp_path / "a.xlsx", LEVEL, ("case", "design", 1200, 900), heads=heads)
    typed = one_axle(tmp_path / "b.xlsx", LEVEL, ("case", "design", 0, 0, 1200, 0, 0, 0, 900, 0))
    for name in ("FL.spring", "FR.spring", "FL.upper ball joint.fy", "FR.lower arm front leg", "FL.fz", "FR.fx"):
        assert alone(name) == pytest.approx(typed(name), rel=1e-12, abs=1e-9), name
    assert alone("FL.spring") == pytest.approx(1200.0, rel=1e-10), "straight above the ball joint"


def test_the_corner_load_of_an_axle_alone_tells_its_loads(tmp_path):
    heads, settings = ("name", "ay", "az"), [("type", "double wishbone"), ("tyre radius", "230 mm")]
    rows = [heads, ("kerb", None, 3), ("turn", 0.8, None)]
    given = [*settings, ("corner load", "650 N")]
    found = loads(hardpoint_book(tmp_path / "a.xlsx", LEVEL, given, others={"Load cases": rows}))
    assert found.column("FL.fz") == pytest.approx([1950.0, 650.0], rel=1e-12)
    assert found.column("FL.fy") + found.column("FR.fy") == pytest.approx([0.0, 0.8 * 1300.0], abs=1e-9)
    by_default = loads(hardpoint_book(tmp_path / "b.xlsx", LEVEL, given))
    assert [case.name for case in by_default.cases[:3]] == ["static 1 g", "3 g vertical", "cornering left 1.6 g"]
    assert not any(case.ax for case in by_default.cases), "how loads go to the other axle is not known"
    assert by_default.column("residual").max() < 1e-9


def test_an_axle_alone_that_brakes_asks_for_what_moves_its_load(tmp_path):
    settings = [("type", "double wishbone"), ("tyre radius", "230 mm"), ("corner load", "650 N")]
    rows = [("name", "ax"), ("brake", -1)]
    with pytest.raises(WorkbookError) as caught:
        loads(hardpoint_book(tmp_path / "a.xlsx", LEVEL, settings, others={"Load cases": rows}))
    (problem,) = [each for each in caught.value.problems if each.severity == "error"]
    assert problem.cell == "Load cases!B2"
    assert "mass and weight front and cg height and wheelbase" in problem.problem
