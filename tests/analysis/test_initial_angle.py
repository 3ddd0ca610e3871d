"""The column initial_angle: from which zero the angle of a joint counts, for results and drivers alike."""

import numpy as np
import pytest

import sheetmbs
from tests.support.spatial_books import at, axis, joint, space_book

TIME = {"analysis": "kinematic", "t_end": 1, "t_step": 0.25}
PLANES = ("2D", "3D")
START, RATE = 50.0, 2.0
"""deg, rad/s"""


def rod(dimension, name="b"):
    inertia = {"inertia": 0.1} if dimension == "2D" else dict.fromkeys(("ixx", "iyy", "izz"), 0.1)
    return {"name": name, "mass": 2.0, **inertia, "x": 0.5}


def hinge(dimension, initial=None, **more):
    return joint("revolute", initial_angle=initial, **more) | (axis(0, 0, 1) if dimension == "3D" else {})


def read(tmp_path, dimension, hinges, drivers, bodies=("b",), points=(), **sheets):
    rows = [rod(dimension, name) for name in bodies]
    flat = [{key: cell for key, cell in row.items() if key != "z" or dimension == "3D"} for row in (at(), *points)]
    settings = TIME | {"dimension": dimension}
    path = space_book(
        tmp_path / f"{len(list(tmp_path.iterdir()))}.xlsx",
        settings,
        **{"Bodies": rows, "Points": flat, "Joints": hinges, "Drivers": drivers, **sheets},
    )
    return sheetmbs.read(path)


def turning(position=None, velocity=None):
    return {"name": "drive", "joint": "j", "coordinate": "angle", "position": position, "velocity": velocity}


@pytest.mark.parametrize("dimension", PLANES)
def test_an_initial_angle_moves_the_zero_of_the_joint_and_of_its_driver_and_nothing_else(tmp_path, dimension):
    plain = read(tmp_path, dimension, [hinge(dimension)], [turning(0, RATE)])
    counted = read(tmp_path, dimension, [hinge(dimension, f"{START} deg")], [turning(f"{START} deg", RATE)])
    assert counted.warnings == ()
    first, second = sheetmbs.run(plain), sheetmbs.run(counted)
    for column in ("b.x", "b.y", "b.vx", "b.vy"):
        assert list(second.bodies[column]) == pytest.approx(list(first.bodies[column]), abs=1e-12)
    turned = np.radians(START) + RATE * second.joints["time"]
    assert list(second.joints["j.angle"]) == pytest.approx(list(turned), abs=1e-12)


@pytest.mark.parametrize("dimension", PLANES)
def test_a_lock_holds_a_joint_at_its_initial_angle(tmp_path, dimension):
    result = sheetmbs.run(read(tmp_path, dimension, [hinge(dimension, f"{START} deg")], [turning()]))
    assert list(result.bodies["b.x"]) == pytest.approx([0.5] * 5, abs=1e-12)
    assert list(result.joints["j.angle"]) == pytest.approx([np.radians(START)] * 5, abs=1e-12)


@pytest.mark.parametrize("dimension", PLANES)
def test_a_velocity_with_a_blank_position_warns_where_the_joint_does_not_start_at_0(tmp_path, dimension):
    model = read(tmp_path, dimension, [hinge(dimension, f"{START} deg")], [turning(velocity=RATE)])
    (warning,) = model.warnings
    assert (warning.code, warning.cell) == ("blank-position", "Drivers!D2")
    assert "j starts at angle = 0.872665" in warning.problem


@pytest.mark.parametrize("dimension", PLANES)
def test_a_gear_couples_how_far_its_joints_have_turned(tmp_path, dimension):
    second = {"body_j": "c", "point": "Q", "name": "k"}
    gear = {"name": "g", "type": "gear", "joint_1": "j", "joint_2": "k", "ratio": -2.0}
    for angles in ((None, None), (f"{START} deg", "-20 deg")):
        hinges = [hinge(dimension, angles[0]), hinge(dimension, angles[1], **second), gear]
        start = f"{START} deg" if angles[0] else 0
        points = [at(name="Q", x=1)]
        found = sheetmbs.run(read(tmp_path, dimension, hinges, [turning(start, RATE)], ("b", "c"), points))
        change = found.joints["k.angle"] - found.joints["k.angle"].iloc[0]
        assert list(change) == pytest.approx(list(-2.0 * RATE * found.joints["time"]), abs=1e-12)
        assert found.joints["k.angle"].iloc[0] == pytest.approx(np.radians(-20.0 if angles[1] else 0.0), abs=1e-12)


def test_a_joint_that_has_no_angle_has_no_initial_one(tmp_path):
    slide = joint("translational", initial_angle=0.3, axis_x=1, axis_y=0)
    model = read(tmp_path, "2D", [slide], [{"name": "drive", "joint": "j", "coordinate": "displacement"}])
    (warning,) = model.warnings
    assert warning.cell == "Joints!F2"
