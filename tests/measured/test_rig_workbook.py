"""The example workbook of a rig: the model misses what its readings were made with, and nothing else."""

from __future__ import annotations

import sys
from pathlib import Path

import numpy as np
import pytest

import sheetmbs

ROOT = Path(__file__).parents[2]
BOOK = ROOT / "workbooks" / "rig-toe.xlsx"


@pytest.fixture(scope="module")
def rig():
    sys.path.insert(0, str(ROOT / "workbooks"))
    import make_rig_toe

    return make_rig_toe


def test_the_drawing_is_missed_and_the_car_of_the_readings_is_not():
    drawn = sheetmbs.run(BOOK)["mbs Measured"]
    assert list(drawn["verdict"]) == ["residuals are not random: the model misses something"] * 2
    built = sheetmbs.run(BOOK, changes={"Hardpoints!E8": 264.0})["mbs Measured"]
    assert list(built["verdict"]) == ["", ""]
    assert built["rms_over_sd"][0] < 1.0
    assert drawn["rms_over_sd"][0] > 10.0


def test_residuals_are_what_distances_alone_give(rig):
    """Less noise, the residual of the drawing is the toe of the car less that of the drawing, but for a constant."""
    points, (x, y, z) = rig.POINTS, rig.POINTS["tie rod inner"]
    found = sheetmbs.run(BOOK).measured[0]
    car = rig.toe_of_strut({**points, "tie rod inner": (x, y, z + rig.HIGHER)}, rig.TOE, rig.CAMBER, found.x)
    drawing = rig.toe_of_strut(points, rig.TOE, rig.CAMBER, found.x)
    np.testing.assert_allclose(found.computed_values, drawing, atol=1e-8)
    missed = car - drawing
    np.testing.assert_allclose(found.residuals, missed - missed.mean(), atol=0.012)  # half of the loop, at its ends
