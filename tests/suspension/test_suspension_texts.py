"""Cells of names and words on suspension sheets that hold something else: each is told at its cell, none counts as blank."""

from __future__ import annotations

from datetime import datetime

import pytest
from openpyxl import load_workbook

from tests.support.car_books import SPRINGS, car_book
from tests.workbook.test_plausible_settings import told

SHEETS = {
    "Sweeps": [
        ("name", "type", "roll_from", "roll_to", "roll_step", "roll_about"),
        ("lean", "roll", "-1 deg", "1 deg", "1 deg", "load"),
        ("logged", "poses"),
    ],
    "Poses": [("sweep", "travel_left"), ("logged", "3 mm"), ("logged", "5 mm")],
    "Targets": [
        ("metric", "sweep", "x", "value"),
        ("FL.camber", "lean", "roll", "-1 deg"),
        ("FL.camber", None, None, "-1 deg"),
    ],
    "Adjustments": [
        ("axle", "item", "change", "at", "shim_normal", "design"),
        ("front", "camber shim", "1 mm", "upper", "0 1 0", "B"),
        ("front", "tie rod length", "1 mm", None, None, "C"),
    ],
    "Designs": [("name", "based_on"), ("B", None), ("C", "B")],
    "Suspension springs": [
        (*SPRINGS[0], "on", "design"),
        (*SPRINGS[1], None, "B"),
        (*SPRINGS[3], "rocker"),
        *SPRINGS[1:],
    ],
}
CELLS = ("Sweeps!F2", "Poses!A2", "Targets!B2", "Targets!C2", "Adjustments!D2", "Adjustments!E2", "Adjustments!F2")
CELLS += ("Designs!B3", "Suspension springs!E3", "Suspension springs!F2")
NO_TEXTS = {"an error": "#REF!", "a date": datetime(2026, 3, 1), "no value": "=FOO(1)"}  # noqa: DTZ001 - as cells have it


def book(path, cell="", value=None):
    springs = [row for row in SHEETS["Suspension springs"] if "bar" not in row[0] or len(row) > len(SPRINGS[0])]
    others = {name: rows for name, rows in SHEETS.items() if name != "Suspension springs"}
    car_book(path, springs=springs, others=others)
    if cell:
        made = load_workbook(path)
        sheet, address = cell.split("!")
        made[sheet][address] = value
        made.save(path)
    return path


def test_the_workbook_that_is_broken_here_is_right(tmp_path):
    assert not told(book(tmp_path / "b.xlsx"))


@pytest.mark.parametrize("what", NO_TEXTS)
@pytest.mark.parametrize("cell", CELLS)
def test_what_is_no_text_does_not_count_as_a_blank_cell(tmp_path, cell, what):
    found = told(book(tmp_path / "b.xlsx", cell, NO_TEXTS[what]))
    assert [problem.severity for problem in found if problem.cell == cell] == ["error"]


@pytest.mark.parametrize(
    ("name", "rule"), [("Logged!", "no sweep of type poses"), ("lean", "no sweep"), (None, "belongs")]
)
def test_a_pose_of_no_sweep_is_told_and_not_left_out(tmp_path, name, rule):
    (found,) = told(book(tmp_path / "b.xlsx", "Poses!A3", name))
    assert found.cell == "Poses!A3"
    assert rule in str(found)


def test_a_quantity_of_a_target_without_a_sweep_is_told(tmp_path):
    (found,) = told(book(tmp_path / "b.xlsx", "Targets!C3", "travel"))
    assert (found.severity, found.cell) == ("warning", "Targets!C3")
