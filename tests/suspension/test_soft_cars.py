"""Cars whose springs and stops are too soft for their load cases: told quickly, by the law of their springs, with numbers."""

from __future__ import annotations

import re

import numpy as np
import pytest

from sheetmbs.suspension.loads.standing_car import StandingCar
from sheetmbs.suspension.run_suspension import run_suspension
from tests.support.car_books import car_book
from tests.support.sample_results import loaded_sheet

HEADS = ("name", "axle", "kind", "k", "preload", "gap")
DEEP = [("name", "type", "travel_from", "travel_to", "travel_step"), ("heave", "heave", "0 mm", "50 mm", "1 mm")]
CASES = [
    ("name", "ax", "ay", "az"),
    ("rest", 0, 0, 1),
    ("vertical", 0, 0, 3),
    ("left", 0, 0.3, 1),
    ("braking", -1, 0, 1),
]


def springs(k, preload=None, *stops):
    both = [("spring", axle, "spring", k, preload) for axle in ("front", "rear")]
    return [HEADS, *both, *(("stop", axle, "bump stop", *stops) for axle in ("front", "rear") if stops)]


def solved(path, given):
    found = run_suspension(car_book(path, springs=given, others={"Sweeps": DEEP, "Load cases": CASES}))
    return found, dict(zip([case.name for case in found.base.loads.cases], found.base.loads.marks, strict=True))


def test_what_springs_carry_at_most_is_the_peak_of_force_times_motion_ratio(tmp_path):
    found, marks = solved(tmp_path / "b.xlsx", springs("40 N/mm"))
    table = found.table("heave").frame()
    carried = 2.0 * (table["FL.spring_force"] * table["FL.motion_ratio_contact"]).to_numpy() + 2 * 9.0 * 9.80665
    most, travel = re.search(r"front axle carry at most (\d+) N .* at \+(\d+) mm", marks["vertical"]).groups()
    assert float(most) == pytest.approx(carried.max(), rel=2e-3)  # poses stand some mm apart
    assert float(travel) == pytest.approx(np.argmax(carried), abs=3.0)
    assert "asks for 3873 N" in marks["vertical"]  # 280 kg, 3 g, 47 %
    assert marks["rest"] == marks["left"] == ""
    (told,) = [problem for problem in found.sheets.problems if problem.code == "no-pose" and "vertical" in str(problem)]
    assert told.cell == "Load cases!A3"
    assert "bump stop" in str(told)


def test_a_bump_stop_mends_it(tmp_path):
    _found, marks = solved(tmp_path / "b.xlsx", springs("40 N/mm", None, "600 N/mm", None, "5 mm"))
    assert marks["vertical"] == ""


def test_a_car_that_gives_way_at_design_has_no_pose(tmp_path):
    found, marks = solved(tmp_path / "b.xlsx", springs("2 N/mm"))
    assert found.base.at_design.frame()["FL.wheel_rate"][0] < 0.0
    assert "no car stays there" in marks["rest"]
    assert all(marks.values())


def test_a_car_far_too_soft_is_not_sought_for_long(tmp_path, monkeypatch):
    tried = []
    states = StandingCar.states
    monkeypatch.setattr(StandingCar, "states", lambda *given: tried.append(1) or states(*given))
    _found, marks = solved(tmp_path / "b.xlsx", springs("0.04 N/mm", "0 N"))
    assert all("carry at most" in mark for mark in marks.values())
    assert len(tried) < 10


def test_the_page_names_default_load_cases_that_have_no_result(tmp_path):
    path = car_book(tmp_path / "b.xlsx", springs=springs("40 N/mm"))
    run_suspension(path).save()
    page = loaded_sheet(path, "mbs Suspension")
    rows = [[str(cell.value) for cell in row if cell.value is not None] for row in page]
    at = rows.index(["Warnings"])
    assert rows[at + 1][0] == "mbs Loads"
    assert "3 g vertical" in rows[at + 1][1]
    assert page.cell(at + 2, 1).hyperlink.location.startswith("'mbs Loads'!")
    fine = car_book(tmp_path / "c.xlsx", springs=springs("40 N/mm", None, "600 N/mm", None, "5 mm"))
    run_suspension(fine).save()
    page = loaded_sheet(fine, "mbs Suspension")
    rows = [[str(cell.value) for cell in row if cell.value is not None] for row in page]
    assert not any("no result of" in text for row in rows for text in row)
