"""Formulas without a value in the file are computed, wherever that can be trusted."""

from __future__ import annotations

import json
import math
from pathlib import Path

import openpyxl
import pytest
from openpyxl.worksheet.formula import ArrayFormula
from typer.testing import CliRunner

import sheetmbs
from sheetmbs.command.cli import app
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.workbook.cells.cells import CellKind, open_book
from tests.support.formula_books import save

ROOT = Path(__file__).parents[2]
WITH_FORMULAS = ["car", "double-wishbone", "flyball-governor", "wind-turbine"]
WITH_OWN_LISTS = {"Lookup", "README"}
"""sheets that are not read"""


def without_values(name, folder):
    """One of our workbooks as openpyxl saves it: no formula has a value."""
    path = folder / f"{name}.xlsx"
    openpyxl.load_workbook(ROOT / "workbooks" / f"{name}.xlsx").save(path)
    return path


def filled(sheet):
    return {
        (row, column): cell.value
        for row, cells in sheet.rows.items()
        for column, cell in cells.items()
        if cell.value != ""
    }


@pytest.mark.parametrize("name", WITH_FORMULAS)
def test_cells_whose_values_were_lost_hold_them_again(name, tmp_path):
    found, sound = open_book(without_values(name, tmp_path)), open_book(ROOT / "workbooks" / f"{name}.xlsx")
    for sheet in sound.sheets.keys() - WITH_OWN_LISTS:
        cells, expected = filled(found.sheets[sheet]), filled(sound.sheets[sheet])
        assert cells.keys() == expected.keys()
        for place, value in expected.items():
            same = cells[place] == value or math.isclose(cells[place], value, rel_tol=1e-9, abs_tol=1e-15)
            assert same, (sheet, place, cells[place], value)
    assert sum(found.log.computed.values()) > 30
    assert not sound.log.computed


def test_the_summary_tells_how_many_were_computed(tmp_path):
    path = without_values("four-bar", tmp_path)
    results = sheetmbs.run(sheetmbs.read(path))
    sound = sheetmbs.run(sheetmbs.read(ROOT / "workbooks" / "four-bar.xlsx"))
    assert results.summary["formulas computed"] > 10
    assert "formulas computed" not in sound.summary
    for table, other in zip(results.sheets.tables, sound.sheets.tables, strict=True):
        assert table.values == pytest.approx(other.values, rel=1e-9, abs=1e-9)
    assert results.sheets.problems == sound.sheets.problems


def test_formulas_that_follow_from_a_changed_cell_count_too(tmp_path):
    path = without_values("four-bar", tmp_path)
    counts = [
        sheetmbs.run(sheetmbs.read(path, changes=changes)).summary["formulas computed"]
        for changes in ({}, {"Dimensions!B2": 101.0}, {"Dimensions!B3": 41.0})
    ]
    assert counts == counts[:1] * 3


def test_check_and_cases_compute_too(tmp_path):
    path = without_values("car", tmp_path)
    assert CliRunner().invoke(app, ["check", str(path)]).exit_code == 0
    done = CliRunner().invoke(app, ["cases", str(path), "--json"])
    assert [each["case"] for each in json.loads(done.stdout)]


def test_suspensions_are_computed_too(tmp_path):
    book = openpyxl.load_workbook(ROOT / "workbooks" / "macpherson.xlsx")
    numbers = [cell for row in book["Hardpoints"] for cell in row if isinstance(cell.value, float | int)]
    for cell in numbers:
        cell.value = f"={cell.value}*Side!A1"
    book.create_sheet("Side")["A1"] = 1
    path = tmp_path / "computed.xlsx"
    book.save(path)
    results, sound = sheetmbs.run_suspension(path), sheetmbs.run_suspension(ROOT / "workbooks" / "macpherson.xlsx")
    summary = {item: value for item, value, _unit in results.sheets.summary}
    assert summary["formulas computed"] == len(numbers) > 20
    for name, values in sound.at_design.items():
        assert results.at_design[name] == pytest.approx(values, rel=1e-9, abs=1e-9)


@pytest.mark.parametrize(
    ("formula", "word"),
    [
        ("=RAND()", "RAND"),
        ("=Calc!A2", "Calc!A2 holds a formula with TODAY"),
        ("=Calc!A3*2", "Calc!A3 holds a formula that gives the error #DIV/0!"),
        ("='[other.xlsx]A'!A1", "another workbook"),
        ("=Calc!C1:C3", "one value"),
        ("=C3", "itself"),
    ],
)
def test_what_cannot_be_computed_is_refused_at_the_cell_that_is_read(tmp_path, formula, word):
    book = openpyxl.load_workbook(ROOT / "workbooks" / "pendulum.xlsx")
    calc = book.create_sheet("Calc")
    calc["A1"], calc["A2"], calc["A3"] = 2.0, "=TODAY()", "=1/0"
    heads = {cell.value: cell.column for cell in book["Bodies"][1]}
    cell = book["Bodies"].cell(3, next(column for head, column in heads.items() if str(head).startswith("mass")))
    cell.value = formula if formula != "=C3" else f"={cell.coordinate}"
    path = tmp_path / "wrong.xlsx"
    book.save(path)
    with pytest.raises(WorkbookError) as refused:
        sheetmbs.read(path)
    (problem,) = refused.value.problems
    assert (problem.code, problem.cell) == ("formula-without-value", f"Bodies!{cell.coordinate}")
    assert word in problem.problem


def test_nothing_is_trusted_behind_a_value_that_is_not_that_of_its_formula(tmp_path):
    path = save(
        tmp_path / "book.xlsx",
        {"A": {"A1": 2.0, "B1": ("=A1*3", 7.0), "C1": ("=B1+1", None), "C2": ("=A1+1", None)}},
    )
    sheet = open_book(path).sheets["A"]
    assert sheet.rows[1][3].kind is CellKind.UNCACHED
    assert "7, but its formula gives 6" in sheet.rows[1][3].value
    assert sheet.rows[2][3].value == 3.0
    assert sheet.rows[1][2].value == 7.0


def test_values_have_their_kinds(tmp_path):
    book = openpyxl.Workbook()
    sheet = book.active
    sheet["A1"] = 45000.5
    for row, formula in enumerate(["=A1*2", '="x"&A1', "=A1>1", "=A1", "=E9", '=""'], 1):
        sheet.cell(row, 2).value = formula
    sheet["B4"].number_format = "yyyy-mm-dd"
    sheet["D1"] = ArrayFormula("D1:D2", "=A1*{1;2}")
    path = tmp_path / "kinds.xlsx"
    book.save(path)
    opened = open_book(path)
    cells = opened.sheets["Sheet"].rows
    found = [(cells[row][2].kind, cells[row][2].value) for row in range(1, 7)]
    assert found == [
        (CellKind.NUMBER, 90001.0),
        (CellKind.TEXT, "x45000.5"),
        (CellKind.BOOLEAN, True),
        (CellKind.DATE, "2023-03-15T12:00:00"),
        (CellKind.NUMBER, 0.0),
        (CellKind.TEXT, ""),
    ]
    assert [cells[row][4].value for row in (1, 2)] == [45000.5, 90001.0]
    assert opened.log.computed == {"Sheet": 8}


def test_a_stored_zero_that_may_be_no_result_is_computed(tmp_path):
    path = save(tmp_path / "zero.xlsx", {"A": {"A1": 2.0, "B1": ("=A1-1", 0), "B2": ("=A1-2", 0)}})
    rows = open_book(path).sheets["A"].rows
    assert (rows[1][2].value, rows[2][2].value) == (1.0, 0.0)
