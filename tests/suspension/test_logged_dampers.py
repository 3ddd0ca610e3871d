"""Poses of logged damper positions, and default sweeps that go to the stops."""

import numpy as np
import pytest

from sheetmbs import WorkbookError
from sheetmbs.suspension.run_suspension import run_suspension
from tests.support.hardpoint_books import ROCKER, SETTINGS, WISHBONES, hardpoint_book

POINTS = {**WISHBONES, **ROCKER}
OWN = [*SETTINGS, ("actuation", "push-rod"), ("corner load", "645 N")]
POSES = [("name", "type"), ("log", "poses")]
HEAD = ("sweep", "damper_left", "damper_right", "rack", "travel_right")


def run(path, others, points=POINTS, settings=OWN):
    return run_suspension(hardpoint_book(path, points, settings, others=others))


def test_wheels_stand_where_the_logged_dampers_say(tmp_path):
    rows = [("log", "8 mm", "-6 mm", "5 mm"), ("log", 0, 0, 0), ("log", "-10 mm", "12 mm", "-5 mm")]
    frame = run(tmp_path / "b.xlsx", {"Sweeps": POSES, "Poses": [HEAD, *rows]}).table("log").frame()
    assert list(frame.columns[:3]) == ["damper_left", "damper_right", "rack"]
    assert frame["FL.damper_travel"].to_numpy() == pytest.approx([8, 0, -10], abs=1e-9)
    assert frame["FR.damper_travel"].to_numpy() == pytest.approx([-6, 0, 12], abs=1e-9)
    assert np.sign(np.round(frame["FL.wheel_z"].to_numpy(), 6)) == pytest.approx([1, 0, -1])


def test_logged_dampers_that_go_too_far_are_told_with_the_member_that_stops_them(tmp_path):
    rows = [("log", 0, 0), ("log", "5 mm", "-5 mm"), ("log", "150 mm", "-5 mm")]
    results = run(tmp_path / "b.xlsx", {"Sweeps": POSES, "Poses": [HEAD, *rows]})
    (found,) = (problem for problem in results.base.problems if problem.code == "travel-limit")
    assert "closes at 2 of 3 poses" in str(found)
    assert not [problem for problem in results.sheets.problems if problem.code == "unused-value"]


def test_one_damper_moves_its_own_wheel_alone(tmp_path):
    rows = [("log", "8 mm", None, None, "3 mm")]
    frame = run(tmp_path / "b.xlsx", {"Sweeps": POSES, "Poses": [HEAD, *rows]}).table("log").frame()
    assert frame["FL.damper_travel"][0] == pytest.approx(8, abs=1e-9)
    assert frame["FR.wheel_z"][0] == pytest.approx(3, abs=1e-9)


@pytest.mark.parametrize(
    ("rows", "cell"),
    [
        ([("log", "8 mm", 0), ("log", None, 0)], "Poses!B3"),
        ([("log", None, "8 mm", None, "3 mm")], "Poses!E2"),
    ],
)
def test_mistakes_are_told_at_their_cell(tmp_path, rows, cell):
    with pytest.raises(WorkbookError) as caught:
        run(tmp_path / "b.xlsx", {"Sweeps": POSES, "Poses": [HEAD, *rows]})
    assert cell in [problem.cell for problem in caught.value.problems]


def test_an_axle_without_dampers_has_no_logged_positions(tmp_path):
    with pytest.raises(WorkbookError) as caught:
        run(tmp_path / "b.xlsx", {"Sweeps": POSES, "Poses": [HEAD, ("log", "8 mm")]}, WISHBONES, SETTINGS)
    assert caught.value.problems[0].cell == "Poses!B2"


def test_default_sweeps_go_to_the_stops(tmp_path):
    rows = [
        ("name", "axle", "kind", "k", "gap"),
        ("spring", "front", "spring", "35 N/mm"),
        ("bump", "front", "bump stop", "80 N/mm", "9 mm"),
        ("droop", "front", "droop stop", "80 N/mm", "6 mm"),
    ]
    frame = run(tmp_path / "b.xlsx", {"Suspension springs": rows}).table("heave").frame()
    assert np.diff(frame["travel"].to_numpy()) == pytest.approx(2.5)
    inside = frame["FL.damper_travel"].to_numpy()
    assert inside.min() >= -6.0
    assert inside.max() <= 9.0
    assert inside.max() > 9.0 - 2.5, "one more row would pass the stop"
    assert 0.0 in frame["travel"].to_numpy()
