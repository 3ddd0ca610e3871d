"""Joints that friction holds and that creep are named with how far they creep; those that slide or rest are not."""

import numpy as np
import pytest

import sheetmbs
from tests.spatial_books import joint, space_book

ITEM = "joints that creep where they would stick"


def on_slope(tmp_path, friction=0.5, degrees=20.0, **more):
    """A block on a slope, for 100 s."""
    along = np.radians(degrees)
    axis = {"axis_x": np.cos(along), "axis_y": np.sin(along)}
    path = space_book(
        tmp_path / "slope.xlsx",
        {"dimension": "2D", "t_end": 100, "t_step": 1},
        Bodies=[{"name": "b", "mass": 1, "inertia": 1}],
        Points=[{"name": "P", "x": 0, "y": 0}],
        Joints=[joint("translational", name="guide", friction=friction, **axis, **more)],
    )
    return sheetmbs.run(sheetmbs.read(path))


def told(result):
    return [problem for problem in result.sheets.problems if problem.code == "creeps"]


@pytest.mark.parametrize("velocity", [1e-3, 1e-4])
def test_block_that_friction_holds_creeps_by_what_is_told(tmp_path, velocity):
    """At rest tan(slope) = mu tanh(v/friction_velocity), so it creeps by friction_velocity atanh(tan(slope)/mu) a second."""
    result = on_slope(tmp_path, friction_velocity=velocity)
    way = 100.0 * velocity * np.arctanh(np.tan(np.radians(20.0)) / 0.5)
    assert abs(result.joints["guide.displacement"].iloc[-1]) == pytest.approx(way, rel=2e-3)
    (problem,) = told(result)
    assert problem.cell == "Joints!A2"
    assert float(problem.found.split("creeps by ")[1].split(" mm")[0]) == pytest.approx(way * 1e3, rel=0.01)
    assert result.summary[ITEM].startswith("guide (by ")


@pytest.mark.parametrize("sound", [{"friction": 0.2}, {"degrees": 0.0}], ids=["slides", "rests"])
def test_block_that_slides_or_rests_is_not_named(tmp_path, sound):
    result = on_slope(tmp_path, **sound)
    assert not told(result)
    assert ITEM not in result.summary


def test_pin_that_friction_holds_tells_its_angle(tmp_path):
    path = space_book(
        tmp_path / "pin.xlsx",
        {"dimension": "2D", "t_end": 20, "t_step": 0.1},
        Bodies=[{"name": "b", "mass": 1, "inertia": 0.001, "x": 0.02}],
        Points=[{"name": "P", "x": 0, "y": 0}],
        Joints=[joint("revolute", name="pin", friction=0.5, friction_radius=0.1)],
    )
    result = sheetmbs.run(sheetmbs.read(path))
    (problem,) = told(result)
    way = float(problem.found.split("creeps by ")[1].split(" rad")[0])
    assert way == pytest.approx(abs(result.joints["pin.angle"].iloc[-1]), rel=0.02)
