"""The template of the conventional gait model: exact moments in distal axes, and cross-talk that is planted and named."""

from __future__ import annotations

import re
from pathlib import Path

import numpy as np
import openpyxl
import pytest

from sheetmbs.gait.run_gait import run_gait
from tests.gait import gait_line_walker
from tests.support import gait_walker
from tests.support.example_books import ROOT

TEMPLATE = ROOT / "templates" / "gait-cgm.xlsx"
START = -0.25
"""s: from when on the walk on a line is recorded"""
INSIDE = slice(40, -40)


def _book(path: Path, processing: dict, anthropometry: dict | None = None, *, moved: dict | None = None) -> Path:
    """The template with other settings, by their rows; moved: marker -> mm that its columns x, y, z get."""
    book = openpyxl.load_workbook(TEMPLATE)
    for row in book["Processing"].iter_rows():
        if row[0].value in processing:
            row[1].value = processing[row[0].value]
    for row in book["Anthropometry"].iter_rows():
        for column, value in (anthropometry or {}).get(row[0].value, {}).items():
            row[("setting", "right", "left", "value").index(column)].value = value
    for tab in ("Markers", "Markers static"):
        for marker, shift in (moved or {}).items():
            for column in book[tab].iter_cols(min_row=1):
                name, _, axis = str(column[0].value).rpartition(".")
                if name == marker:
                    for cell in column[2:]:
                        cell.value += shift["xyz".index(axis)]
    book.save(path)
    return path


def test_it_runs_without_a_warning() -> None:
    assert run_gait(TEMPLATE).solved.problems == ()


@pytest.mark.parametrize("axes", ["distal", "proximal", "jcs"])
def test_moments_are_those_of_the_walker_on_a_line(tmp_path: Path, axes: str) -> None:
    """Unfiltered. In distal and proximal axes the exact vector is seen from axes of the exact leg, mirrored on the left."""
    path = _book(tmp_path / "plain.xlsx", {"cutoff": "none", "moment_axes": axes})
    course = run_gait(path).solved.courses[0]
    exact = gait_line_walker.joint_moments(course.time + START)
    pieces = gait_walker.walk(course.time + START).pieces
    for side, sign in gait_line_walker.ACROSS.items():
        hinge = gait_line_walker.axis(side)
        for joint, below in (("hip", "thigh"), ("knee", "shank")):
            upright = pieces[f"{side} {below}"].angle.value - 0.5 * np.pi
            long = gait_line_walker.turned(np.column_stack((-np.sin(upright), np.cos(upright))), side)
            ahead = np.cross(long, hinge)
            moment = exact[f"{side} {joint}"]
            own = course.joints[f"{side} {joint}"]
            size = np.linalg.norm(moment, axis=1).max()
            if axes == "distal":
                wanted = {"flexion": moment @ hinge, "adduction": sign * np.sum(moment * ahead, axis=1)}
                wanted["rotation"] = sign * np.sum(moment * long, axis=1)
                plain = {"mz": wanted["flexion"], "mx": sign * wanted["adduction"], "my": sign * wanted["rotation"]}
                for name, values in plain.items():
                    assert _rms(own[name] - values) < 0.01 * size, (side, joint, name)
            elif axes == "jcs" and joint == "knee":
                wanted = {"flexion": moment @ hinge, "rotation": sign * np.sum(moment * long, axis=1)}
            else:
                wanted = {}
            for name, values in wanted.items():
                assert _rms(own[f"moment_{name}"] - values) < 0.01 * size, (side, joint, name)
            assert np.array_equal(own["moment"], own["moment_flexion"], equal_nan=True)
            if axes != "jcs":
                assert np.allclose(own["moment_adduction"], sign * own["mx"], equal_nan=True)
                vector = np.linalg.norm([own["mx"], own["my"], own["mz"]], axis=0)
                assert _rms(vector - np.linalg.norm(moment, axis=1)) < 0.01 * size


def _rms(error: np.ndarray) -> float:
    return float(np.sqrt(np.nanmean(error[INSIDE] ** 2)))


def test_abductors_hold_the_pelvis_on_either_side(tmp_path: Path) -> None:
    course = run_gait(_book(tmp_path / "plain.xlsx", {"cutoff": "none"})).solved.courses[0]
    for side in ("right", "left"):
        assert np.nanmin(course.joints[f"{side} hip"]["moment_adduction"][INSIDE]) < -0.7 * gait_walker.MASS


def test_power_is_the_same_in_all_axes(tmp_path: Path) -> None:
    courses = [
        run_gait(_book(tmp_path / f"{axes}.xlsx", {"moment_axes": axes})).solved.courses[0]
        for axes in ("jcs", "distal")
    ]
    for label in ("right hip", "left ankle"):
        one, two = (each.joints[label]["power"] for each in courses)
        assert np.array_equal(one, two, equal_nan=True)


def test_inertias_are_across_and_about_the_line_of_each_segment() -> None:
    trial = run_gait(TEMPLATE).solved.trials[0]
    assert trial.in_space is not None
    for name, (part, gyration, ratio) in {
        "right thigh": (0.1, 0.323, 0.45),
        "left shank": (0.0465, 0.302, 0.39),
        "right foot": (0.0145, 0.475, 0.5),
    }.items():
        segment = next(each for each in trial.segments if each.row.name == name)
        across = part * 70.0 * (gyration * segment.length) ** 2
        found = np.linalg.eigvalsh(trial.in_space.segments[name].inertia)
        assert np.allclose(found, [ratio**2 * across, across, across], rtol=1e-6)


@pytest.mark.parametrize(("side", "typed"), [("right", 25.0), ("left", -25.0)])
def test_cross_talk_names_the_rotation_that_removes_it(tmp_path: Path, side: str, typed: float) -> None:
    """The wands stand in the frontal plane: a rotation that says otherwise turns flexion into adduction."""
    path = _book(tmp_path / "walk.xlsx", {}, {"thigh rotation": {"right": 0, "left": 0, side: typed}})
    [told] = [each for each in run_gait(path).solved.problems if each.code == "cross-talk"]
    assert told.cell.startswith("Anthropometry!")
    assert f"the {side} knee" in str(told)
    advised = float(re.search(r"thigh rotation (-?[\d.]+) deg", str(told))[1])
    assert abs(advised) < 0.2


@pytest.mark.parametrize("moved", [{"right thigh wand": (30, 0, 0)}, {"left thigh wand": (-30, 0, 0)}])
def test_a_wand_in_front_is_mended_by_the_rotation_that_is_advised(tmp_path: Path, moved: dict) -> None:
    path = _book(tmp_path / "walk.xlsx", {}, moved=moved)
    [told] = [each for each in run_gait(path).solved.problems if each.code == "cross-talk"]
    side = next(iter(moved)).split()[0]
    advised = float(re.search(r"thigh rotation (-?[\d.]+) deg", str(told))[1])
    assert advised * next(iter(moved.values()))[0] > 0.0  # + where the wand stands in front
    mended = _book(
        tmp_path / "mended.xlsx", {}, {"thigh rotation": {"right": 0, "left": 0, side: advised}}, moved=moved
    )
    solved = run_gait(mended).solved
    assert not [each for each in solved.problems if each.code == "cross-talk"]
    before = run_gait(path).solved.courses[0].joints[f"{side} knee"]["adduction"]
    after = solved.courses[0].joints[f"{side} knee"]["adduction"]
    assert np.ptp(after[INSIDE]) < 0.5 * np.ptp(before[INSIDE])


def test_trunk_pelvis_and_foot_stand_on_the_sheets(tmp_path: Path) -> None:
    results = run_gait(TEMPLATE)
    results.save(tmp_path / "out.xlsx")
    book = openpyxl.load_workbook(tmp_path / "out.xlsx", read_only=True)
    series = [cell.value for cell in next(book["mbs Gait series"].iter_rows(max_row=1))]
    angles = [cell.value for cell in next(book["mbs Gait angles"].iter_rows(max_row=1))]
    for side in ("right", "left"):
        for column in ("pelvis.tilt", "pelvis.obliquity", "pelvis.rotation", "trunk.tilt", "foot.progression"):
            assert f"{side} {column}" in series
            assert f"{side} {column}.mean" in angles
        for joint in ("hip", "knee", "ankle"):
            for moment in ("moment_flexion", "moment_adduction", "moment_rotation", "mx", "my", "mz"):
                assert f"{side} {joint}.{moment}" in series


def test_without_the_thorax_there_is_no_trunk_and_no_residual(tmp_path: Path) -> None:
    book = openpyxl.load_workbook(TEMPLATE)
    for tab in ("Markers", "Markers static"):
        for column in range(book[tab].max_column, 0, -1):
            if str(book[tab].cell(1, column).value).startswith("sternum."):
                book[tab].delete_cols(column)
    book.save(tmp_path / "walk.xlsx")
    whole, legs = (run_gait(path).solved.courses[0] for path in (TEMPLATE, tmp_path / "walk.xlsx"))
    assert whole.residual is not None
    assert legs.residual is None
    assert "right trunk" not in legs.joints
    assert np.isnan(legs.com).all()
    one, two = whole.joints["right hip"]["moment"], legs.joints["right hip"]["moment"]
    assert np.allclose(one, two, atol=1e-9, equal_nan=True)


@pytest.mark.parametrize(("axes", "drawn"), [("distal", "moment_adduction"), ("global", "mx")])
def test_pages_draw_clinical_moments_and_plain_components_only_of_the_laboratory(
    tmp_path: Path, axes: str, drawn: str
) -> None:
    results = run_gait(_book(tmp_path / "walk.xlsx", {"moment_axes": axes}))
    results.save()
    book = openpyxl.load_workbook(results.path, read_only=True)
    words = {
        str(cell) for row in book["mbs Gait report"].iter_rows(values_only=True) for cell in row if cell is not None
    }
    shown = {"moment_adduction": "moment add.", "mx": "moment x"}
    assert any(word.startswith(shown[drawn]) for word in words)
    other = next(text for name, text in shown.items() if name != drawn)
    assert not any(word.startswith(other) for word in words)
