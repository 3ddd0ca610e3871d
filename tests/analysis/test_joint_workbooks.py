"""One workbook per joint of space: read, run, written back, and a truth of physics that it must show."""

import numpy as np
import openpyxl
import pytest
from scipy.special import ellipk

import sheetmbs
from tests.support.spatial_books import at, axis, axis2, body, joint, space_book

G = 9.81
STILL = {"gravity_z": 0}


def run(tmp_path, settings=None, **sheets):
    """Results of a workbook, written into it and read back."""
    path = space_book(tmp_path / "model.xlsx", settings, **sheets)
    result = sheetmbs.run(sheetmbs.read(path))
    assert result.status == "done", result.sheets.problems
    result.save()
    written = openpyxl.load_workbook(path)["mbs Bodies"]
    columns = [cell.value for cell in written[1]]
    last = {name: written.cell(written.max_row, number).value for number, name in enumerate(columns, start=1)}
    assert last["time"] == result.bodies["time"].iloc[-1]
    assert last["b.x"] == pytest.approx(result.bodies["b.x"].iloc[-1], rel=1e-15, abs=1e-300)
    return result


def driver(coordinate="angle", velocity=None, joint_="j", **more):
    return {"name": "drive", "joint": joint_, "coordinate": coordinate, "position": 0, "velocity": velocity} | more


def test_revolute_swings_with_the_period_of_a_physical_pendulum(tmp_path):
    """Let go from 90 degrees: a quarter period is K(1/2)/omega, omega^2 = m g l/(I + m l^2)."""
    omega = np.sqrt(2.0 * G * 0.5 / (0.2 + 2.0 * 0.25))
    quarter = ellipk(0.5) / omega
    result = run(
        tmp_path,
        {"t_end": quarter, "t_step": quarter / 10},
        Bodies=[body(x=0.5)],
        Points=[at()],
        Joints=[joint("revolute", **axis(0, 1, 0))],
    )
    assert result.joints["j.angle"].iloc[-1] == pytest.approx(np.pi / 2, abs=1e-7)
    assert result.bodies["b.z"].iloc[-1] == pytest.approx(-0.5, abs=1e-8)
    assert result.joints["j.j.fz"].iloc[-1] == pytest.approx(2.0 * G + 2.0 * (2 * 2.0 * G * 0.5 / 0.7) * 0.5, rel=1e-6)


def test_spherical_joint_carries_a_conical_pendulum(tmp_path):
    """A point mass on a string of length l at half-angle a circles at omega^2 = g/(l cos a), its height unchanged."""
    angle, length = 0.6, 1.2
    omega = np.sqrt(G / (length * np.cos(angle)))
    start = {"x": length * np.sin(angle), "z": -length * np.cos(angle), "vy": omega * length * np.sin(angle)}
    inertia = (1e-9, 1e-9, 1e-9)
    result = run(
        tmp_path,
        {"t_end": 3},
        Bodies=[body(inertia=inertia, wz=omega, **start)],
        Points=[at()],
        Joints=[joint("spherical")],
    )
    assert np.abs(result.bodies["b.z"] - start["z"]).max() < 1e-6
    assert np.abs(result.bodies["b.x"] - start["x"] * np.cos(omega * result.bodies["time"])).max() < 1e-6


def shafts(bend):
    """An input shaft along x and an output shaft at an angle, each in its bearing."""
    c, s = np.cos(bend), np.sin(bend)
    bodies = [body("b", x=-0.5), body("out", x=0.5 * c, y=0.5 * s, yaw=bend)]
    bearings = [
        joint("revolute", "ground", "b", "in", "bearing in", **axis(1, 0, 0)),
        joint("revolute", "ground", "out", "end", "bearing out", **axis(c, s, 0)),
    ]
    points = [at(), at(-1, 0, 0, "in"), at(c, s, 0, "end")]
    return bodies, points, bearings


def test_universal_joint_turns_unevenly_as_cardan_says(tmp_path):
    """tan(out) = tan(in)/cos(bend), for a fork of the input shaft square to the plane of both shafts."""
    bend = 0.5
    bodies, points, bearings = shafts(bend)
    cross = joint("universal", "b", "out", name="cross", **axis(0, 0, 1), **axis2(-np.sin(bend), np.cos(bend), 0))
    result = run(
        tmp_path,
        {"analysis": "kinematic", "t_end": 2, "t_step": 0.05},
        Bodies=bodies,
        Points=points,
        Joints=[*bearings, cross],
        Drivers=[driver(velocity=3, joint_="bearing in")],
    )
    turned = 3.0 * result.joints["time"]
    expected = np.unwrap(np.arctan2(np.sin(turned) * np.cos(bend), np.cos(turned)))
    assert np.abs(result.joints["bearing out.angle"] - expected).max() < 1e-9
    assert result.summary["redundant constraints"] == 0 or result.summary["degrees of freedom"] == 0


def test_constant_velocity_joint_turns_evenly(tmp_path):
    bend = 0.5
    bodies, points, bearings = shafts(bend)
    knuckle = joint(
        "constant-velocity", "b", "out", name="knuckle", **axis(1, 0, 0), **axis2(np.cos(bend), np.sin(bend), 0)
    )
    result = run(
        tmp_path,
        {"analysis": "kinematic", "t_end": 4, "t_step": 0.05},
        Bodies=bodies,
        Points=points,
        Joints=[*bearings, knuckle],
        Drivers=[driver(velocity=3, joint_="bearing in")],
    )
    assert np.abs(result.joints["bearing out.angle"] - 3.0 * result.joints["time"]).max() < 1e-9


def test_sleeve_slides_and_turns_by_itself(tmp_path):
    result = run(
        tmp_path,
        {"t_end": 2},
        Bodies=[body(z=1, vz=0.5, wz=3.0)],
        Points=[at()],
        Joints=[joint("cylindrical", **axis(0, 0, 1))],
    )
    t = result.joints["time"]
    assert np.abs(result.joints["j.displacement"] - (0.5 * t - G * t**2 / 2)).max() < 1e-9
    assert np.abs(result.joints["j.angle"] - 3.0 * t).max() < 1e-8


def test_nut_runs_down_its_thread_with_its_inertia_geared_in(tmp_path):
    """Lead p/2pi = h: (m + I/h^2) z'' = -m g."""
    lead = 0.5
    result = run(
        tmp_path,
        {"t_end": 2},
        Bodies=[body()],
        Points=[at()],
        Joints=[joint("screw", **axis(0, 0, 1), pitch=lead)],
    )
    h = lead / (2 * np.pi)
    fall = -2.0 * G / (2.0 + 0.25 / h**2)
    t = result.joints["time"]
    assert np.abs(result.joints["j.displacement"] - fall * t**2 / 2).max() < 1e-9
    assert np.abs(result.joints["j.angle"] - fall * t**2 / 2 / h).max() < 1e-8


def test_slide_falls_along_its_axis(tmp_path):
    along = np.array([1.0, 0.0, -1.0]) / np.sqrt(2)
    result = run(tmp_path, {}, Bodies=[body()], Points=[at()], Joints=[joint("translational", **axis(*along))])
    t = result.joints["time"]
    assert np.abs(result.joints["j.displacement"] - G * np.sqrt(0.5) * t**2 / 2).max() < 1e-9
    assert np.abs(result.joints[["j.j.fx", "j.j.fz"]].to_numpy() - G * np.array([1.0, 1.0])).max() < 1e-9


def test_puck_on_a_table_keeps_its_speed_and_spin(tmp_path):
    result = run(
        tmp_path, {}, Bodies=[body(vx=1.0, vy=-2.0, wz=4.0)], Points=[at()], Joints=[joint("planar", **axis(0, 0, 1))]
    )
    t = result.bodies["time"]
    assert np.abs(result.bodies["b.x"] - t).max() < 1e-8
    assert np.abs(result.joints["j.angle"] - 4.0 * t).max() < 1e-8
    assert np.abs(result.joints["j.j.fz"] - 2.0 * G).max() < 1e-9


def test_weld_carries_weight_and_moment(tmp_path):
    result = run(tmp_path, {}, Bodies=[body(x=0.7)], Points=[at()], Joints=[joint("fixed")])
    assert np.abs(result.joints[["j.j.fz", "j.j.my"]].to_numpy() - [2.0 * G, -2.0 * G * 0.7]).max() < 1e-9
    assert result.summary["degrees of freedom"] == 0


def test_massless_link_keeps_its_length(tmp_path):
    result = run(
        tmp_path,
        {"t_end": 2},
        Bodies=[body(x=1.0, vy=1.0)],
        Points=[at(), at(1.0, 0, 0, "eye", body="b")],
        Joints=[joint("distance", point=None, point_i="P", point_j="eye")],
    )
    assert np.abs(result.joints["j.distance"] - 1.0).max() < 1e-9
    squares = result.bodies["b.x"] ** 2 + result.bodies["b.y"] ** 2 + result.bodies["b.z"] ** 2
    assert np.abs(squares - 1.0).max() < 1e-9


def test_bead_on_a_line_slides_and_tumbles_freely(tmp_path):
    result = run(
        tmp_path,
        {},
        Bodies=[body(inertia=(0.1, 0.1, 0.1), vx=2.0, wx=1.0, wy=2.0)],
        Points=[at()],
        Joints=[joint("spherical-cylindrical", **axis(1, 0, 0))],
    )
    t = result.joints["time"]
    assert np.abs(result.joints["j.displacement"] - 2.0 * t).max() < 1e-9
    assert np.abs(result.bodies[["b.wx", "b.wy"]].to_numpy() - [1.0, 2.0]).max() < 1e-9


def test_hinge_on_a_sleeve_swings_and_slides(tmp_path):
    """Hinge along y on a sleeve along x: the sleeve may turn about x, so both rotations and the slide are free."""
    result = run(
        tmp_path,
        {},
        Bodies=[body(z=-0.5, vx=1.0)],
        Points=[at()],
        Joints=[joint("revolute-cylindrical", **axis(1, 0, 0), **axis2(0, 1, 0))],
    )
    assert result.summary["degrees of freedom"] == 3
    assert np.abs(result.joints["j.displacement"] - result.joints["time"]).max() < 1e-9
    assert np.abs(result.bodies["b.z"] + 0.5).max() < 1e-9


def test_point_glides_in_its_plane(tmp_path):
    """On a plane of 45 degrees a point mass falls with g/sqrt(2)."""
    normal = np.array([1.0, 0.0, 1.0]) / np.sqrt(2)
    result = run(tmp_path, {}, Bodies=[body()], Points=[at()], Joints=[joint("point-on-plane", **axis(*normal))])
    t = result.bodies["time"]
    assert np.abs(result.bodies["b.x"] - G / 2 * t**2 / 2).max() < 1e-9
    assert np.abs(result.bodies["b.z"] + G / 2 * t**2 / 2).max() < 1e-9


@pytest.mark.parametrize(("kind", "freedoms"), [("perpendicular", 5), ("parallel", 4)])
def test_directions_keep_their_angle(tmp_path, kind, freedoms):
    second = axis2(0, 1, 0) if kind == "perpendicular" else {}
    spin = {"wx": 0.3, "wy": 0.0, "wz": 2.0} if kind == "perpendicular" else {"wx": 2.0, "wy": 0.0, "wz": 0.0}
    result = run(
        tmp_path,
        STILL | {"t_end": 3},
        Bodies=[body(**spin)],
        Joints=[joint(kind, point=None, **axis(1, 0, 0), **second)],
    )
    assert result.summary["degrees of freedom"] == freedoms
    e0, e1, e2, e3 = (result.bodies[f"b.e{k}"] for k in range(4))
    if kind == "perpendicular":
        assert np.abs(2 * (e1 * e2 - e0 * e3)).max() < 1e-9
    else:
        assert np.abs(2 * (e0**2 + e1**2) - 1 - 1.0).max() < 1e-9
    assert result.summary["energy drift"] < 1e-9


def test_gear_wheels_turn_in_their_ratio(tmp_path):
    bodies = [body("b"), body("wheel", x=0.3)]
    bearings = [
        joint("revolute", "ground", "b", "P", "one", **axis(0, 0, 1)),
        joint("revolute", "ground", "wheel", "Q", "two", **axis(0, 0, 1)),
    ]
    teeth = {"name": "teeth", "type": "gear", "joint_1": "one", "joint_2": "two", "ratio": -2}
    push = {"name": "push", "body": "b", "mz": 3.0}
    result = run(
        tmp_path, STILL, Bodies=bodies, Points=[at(), at(0.3, 0, 0, "Q")], Joints=[teeth, *bearings], Forces=[push]
    )
    rate = 3.0 / (0.25 + 4 * 0.25)
    t = result.joints["time"]
    assert np.abs(result.joints["one.angle"] - rate * t**2 / 2).max() < 1e-9
    assert np.abs(result.joints["two.angle"] + rate * t**2).max() < 1e-9
    assert np.abs(result.joints["teeth.j.mz"] + 2.0 * rate * 0.25).max() < 1e-9


def test_rack_follows_its_pinion(tmp_path):
    bodies = [body("b"), body("rack", y=-0.05)]
    guides = [
        joint("revolute", "ground", "b", "P", "pinion", **axis(0, 0, 1)),
        joint("translational", "ground", "rack", "Q", "slide", **axis(1, 0, 0)),
    ]
    teeth = {"name": "teeth", "type": "rack-and-pinion", "joint_1": "pinion", "joint_2": "slide", "radius": 0.05}
    result = run(
        tmp_path,
        STILL | {"analysis": "inverse dynamic", "t_end": 3},
        Bodies=bodies,
        Points=[at(), at(0, -0.05, 0, "Q")],
        Joints=[*guides, teeth],
        Drivers=[driver(velocity=2.0, joint_="pinion", acceleration=4.0)],
    )
    t = result.joints["time"]
    assert np.abs(result.joints["slide.displacement"] - 0.05 * (2.0 * t + 2.0 * t**2)).max() < 1e-9
    assert np.abs(result.drivers["drive.moment"] - (0.25 + 2.0 * 0.05**2) * 4.0).max() < 1e-9


def test_held_coordinate_is_held(tmp_path):
    hold = {"name": "j", "type": "coordinate", "body_i": "b", "coordinate": "z", "value": 0.25}
    result = run(tmp_path, {}, Bodies=[body(z=0.25, vx=1.0)], Joints=[hold])
    assert np.abs(result.bodies["b.z"] - 0.25).max() < 1e-12
    assert np.abs(result.joints["j.i.fz"] - 2.0 * G).max() < 1e-9
