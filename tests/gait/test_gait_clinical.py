"""The page of clinical parameters: closed forms of made curves, and what the real trial has there."""

import numpy as np
import openpyxl
import pytest

from sheetmbs.gait.run_gait import run_gait
from sheetmbs.gait.sheets.clinical_parameters import (
    HEADS,
    StrideCurve,
    knee_minimum,
    line_of_travel,
    multiple_correlation,
    phase_work,
    span,
)
from tests.support.example_books import ROOT
from tests.support.opened import sheet_values

PERCENT = np.linspace(0.0, 100.0, 101)


def curve(values, toe_off=60.0, duration=1.1):
    return StrideCurve(np.asarray(values, float), PERCENT, toe_off, duration)


def test_parameters_of_a_made_knee_are_read_off_its_curve():
    """A knee that yields to 20 deg at 15 %, straightens to 5 at 40 and bends to 60 at 72 %."""
    knee = curve(np.interp(PERCENT, [0, 15, 40, 72, 100], [3, 20, 5, 60, 2]))
    assert knee.within(0.0, 0.0) == (3.0, 0.0)
    assert knee.within(0.0, 30.0) == (20.0, 15.0)
    assert knee_minimum(knee) == (5.0, 40.0)
    assert knee.within(60.0, 100.0) == (60.0, 72.0)
    assert span(knee)[0] == 58.0


def test_work_of_a_phase_is_the_integral_around_its_peak():
    """Half a sine of 3 W/kg from 40 to 60 % of 1.1 s gives 3 x 2/pi x 0.22 J/kg, whatever lies beside it."""
    power = np.where((PERCENT >= 40) & (PERCENT <= 60), 3.0 * np.sin(np.pi * (PERCENT - 40.0) / 20.0), -0.5)
    found = phase_work(curve(power), 50.0, 1.0)
    assert found == pytest.approx(3.0 * 2.0 / np.pi * 0.2 * 1.1, rel=3e-3)


def test_curves_that_are_all_alike_correlate_wholly():
    wave = np.sin(np.radians(3.6 * PERCENT))
    assert multiple_correlation(np.array([wave, wave, wave])) == pytest.approx(1.0)
    noise = np.random.default_rng(1).standard_normal((200, 101))
    assert multiple_correlation(noise) < 0.1


def test_the_page_of_the_real_trial_holds_both_sides_with_their_difference(tmp_path):
    found = run_gait(ROOT / "workbooks" / "gait-walk.xlsx")
    found.save(tmp_path / "walk.xlsx")
    rows = sheet_values(tmp_path / "walk.xlsx", "mbs Gait clinical")
    assert rows[0] == HEADS
    assert HEADS[:5] == ("parameter", "left", "left_sd", "left_n", "left_u")
    table = {row[0]: dict(zip(HEADS, row, strict=True)) for row in rows[2:]}
    swing = table["knee flexion, peak in swing"]
    assert 50.0 < swing["left"] < 70.0
    assert swing["difference"] == pytest.approx(swing["left"] - swing["right"])
    assert swing["unit"] == "deg"
    assert swing["left_u"] is None, "not known yet"
    assert 65.0 < table["knee flexion, time of the peak in swing"]["right"] < 80.0
    assert 2.0 < table["A2 power"]["left"] < 4.5
    assert table["K3 work"]["right"] < 0.0
    items = {(each.item, each.side): each for each in found.items}
    single = table["single support"]
    assert single["left"] == pytest.approx(100.0 * items["swing", "right"].value)
    assert single["left_u"] == pytest.approx(100.0 * items["swing", "right"].u)
    assert single["u_difference"] == pytest.approx(np.hypot(single["left_u"], single["right_u"]))
    step = [items["step length", side].value for side in ("left", "right")]
    index = table["symmetry index of step length"]["difference"]
    assert index == pytest.approx(200.0 * abs(step[0] - step[1]) / sum(step))
    assert 0.02 < table["step width, heels across the way"]["left"] < 0.25


def test_texts_about_the_subject_stand_on_page_one(tmp_path):
    book = openpyxl.load_workbook(ROOT / "workbooks" / "gait-walk.xlsx")
    told = {"birth date": "2015-03-01", "gmfcs": "II", "diagnosis": "unilateral CP", "aid": "none", "remarks": "tired"}
    for word, text in told.items():
        book["Subject"].append([word, text])
    book.save(tmp_path / "walk.xlsx")
    found = run_gait(tmp_path / "walk.xlsx")
    (page,) = [each for each in found.sheets.pages if each.name == "mbs Gait report"]
    said = "".join(word for cell in page.cells if cell.row == 2 for word, _ in cell.inks)
    for word, text in told.items():
        assert f"{word}  {text}" in said
    assert not [each for each in found.sheets.problems if each.severity != "note"]


def test_the_line_of_travel_is_that_of_the_points_and_forward_where_they_stay():
    """A walk of 2 m that turns 10 deg to the right of the forward axis; on a treadmill nothing goes anywhere."""
    part = np.linspace(0.0, 1.0, 50)[:, None]
    way = 2.0 * np.array([np.cos(np.radians(10.0)), 0.0, np.sin(np.radians(10.0))])
    swayed = part * way + np.array([0.0, 0.9, 0.1])
    swayed[:3] = np.nan
    assert line_of_travel([swayed]) == pytest.approx(way[[0, 2]] / 2.0)
    assert line_of_travel([0.05 * np.sin(20.0 * part) * np.ones(3)]) == pytest.approx([1.0, 0.0])
