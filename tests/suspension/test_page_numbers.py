"""Numbers on the page of a suspension that are of no sweep: roll at rest in a turn, deviations from targets, gravity."""

from __future__ import annotations

import pytest

from sheetmbs.suspension.run_suspension import run_suspension
from tests.support.load_books import car_book
from tests.support.opened import sheet_values

PAGE = "mbs Suspension"


def test_both_roll_gradients_stand_on_the_page_and_one_is_that_of_the_load_case(tmp_path):
    path = car_book(tmp_path / "b.xlsx", cases=(("name", "ay"), ("turn", 1.0)))
    found = run_suspension(path)
    found.save(tmp_path / "out.xlsx")
    rows = [[cell for cell in row if cell is not None] for row in sheet_values(tmp_path / "out.xlsx", PAGE)]
    at = next(number for number, row in enumerate(rows) if "roll gradient" in row)
    below = rows[at + 1]
    roll = found.base.loads.column("roll")[0]
    assert roll in [pytest.approx(cell) for cell in below if isinstance(cell, float)]
    assert found.at_design["base"]["roll_gradient_equilibrium"] == pytest.approx(roll, rel=1e-9)


def test_deviations_from_targets_stand_on_the_page_as_numbers_and_g_at_its_foot(tmp_path):
    targets = [
        ("metric", "sweep", "value", "tolerance"),
        ("FL.camber", None, "-1 deg", "0.1 deg"),
        ("FL.toe", "heave", "0 deg", None),
    ]
    found = run_suspension(car_book(tmp_path / "b.xlsx", others={"Targets": targets}))
    found.save(tmp_path / "out.xlsx")
    rows = sheet_values(tmp_path / "out.xlsx", PAGE)
    for each in found.targets:
        row = next(row for row in rows if row[0] == str(each.target.place))
        assert each.deviation in [cell for cell in row if isinstance(cell, float)]
    assert any("g = 9.81 m/s\N{SUPERSCRIPT TWO}" in str(cell) for row in rows for cell in row)
