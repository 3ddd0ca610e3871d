"""Joints that friction holds creep, slower than `friction_velocity`: how far is known in closed form, and told."""

import math

import pytest

import sheetmbs
from tests.support.spatial_books import at, axis, body, joint, space_book

MU, VELOCITY, SECONDS, WEIGHT = 0.5, 1e-3, 10.0, 10.0


def slide(tmp_path, pull, **more):
    """Results of a body on a slide along x that presses with m WEIGHT, and is pulled along it with m pull."""
    friction = {"friction": MU, "friction_velocity": VELOCITY}
    settings = {"gravity_x": pull, "gravity_z": -WEIGHT, "t_end": SECONDS, "t_step": 0.1} | more
    row = joint("translational", **axis(1, 0, 0), **friction)
    path = space_book(tmp_path / "model.xlsx", settings, Bodies=[body()], Points=[at()], Joints=[row])
    return sheetmbs.run(sheetmbs.read(path))


@pytest.mark.parametrize("pull", [1.0, -3.0])
def test_a_joint_that_creeps_is_named_with_its_way(tmp_path, pull):
    results = slide(tmp_path, pull)
    way = VELOCITY * math.atanh(abs(pull) / (MU * WEIGHT)) * SECONDS
    (problem,) = [each for each in results.sheets.problems if each.code == "creeps"]
    assert problem.cell == "Joints!A2"
    assert f"{way * 1e3:.2g}" in problem.found
    items = results.summary
    assert f"{way * 1e3:.2g}" in items["joints that creep where they would stick"]


@pytest.mark.parametrize("pull", [0.0, 8.0], ids=["at rest", "sliding"])
def test_a_joint_that_rests_or_slides_is_not_said_to_creep(tmp_path, pull):
    results = slide(tmp_path, pull)
    assert not [each for each in results.sheets.problems if each.code == "creeps"]


def test_a_pin_that_friction_holds_creeps_by_its_angle(tmp_path):
    path = space_book(
        tmp_path / "pin.xlsx",
        {"dimension": "2D", "t_end": 20, "t_step": 0.1},
        Bodies=[{"name": "b", "mass": 1, "inertia": 0.001, "x": 0.02}],
        Points=[{"name": "P", "x": 0, "y": 0}],
        Joints=[joint("revolute", name="pin", friction=0.5, friction_radius=0.1)],
    )
    results = sheetmbs.run(sheetmbs.read(path))
    (problem,) = [each for each in results.sheets.problems if each.code == "creeps"]
    way = float(problem.found.split("creeps by ")[1].split(" rad")[0])
    assert way == pytest.approx(abs(results.joints["pin.angle"].iloc[-1]), rel=0.02)
