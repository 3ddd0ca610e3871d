"""The same walk seen from a moving belt, and on plates whose zero is off: nothing that hangs on forces changes."""

import numpy as np
import pytest

from sheetmbs import run_gait
from tests.support import gait_walker
from tests.support.gait_books import Recording, gait_book, walker_sheets

HOW = Recording(start=-0.25, end=2.6, force_rate=200.0)
OFF = np.array([3.0, -11.0, 2.0, 1.5, -0.7, 2.5])
"""N and N m that a plate reads when nobody stands on it"""
LOADS = ("fx", "fy", "fz", "mx", "my", "mz")


@pytest.fixture(scope="module")
def plain(tmp_path_factory):
    return run_gait(gait_book(tmp_path_factory.mktemp("gait") / "plain.xlsx", sheets())).solved.courses[0]


def sheets():
    return {name: [list(row) for row in rows] for name, rows in walker_sheets(HOW).items()}


def changed(rows, side, change):
    """Change force and moment (6,) of a side at each time."""
    columns = [rows[0].index(f"{side}.{each}") for each in LOADS]
    for row in rows[2:]:
        for column, value in zip(columns, change(row[0], np.array([row[k] for k in columns], float)), strict=True):
            row[column] = value


def assert_same(found, plain):
    for label, course in plain.joints.items():
        for quantity in ("angle", "moment", "power"):
            assert np.allclose(found.joints[label][quantity], course[quantity], atol=1e-6, equal_nan=True), label


def test_on_a_belt_joints_carry_the_same(plain, tmp_path):
    """Unfiltered: a filter of the moment about a fixed origin knows how fast a foot passes it."""
    book = sheets()
    ahead = [k for k, name in enumerate(book["Markers"][0]) if name.endswith(".x")]
    for row in book["Markers"][2:]:
        for k in ahead:
            row[k] -= gait_walker.SPEED * row[0]

    def carried(time, load):
        back = np.cross([-gait_walker.SPEED * time, 0.0, 0.0], load[:3])
        return np.concatenate((load[:3], load[3:] + back))

    for side in ("right", "left"):
        changed(book["Force plates"], side, carried)
    results = run_gait(gait_book(tmp_path / "belt.xlsx", book))
    assert [each.code for each in results.solved.problems if each.severity == "warning"] == []
    assert_same(results.solved.courses[0], plain)
    speed = next(each.value for each in results.items if each.item == "speed")
    assert speed == pytest.approx(gait_walker.SPEED, rel=0.01), "the way of the belt is added"


@pytest.mark.parametrize("offset", ["start", 0.15])
def test_a_zero_that_is_off_is_taken_off_where_plates_say_so(offset, plain, tmp_path):
    """The right foot swings when the recording begins."""
    book = sheets()
    changed(book["Force plates"], "right", lambda _time, load: load + OFF)
    drifted = run_gait(gait_book(tmp_path / "drifted.xlsx", book)).solved.courses[0]
    moment = drifted.joints["right hip"]["moment"] - plain.joints["right hip"]["moment"]
    assert np.nanmax(np.abs(moment)) > 2.0
    book["Plates"] = [("name", "offset"), ("right", offset)]
    assert_same(run_gait(gait_book(tmp_path / "mended.xlsx", book)).solved.courses[0], plain)
