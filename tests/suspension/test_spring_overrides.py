"""Rows of the workbook's own sheet Springs in place of generated ones: free car, sweeps and load cases see the same spring."""

from __future__ import annotations

import numpy as np
import openpyxl
import pytest

import sheetmbs
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.suspension.run_suspension import run_suspension
from sheetmbs.suspension.written_out import write_out
from tests.support.load_books import car_book
from tests.suspension.test_whole_car import CURVES, LEVEL, ROWS

CASES = (("name", "ay", "az"), ("static",), ("turn", 0.6, 1.2))
BOTH = ("FL", "FR")


def book(path, *rows, heads=("name", "k"), springs=ROWS, settings=LEVEL, others=None):
    own = {"Springs": [heads, *rows]} if rows else {}
    return car_book(path, springs=springs, settings=settings, cases=CASES, others={**own, **(others or {})})


def changed(column, value):
    """The rows of Suspension springs with another value for the front spring."""
    heads = ROWS[0] if column in ROWS[0] else (*ROWS[0], column)
    at = heads.index(column)
    rows = [[*row, *[None] * (len(heads) - len(row))] for row in ROWS[1:]]
    rows[0][at] = value
    return [heads, *map(tuple, rows)]


def same(found, expected):
    for sweep in ("heave", "single wheel", "roll"):
        values = expected.table(sweep).values
        assert found.table(sweep).values == pytest.approx(values, rel=1e-9, abs=1e-9, nan_ok=True)
    for column in expected.base.loads.columns:
        assert found.base.loads.column(column.name) == pytest.approx(column.values, rel=1e-7, abs=1e-6), column.name


@pytest.mark.parametrize(
    ("column", "own", "value"), [("k", "k", "45 N/mm"), ("length0", "free_length", "470 mm")], ids=["k", "length"]
)
def test_a_spring_on_springs_is_the_one_on_suspension_springs(tmp_path, column, own, value):
    rows = [(f"{corner} spring", value) for corner in BOTH]
    found = run_suspension(book(tmp_path / "o.xlsx", *rows, heads=("name", column)))
    expected = run_suspension(book(tmp_path / "s.xlsx", springs=changed(own, value)))
    same(found, expected)
    plain = run_suspension(book(tmp_path / "p.xlsx"))
    force = [each.table("heave").frame()["FL.spring_force"].to_numpy() for each in (plain, found)]
    assert np.abs(force[1] - force[0]).max() > 50.0


def test_a_softer_spring_on_one_side_alone_makes_the_car_lean_in_bump(tmp_path):
    results = run_suspension(book(tmp_path / "b.xlsx", ("FL spring", "30 N/mm")))
    loads, heave = results.base.loads, results.table("heave").frame()
    assert loads.column("residual").max() < 1e-9
    assert loads.column("FL.travel")[0] == pytest.approx(0.0, abs=1e-6), "its preload is that of design"
    ratio = heave["FL.wheel_rate_spring"] / heave["FR.wheel_rate_spring"]
    assert ratio.to_numpy()[len(ratio) // 2] == pytest.approx(0.5, rel=1e-9)


def test_a_spring_or_bar_that_is_taken_away_acts_nowhere(tmp_path):
    gone = [("front bar", "no")]
    found = run_suspension(book(tmp_path / "o.xlsx", *gone, heads=("name", "active")))
    expected = run_suspension(book(tmp_path / "s.xlsx", springs=[row for row in ROWS if row[2] != "U bar"]))
    for name in ("FL.spring", "FR.spring", "RL.fz", "FL.tie rod", "FL.lower ball joint"):
        values = expected.base.loads.column(name)
        assert found.base.loads.column(name) == pytest.approx(values, rel=1e-8, abs=1e-7), name
    assert found.base.loads.column("front.bar") == pytest.approx(0.0, abs=1e-12)
    assert found.base.loads.column("residual").max() < 1e-9


def test_the_free_car_rests_at_design_on_the_springs_of_its_own_rows(tmp_path):
    settings = {"Settings": [("setting", "value"), ("analysis", "equilibrium")]}
    rows = [("FL spring", "45 N/mm"), ("FR spring", "45 N/mm"), ("front bar", "300 N*m/rad")]
    found = sheetmbs.run(sheetmbs.read(book(tmp_path / "f.xlsx", *rows, others=settings)))
    assert found.status == "done"
    for corner in ("FL", "FR", "RL", "RR"):
        assert found.springs[f"{corner} tyre.dz"].iloc[0] == pytest.approx(0.0, abs=1e-9)
    springs = {spring.name: spring for spring in found.model.springs}
    assert springs["front bar"].values["k"] == pytest.approx(300.0)
    law = next(each for each in found.model.curves if each.name == springs["FL spring"].curves["curve_k"])
    assert (law.y[1] - law.y[0]) / (law.x[1] - law.x[0]) == pytest.approx(45e3)
    assert np.all(law.y[law.x >= 0.0] == 0.0)


def test_written_out_rows_are_complete_and_have_the_forces_of_the_sweep(tmp_path):
    rows = [("FL spring", "45 N/mm", None), ("RL spring", None, "no"), ("FL tyre", "1 N/mm", None)]
    path = book(tmp_path / "b.xlsx", *rows, heads=("name", "k", "active"), others={"Bodies": WHEEL})
    swept = run_suspension(path)
    write_out(path, tmp_path / "out.xlsx")
    sheet = openpyxl.load_workbook(tmp_path / "out.xlsx")["Springs"]
    heads = [cell.value for cell in sheet[1]]
    needed = [heads.index(name) for name in ("type", "body_i", "body_j")]
    names = []
    for row in sheet.iter_rows(min_row=2, values_only=True):
        if row[0] and row[0] != "units":
            names.append(row[0])
            assert all(row[at] for at in needed), row
    assert "FL spring" in names
    assert not {"RL spring", "FL tyre"} & set(names)
    found = sheetmbs.run(sheetmbs.read(tmp_path / "out.xlsx", case="heave"))
    assert found.status == "done"
    force = swept.table("heave").frame()["FL.spring_force"].to_numpy()
    assert -found.springs["FL spring.force"].to_numpy() == pytest.approx(force, rel=1e-8)


WHEEL = [("name", "mass"), ("FL wheel", 9.0)]


@pytest.mark.parametrize(
    ("column", "value"), [("curve_k", "rising"), ("force", 20.0), ("point_i", "FL tie rod outer"), ("type", "bushing")]
)
def test_what_would_count_in_the_free_car_alone_is_refused_at_its_cell(tmp_path, column, value):
    path = book(tmp_path / "b.xlsx", ("FL spring", value), heads=("name", column), others={"Curves": CURVES})
    with pytest.raises(WorkbookError) as caught:
        run_suspension(path)
    told = {problem.cell: problem.mend for problem in caught.value.problems}
    assert "Suspension springs" in told["Springs!B2"]


def test_a_copied_row_says_nothing_new(tmp_path):
    heads = ("name", "type", "body_i", "body_j", "point_i", "point_j", "c")
    row = ("FL front damper", "translational", "chassis", "FL lower arm", "FL damper chassis", "FL damper outer", 900)
    found = run_suspension(book(tmp_path / "b.xlsx", row, heads=heads))
    same(found, run_suspension(book(tmp_path / "p.xlsx")))
