"""Set-up changes against mechanisms assembled independently: rigid bodies between rods, solved by a general solver."""

from __future__ import annotations

import numpy as np
import openpyxl
import pytest
from scipy.optimize import brentq, fsolve
from scipy.spatial.transform import Rotation

import sheetmbs
from sheetmbs.elements.rotation import matrix_of
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.suspension.run_suspension import run_suspension
from sheetmbs.suspension.written_out import write_out
from tests.support.hardpoint_books import ROCKER, SETTINGS, WISHBONES, hardpoint_book

HEADS = ("axle", "item", "change", "unit", "at", "shim_normal", "side", "design")
HEAVE = (("name", "type", "travel_from", "travel_to", "travel_step"), ("heave", "heave", "-20 mm", "20 mm", "10 mm"))
SPRING = {
    "Suspension springs": [("name", "axle", "kind", "k", "free_length"), ("spring", "front", "spring", "35 N/mm", None)]
}
CORNER = [*SETTINGS, ("actuation", "push-rod"), ("corner load", "645 N")]
POINTS = {name: np.array(at, dtype=float) for name, at in {**WISHBONES, **ROCKER}.items()}
UPRIGHT = ("lower ball joint", "upper ball joint", "tie rod outer", "wheel centre")


def book(path, *rows, points=None, settings=CORNER, springs=SPRING, **others):
    return hardpoint_book(
        path,
        points or {**WISHBONES, **ROCKER},
        settings,
        sweeps=HEAVE,
        others={**springs, "Adjustments": [HEADS, *rows]},
        **others,
    )


def adjusted(path, *rows, design=0, **others):
    """The axle as it stands, and its points of the left side in mm."""
    axle = run_suspension(book(path, *rows, **others)).designs[design].car.axles[0]
    return axle, {name: 1e3 * point.position for name, point in axle.points["left"].items()}


def apart(points, one, other):
    return float(np.linalg.norm(points[one] - points[other]))


def independent(lengths, fixed, upright=POINTS, guess=None):
    """Points of the upright as it hangs on rods: {(point on it, name in fixed): length}. Six rods or planes fix it."""
    names = [name for name in upright if name in {*UPRIGHT, *(end for end, _ in lengths if isinstance(end, str))}]

    def placed(x):
        turn = Rotation.from_rotvec(x[3:]).as_matrix()
        centre = upright["wheel centre"]
        return {name: centre + 100.0 * x[:3] + turn @ (upright[name] - centre) for name in names}

    def missed(x):
        at = placed(x)
        return [np.linalg.norm(at[end] - fixed[other]) - length for (end, other), length in lengths.items()]

    found, _info, flag, told = fsolve(missed, np.zeros(6) if guess is None else guess, xtol=1e-14, full_output=True)
    assert flag == 1 or max(map(abs, missed(found))) < 1e-10, told
    return placed(found)


def rods(points=POINTS, **changed):
    """Rods of a double wishbone whose lower arm does not move: three to its ball joint, two of the upper arm, the tie rod."""
    found = {
        ("upper ball joint", f"upper arm {end}"): apart(points, "upper ball joint", f"upper arm {end}")
        for end in ("front", "rear")
    }
    found["tie rod outer", "tie rod inner"] = apart(points, "tie rod outer", "tie rod inner") + changed.get("tie", 0.0)
    anchors = {"X": (300.0, 0.0, 0.0), "Y": (0.0, 300.0, 0.0), "Z": (0.0, 0.0, 300.0)}
    fixed = {name: at for name, at in points.items() if name not in UPRIGHT}
    for name, away in anchors.items():
        fixed[name] = changed.get("lower", points["lower ball joint"]) + np.array(away)
        found["lower ball joint", name] = 300.0
    return found, fixed


def test_a_longer_tie_rod_turns_the_upright_and_leaves_the_springs(tmp_path):
    axle, found = adjusted(tmp_path / "b.xlsx", ("front", "tie rod length", 2, "mm"))
    expected = independent(*rods(tie=2.0))
    for name, at in expected.items():
        assert found[name] == pytest.approx(at, abs=1e-9)
    assert apart(found, "tie rod outer", "tie rod inner") == pytest.approx(
        apart(POINTS, "tie rod outer", "tie rod inner") + 2.0, abs=1e-10
    )
    for name in ("rod outer", "rod rocker", "damper rocker", "lower ball joint"):
        assert found[name] == pytest.approx(POINTS[name], abs=1e-9), (
            "the spring is as long as before, so nothing of it moves"
        )
    assert axle.standing("left") != 0.0
    right = {name: 1e3 * point.position * [1, -1, 1] for name, point in axle.points["right"].items()}
    for name, at in found.items():
        assert right[name] == pytest.approx(at, abs=1e-9)


def test_a_longer_push_rod_swings_the_lower_arm_on_its_hinge(tmp_path):
    _axle, found = adjusted(tmp_path / "b.xlsx", ("front", "push-rod length", "3 mm"))
    low, along = POINTS["lower arm front"], POINTS["lower arm rear"] - POINTS["lower arm front"]
    along = along / np.linalg.norm(along)

    def swung(angle, name):
        return low + Rotation.from_rotvec(angle * along).apply(POINTS[name] - low)

    wanted = apart(POINTS, "rod outer", "rod rocker") + 3.0
    angle = brentq(
        lambda a: np.linalg.norm(swung(a, "rod outer") - POINTS["rod rocker"]) - wanted, -0.1, 0.1, xtol=1e-15
    )
    assert found["lower ball joint"] == pytest.approx(swung(angle, "lower ball joint"), abs=1e-9)
    assert found["rod outer"] == pytest.approx(swung(angle, "rod outer"), abs=1e-9)
    expected = independent(*rods(lower=swung(angle, "lower ball joint")))
    assert found["wheel centre"] == pytest.approx(expected["wheel centre"], abs=1e-9)
    assert found["rod rocker"] == pytest.approx(POINTS["rod rocker"], abs=1e-9)


def test_a_longer_leg_of_the_upper_arm_moves_its_ball_joint_in_the_arm(tmp_path):
    _axle, found = adjusted(tmp_path / "b.xlsx", ("front", "upper arm front leg length", "1.5 mm"))
    lengths, fixed = rods()
    lengths["upper ball joint", "upper arm front"] += 1.5
    expected = independent(lengths, fixed)
    for name, at in expected.items():
        assert found[name] == pytest.approx(at, abs=1e-9)


def test_a_camber_shim_moves_the_upright_away_from_its_ball_joint(tmp_path):
    normal = np.array([0.1, 0.9, 0.2]) / np.linalg.norm([0.1, 0.9, 0.2])
    axle, found = adjusted(tmp_path / "b.xlsx", ("front", "camber shim", 2, "mm", "upper", "0.1 0.9 0.2"))
    shimmed = {**POINTS, "upper ball joint": POINTS["upper ball joint"] - 2.0 * normal}  # as the upright sees it
    lengths, fixed = rods()
    expected = independent(lengths, fixed, shimmed)
    for name, at in expected.items():
        assert found[name] == pytest.approx(at, abs=1e-9)
    assert np.degrees(-np.arcsin(axle.spin_axis("left")[2])) > -0.9, "the top goes outboard"


def test_the_normal_of_a_shim_may_be_a_point_of_its_bracket(tmp_path):
    found = {}
    for name, row in {"point": ("upper",), "numbers": ("upper", "2 18 4")}.items():
        path = book(tmp_path / f"{name}.xlsx", ("front", "camber shim", 2, "mm", *row))
        with_point = openpyxl.load_workbook(path)
        with_point["Hardpoints"]["G1"] = "on"
        with_point["Hardpoints"].append(("front", "bracket plane point", -6, 563, 304, None, "upright"))
        with_point.save(path)
        found[name] = run_suspension(path).base.car.axles[0].points["left"]["wheel centre"].position
    assert found["point"] == pytest.approx(found["numbers"], abs=1e-13)
    assert np.abs(found["point"] - POINTS["wheel centre"] / 1e3).max() > 1e-4


@pytest.mark.parametrize("side", ["left", "right", None])
def test_toe_and_camber_are_solved_to_their_values(tmp_path, side):
    rows = [("front", "toe", -0.3, "deg", None, None, side), ("front", "camber", "-2 deg", None, None, None, side)]
    axle, found = adjusted(tmp_path / "b.xlsx", *rows)
    for each in ("left", "right"):
        w = axle.spin_axis(each) * ([1, 1, 1] if each == "left" else [1, -1, 1])
        expected = (-2.0, -0.3) if side in (each, None) else (-1.2, -0.15)
        assert np.degrees([-np.arcsin(w[2]), np.arctan2(w[0], w[1])]) == pytest.approx(expected, abs=1e-9)
    if side is None:
        longer = apart(found, "tie rod outer", "tie rod inner") - apart(POINTS, "tie rod outer", "tie rod inner")
        again = [("front", "tie rod length", longer, "mm"), rows[1]]
        assert adjusted(tmp_path / "c.xlsx", *again)[1]["tie rod outer"] == pytest.approx(
            found["tie rod outer"], abs=1e-8
        )


def test_a_spring_perch_raises_the_car_and_leaves_the_spring_as_long(tmp_path):
    springs = {
        "Suspension springs": [SPRING["Suspension springs"][0], ("spring", "front", "spring", "35 N/mm", "240 mm")]
    }
    path = book(tmp_path / "b.xlsx", ("front", "spring perch", "2 mm"), springs=springs)
    design = run_suspension(path).base
    found = {name: 1e3 * point.position for name, point in design.car.axles[0].points["left"].items()}
    drawn = apart(POINTS, "damper rocker", "damper chassis")
    assert apart(found, "damper rocker", "damper chassis") == pytest.approx(drawn + 2.0, abs=1e-10)
    assert found["wheel centre"][2] < POINTS["wheel centre"][2], "the wheel goes down, the car up"
    tension, _stiffness = design.laws["front"]["spring", "left"].law(np.zeros(1))
    assert -tension[0] == pytest.approx(35.0 * (240.0 - drawn), abs=1e-7), "its own length is unchanged"


def test_preloads_are_solved_where_the_axle_stands(tmp_path):
    design = run_suspension(book(tmp_path / "b.xlsx", ("front", "push-rod length", "3 mm"))).base
    axle = design.car.axles[0]
    points = {name: 1e3 * point.position for name, point in axle.points["left"].items()}
    camber, toe = map(float, (-np.arcsin(axle.spin_axis("left")[2]), np.arctan2(*axle.spin_axis("left")[:2])))
    settings = [row for row in CORNER if row[0] not in ("camber", "toe")]
    settings += [("camber", f"{camber!r} rad"), ("toe", f"{toe!r} rad")]
    plain = run_suspension(hardpoint_book(tmp_path / "c.xlsx", points, settings, others=SPRING)).base
    forces = [each.laws["front"]["spring", "left"].law(np.zeros(1))[0][0] for each in (design, plain)]
    assert forces[0] == pytest.approx(forces[1], rel=1e-9)


def test_travel_counts_from_the_wheel_centre_of_the_hardpoints(tmp_path):
    results = run_suspension(book(tmp_path / "b.xlsx", ("front", "push-rod length", "3 mm")))
    found = dict(zip(results.table("heave").columns, results.table("heave").values.T, strict=True))
    assert found["FL.wheel_z"] == pytest.approx(found["travel"], abs=1e-9)
    plain = run_suspension(
        hardpoint_book(tmp_path / "c.xlsx", {**WISHBONES, **ROCKER}, CORNER, sweeps=HEAVE, others=SPRING)
    )
    drawn = dict(zip(plain.table("heave").columns, plain.table("heave").values.T, strict=True))
    for name in ("FL.camber", "FL.toe", "FL.contact_y", "front.roll_centre_height"):
        assert found[name] == pytest.approx(drawn[name], abs=1e-9), (
            "a push-rod changes no angle of the wheel over its travel"
        )
    assert np.abs(found["FL.spring_travel"] - drawn["FL.spring_travel"]).min() > 1.0


def test_no_change_is_no_change(tmp_path):
    rows = [
        ("front", item, 0, "mm")
        for item in ("tie rod length", "push-rod length", "camber shim", "spring perch", "rack height")
    ]
    results = run_suspension(book(tmp_path / "b.xlsx", *((*row, *[None] * 3, "B") for row in rows)))
    table = results.table("heave")
    found = dict(zip(table.columns, table.values.T, strict=True))
    for name in [name for name in found if name.startswith("B/")]:
        assert found[name] == pytest.approx(found[name[2:]], abs=1e-8, nan_ok=True), name


@pytest.mark.parametrize("side", [None, "left", "right"])
def test_shifted_points_are_those_of_a_list_with_other_coordinates(tmp_path, side):
    sae = {name: (x, -y, -z) for name, (x, y, z) in WISHBONES.items()}
    settings = [*SETTINGS, ("axes", "SAE J670")]
    path = hardpoint_book(
        tmp_path / "b.xlsx",
        sae,
        settings,
        sweeps=HEAVE,
        others={"Adjustments": [HEADS, ("front", "UPRI_TiePnt.z", 3, "mm", None, None, side)]},
    )
    x, y, z = sae["tie rod outer"]
    moved = {**sae, "tie rod outer": (x, y, z + 3)}
    rows = []
    if side:
        other = "right" if side == "left" else "left"
        rows = [("front", "tie rod outer", x, y if other == "left" else -y, z, other)]
        if other == "left":
            moved = sae
            rows = [("front", "tie rod outer", x, -y, z + 3, "right")]
    plain = hardpoint_book(tmp_path / "c.xlsx", moved, settings, sweeps=HEAVE, rows=rows)
    one, other = (run_suspension(each).table("heave") for each in (path, plain))
    assert one.values == pytest.approx(other.values, abs=1e-9, nan_ok=True)


def test_rack_height_moves_both_inner_tie_rod_points(tmp_path):
    axle, found = adjusted(tmp_path / "b.xlsx", ("front", "rack height", 4, "mm"))
    assert found["tie rod inner"] == pytest.approx(POINTS["tie rod inner"] + [0, 0, 4], abs=1e-12)
    assert axle.points["right"]["tie rod inner"].position[2] == pytest.approx(0.148, abs=1e-15)
    assert found["wheel centre"] == pytest.approx(POINTS["wheel centre"], abs=1e-12)


def test_turns_of_a_rod_end_are_lengths_by_its_pitch(tmp_path):
    settings = [*CORNER, ("thread pitch", "1.25 mm")]
    _axle, found = adjusted(tmp_path / "b.xlsx", ("front", "tie rod length", "2 turns"), settings=settings)
    assert apart(found, "tie rod outer", "tie rod inner") == pytest.approx(
        apart(POINTS, "tie rod outer", "tie rod inner") + 2.5, abs=1e-10
    )


def test_an_axle_without_springs_keeps_its_wheel_height(tmp_path):
    _axle, found = adjusted(
        tmp_path / "b.xlsx", ("front", "tie rod length", 2, "mm"), points=WISHBONES, settings=SETTINGS, springs={}
    )
    assert found["wheel centre"][2] == pytest.approx(POINTS["wheel centre"][2], abs=1e-11)
    assert apart(found, "tie rod outer", "tie rod inner") == pytest.approx(
        apart(POINTS, "tie rod outer", "tie rod inner") + 2.0, abs=1e-10
    )


def test_a_design_may_be_a_set_up_alone(tmp_path):
    results = run_suspension(book(tmp_path / "b.xlsx", ("front", "toe", "-0.5 deg", None, None, None, None, "soft")))
    assert [each.name for each in results.designs] == ["", "soft"]
    axles = [each.car.axles[0] for each in results.designs]
    assert axles[0].drawn is None
    assert axles[1].drawn is not None


def test_one_drop_link_twists_the_bar(tmp_path):
    rows = {"bar link suspension": (0, 500, 120), "bar link bar": (0, 480, 200), "bar axis": (-150, 480, 200)}
    springs = {"Suspension springs": [*SPRING["Suspension springs"], ("bar", "front", "U bar", "60 N m/rad", None)]}
    on = [("name", "axle", "kind", "k", "free_length", "on")]
    springs = {
        "Suspension springs": [
            *on,
            *[(*row, None) for row in springs["Suspension springs"][1:-1]],
            ("bar", "front", "U bar", "60 N m/rad", None, "lower arm"),
        ]
    }
    both, one = (
        run_suspension(
            book(
                tmp_path / f"{name}.xlsx",
                ("front", "drop link length", 2, "mm", None, None, side),
                points={**WISHBONES, **ROCKER, **rows},
                springs=springs,
            )
        ).table("heave")
        for name, side in (("both", None), ("one", "left"))
    )
    assert np.abs(dict(zip(both.columns, both.values.T, strict=True))["front.bar_twist"]).max() < 1e-9
    twist = dict(zip(one.columns, one.values.T, strict=True))["front.bar_twist"]
    assert np.abs(twist).min() > 0.3


WRONG = {
    "no such item": (("front", "tie rod lenght", 2, "mm"), "B2", "did you mean tie rod length?"),
    "no such point": (("front", "tie rod iner.z", 2, "mm"), "B2", "did you mean tie rod inner?"),
    "an angle for a length": (("front", "tie rod length", 2, "deg"), "C2", "thread pitch"),
    "a length for an angle": (("front", "toe", 2, "mm"), "C2", "angle"),
    "no change": (("front", "toe", None, "deg"), "C2", "must be filled in"),
    "no such unit": (("front", "toe", 2, "degs."), "D2", "unit"),
    "no such place of a shim": (("front", "camber shim", 2, "mm", "middle"), "E2", "upper, lower"),
    "a normal that is none": (("front", "camber shim", 2, "mm", "upper", "up"), "F2", "three numbers"),
    "far too long": (("front", "tie rod length", 900, "mm"), "B2", "cannot be assembled"),
    "an angle out of reach": (("front", "camber", 80, "deg"), "B2", "cannot be assembled"),
    "an axle without points": (("rear", "toe", 2, "deg"), "A2", "no hardpoints of the rear axle"),
}


@pytest.mark.parametrize("what", WRONG)
def test_a_wrong_adjustment_is_told_at_its_cell(tmp_path, what):
    row, cell, told = WRONG[what]
    with pytest.raises(WorkbookError) as caught:
        run_suspension(book(tmp_path / "b.xlsx", row))
    found = {problem.cell: problem for problem in caught.value.problems}
    assert told in str(found[f"Adjustments!{cell}"])


def test_an_item_given_twice_is_told(tmp_path):
    rows = [("front", "toe", 1, "deg"), ("front", "Toe", 2, "deg")]
    with pytest.raises(WorkbookError) as caught:
        run_suspension(book(tmp_path / "b.xlsx", *rows))
    assert [problem.cell for problem in caught.value.problems] == ["Adjustments!B3"]


def test_a_trailing_arm_has_no_tie_rod(tmp_path):
    points = {"arm inner": (0, 100, 230), "arm outer": (-300, 100, 230), "wheel centre": (0, 600, 230)}
    settings = [("type", "trailing arm"), ("tyre radius", "230 mm"), ("steering", "none")]
    others = {"Adjustments": [HEADS, ("front", "toe", "1 deg"), ("front", "camber", "1 deg")]}
    with pytest.raises(WorkbookError) as caught:
        run_suspension(hardpoint_book(tmp_path / "b.xlsx", points, settings, others=others))
    errors = [problem.cell for problem in caught.value.problems if problem.severity == "error"]
    assert errors == ["Adjustments!B2", "Adjustments!E3"]


def test_the_written_out_workbook_of_an_adjusted_car_moves_as_it_does(tmp_path):
    path = book(tmp_path / "b.xlsx", ("front", "push-rod length", "3 mm"), ("front", "toe", "-0.5 deg"))
    write_out(path, tmp_path / "general.xlsx")
    wheel = run_suspension(path).base.swept["heave"]["front"].wheels["left"]
    found = sheetmbs.run(sheetmbs.read(tmp_path / "general.xlsx", case="heave"))
    centre = np.column_stack([found.bodies[f"FL upright.{axis}"] for axis in "xyz"])
    assert 1e-3 * centre == pytest.approx(wheel.centre.value, abs=1e-12)
    turned = np.column_stack([found.bodies[f"FL upright.e{k}"] for k in range(4)])
    spin = np.einsum("nij,j->ni", matrix_of(turned), wheel.axle.spin_axis("left"))
    assert spin == pytest.approx(wheel.spin.value, abs=1e-10)
