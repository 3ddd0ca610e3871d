"""Ordinary mistakes with settings: each is told at its cell, and none of a correct car."""

from __future__ import annotations

from datetime import datetime

import pytest
from openpyxl import load_workbook

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.suspension.run_suspension import run_suspension
from tests.support.car_books import SETTINGS, car_book

STILL = [("name", "type", "travel_from", "travel_to", "travel_step"), ("heave", "heave", "-1 mm", "1 mm", "1 mm")]

WRONG = {
    "camber in degrees without a unit": ({"camber": (-1.2, "-0.8 deg")}, "camber", "B", "rad"),
    "toe of the rear with a slip of the point": ({"toe": ("-0.15 deg", "20 deg")}, "toe", "C", "10 deg at most"),
    "tyre rate in N/m for N/mm": ({"tyre rate": (120, "130 N/mm")}, "tyre rate", "B", "N/m"),
    "tyre rate a thousand times": ({"tyre rate": ("120 N/mm", "130000 N/mm")}, "tyre rate", "C", "5000 N/mm"),
    "cg height in mm without a unit": ({"cg height": (290,)}, "cg height", "B", "counts in m"),
    "cg below the road": ({"cg height": ("-290 mm",)}, "cg height", "B", "above the road"),
    "corner load against the mass": ({"corner load": ("6450 N", "728 N")}, "corner load", "B", "645.5 N"),
    "no mass": ({"mass": ("0 kg",)}, "mass", "B", "is not 0"),
    "no rack travel": ({"rack per turn": (0,)}, "rack per turn", "B", "is not 0"),
    "no tyre": ({"tyre radius": (0, "230 mm")}, "tyre radius", "B", "is not 0"),
    "no spring in the tyre": ({"tyre rate": ("120 N/mm", 0)}, "tyre rate", "C", "is not 0"),
    "no rim": ({"rim diameter": (0, "254 mm")}, "rim diameter", "B", "is not 0"),
    "a word that is TRUE": ({"steering": (True,)}, "steering", "B", "steering is a text"),
    "a word that is a date": ({"axes": (datetime(2026, 3, 1),)}, "axes", "B", "axes is a text"),  # noqa: DTZ001 - as cells
    "wheels heavier than the car": ({"unsprung mass": ("90 kg", "90 kg")}, "mass", "B", "weigh 360 kg"),
    "share as a number of percent": ({"weight front": (47,)}, "weight front", "B", "0.52"),
    "rack travel in mm without a unit": ({"rack per turn": (-90,)}, "rack per turn", "B", "counts in m"),
    "rim in inch without a unit": ({"rim diameter": (10,)}, "rim diameter", "B", "counts in m"),
    "pitch of a thread without a unit": ({"thread pitch": (1.25,)}, "thread pitch", "B", "counts in m"),
    "two masses of one car": ({"mass": ("280 kg", "300 kg")}, "mass", "C", "the columns say different things"),
    "axes of one's own that are not said": ({"axes": ("custom",)}, "axes", "B", "no y axis is given"),
    "an axis without axes of one's own": ({"x axis": ("rearward",)}, "x axis", "B", "where axes is custom"),
    "comma": ({"camber": ("-1,2 deg", "-0.8 deg")}, "camber", "B", "point"),
}


def told(path):
    try:
        return run_suspension(path).sheets.problems
    except WorkbookError as error:
        return error.problems


@pytest.mark.parametrize("mistake", WRONG)
def test_a_slip_of_a_setting_is_told_at_its_cell(tmp_path, mistake):
    settings, name, column, rule = WRONG[mistake]
    path = car_book(tmp_path / "b.xlsx", settings, others={"Sweeps": STILL})
    cell = f"Suspension!{column}{2 + list({**SETTINGS, **settings}).index(name)}"
    found = [str(problem) for problem in told(path) if problem.cell == cell]
    assert any(rule in text for text in found), [str(problem) for problem in told(path)]


@pytest.mark.parametrize("kind", ["McPherson", None])
def test_where_the_type_is_not_known_no_point_is_missed(tmp_path, kind):
    (found,) = told(car_book(tmp_path / "b.xlsx", {"type": (kind, "double wishbone")}, others={"Sweeps": STILL}))
    assert found.cell == ("Suspension!B2" if kind else "Suspension")
    assert "type" in str(found)


def test_a_car_of_two_axles_without_a_wheelbase_is_told_so(tmp_path):
    path = car_book(tmp_path / "b.xlsx", {"wheelbase": None}, others={"Sweeps": STILL})
    assert any(problem.code == "missing-setting" and "wheelbase" in str(problem) for problem in told(path))


@pytest.mark.parametrize(
    "settings",
    [
        {},
        {"corner load": ("700 N", "700 N")},
        {"weight front": (0.47,)},
        {"rack per turn": ("90 mm",)},
        {"cg height": (0,)},
        {"camber": ("-5 deg", 0), "toe": ("0.3 deg", "-1 deg")},
        {"type": ("Double Wishbone", "DOUBLE WISHBONE")},
    ],
)
def test_settings_that_can_be_meant_raise_no_warning(tmp_path, settings):
    assert not told(car_book(tmp_path / "b.xlsx", settings, others={"Sweeps": STILL}))


def test_percent_in_a_cell_that_shows_percent_are_told_and_count_once_without_the_unit(tmp_path):
    path = car_book(tmp_path / "car.xlsx")
    book = load_workbook(path)
    sheet = book["Suspension"]
    row = next(row[0].row for row in sheet if row[0].value == "weight front")
    share, unit, sheet["D1"] = sheet.cell(row, 2, 0.47), sheet.cell(row, 4, "%"), "unit"
    share.number_format = "0%"
    book.save(path)
    (problem,) = told(path)
    assert (problem.code, problem.cell) == ("percent-twice", f"Suspension!{share.coordinate}")
    assert problem.mend == "enter 47 in a cell formatted as a number, or clear the unit"
    unit.value = None
    book.save(path)
    assert not told(path)


@pytest.mark.parametrize(("value", "has_detail"), [(True, True), (False, False), ("yes", True), ("no", False)])
def test_yes_and_no_may_be_the_truth_values_of_a_spreadsheet(tmp_path, value, has_detail):
    found = run_suspension(car_book(tmp_path / "b.xlsx", {"detail": (value,)}, others={"Sweeps": STILL}))
    assert not found.sheets.problems
    assert any(table.name.startswith("mbs Bodies") for table in found.sheets.tables) is has_detail


@pytest.mark.parametrize(("name", "severity"), [("kg", "warning"), ("#REF!", "error"), ("-", None)])
def test_a_unit_beside_a_word_is_told(tmp_path, name, severity):
    path = car_book(tmp_path / "b.xlsx", others={"Sweeps": STILL})
    book = load_workbook(path)
    book["Suspension"]["D1"], book["Suspension"]["D2"] = "unit", name
    book.save(path)
    assert [(each.severity, each.cell) for each in told(path)] == ([(severity, "Suspension!D2")] if severity else [])
