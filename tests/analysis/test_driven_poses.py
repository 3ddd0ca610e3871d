"""Poses over values of a driver, from far away too, where Newton's steps alone do not get there."""

import numpy as np
import pytest

from sheetmbs.analysis.driven_positions import DrivenModel
from sheetmbs.lower import lower
from tests.engine.test_newton import four_bar_angles
from tests.support.mechanisms import four_bar, model, turning


def cranked():
    """A four-bar whose crank is a driver, and its coordinates at 0.7 rad."""
    bodies, joints, _ = four_bar()
    made = lower(model(bodies, joints, drivers=(turning("A", 0.0, 0.0),), analysis="kinematic"))
    driven = DrivenModel(made, ("drive A",))
    near, _ = driven.around(np.array([[0.7]]), made.bodies.q, np.array([0.7]))
    return driven, near.q[0]


@pytest.mark.parametrize("values", [[0.8, 0.9], [3.0], [6.0], [-4.0], [2.0, -3.5, 0.7]])
def test_poses_near_and_far_are_those_of_the_law_of_cosines_on_the_same_branch(values):
    driven, q = cranked()
    poses, rows = driven.around(np.array(values)[:, None], q, np.array([0.7]))
    assert rows == slice(0, len(values))
    for row, angle in enumerate(values):
        coupler, rocker = four_bar_angles(angle)
        assert poses.q[row, [5, 8]] == pytest.approx((coupler, rocker), abs=1e-12)
        step = 1e-4
        before, behind = (four_bar_angles(angle + side * step) for side in (-1, 1))
        assert poses.first[row, 0, [5, 8]] == pytest.approx(np.subtract(behind, before) / (2 * step), abs=1e-6)
