"""The representative stride and strides far from the others, in closed form, and the page that shows all of them."""

from dataclasses import replace

import numpy as np
import openpyxl
import pytest

from sheetmbs.gait.run_gait import run_gait
from sheetmbs.gait.sheets.consistency_page import FAR_AWAY, HEADS, NEAREST, NOT_CHOSEN, consistency_page, far_strides
from sheetmbs.gait.sheets.gait_presentation import GaitPresentation
from sheetmbs.gait.strides.representative import stride_distances, with_representative
from tests.gait.gait_courses import walker_book, walker_trial
from tests.support.gait_books import Recording, gait_book, walker_sheets

SHIFTS = (0.0, 0.01, 0.02, 0.03, 0.30)
"""rad that are added to the right knee in each of five trials: the median trial is the third one"""


def shifted(shifts=SHIFTS):
    book = walker_book(sides=("right",))
    trials = [walker_trial(book, f"walk{k}", duration=2.0) for k in range(len(shifts))]
    found = []
    for trial, shift in zip(trials, shifts, strict=True):
        joints = {label: dict(course) for label, course in trial.joints.items()}
        joints["right knee"]["angle"] = joints["right knee"]["angle"] + shift
        found.append(replace(trial, joints=joints))
    return book, found


def test_the_distance_is_the_rms_over_points_and_variables_from_the_median():
    _book, trials = shifted()
    found = stride_distances(trials, 101)
    variables = sum(1 for label, course in trials[0].joints.items() if label.startswith("right") and "angle" in course)
    wanted = np.abs(np.array(SHIFTS) - np.median(SHIFTS)) / np.sqrt(variables)
    assert [each.distance for each in found] == pytest.approx(wanted, abs=1e-9)
    assert [each.is_nearest for each in found] == [False, False, True, False, False]
    assert [each.is_far for each in found] == [False, False, False, False, True]


def test_the_representative_stride_alone_makes_the_means():
    book, trials = shifted()
    gait = GaitPresentation(book, with_representative(trials, 101))
    assert [each.name for each in gait.strides if each.counts] == ["walk2"]
    plain = GaitPresentation(book, trials)
    mean = gait.means["right knee", "angle"].mean
    known = np.isfinite(mean)
    assert known.sum() > 50
    assert np.allclose(mean[known], plain.curves["right knee", "angle"].values[2][known])
    assert gait.means["right knee", "angle"].n.max() == 1


def test_the_page_names_what_stays_out_of_means_and_why(tmp_path):
    settings = {"strides": "representative", "bands": "no"}
    path = gait_book(tmp_path / "walk.xlsx", walker_sheets(Recording(end=4.9, noise=0.001, settings=settings)))
    found = run_gait(path)
    found.save()
    book = openpyxl.load_workbook(path)
    rows = [row[: len(HEADS)] for row in book["mbs Gait consistency"].iter_rows(min_row=3, values_only=True) if row[0]]
    assert len(book["mbs Gait consistency"]._charts) == 6
    for side in ("left", "right"):
        own = [row for row in rows if row[0] == side]
        assert len(own) > 1
        assert [row[6] for row in own].count("yes") == 1
        reasons = [row[7] for row in own]
        assert reasons.count(NEAREST) == 1
        assert reasons.count(NOT_CHOSEN) == len(own) - 1
    said = [row for row in book["mbs Gait summary"].iter_rows(values_only=True) if row[0] == "representative stride"]
    assert {row[1] for row in said} == {"left", "right"}
    items = {(each.item, each.side, each.joint): each for each in found.items}
    assert items["moment max", "right", "knee"].n == 1
    assert items["stance", "right", ""].n > 1, "times are of all strides"


def test_a_stride_far_from_the_others_is_named_and_kept():
    book, trials = shifted()
    gait = GaitPresentation(book, trials)
    (note,) = far_strides(gait, "Markers")
    assert note.severity == "note"
    assert "stride 5 of the right side in walk4" in note.found
    page = consistency_page(gait)
    said = [cell.value for cell in page.cells]
    assert said.count(FAR_AWAY) == 1
    assert [each.counts for each in gait.strides] == [True] * 5
