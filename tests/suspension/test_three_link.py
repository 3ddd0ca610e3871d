"""A three-link: an arm on one ball joint and two camber links, against its own equations, a limit case and virtual work."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import least_squares
from scipy.spatial.transform import Rotation

import sheetmbs
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.suspension.run_suspension import run_suspension
from sheetmbs.suspension.written_out import write_out
from tests.support.hardpoint_books import hardpoint_book

POINTS = {  # mm
    "trailing arm pivot": (600, 330, 330),
    "upper camber link inner": (10, 190, 320),
    "upper camber link outer": (10, 560, 335),
    "lower camber link inner": (20, 170, 195),
    "lower camber link outer": (15, 560, 205),
    "wheel centre": (0, 620, 270),
    "damper outer": (150, 480, 275),
    "damper chassis": (230, 330, 720),
}
SETTINGS = (
    ("type", "three-link"),
    ("camber", "-1.2 deg"),
    ("toe", "0.1 deg"),
    ("tyre radius", "270 mm"),
    ("corner load", "800 N"),
)
SPRINGS = [("name", "axle", "kind", "k"), ("spring", "rear", "spring", "22 N/mm")]
CAMBER, TOE = np.radians(-1.2), np.radians(0.1)
SPIN = np.array([np.cos(CAMBER) * np.sin(TOE), np.cos(CAMBER) * np.cos(TOE), -np.sin(CAMBER)])


def three_link(path, points=POINTS, settings=SETTINGS, **others):
    sheets = {"Suspension springs": SPRINGS, **others}
    return hardpoint_book(path, points, settings, axle="rear", others=sheets)


def place(name, points=POINTS):
    return np.array(points[name], dtype=float)


def moved(turn, name):
    pivot = place("trailing arm pivot")
    return pivot + turn @ (place(name) - pivot)


def by_hand(travel):
    """Rotation of the arm about its ball joint at which the wheel is higher by a travel, mm, and no link is longer."""

    def residual(vector):
        turn = Rotation.from_rotvec(vector).as_matrix()
        found = [moved(turn, "wheel centre")[2] - place("wheel centre")[2] - travel]
        for link in ("upper camber link", "lower camber link"):
            inner, outer = place(f"{link} inner"), place(f"{link} outer")
            found.append(np.linalg.norm(moved(turn, f"{link} outer") - inner) - np.linalg.norm(outer - inner))
        return found

    found = least_squares(residual, np.zeros(3), xtol=1e-15, ftol=1e-15, gtol=1e-15)
    assert np.max(np.abs(found.fun)) < 1e-10
    return Rotation.from_rotvec(found.x).as_matrix()


def test_the_wheel_is_where_the_ball_joint_and_both_links_hold_it(tmp_path):
    found = run_suspension(three_link(tmp_path / "b.xlsx"))
    assert found.sheets.problems == ()
    frame = found.table("heave").frame()
    for _, row in frame.iterrows():
        turn = by_hand(row["travel"])
        centre = moved(turn, "wheel centre") - place("wheel centre")
        spin = turn @ SPIN
        assert [row[f"RL.wheel_{axis}"] for axis in "xyz"] == pytest.approx(centre, abs=1e-8)
        assert row["RL.camber"] == pytest.approx(-np.degrees(np.arcsin(spin[2])), abs=1e-9)
        assert row["RL.toe"] == pytest.approx(np.degrees(np.arctan2(spin[0], spin[1])), abs=1e-9)
        length = np.linalg.norm(moved(turn, "damper outer") - place("damper chassis"))
        assert row["RL.spring_length"] == pytest.approx(length, abs=1e-8)
        assert row["RR.camber"] == pytest.approx(row["RL.camber"], abs=1e-10)


def test_with_its_joints_on_one_line_it_is_a_semi_trailing_arm_about_that_line(tmp_path):
    """Inner ends of both links on a line through the pivot: the arm can turn about that line and about nothing else."""
    start, end = np.array([600.0, 330.0, 330.0]), np.array([20.0, 170.0, 195.0])
    line = {"upper camber link inner": start + 0.9 * (end - start), "lower camber link inner": end}
    points = {**POINTS, **{name: tuple(map(float, at)) for name, at in line.items()}}
    arm = {name: POINTS[name] for name in ("wheel centre", "damper outer", "damper chassis")}
    arm |= {"arm outer": tuple(map(float, start)), "arm inner": tuple(map(float, end))}
    one = run_suspension(three_link(tmp_path / "links.xlsx", points)).metrics
    two = run_suspension(three_link(tmp_path / "arm.xlsx", arm, (("type", "semi-trailing arm"), *SETTINGS[1:]))).metrics
    assert list(one.index) == list(two.index)
    assert np.abs(one["base"] - two["base"]).max() < 1e-7


def test_it_has_one_freedom_and_nothing_that_follows_from_a_steering_axis(tmp_path):
    path = three_link(tmp_path / "b.xlsx")
    found = run_suspension(path)
    assert {"RL trailing arm", "RR trailing arm"} <= {body.name for body in found.base.model.bodies}
    columns = found.table("heave").columns
    assert not any(word in column for column in columns for word in ("caster", "kpi", "kingpin", "trail", "scrub"))


def test_links_pivot_spring_and_tyre_balance_and_do_no_work_together(tmp_path):
    cases = [("name", "pose", "RL.fx", "RL.fy", "RL.fz", "force_by"), ("kerb", "design", -900, 700, 2400, "brakes")]
    found = run_suspension(three_link(tmp_path / "b.xlsx", **{"Load cases": cases}))
    value = {column.name: column.values[0] for column in found.base.loads.columns}
    down = SPIN * SPIN[2] - [0.0, 0.0, 1.0]
    contact = place("wheel centre") + 270 * down / np.linalg.norm(down)
    ahead = np.cross(SPIN, [0.0, 0.0, 1.0])
    ahead /= np.linalg.norm(ahead)
    tyre = -900 * ahead + 700 * np.cross([0.0, 0.0, 1.0], ahead) + 2400 * np.array([0.0, 0.0, 1.0])
    forces = [(tyre, contact)]
    for link in ("upper camber link", "lower camber link"):
        inner, outer = place(f"{link} inner"), place(f"{link} outer")
        forces.append((value[f"RL.{link}"] * (inner - outer) / np.linalg.norm(inner - outer), outer))
    below, above = place("damper outer"), place("damper chassis")
    forces.append((value["RL.spring"] * (below - above) / np.linalg.norm(below - above), below))
    pivot = np.array([value[f"RL.trailing arm pivot.f{axis}"] for axis in "xyz"])
    total = sum(force for force, _at in forces)
    assert np.abs(total) == pytest.approx(np.abs(pivot), abs=1e-8)
    moment = sum(np.cross(at - place("trailing arm pivot"), force) for force, at in forces)
    assert np.max(np.abs(moment)) < 1e-6
    assert value["residual"] < 1e-12


def test_rod_rocker_and_bar_stand_on_the_arm(tmp_path):
    rocker = {
        "rod outer": (150, 480, 300),
        "rod rocker": (180, 300, 620),
        "rocker pivot": (180, 240, 590),
        "rocker axis": (260, 240, 590),
        "damper rocker": (180, 220, 660),
        "damper chassis": (180, 20, 640),
        "bar link suspension": (60, 500, 260),
        "bar link bar": (60, 500, 420),
        "bar axis": (240, 420, 420),
    }
    points = {name: at for name, at in POINTS.items() if not name.startswith("damper")} | rocker
    rows = [("actuation", "push-rod"), ("rod on", "trailing arm")]
    springs = [
        ("name", "axle", "kind", "k", "on"),
        ("spring", "rear", "spring", "60 N/mm", None),
        ("bar", "rear", "U bar", "200 N*m/rad", "trailing arm"),
    ]
    found = run_suspension(
        three_link(tmp_path / "b.xlsx", points, (*SETTINGS, *rows), **{"Suspension springs": springs})
    )
    assert found.sheets.problems == ()
    values = found.at_design["base"]
    assert values["rear.roll_stiffness_bar"] > 0.0
    assert "RL.push-rod" in {column.name for column in found.base.loads.columns}


def test_expanded_it_gives_the_same_poses(tmp_path):
    path = three_link(tmp_path / "b.xlsx")
    write_out(path, tmp_path / "general.xlsx")
    wheels = run_suspension(path).base.swept["heave"]["rear"].wheels
    found = sheetmbs.run(sheetmbs.read(tmp_path / "general.xlsx", case="heave"))
    for side, corner in (("left", "RL"), ("right", "RR")):
        centre = np.column_stack([found.bodies[f"{corner} trailing arm.{axis}"] for axis in "xyz"])
        assert 1e-3 * centre == pytest.approx(wheels[side].centre.value, abs=1e-12)


def test_a_missing_point_and_a_body_that_it_has_not_are_told(tmp_path):
    points = {name: at for name, at in POINTS.items() if name != "lower camber link inner"}
    with pytest.raises(WorkbookError, match="no point lower camber link inner of the rear axle"):
        run_suspension(three_link(tmp_path / "b.xlsx", points))
    with pytest.raises(WorkbookError, match="a three-link has trailing arm"):
        run_suspension(three_link(tmp_path / "c.xlsx", settings=(*SETTINGS, ("damper on", "lower arm"))))
