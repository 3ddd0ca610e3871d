"""Joined segments in space: exact where joints are, nearest to noisy markers, within limits of flexion."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import openpyxl
import pytest

from sheetmbs.gait.gait_results import GaitResults
from sheetmbs.gait.run_gait import run_gait
from sheetmbs.problems.errors import WorkbookError
from tests.support.example_books import ROOT
from tests.support.opened import sheet_values

TEMPLATE = ROOT / "templates" / "gait-3d.xlsx"
LEGS = ("hip", "knee", "ankle")


def _book(
    path: Path,
    *,
    joints: dict | None = None,
    noise: float = 0.0,
    method: str = "least squares",
    sheets: dict | None = None,
) -> GaitResults:
    """The template, unfiltered. joints: (name, side, column) -> value. noise: sd in mm of markers that walk."""
    book = openpyxl.load_workbook(TEMPLATE)
    wanted = {"cutoff": "none", "kinematics": method}
    for row in book["Processing"].iter_rows():
        if row[0].value in wanted:
            row[1].value = wanted[row[0].value]
    sheet = book["Gait joints"]
    columns = {cell.value: cell.column for cell in sheet[1]}
    for row in range(2, sheet.max_row + 1):
        name, side = (sheet.cell(row, columns[each]).value for each in ("name", "side"))
        for (joint, of, column), value in (joints or {}).items():
            if (joint, of) == (name, side):
                sheet.cell(row, columns[column]).value = value
    rng = np.random.default_rng(3)
    for row in book["Markers"].iter_rows(min_row=3):
        for cell in row[1:]:
            if noise and isinstance(cell.value, float):
                cell.value += noise * rng.normal()
    for (tab, cell), value in (sheets or {}).items():
        book[tab][cell] = value
    book.save(path)
    return run_gait(path)


def test_a_body_of_balls_and_hinges_is_found_as_each_cluster_is(tmp_path: Path) -> None:
    """Hips of the walker are balls, knees and ankles hinges square to the leg: nothing has to give way."""
    joined = _book(tmp_path / "one.xlsx").solved
    free = _book(tmp_path / "two.xlsx", method="segments").solved
    for side in ("right", "left"):
        for joint in LEGS:
            one, two = (each.courses[0].joints[f"{side} {joint}"] for each in (joined, free))
            for name in ("flexion", "adduction", "rotation"):
                assert np.degrees(np.nanmax(np.abs(one[name] - two[name]))) < 1e-3, (side, joint, name)
            size = np.nanmax(np.abs(two["moment"]))
            assert np.nanmax(np.abs(one["moment"] - two["moment"])) < 1e-3 * size
    errors = joined.trials[0].in_space.errors
    assert set(errors) >= {"right thigh 1", "left heel", "right asis"}
    assert max(np.nanmax(each) for each in errors.values()) < 1e-6


def test_hinges_keep_their_other_angles_under_noise_and_lie_nearest_of_all(tmp_path: Path) -> None:
    joined = _book(tmp_path / "one.xlsx", noise=3.0).solved
    free = _book(tmp_path / "two.xlsx", noise=3.0, method="segments").solved
    knee = joined.courses[0].joints["right knee"]
    assert np.degrees(np.ptp(knee["adduction"])) < 1e-6
    assert np.degrees(np.ptp(knee["rotation"])) < 1e-6
    assert np.degrees(np.ptp(free.courses[0].joints["right knee"]["adduction"])) > 0.5
    assert np.degrees(np.ptp(joined.courses[0].joints["right ankle"]["adduction"])) > 0.5  # the second hinge
    still = _book(tmp_path / "three.xlsx").solved.courses[0].joints["right knee"]["flexion"]
    wrong = [float(np.std(each.courses[0].joints["right knee"]["flexion"] - still)) for each in (joined, free)]
    assert wrong[0] < wrong[1]
    errors = np.concatenate(list(joined.trials[0].in_space.errors.values()))
    assert 2.0e-3 < np.sqrt(np.nanmean(errors**2)) < 3.0e-3 * np.sqrt(3.0)


def test_ends_of_joined_segments_meet(tmp_path: Path) -> None:
    trial = _book(tmp_path / "one.xlsx", noise=3.0).solved.trials[0]
    still = trial.in_space.segments
    thigh, shank = still["right thigh"], still["right shank"]
    own = np.einsum("nji,nj->ni", thigh.rotation, shank.proximal - thigh.proximal)
    assert np.ptp(own, axis=0).max() < 1e-9


def test_flexion_stays_within_its_limits(tmp_path: Path) -> None:
    """In deg of the angle that is shown: a knee that bends to 60 deg stops at 40, and does not stretch beyond 5."""
    limits = {("knee", "right", "low"): "5 deg", ("knee", "right", "high"): "40 deg"}
    found = _book(tmp_path / "one.xlsx", joints=limits).solved
    right, left = (np.degrees(found.courses[0].joints[f"{side} knee"]["flexion"]) for side in ("right", "left"))
    assert right.min() == pytest.approx(5.0, abs=1e-6)
    assert right.max() == pytest.approx(40.0, abs=1e-6)
    assert left.max() > 58.0
    inside = (right > 5.001) & (right < 39.999)
    plain = np.degrees(_book(tmp_path / "two.xlsx").solved.courses[0].joints["right knee"]["flexion"])
    assert np.abs(right - plain)[inside].max() < 1e-3


def test_a_marker_of_no_weight_does_not_count(tmp_path: Path) -> None:
    """One marker of the shank 50 mm off in all frames moves the shank, and does not with weight 0."""
    book = openpyxl.load_workbook(TEMPLATE)
    sheet = book["Segments"]
    columns = {cell.value: cell.column for cell in sheet[1]}
    [row] = [row for row in range(2, sheet.max_row + 1) if sheet.cell(row, 1).value == "right shank"]
    weight = sheet.cell(row, columns["weight"]).coordinate
    column = next(cell.column_letter for cell in book["Markers"][1] if cell.value == "right shank 2.y")
    off = {("Markers", f"{column}{k}"): book["Markers"][f"{column}{k}"].value + 50.0 for k in range(3, 329)}
    plain = _book(tmp_path / "one.xlsx").solved.courses[0].joints["right knee"]["flexion"]
    moved = _book(tmp_path / "two.xlsx", sheets=off).solved.courses[0].joints["right knee"]["flexion"]
    without = _book(tmp_path / "three.xlsx", sheets={**off, ("Segments", weight): "1; 0; 1; 1"}).solved
    assert np.degrees(np.abs(moved - plain).max()) > 0.2
    assert np.degrees(np.abs(without.courses[0].joints["right knee"]["flexion"] - plain).max()) < 1e-3
    assert np.nanmax(without.trials[0].in_space.errors["right shank 2"]) == pytest.approx(0.05, abs=1e-4)


def test_markers_from_the_model_stand_on_the_quality_page(tmp_path: Path) -> None:
    results = _book(tmp_path / "one.xlsx", noise=2.0)
    results.save()
    rows = sheet_values(results.path, "mbs Gait quality")
    start = next(number for number, row in enumerate(rows) if row[0] == "Markers from the model")
    assert any("right thigh 1" in row for row in rows[start:])


@pytest.mark.parametrize(
    ("joints", "method", "code", "words"),
    [
        (
            {("knee", "right", "low"): "50 deg", ("knee", "right", "high"): "40 deg"},
            "least squares",
            "out-of-range",
            "low",
        ),
        ({("knee", "right", "type"): "hings"}, "least squares", "unknown-value", "hinge"),
        ({}, "chain", "kinematics", "least squares"),
    ],
)
def test_what_cannot_be_is_refused(tmp_path: Path, joints: dict, method: str, code: str, words: str) -> None:
    with pytest.raises(WorkbookError) as stopped:
        _book(tmp_path / "one.xlsx", joints=joints, method=method)
    found = [each for each in stopped.value.problems if each.code == code]
    assert found, [str(each) for each in stopped.value.problems]
    assert words in str(found[0])


def test_limits_that_nothing_uses_are_warned_of(tmp_path: Path) -> None:
    found = _book(tmp_path / "one.xlsx", joints={("knee", "left", "high"): "40 deg"}, method="segments").solved
    assert [each.code for each in found.problems if "least squares in 3D" in str(each)] == ["unused-value"]
