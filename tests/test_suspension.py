"""Suspension workbooks: linkage solved again by lengths alone, loads, symmetry, virtual work and energy."""

from functools import cache
from pathlib import Path

import numpy as np
import openpyxl
import pytest
from scipy.optimize import least_squares

import sheetmbs

WORKBOOKS = Path(__file__).parent.parent / "workbooks"
CORNERS = ("FL", "FR", "RL", "RR")
G = 9.81


@cache
def run(name, case):
    model = sheetmbs.read(WORKBOOKS / f"{name}.xlsx", case=case)
    result = sheetmbs.run(model)
    assert result.status == "done"
    return result


@cache
def hardpoints():
    """Hardpoints of the corner as they stand in the workbook, mm."""
    rows = openpyxl.load_workbook(WORKBOOKS / "double-wishbone.xlsx")["Points"].iter_rows(min_row=3, values_only=True)
    return {row[0]: np.array(row[2:5], dtype=float) for row in rows if row[0]}


def about(point, start, end, angle):
    """A point turned about the line from start to end (Rodrigues)."""
    axis = (end - start) / np.linalg.norm(end - start)
    arm = point - start
    return start + arm * np.cos(angle) + np.cross(axis, arm) * np.sin(angle) + axis * (axis @ arm) * (1 - np.cos(angle))


def linkage(height, rack, guess):
    """Upright by three of its points, from two arm angles and lengths: wheel centre at a height, mm.

    Unknowns: arm angles and the outer end of the tie rod. Returns rotation (3, 3), wheel centre and the solution.
    """
    p = hardpoints()
    balls = ["lower ball", "upper ball", "tie outer"]
    local = np.array([p[name] - p["wheel centre"] for name in balls])

    def places(u):
        lower = about(p["lower ball"], p["lower front"], p["lower rear"], u[0])
        upper = about(p["upper ball"], p["upper front"], p["upper rear"], u[1])
        return np.array([lower, upper, u[2:5]])

    def upright(u):
        now = places(u)
        start, end = (np.array([each[1] - each[0], each[2] - each[0]]) for each in (local, now))
        frames = [np.column_stack((a, np.cross(a, b), np.cross(a, np.cross(a, b)))) for a, b in (start, end)]
        frames = [frame / np.linalg.norm(frame, axis=0) for frame in frames]
        turn = frames[1] @ frames[0].T
        return turn, now[0] - turn @ local[0]

    def open_by(u):
        now = places(u)
        inner = p["tie inner"] + np.array([0.0, rack, 0.0])
        gaps = [
            np.linalg.norm(now[i] - now[j]) - np.linalg.norm(local[i] - local[j]) for i, j in ((0, 1), (0, 2), (1, 2))
        ]
        gaps.append(np.linalg.norm(now[2] - inner) - np.linalg.norm(p["tie outer"] - p["tie inner"]))
        gaps.append(upright(u)[1][2] - height)
        return gaps

    found = least_squares(open_by, guess, x_scale="jac", xtol=1e-15, ftol=1e-15, gtol=1e-15).x
    assert np.abs(open_by(found)).max() < 1e-9
    return (*upright(found), found)


@pytest.mark.parametrize("case", ["bump", "steer"])
def test_corner_moves_as_its_lengths_allow(case):
    """Wheel centre to 1e-7 mm and orientation to 1e-8 deg at every tenth row."""
    bodies = run("double-wishbone", case).bodies
    guess = np.array([0.0, 0.0, *hardpoints()["tie outer"]])
    rows = list(range(0, 26, 2))
    for row in rows:
        now = bodies.iloc[row]
        turn, centre, guess = linkage(now["upright.z"], now["rack.y"], guess)
        assert np.abs(now[["upright.x", "upright.y", "upright.z"]].to_numpy(dtype=float) - centre).max() < 1e-7
        angles = np.degrees(
            [np.arctan2(turn[1, 0], turn[0, 0]), -np.arcsin(turn[2, 0]), np.arctan2(turn[2, 1], turn[2, 2])]
        )
        assert np.abs(now[["upright.yaw", "upright.pitch", "upright.roll"]].to_numpy(dtype=float) - angles).max() < 1e-8


def test_wheel_of_the_corner_travels_and_gains_negative_camber():
    bodies = run("double-wishbone", "bump").bodies
    assert abs(bodies["upright.z"].max() - 278.0) < 0.2
    assert abs(bodies["upright.z"].min() - 178.0) < 0.2
    top = bodies.iloc[bodies["upright.z"].argmax()]
    assert 1.0 < top["upright.roll"] < 3.0


def test_idle_rotation_of_the_tie_rod_is_named_and_stops_nothing():
    summary = run("double-wishbone", "bump").summary
    assert summary["degrees of freedom"] == 1
    assert "tie rod" in summary["idle rotations"]


def test_corner_at_rest_carries_its_weight_on_the_tyre():
    result = run("double-wishbone", "static")
    weight = sum(body.mass for body in result.model.bodies if body.name != "road plate") * G
    assert abs(-result.springs["tyre.fz"][0] - weight) < 1e-6
    assert result.summary["smallest stiffness"] > -1e-6


def test_strut_of_the_corner_works_as_the_motion_says():
    """Virtual work: the strut's force times its change of length balances the sprung weight as the chassis sinks."""
    at_rest = run("double-wishbone", "static")
    model = sheetmbs.read(WORKBOOKS / "double-wishbone.xlsx", case="bump")
    sprung = next(body for body in model.bodies if body.name == "chassis").mass + 1.0
    p = hardpoints()
    force = -at_rest.springs["strut.force"][0]
    guess = np.array([0.0, 0.0, *p["tie outer"]])
    sunk = at_rest.bodies["upright.z"][0] - at_rest.bodies["chassis.z"][0] + 350.0

    def length(height):
        found = linkage(height, 0.0, guess)[2]
        lower = about(p["strut lower"], p["lower front"], p["lower rear"], found[0])
        arms = [1.2 * _centre("lower arm", found[0]), 1.0 * _centre("upper arm", found[1])]
        return np.linalg.norm(lower - p["strut upper"]), sum(arms)

    h = 0.01
    (shorter, raised), (longer, lowered) = length(sunk + h), length(sunk - h)
    strut_work = force * (longer - shorter) / (2 * h)
    arm_work = (raised - lowered) / (2 * h) * G
    tie = 0.5 * 0.3 * G  # the tie rod hangs between rack and upright
    assert abs(strut_work - (sprung + 1.2 + 1.0) * G + arm_work - tie) < 0.02 * sprung * G


def _centre(arm, angle):
    """Height of an arm's centre of mass when turned."""
    p = hardpoints()
    part = arm.split()[0]
    front, rear, ball = (p[f"{part} {name}"] for name in ("front", "rear", "ball"))
    lengths = np.array([np.linalg.norm(ball - front), np.linalg.norm(ball - rear)])
    centre = (lengths[0] * (front + ball) + lengths[1] * (rear + ball)) / (2 * lengths.sum())
    return about(centre, front, rear, angle)[2]


def test_corner_settles_on_the_road_where_its_equilibrium_is():
    at_rest, road = run("double-wishbone", "static").bodies.iloc[0], run("double-wishbone", "road")
    before = road.bodies[(road.bodies["time"] > 0.9) & (road.bodies["time"] < 1.0)]
    assert np.abs(before["chassis.z"] - at_rest["chassis.z"]).max() < 0.6
    assert road.bodies["upright.z"].max() - at_rest["upright.z"] > 25.0
    assert road.summary["energy drift"] < 1e-5


@pytest.mark.parametrize("case", ["bump", "steer", "heave", "roll", "equilibrium", "road"])
def test_every_case_of_the_car_is_read_without_a_word_and_runs(case):
    result = run("car", case)
    assert result.model.warnings == ()
    assert not [problem for problem in result.sheets.problems if problem.severity == "error"]
    assert result.summary["redundant constraints"] == 0
    assert result.constraints["position_violation"].max() < 1e-10
    assert result.summary["degrees of freedom"] == (11 if case in {"equilibrium", "road"} else 4)


def test_car_stands_on_four_tyres_with_all_its_weight():
    result = run("car", "equilibrium")
    loads = np.array([-result.springs[f"tyre {corner}.fz"][0] for corner in CORNERS])
    bodies = [body for body in result.model.bodies if not body.name.startswith("plate")]
    weight = sum(body.mass for body in bodies) * G
    assert abs(loads.sum() - weight) < 1e-6 * weight
    assert abs(loads[0] - loads[1]) < 1e-7 * weight
    assert abs(loads[2] - loads[3]) < 1e-7 * weight
    pose = result.bodies.iloc[0]
    moment = sum(body.mass * G * pose[f"{body.name}.x"] for body in bodies)
    held = sum(load * pose[f"plate {corner}.x"] for load, corner in zip(loads, CORNERS, strict=True))
    slack = sum(
        load * abs(pose[f"upright {corner}.x"] - pose[f"plate {corner}.x"])
        for load, corner in zip(loads, CORNERS, strict=True)
    )
    assert abs(moment - held) < slack + 1.0 + 0.01 * abs(moment)


def test_every_joint_of_the_car_reports_its_reaction():
    result = run("car", "equilibrium")
    for joint in result.model.joints:
        columns = [f"{joint.name}.{side}.{part}" for side in "ij" for part in ("fx", "fy", "fz", "mx", "my", "mz")]
        values = result.joints[columns].to_numpy()
        assert np.all(np.isfinite(values))
    balls = [joint.name for joint in result.model.joints if joint.type == "spherical"]
    assert len(balls) == 16
    for name in balls:
        assert np.abs(result.joints[[f"{name}.i.{m}" for m in ("mx", "my", "mz")]].to_numpy()).max() < 1e-9


@pytest.mark.parametrize(("case", "axle"), [("heave", "F"), ("heave", "R"), ("bump", "F")])
def test_car_is_the_same_on_both_sides(case, axle):
    bodies = run("car", case).bodies
    left, right = (f"upright {axle}{side}" for side in "LR")
    assert np.abs(bodies[f"{left}.y"] + bodies[f"{right}.y"]).max() < 1e-8
    for same in ("x", "z", "pitch"):
        assert np.abs(bodies[f"{left}.{same}"] - bodies[f"{right}.{same}"]).max() < 1e-8
    for mirrored in ("yaw", "roll"):
        assert np.abs(bodies[f"{left}.{mirrored}"] + bodies[f"{right}.{mirrored}"]).max() < 1e-8


def test_roll_to_the_left_is_the_mirror_of_roll_to_the_right():
    bodies = run("car", "roll").bodies
    half = len(bodies) // 2
    first, second = bodies.iloc[: half + 1], bodies.iloc[half:]
    for left, right in (("FL", "FR"), ("RL", "RR")):
        mirrored = second[f"upright {right}.roll"].to_numpy()
        assert np.abs(first[f"upright {left}.roll"].to_numpy() + mirrored).max() < 1e-8
    assert abs(bodies["chassis.roll"].max() - 2.0) < 0.01


def test_wheels_stay_on_the_road_in_heave_and_roll():
    for case in ("heave", "roll"):
        points = run("car", case).points
        for corner in CORNERS:
            assert np.abs(points[f"contact {corner}.z"]).max() < 1e-7


def test_front_left_corner_of_the_car_is_that_of_the_corner():
    car, corner = run("car", "bump").bodies, run("double-wishbone", "bump").bodies
    reach = (corner["upright.z"] <= 268) & (corner.index <= 25)
    for angle in ("roll", "yaw", "pitch"):
        known = corner[reach].sort_values("upright.z")
        ours = car[(car["time"] <= 0.25) & (car["upright FL.z"] <= known["upright.z"].max())]
        interpolated = np.interp(ours["upright FL.z"], known["upright.z"], known[f"upright.{angle}"])
        assert np.abs(ours[f"upright FL.{angle}"] - interpolated).max() < 2e-3


def test_car_settles_on_the_road_after_its_bumps():
    road, at_rest = run("car", "road"), run("car", "equilibrium").bodies.iloc[0]
    end = road.bodies.iloc[-1]
    assert abs(end["chassis.z"] - at_rest["chassis.z"]) < 0.1
    assert abs(end["chassis.pitch"] - at_rest["chassis.pitch"]) < 1e-2
    assert road.summary["energy drift"] < 1e-4
    assert road.bodies["chassis.roll"].abs().max() > 0.1
    assert all(road.springs[f"tyre {corner}.fz"].iloc[1:].max() < 0.0 for corner in CORNERS)  # no wheel leaves the road
