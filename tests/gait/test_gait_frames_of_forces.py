"""Frames of forces that are too high, or off along the walk, and markers of other segments in small clusters: each told."""

from dataclasses import replace
from functools import partial

import numpy as np
import pytest

from tests.gait import gait_space_trials as space
from tests.gait.gait_plates import plate_sheets
from tests.gait.planted_faults import NOISY, USUAL, only, problems_in
from tests.support.gait_books import Recording, walker_sheets

LONG = replace(NOISY, end=4.0)
UP = np.array([0.0, 1.0, 0.0])


@pytest.fixture
def problems_of(tmp_path):
    return partial(problems_in, tmp_path)


def lift(sheets, way, plates=slice(1, None)):
    """Move corners of plates."""
    moved = []
    for row in sheets["Plates"][plates]:
        corners = np.array(row[1:13], float).reshape(4, 3) + way
        moved.append((row[0], *corners.ravel().tolist(), *row[13:]))
    sheets["Plates"][plates] = moved


@pytest.mark.parametrize(("by", "words"), [(0.05, "below its surface"), (-0.07, "above its surface")])
def test_plates_that_are_all_too_high_or_too_low_are_told_once(problems_of, by, words):
    told = only(problems_of(lambda sheets: lift(sheets, by * UP), LONG, plates=True), "plate-height", "warning")
    assert told.found.endswith(words)
    assert told.cell.startswith("Plates!C")


@pytest.mark.parametrize("by", [0.03, -0.03])
def test_one_plate_at_another_height_is_told_by_the_others(problems_of, by):
    told = problems_of(lambda sheets: lift(sheets, by * UP, slice(3, 4)), LONG, plates=True)
    height = only(told, "plate-height", "warning")
    assert height.cell == "Plates!C4"
    assert height.found.startswith("FP3: ")


@pytest.mark.parametrize("by", [0.02, -0.03])
def test_heights_that_shoes_may_have_are_not_told(problems_of, by):
    assert problems_of(lambda sheets: lift(sheets, by * UP), LONG, plates=True) == []


def _both_ways(sheets, off):
    """The walk there and back: a second trial in a laboratory that is turned, on plates of other names."""
    back = Recording(end=4.0, noise=0.001, axes=("-x", "+y"), settings=USUAL)
    other = walker_sheets(back) | plate_sheets(back)
    there = {name: sheets.pop(name) for name in ("Markers", "Force plates")}
    for name, rows in there.items():
        sheets[f"{name} there"] = rows
    sheets["Markers back"] = other["Markers"]
    header, *rows = other["Force plates"]
    sheets["Force plates back"] = [[str(each).replace("FP", "Q") for each in header], *rows]
    sheets["Plates"] += [(row[0].replace("FP", "Q"), *row[1:]) for row in other["Plates"][1:]]
    lift(sheets, np.array([off, 0.0, 0.0]))


@pytest.mark.parametrize("off", [0.0, 0.02, -0.02])
def test_walking_both_ways_tells_a_frame_of_forces_that_is_off_along_the_walk(problems_of, off):
    told = problems_of(lambda sheets: _both_ways(sheets, off), LONG, plates=True)
    if not off:
        assert told == []
        return
    moved = only(told, "moved-plates", "warning")
    assert moved.problem.endswith(f"moved by {-1e3 * off:.0f} mm along x")


@pytest.mark.parametrize(
    ("segment", "markers", "home"),
    [
        ("right thigh", "right thigh 1; right thigh 2; right asis", "trunk"),
        ("right shank", "right shank 1; right shank 2; right heel", "right foot"),
    ],
)
def test_a_marker_of_the_next_segment_in_a_cluster_of_three_is_told(tmp_path, segment, markers, home):
    told = [
        each
        for each in space.problems_of(tmp_path, lambda sheets: space.cluster(sheets, segment, markers))
        if each.code == "borrowed-marker"
    ]
    assert [(each.severity, each.cell.partition("!")[0]) for each in told] == [("warning", "Segments")]
    assert told[0].found == f"{markers.split('; ')[2]} of {segment} goes with the markers of {home}"
