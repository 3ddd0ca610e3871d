"""Scores against closed forms: the norm itself 0, all shifted by 5 deg 5, one of nine 5/3; and on the sheet of a workbook."""

from math import sqrt

import numpy as np
import pytest

from sheetmbs.gait.run_gait import run_gait
from sheetmbs.gait.sheets.gait_scores import HEADS, LEGS, PELVIS, profile_scores, variable_score
from tests.support.gait_books import Recording, gait_book, walker_sheets

NAMES = [name for name, *_ in (*PELVIS, *LEGS)]
OF_PELVIS, OF_LEGS = [each[0] for each in PELVIS], [each[0] for each in LEGS]


def scored(**other):
    scores = {(side, name): 0.0 for side in ("right", "left") for name in NAMES}
    return profile_scores(scores | {tuple(key.split("_")): value for key, value in other.items()}, OF_PELVIS, OF_LEGS)


def test_a_variable_is_the_root_mean_square_from_the_norm():
    wave = np.sin(np.linspace(0.0, 2.0 * np.pi, 51)[:-1])
    assert variable_score(10.0 + 3.0 * wave, np.full(50, 10.0)) == pytest.approx(3.0 / sqrt(2.0))
    assert variable_score(wave + 5.0, wave) == pytest.approx(5.0)


def test_profiles_of_nine_and_fifteen_variables():
    five = {(side, name): 5.0 for side in ("right", "left") for name in NAMES}
    assert profile_scores(five, OF_PELVIS, OF_LEGS) == ({"right": pytest.approx(5.0), "left": pytest.approx(5.0)}, 5.0)
    sides, overall = scored(**{"left_knee flexion": 5.0})
    assert sides == {"left": pytest.approx(5.0 / 3.0), "right": 0.0}
    assert overall == pytest.approx(5.0 / sqrt(15.0))
    _, overall = scored(**{"right_pelvis tilt": 5.0})
    assert overall == 0.0, "the pelvis of the left counts, once"
    sides, overall = profile_scores({("left", name): 1.0 for name in NAMES}, OF_PELVIS, OF_LEGS)
    assert (sides, overall) == ({"left": pytest.approx(1.0)}, None)


def rows_of(found):
    (page,) = [each for each in found.sheets.pages if each.name == "mbs Gait scores"]
    rows = {}
    for cell in page.cells:
        rows.setdefault(cell.row, []).append(cell.value)
    assert tuple(rows[1]) == HEADS
    return {(row[0], row[1], row[2]): row[3] for number, row in rows.items() if number > 2}


@pytest.mark.parametrize("shift", [0.0, 5.0])
def test_a_walker_is_scored_against_its_own_curves(tmp_path, shift):
    """In the plane, so that the score has another name."""
    sheets = walker_sheets(Recording(end=2.9))
    plain = run_gait(gait_book(tmp_path / "plain.xlsx", sheets))
    assert not [each for each in plain.sheets.pages if each.name == "mbs Gait scores"]
    angles = plain["mbs Gait angles"]
    joints = [f"{side} {joint}.angle" for side in ("right", "left") for joint in ("hip", "knee", "ankle")]
    head = ["percent", *(f"{joint}.{part}" for joint in joints for part in ("mean", "sd"))]
    columns = [angles["percent"]] + [
        c for j in joints for c in (angles[f"{j}.mean"] - shift, 0.0 * angles[f"{j}.mean"] + 3)
    ]
    rows = np.column_stack(columns).tolist()
    sheets["Normative"] = [head, ["%", *(["deg"] * (len(head) - 1))], *rows, ("source", "himself")]
    found = rows_of(run_gait(gait_book(tmp_path / "walk.xlsx", sheets)))
    values = dict(found)
    assert {key[1] for key in values} == {"GVS", "GPS-2D"}
    assert list(values.values()) == pytest.approx([shift] * len(values), abs=1e-6)
    assert ("overall", "GPS-2D", "hip, knee and ankle of both sides") in values


def test_what_the_norm_lacks_is_named_and_leaves_the_score_blank(tmp_path):
    sheets = walker_sheets(Recording(end=2.9))
    percent = np.arange(0.0, 101.0, 2.0)
    rows = np.column_stack((percent, 20.0 + 0.0 * percent, 5.0 + 0.0 * percent)).tolist()
    sheets["Normative"] = [("percent", "knee.angle.mean", "knee.angle.sd"), ("%", "deg", "deg"), *rows]
    found = rows_of(run_gait(gait_book(tmp_path / "walk.xlsx", sheets)))
    assert found["left", "GPS-2D", "missing: hip flexion, ankle flexion"] is None
    assert found["left", "GVS", "knee flexion"] > 0.0
    assert found["left", "GVS", "hip flexion"] is None


def test_conditions_are_scored_apart_and_overlaid(tmp_path):
    """Two trials under two conditions: a line of each on the charts, in the colour of its side, and scores of each."""
    sheets = walker_sheets(Recording(end=2.9, settings={"bands": "no"}))
    for name in ("Markers", "Force plates"):
        sheets[f"{name} a"] = sheets.pop(name)
        sheets[f"{name} b"] = sheets[f"{name} a"]
    sheets["Trials"] = [("trial", "condition"), ("a", "barefoot"), ("b", "orthosis")]
    percent = np.arange(0.0, 101.0, 2.0)
    names = [f"{joint}.angle.{part}" for joint in ("hip", "knee", "ankle") for part in ("mean", "sd")]
    rows = np.column_stack((percent, *([20.0 + 0.0 * percent, 5.0 + 0.0 * percent] * 3))).tolist()
    sheets["Normative"] = [("percent", *names), ("%", *["deg"] * 6), *rows]
    found = run_gait(gait_book(tmp_path / "two.xlsx", sheets))
    (page,) = [each for each in found.sheets.pages if each.name == "mbs Gait scores"]
    heads = {cell.column: cell.value for cell in page.cells if cell.row == 1}
    (at,) = [column for column, name in heads.items() if name == "condition"]
    assert {cell.value for cell in page.cells if cell.column == at and cell.row > 2} == {"barefoot", "orthosis"}
    (report,) = [each for each in found.sheets.pages if each.name == "mbs Gait report"]
    chart = next(each for each in report.charts if each.title == "Knee angle")
    drawn = {line.name: line for line in chart.lines}
    assert {f"{side}, {one}" for side in ("left", "right") for one in ("barefoot", "orthosis")} <= drawn.keys()
    assert drawn["left, barefoot"].color == drawn["left, orthosis"].color
    assert drawn["left, barefoot"].dash != drawn["left, orthosis"].dash
    legend = "".join(word for cell in report.cells if cell.row == 4 for word, _ in cell.inks)
    assert "barefoot" in legend
    assert "orthosis" in legend
