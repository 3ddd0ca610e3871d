"""Metrics of suspensions from hardpoints against closed forms, differences of poses, and invariances."""

from __future__ import annotations

import zipfile

import numpy as np
import openpyxl
import pytest

import sheetmbs
from sheetmbs.command.cli import app
from sheetmbs.elements.rotation import matrix_of
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.suspension.run_suspension import run_suspension
from sheetmbs.suspension.written_out import write_out
from tests.support.hardpoint_books import LEVEL_ARMS, ROCKER, SETTINGS, WISHBONES, hardpoint_book

HEAVE = (("name", "type", "travel_from", "travel_to", "travel_step"), ("heave", "heave", "-30 mm", "30 mm", "5 mm"))


def heave(path):
    """The sheet of the sweep heave as columns by name."""
    return columns(run_suspension(path).table("heave"))


def columns(table):
    return dict(zip(table.columns, table.values.T, strict=True))


def bare(**settings):
    """Settings without static camber and toe."""
    return [("type", "double wishbone"), ("tyre radius", "230 mm"), *settings.items()]


def test_parallel_equal_arms_keep_camber_and_roll_about_the_road(tmp_path):
    found = heave(hardpoint_book(tmp_path / "b.xlsx", LEVEL_ARMS, bare(), sweeps=HEAVE))
    travel = found["travel"]
    for name in ("camber", "toe", "caster", "kpi", "camber_gradient", "toe_gradient"):
        assert np.abs(found[f"FL.{name}"]).max() < 1e-10
    inward = 400.0 - np.sqrt(400.0**2 - travel**2)  # every point of the upright moves on a circle of the arms' length
    assert found["FL.contact_y"] == pytest.approx(-inward, abs=1e-9)
    slope = -travel / np.sqrt(400.0**2 - travel**2)
    assert found["FL.contact_dy_dz"] == pytest.approx(slope, abs=1e-12)
    assert found["front.roll_centre_height"] == pytest.approx(slope * (620.0 - inward), abs=1e-8)
    assert np.isnan(found["FL.fvic_y"]).all(), "parallel arms have no instant centre"


def test_a_swing_axle_leans_by_the_angle_of_its_hinge(tmp_path):
    points = {"arm inner": (0, 100, 230), "arm outer": (-300, 100, 230), "wheel centre": (0, 600, 230)}
    settings = [("type", "trailing arm"), ("tyre radius", "230 mm"), ("steering", "none")]
    found = heave(hardpoint_book(tmp_path / "b.xlsx", points, settings, sweeps=HEAVE))
    angle = np.degrees(np.arcsin(found["travel"] / 500.0))
    assert found["FL.camber"] == pytest.approx(-angle, abs=1e-10)
    assert found["FL.fvic_y"] == pytest.approx(100.0, abs=1e-8)
    assert found["FL.fvic_z"] == pytest.approx(230.0 - found["FL.contact_z"], abs=1e-8)
    per_mm = np.degrees(1.0 / np.sqrt(500.0**2 - found["travel"] ** 2))
    assert found["FL.camber_gradient"] == pytest.approx(-per_mm, abs=1e-12)


def test_a_trailing_arm_swings_about_its_pivot_in_side_view(tmp_path):
    points = {"arm inner": (400, 300, 250), "arm outer": (400, 700, 250), "wheel centre": (0, 600, 230)}
    settings = [("type", "trailing arm"), ("tyre radius", "230 mm"), ("steering", "none")]
    found = heave(hardpoint_book(tmp_path / "b.xlsx", points, settings, sweeps=HEAVE))
    assert found["FL.svic_x"] == pytest.approx(400.0, abs=1e-8)
    assert found["FL.svic_z"] == pytest.approx(250.0 - found["FL.contact_z"], abs=1e-8)
    assert np.abs(found["FL.camber"]).max() < 1e-12
    level = np.hypot(400.0, 20.0)
    start = np.arctan2(-20.0, -400.0)
    height = 250.0 + level * np.sin(start)
    turned = np.arcsin((height + found["travel"] - 250.0) / level)
    assert found["FL.wheel_x"] == pytest.approx(400.0 - level * np.cos(turned), abs=1e-9)


def test_every_derivative_is_that_of_the_poses(tmp_path):
    step = 0.05
    fine = (HEAVE[0], ("heave", "heave", f"{-2 * step} mm", f"{2 * step} mm", f"{step} mm"))
    points = {**WISHBONES, **ROCKER}
    settings = [*SETTINGS, ("actuation", "push-rod")]
    found = heave(hardpoint_book(tmp_path / "b.xlsx", points, settings, sweeps=fine))

    def slope(values):  # Richardson's extrapolation of central differences
        near, far = (values[3] - values[1]) / (2 * step), (values[4] - values[0]) / (4 * step)
        return (4 * near - far) / 3

    pairs = {
        "camber_gradient": "camber",
        "toe_gradient": "toe",
        "caster_gradient": "caster",
        "camber_curvature": "camber_gradient",
        "toe_curvature": "toe_gradient",
        "motion_ratio": "spring_travel",
        "dmotion_ratio": "motion_ratio",
    }
    for derivative, of in pairs.items():
        assert found[f"FL.{derivative}"][2] == pytest.approx(slope(found[f"FL.{of}"]), rel=1e-8, abs=1e-11), derivative


def test_the_right_side_is_the_mirror_image_of_the_left(tmp_path):
    found = heave(hardpoint_book(tmp_path / "b.xlsx", {**WISHBONES, **ROCKER}, [*SETTINGS, ("actuation", "push-rod")]))
    odd = (
        "steer",
        "fvic_y",
        "fvic_y_geometric",
        "roll_camber",
    )  # roll to the left is roll to the right for the other wheel
    for name, left in found.items():
        if name.startswith("FL."):
            sign = -1.0 if name.removeprefix("FL.") in odd else 1.0
            assert found[name.replace("FL.", "FR.")] == pytest.approx(sign * left, rel=1e-9, abs=1e-9, nan_ok=True), (
                name
            )


@pytest.mark.parametrize("raised", [-228.0, 137.0])
def test_the_height_of_the_origin_changes_no_metric(tmp_path, raised):
    """Points may count from the road, from the floor of the chassis or from the wheel centre."""
    sweep = (("name", "type", "roll_from", "roll_to", "roll_step"), ("roll", "roll", "-2 deg", "2 deg", "1 deg"))
    settings = [
        *SETTINGS,
        ("mass", "250 kg"),
        ("weight front", "48 %"),
        ("cg height", "300 mm"),
        ("wheelbase", "1550 mm"),
    ]
    shifted = {name: (x, y, z + raised) for name, (x, y, z) in WISHBONES.items()}
    plain, found = (
        run_suspension(hardpoint_book(tmp_path / name, points, settings, sweeps=sweep)).table("roll").frame()
        for name, points in (("a.xlsx", WISHBONES), ("b.xlsx", shifted))
    )
    assert plain["front.roll_centre_lateral"].abs().max() > 20.0, "it moves as the body leans"
    for name in plain:
        assert found[name].to_numpy() == pytest.approx(plain[name].to_numpy(), rel=1e-8, abs=1e-8, nan_ok=True), name


AXES = {
    "SAE J670": lambda x, y, z: (x, -y, -z),
    "Lotus": lambda x, y, z: (-x, y, z),
    "custom": lambda x, y, z: (z, -x, y),
}


@pytest.mark.parametrize("axes", AXES)
def test_other_axes_give_the_same_metrics(tmp_path, axes):
    own = [("axes", axes)]
    if axes == "custom":
        own += [("x axis", "up"), ("y axis", "rearward"), ("z axis", "outboard")]
    turned = {name: AXES[axes](*point) for name, point in WISHBONES.items()}
    expected = heave(hardpoint_book(tmp_path / "iso.xlsx"))
    found = heave(hardpoint_book(tmp_path / "other.xlsx", turned, [*SETTINGS, *own]))
    for name, values in expected.items():
        assert found[name] == pytest.approx(values, rel=1e-9, abs=1e-9, nan_ok=True), name


@pytest.mark.parametrize(("unit", "size"), [("m", 1e-3), ("in", 1 / 25.4), ("cm", 0.1)])
def test_other_units_give_the_same_metrics_in_these_units(tmp_path, unit, size):
    scaled = {name: tuple(value * size for value in point) for name, point in WISHBONES.items()}
    usual = run_suspension(hardpoint_book(tmp_path / "mm.xlsx")).table("heave")
    other = run_suspension(hardpoint_book(tmp_path / "other.xlsx", scaled, unit=unit)).table("heave")
    expected = columns(usual)
    for name, shown, values in zip(other.columns, other.units, other.values.T, strict=True):
        given = usual.units[usual.columns.index(name)]
        assert shown == (given if given == "mm/mm" else given.replace("mm", unit)), name
        power = {"mm": 1, "deg/mm": -1, "deg/mm^2": -2, "1/mm": -1, "mm/rad": 1}.get(given, 0)
        assert values == pytest.approx(expected[name] * size**power, rel=1e-8, abs=1e-8, nan_ok=True), name


def test_results_are_in_the_units_of_the_settings(tmp_path):
    springs = {"Suspension springs": [HEADS["Suspension springs"], SPRING]}
    points = {**WISHBONES, **ROCKER}
    ways = {
        "usual": (("corner load", "645 N"), ("tyre rate", "120 N/mm")),
        "other": (
            ("corner load", 645 / 4.4482216152605, None, "lbf"),
            ("tyre rate", f"{120 / 0.17512683524647636} lbf/in"),
        ),
    }
    found = {}
    for name, own in ways.items():
        angle = [("camber", -1.2 * np.pi / 180, None, "rad")] if name == "other" else [("camber", "-1.2 deg")]
        settings = [("type", "double wishbone"), ("tyre radius", "230 mm"), ("actuation", "push-rod"), *angle, *own]
        found[name] = run_suspension(hardpoint_book(tmp_path / f"{name}.xlsx", points, settings, others=springs)).table(
            "heave"
        )
    usual, other = found["usual"], found["other"]
    for metric, unit, size in (
        ("FL.camber", "rad", np.pi / 180),
        ("FL.spring_force", "lbf", 1 / 4.4482216152605),
        ("FL.wheel_rate", "lbf/in", 1 / 0.17512683524647636),
        ("front.roll_stiffness", "N*m/rad", 180 / np.pi),
    ):
        at = usual.columns.index(metric)
        assert other.units[at] == unit
        assert other.values[:, at] == pytest.approx(usual.values[:, at] * size, rel=1e-9), metric


def test_points_of_the_right_side_give_the_same_car(tmp_path):
    mirrored = {name: (x, -y, z) for name, (x, y, z) in WISHBONES.items()}
    expected = heave(hardpoint_book(tmp_path / "left.xlsx"))
    found = heave(hardpoint_book(tmp_path / "right.xlsx", mirrored, [*SETTINGS, ("input side", "right")]))
    for name, values in expected.items():
        assert found[name] == pytest.approx(values, rel=1e-9, abs=1e-9, nan_ok=True), name


@pytest.mark.parametrize("marked", [(), ("wheel centre", "tie rod outer"), tuple(WISHBONES)])
def test_points_marked_right_are_those_of_the_right_side(tmp_path, marked):
    mirrored = {(f"{name}_R" if name in marked else name): (x, -y, z) for name, (x, y, z) in WISHBONES.items()}
    expected = heave(hardpoint_book(tmp_path / "left.xlsx"))
    found = heave(hardpoint_book(tmp_path / "right.xlsx", mirrored, [*SETTINGS, ("input side", "right")]))
    for name, values in expected.items():
        assert found[name] == pytest.approx(values, rel=1e-9, abs=1e-9, nan_ok=True), name


@pytest.mark.parametrize("side", ["left", "right"])
def test_a_point_of_the_other_side_overrides_its_mirror_image(tmp_path, side):
    sign, other = (1, "right") if side == "left" else (-1, "left")
    points = {name: (x, sign * y, z) for name, (x, y, z) in WISHBONES.items()}
    x, y, z = WISHBONES["tie rod outer"]
    rows = [("front", "tie rod outer", x, -sign * y, z + 5, other)]
    found = heave(hardpoint_book(tmp_path / "b.xlsx", points, [*SETTINGS, ("input side", side)], rows=rows))
    plain = heave(hardpoint_book(tmp_path / "p.xlsx"))
    own, changed = ("FL", "FR") if side == "left" else ("FR", "FL")
    assert found[f"{own}.toe"] == pytest.approx(plain["FL.toe"], abs=1e-9)
    assert np.max(np.abs(found[f"{changed}.toe"] - plain["FL.toe"])) > 0.05


@pytest.mark.parametrize("step", ["12 mm", "3 mm", "0.6 mm"])
def test_the_step_of_a_sweep_changes_no_row(tmp_path, step):
    coarse = (HEAVE[0], ("heave", "heave", "-24 mm", "24 mm", "24 mm"))
    fine = (HEAVE[0], ("heave", "heave", "-24 mm", "24 mm", step))
    expected = heave(hardpoint_book(tmp_path / "coarse.xlsx", sweeps=coarse))
    found = heave(hardpoint_book(tmp_path / "fine.xlsx", sweeps=fine))
    middle = len(found["travel"]) // 2
    for name, values in expected.items():
        assert found[name][[0, middle, -1]] == pytest.approx(values, rel=1e-9, abs=1e-9, nan_ok=True), name


def test_in_roll_both_wheels_stay_on_the_road(tmp_path):
    found = run_suspension(hardpoint_book(tmp_path / "b.xlsx"))
    swept = found.base.swept["roll"]["front"]
    for wheel in swept.wheels.values():
        up = np.stack((0 * wheel.roll, np.sin(wheel.roll), np.cos(wheel.roll)), axis=-1)
        height = np.sum(wheel.contact.value * up, axis=1)
        road = wheel.design_contact[2] * np.cos(wheel.roll)
        assert height == pytest.approx(road, abs=1e-13)
    table = columns(found.table("roll"))
    assert swept.travel["right"][-1] > 0.01, "the body leans right, and its right wheel goes up"
    slope = np.gradient(table["FL.inclination"], table["roll"], edge_order=2)
    assert table["FL.roll_camber"][5:-5] == pytest.approx(slope[5:-5], abs=1e-5)


def test_the_steering_axis_turns_the_wheel_and_nothing_else_does(tmp_path):
    found = columns(run_suspension(hardpoint_book(tmp_path / "b.xlsx")).table("steer"))
    slope = np.gradient(found["FL.steer"], found["rack"], edge_order=2)
    assert found["FL.steer_ratio"][2:-2] == pytest.approx(slope[2:-2], rel=2e-3)
    assert np.ptp(found["FL.wheel_z"]) < 1e-9, "travel is held"


@pytest.mark.parametrize("name", WISHBONES)
def test_a_missing_point_is_named_with_its_role(tmp_path, name):
    left = {each: point for each, point in WISHBONES.items() if each != name}
    with pytest.raises(WorkbookError) as caught:
        run_suspension(hardpoint_book(tmp_path / "b.xlsx", left))
    assert any(name in problem.found and problem.mend for problem in caught.value.problems)


@pytest.mark.parametrize("name", WISHBONES)
def test_a_point_of_the_right_without_one_of_the_left_is_told_at_its_side(tmp_path, name):
    path = hardpoint_book(tmp_path / "b.xlsx")
    book = openpyxl.load_workbook(path)
    sheet = book["Hardpoints"]
    side = next(cell.column for cell in sheet[1] if cell.value == "side")
    (row,) = (cell.row for cell in sheet["B"] if cell.value == name)
    sheet.cell(row, side).value = "right"
    book.save(path)
    with pytest.raises(WorkbookError, match="on the right alone") as caught:
        run_suspension(path)
    assert [problem.cell for problem in caught.value.problems] == [
        f"Hardpoints!{openpyxl.utils.get_column_letter(side)}{row}"
    ]


@pytest.mark.parametrize("name", WISHBONES)
def test_a_misspelt_point_is_recognised_at_its_cell(tmp_path, name):
    slip = name.replace("r", "", 1) if "r" in name else name[:-1]
    renamed = {slip if each == name else each: point for each, point in WISHBONES.items()}
    with pytest.raises(WorkbookError) as caught:
        run_suspension(hardpoint_book(tmp_path / "b.xlsx", renamed))
    row = 3 + list(WISHBONES).index(name)
    (told,) = [problem for problem in caught.value.problems if problem.cell == f"Hardpoints!B{row}"]
    assert name in told.mend


def test_a_point_given_twice_is_told_where(tmp_path):
    twice = [("front", "lower ball joint", 4, 572, 112)]
    with pytest.raises(WorkbookError) as caught:
        run_suspension(hardpoint_book(tmp_path / "b.xlsx", rows=twice))
    (problem,) = caught.value.problems
    assert problem.cell == "Hardpoints!B12"
    assert "Hardpoints!B5" in problem.problem


def test_names_of_other_programs_are_known(tmp_path):
    optimum = ("CHAS_LowFor", "CHAS_LowAft", "UPRI_LowPnt", "CHAS_UppFor", "CHAS_UppAft", "UPRI_UppPnt")
    names = (*optimum, "tierod_inner", "UPRI_TiePnt", "wheel_center_L")
    renamed = dict(zip(names, WISHBONES.values(), strict=True))
    expected = heave(hardpoint_book(tmp_path / "own.xlsx"))
    found = heave(hardpoint_book(tmp_path / "other.xlsx", renamed))
    assert all(np.array_equal(found[name], values, equal_nan=True) for name, values in expected.items())


def test_cells_of_the_user_replace_generated_ones(tmp_path):
    moved = [("name", "body", "x [mm]", "y [mm]", "z [mm]"), ("FL tie rod outer", None, None, None, 148)]
    expected = heave(
        hardpoint_book(tmp_path / "hardpoint.xlsx", {**WISHBONES, "tie rod outer": (70, 560, 148)}, sweeps=HEAVE)
    )
    found = heave(hardpoint_book(tmp_path / "row.xlsx", sweeps=HEAVE, others={"Points": moved}))
    assert found["FL.toe"] == pytest.approx(expected["FL.toe"], abs=1e-10)
    assert np.abs(found["FR.toe"] - expected["FR.toe"]).max() > 1e-3, "the other side is as it was"


def test_the_written_out_workbook_gives_the_same_poses(tmp_path):
    book = hardpoint_book(tmp_path / "b.xlsx", {**WISHBONES, **ROCKER}, [*SETTINGS, ("actuation", "push-rod")])
    out = tmp_path / "general.xlsx"
    write_out(book, out)
    expected = run_suspension(book)
    for case in ("heave", "roll", "steer"):
        found = sheetmbs.run(sheetmbs.read(out, case=case))
        assert found.status == "done"
        wheel = expected.base.swept[case]["front"].wheels["left"]
        centre = np.column_stack([found.bodies[f"FL upright.{axis}"] for axis in "xyz"])
        assert 1e-3 * centre == pytest.approx(wheel.centre.value, abs=1e-12)
        turned = np.column_stack([found.bodies[f"FL upright.e{k}"] for k in range(4)])
        spin = np.einsum("nij,j->ni", matrix_of(turned), wheel.axle.spin_axis("left"))
        assert spin == pytest.approx(wheel.spin.value, abs=1e-10)


def test_wheel_rates_are_derivatives_of_the_load_that_springs_carry(tmp_path):
    springs = [("name", "axle", "kind", "k"), ("spring", "front", "spring", "35 N/mm")]
    settings = [*SETTINGS, ("actuation", "push-rod"), ("corner load", "645 N"), ("unsprung mass", "9 kg")]
    fine = (HEAVE[0], ("heave", "heave", "-0.2 mm", "0.2 mm", "0.1 mm"))
    points = {**WISHBONES, **ROCKER}
    others = {"Suspension springs": springs}
    found = heave(hardpoint_book(tmp_path / "b.xlsx", points, settings, sweeps=fine, others=others))
    carried = found["FL.spring_force"] * found["FL.motion_ratio"]
    near, far = (carried[3] - carried[1]) / 0.2, (carried[4] - carried[0]) / 0.4
    assert found["FL.wheel_rate"][2] == pytest.approx((4 * near - far) / 3, rel=1e-8)
    assert found["FL.wheel_rate_spring"][2] == pytest.approx(35.0 * found["FL.motion_ratio"][2] ** 2, rel=1e-12)
    contact = found["FL.motion_ratio"][2] / found["FL.motion_ratio_contact"][2]
    assert carried[2] == pytest.approx(645.0 * contact - 9.0 * 9.81, rel=1e-9), (
        "at design the spring carries the corner"
    )


def test_the_gas_force_of_a_damper_has_its_part_in_the_rates(tmp_path):
    """What a gas force does on a wheel changes with its motion ratio, as what a spring does."""
    springs = [
        ("name", "axle", "kind", "k", "preload"),
        ("spring", "front", "spring", "35 N/mm"),
        ("damper", "front", "damper", None, "400 N"),
    ]
    settings = [*SETTINGS, ("actuation", "push-rod"), ("corner load", "645 N"), ("unsprung mass", "9 kg")]
    fine = (HEAVE[0], ("heave", "heave", "-0.2 mm", "0.2 mm", "0.1 mm"))
    points = {**WISHBONES, **ROCKER}
    others = {"Suspension springs": springs}
    found = heave(hardpoint_book(tmp_path / "b.xlsx", points, settings, sweeps=fine, others=others))
    carried = (found["FL.spring_force"] + found["FL.damper_force"]) * found["FL.motion_ratio"]
    near, far = (carried[3] - carried[1]) / 0.2, (carried[4] - carried[0]) / 0.4
    assert found["FL.wheel_rate"][2] == pytest.approx((4 * near - far) / 3, rel=1e-8)
    force = found["FL.spring_force"][2] + 400.0
    assert found["FL.wheel_rate_preload"][2] == pytest.approx(force * found["FL.dmotion_ratio"][2], rel=1e-9)


def test_in_pitch_the_wheels_stay_on_a_road_that_turns_about_its_line(tmp_path):
    rows = [
        ("name", "type", "pitch_from", "pitch_to", "pitch_step", "pitch_about"),
        ("dive", "pitch", "-1 deg", "1 deg", "0.5 deg", "-800 mm"),
    ]
    found = run_suspension(hardpoint_book(tmp_path / "b.xlsx", others={"Sweeps": rows}))
    swept = found.base.swept["dive"]["front"]
    assert found.table("dive").values[:, 0] == pytest.approx([-1.0, -0.5, 0.0, 0.5, 1.0])
    for wheel in swept.wheels.values():
        ahead, height = wheel.contact.value[:, 0] + 0.8, wheel.contact.value[:, 2] - wheel.design_contact[2]
        assert height == pytest.approx(ahead * np.tan(np.radians([-1.0, -0.5, 0.0, 0.5, 1.0])), abs=1e-12)
    assert swept.travel["left"][-1] > 0.01, "nose down is bump at the front"


def test_a_bar_acts_in_roll_alone(tmp_path):
    bar = {"bar link suspension": (0, 200, 360), "bar link bar": (60, 205, 250), "bar axis": (0, 150, 250)}
    rows = [("name", "axle", "kind", "k"), ("spring", "front", "spring", "35 N/mm")]
    both = [*rows, ("bar", "front", "U bar", "60 N*m/rad")]
    settings = [*SETTINGS, ("actuation", "push-rod"), ("corner load", "645 N")]
    points = {**WISHBONES, **ROCKER, **bar}
    without, found = (
        heave(hardpoint_book(tmp_path / f"{len(each)}.xlsx", points, settings, others={"Suspension springs": each}))
        for each in (rows, both)
    )
    assert found["FL.wheel_rate"] == pytest.approx(without["FL.wheel_rate"], rel=1e-12)
    ratio = np.radians(found["FL.bar_motion_ratio"])  # rad/mm
    assert found["FL.wheel_rate_roll"] - found["FL.wheel_rate"] == pytest.approx(2 * 60e3 * ratio**2, rel=1e-9)
    total = without["front.roll_stiffness"] + found["front.roll_stiffness_bar"]
    assert found["front.roll_stiffness"] == pytest.approx(total, rel=1e-9)


def test_a_correct_suspension_raises_no_warning(tmp_path):
    found = run_suspension(
        hardpoint_book(tmp_path / "b.xlsx", {**WISHBONES, **ROCKER}, [*SETTINGS, ("actuation", "push-rod")])
    )
    assert found.sheets.problems == ()


SPRING = ("spring", "front", "spring", "35 N/mm")
HEADS = {
    "Suspension springs": ("name", "axle", "kind", "k", "curve_k", "point_i"),
    "Sweeps": ("name", "type", "travel_from", "travel_to", "travel_step", "axle"),
    "Targets": ("metric", "value"),
}
NOT_YET = {
    "a setting": ("Suspension", ("rack axis", "forward"), "Suspension!B7"),
    "a body that the type has not": ("Suspension", ("damper on", "arm"), "Suspension!B7"),
    "a third spring nowhere": ("Suspension springs", ("T", "front", "third spring", 5), "Suspension springs!F2"),
    "a curve that is not there": ("Suspension springs", (*SPRING[:3], None, "soft"), "Suspension springs!E2"),
    "a number and a curve": ("Suspension springs", (*SPRING, "soft"), "Suspension springs!E2"),
    "a point of a spring": ("Suspension springs", (*SPRING, None, "rocket"), "Suspension springs!F2"),
    "a pitch about a place unknown": ("Sweeps", ("dive", "pitch"), "Sweeps!A2"),
    "a step of nothing": ("Sweeps", ("heave", "heave", "-5 mm", "5 mm", 0), "Sweeps!E2"),
    "an axle without points": ("Sweeps", ("heave", "heave", None, None, None, "rear"), "Sweeps!F2"),
}


@pytest.mark.parametrize("what", NOT_YET)
def test_what_is_not_served_yet_is_refused_at_its_cell(tmp_path, what):
    name, row, cell = NOT_YET[what]
    settings = [*SETTINGS, ("actuation", "push-rod"), *([row] if name == "Suspension" else [])]
    others = {} if name == "Suspension" else {name: [HEADS[name], row]}
    with pytest.raises(WorkbookError) as caught:
        run_suspension(hardpoint_book(tmp_path / "b.xlsx", {**WISHBONES, **ROCKER}, settings, others=others))
    assert cell in [problem.cell for problem in caught.value.problems if problem.severity == "error"]


def test_springs_without_a_load_leave_rates_empty_and_say_so(tmp_path):
    others = {"Suspension springs": [HEADS["Suspension springs"], SPRING]}
    settings = [*SETTINGS, ("actuation", "push-rod")]
    found = run_suspension(hardpoint_book(tmp_path / "b.xlsx", {**WISHBONES, **ROCKER}, settings, others=others))
    table = columns(found.table("heave"))
    assert np.isnan(table["FL.wheel_rate"]).all()
    assert np.isfinite(table["FL.wheel_rate_spring"]).all()
    assert [problem.cell for problem in found.sheets.problems] == ["Suspension springs!A2"]


def test_a_stop_acts_beyond_its_gap_alone(tmp_path):
    rows = [("name", "axle", "kind", "k", "gap"), SPRING, ("stop", "front", "bump stop", "200 N/mm", "6 mm")]
    settings = [*SETTINGS, ("actuation", "push-rod"), ("corner load", "645 N")]
    points = {**WISHBONES, **ROCKER}
    sweeps = [("name", "type", "travel_from", "travel_to"), ("heave", "heave", "-20 mm", "20 mm")]
    others = {"Suspension springs": rows, "Sweeps": sweeps}
    found = heave(hardpoint_book(tmp_path / "b.xlsx", points, settings, others=others))
    pressed = 200.0 * np.maximum(found["FL.spring_travel"] - 6.0, 0.0)
    assert np.max(pressed) > 1000.0
    assert found["FL.stop_force"] == pytest.approx(pressed, rel=1e-9, abs=1e-9)


def test_a_tyre_is_in_series_with_the_spring(tmp_path):
    settings = [*SETTINGS, ("actuation", "push-rod"), ("corner load", "645 N"), ("tyre rate", "120 N/mm")]
    others = {"Suspension springs": [HEADS["Suspension springs"], SPRING]}
    found = heave(hardpoint_book(tmp_path / "b.xlsx", {**WISHBONES, **ROCKER}, settings, others=others))
    assert 1.0 / found["FL.ride_rate"] == pytest.approx(1.0 / found["FL.wheel_rate"] + 1.0 / 120.0, rel=1e-12)
    root = np.sqrt(found["FL.ride_rate"] * 1e3 / (645.0 / 9.81))
    assert found["FL.ride_frequency"] == pytest.approx(root / (2.0 * np.pi), rel=1e-12)


def test_kingpin_offsets_are_those_of_the_hardpoints(tmp_path):
    upright = [("type", "double wishbone"), ("tyre radius", "230 mm")]
    found = heave(hardpoint_book(tmp_path / "b.xlsx", WISHBONES, upright, sweeps=HEAVE))
    low, high = (np.array(WISHBONES[name], dtype=float) for name in ("lower ball joint", "upper ball joint"))
    met = low + (high - low) * (0.0 - low[2]) / (high[2] - low[2])  # the wheel stands upright on z = 0 under its centre
    middle = len(found["travel"]) // 2
    assert found["FL.kingpin_offset"][middle] == pytest.approx(600.0 - met[1], abs=1e-9)
    assert found["FL.caster_offset"][middle] == pytest.approx(met[0], abs=1e-9)


def test_an_axis_above_the_road_keeps_its_height_in_roll(tmp_path):
    rows = (
        ("name", "type", "roll_from", "roll_to", "roll_step", "roll_about"),
        ("r", "roll", "-4 deg", "4 deg", "1 deg"),
    )
    found = run_suspension(hardpoint_book(tmp_path / "b.xlsx", sweeps=(rows[0], (*rows[1], "axis height 100 mm"))))
    swept = found.base.swept["r"]["front"]
    for wheel in swept.wheels.values():
        up = np.stack((0 * wheel.roll, np.sin(wheel.roll), np.cos(wheel.roll)), axis=-1)
        axis = np.array([0.0, 0.0, wheel.design_contact[2] + 0.1])
        assert np.sum((wheel.contact.value - axis) * up, axis=1) == pytest.approx(-0.1, abs=1e-12)


def test_a_sweep_that_goes_too_far_ends_where_the_linkage_does(tmp_path):
    wide = (HEAVE[0], ("heave", "heave", "-400 mm", "400 mm", "20 mm"))
    found = run_suspension(hardpoint_book(tmp_path / "b.xlsx", sweeps=wide))
    (told,) = found.sheets.problems
    assert (told.code, told.cell) == ("travel-limit", "Sweeps!A2")
    camber = columns(found.table("heave"))["FL.camber"]
    reached = np.isfinite(camber)
    assert 5 < np.count_nonzero(reached) < len(camber)
    assert reached[len(camber) // 2]


def test_the_command_writes_a_sheet_for_every_sweep(tmp_path, capsys):
    book = hardpoint_book(tmp_path / "b.xlsx")
    kept = {name: part for name, part in parts(book).items() if "worksheets/sheet" in name}
    with pytest.raises(SystemExit) as ended:
        app(["run", str(book)])
    assert not ended.value.code
    written = openpyxl.load_workbook(book)
    assert {"mbs Sweep heave", "mbs Sweep roll", "mbs Sweep steer"} <= set(written.sheetnames)
    assert written["Hardpoints"]["B3"].value == "lower arm front"
    after = parts(book)
    assert all(after[name] == part for name, part in kept.items()), "the user's sheets keep their bytes"
    assert "21 poses" in capsys.readouterr().err


def parts(book):
    with zipfile.ZipFile(book) as opened:
        return {name: opened.read(name) for name in opened.namelist()}


@pytest.mark.parametrize("word", ["pushrod", "Push Rod", "PUSH-ROD", "pullrod"])
def test_a_rod_may_be_written_as_one_word(tmp_path, word):
    points = {**WISHBONES, **ROCKER}
    longer = {"Adjustments": [("axle", "item", "change"), ("front", f"{word} length", "2 mm")]}
    given = hardpoint_book(tmp_path / "w.xlsx", points, [*SETTINGS, ("actuation", word)], sweeps=HEAVE, others=longer)
    longer["Adjustments"][1] = ("front", "push-rod length", "2 mm")
    usual = [*SETTINGS, ("actuation", "push-rod")]
    expected = heave(hardpoint_book(tmp_path / "u.xlsx", points, usual, sweeps=HEAVE, others=longer))
    found = heave(given)
    assert np.array_equal(found["FL.damper_length"], expected["FL.damper_length"])
    assert np.isfinite(found["FL.damper_length"]).all()


@pytest.mark.parametrize("axle", ["VA", None])
def test_hardpoints_of_an_axle_that_is_not_named_are_told_at_their_rows(tmp_path, axle):
    with pytest.raises(WorkbookError) as caught:
        run_suspension(hardpoint_book(tmp_path / "b.xlsx", {}, rows=[(axle, "wheel centre", 0, 600, 230)]))
    assert "Hardpoints!A3" in [problem.cell for problem in caught.value.problems]
