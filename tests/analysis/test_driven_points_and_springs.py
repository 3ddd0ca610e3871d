"""Drivers of points and of lengths of springs, against the geometry and the work of one hinged body."""

import numpy as np
import pytest

import sheetmbs
from sheetmbs import WorkbookError
from tests.support.spatial_books import at, axis, body, joint, space_book

ANGLE = np.radians(30.0)
POINT = np.array([0.8, 0.0, 0.1])  # on the arm in body axes, from its hinge at the origin
ANCHOR = np.array([0.2, 0.0, 1.0])  # on the ground


def arm_book(path, driver, *, analysis="kinematic"):
    """An arm that turns about the y axis through the origin and carries its mass 0.5 m out."""
    ends = {"body_i": "ground", "body_j": "arm", "point_i": "anchor", "point_j": "end"}
    return space_book(
        path,
        {"analysis": analysis, "t_step": 0.25, "gravity_x": 0, "gravity_y": 0, "gravity_z": -9.81},
        Bodies=[body("arm", 3.0, x=0.5)],
        Points=[at(name="hinge"), at(*POINT, name="end", body="arm"), at(*ANCHOR, name="anchor")],
        Joints=[joint("revolute", body_j="arm", point="hinge", name="pivot") | axis(0, 1, 0)],
        Springs=[{"name": "strut", "type": "translational", "k": 0.0, "length0": 1.0} | ends],
        Drivers=[dict(zip(("name", "point", "spring", "coordinate", "position", "velocity"), driver, strict=False))],
    )


def turned(angle):
    """Global place of the point where the arm has turned about +y (nose down)."""
    c, s = np.cos(angle), np.sin(angle)
    return np.array([c * POINT[0] + s * POINT[2], 0.0, -s * POINT[0] + c * POINT[2]])


def angle_of(result):
    return result.joints["pivot.angle"].to_numpy()


def test_a_driven_point_is_where_its_driver_says(tmp_path):
    result = sheetmbs.run(sheetmbs.read(arm_book(tmp_path / "b.xlsx", ("lift", "end", None, "z", 0.1, 0.3))))
    for angle, t in zip(angle_of(result), np.linspace(0, 1, 5), strict=True):
        assert turned(angle)[2] == pytest.approx(0.1 + 0.3 * t, abs=1e-12)


def test_a_driven_spring_is_as_long_as_its_driver_says(tmp_path):
    start = float(np.linalg.norm(POINT - ANCHOR))
    result = sheetmbs.run(sheetmbs.read(arm_book(tmp_path / "b.xlsx", ("pull", None, "strut", "length", start, -0.2))))
    for angle, t in zip(angle_of(result), np.linspace(0, 1, 5), strict=True):
        assert np.linalg.norm(turned(angle) - ANCHOR) == pytest.approx(start - 0.2 * t, abs=1e-12)


@pytest.mark.parametrize("driver", [("lift", "end", None, "z"), ("pull", None, "strut", "length")])
def test_the_force_of_a_lock_does_the_work_of_the_weight(tmp_path, driver):
    """A lock at rest: F dl = m g dz of the centre of mass, in the turn of the arm."""
    result = sheetmbs.run(sheetmbs.read(arm_book(tmp_path / "b.xlsx", driver, analysis="equilibrium")))
    force = result.drivers[f"{driver[0]}.force"][0]
    h = 1e-6
    moved = (turned(h) - turned(-h)) / (2 * h)
    lever = moved[2] if driver[1] else moved @ (POINT - ANCHOR) / np.linalg.norm(POINT - ANCHOR)
    assert force * lever == pytest.approx(3.0 * 9.81 * -0.5, rel=1e-8)


@pytest.mark.parametrize(
    ("driver", "cell", "rule"),
    [
        (("lift", "hinge", None, "z"), "Drivers!B2", "ground"),
        (("lift", "emd", None, "z"), "Drivers!B2", "end"),
        (("lift", "end", None, "length"), "Drivers!D2", "a point has x, y, z"),
        (("lift", None, "strut", "z"), "Drivers!D2", "a spring has length"),
        (("lift", "end", "strut", "z"), "Drivers!", ""),
    ],
)
def test_mistakes_are_told_at_their_cell(tmp_path, driver, cell, rule):
    with pytest.raises(WorkbookError) as caught:
        sheetmbs.read(arm_book(tmp_path / "b.xlsx", driver))
    problem = caught.value.problems[0]
    assert problem.cell.startswith(cell)
    assert rule in f"{problem.found} {problem.problem} {problem.mend}"
