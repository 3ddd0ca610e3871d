"""A run with other values in some cells is a run of the workbook in which they stand."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import openpyxl
import pytest
from typer.testing import CliRunner

import sheetmbs
from sheetmbs.command.cli import app
from sheetmbs.mechanism.mechanism_run import read_case_models
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.workbook.cells.cells import open_book
from tests.support.formula_books import save

ROOT = Path(__file__).parents[2]
FOUR_BAR = ROOT / "workbooks" / "four-bar.xlsx"
CHANGES = {"Dimensions!B3": 75.0, "Dimensions!B2": 250.0}


@pytest.fixture
def book(tmp_path):
    return Path(shutil.copy(FOUR_BAR, tmp_path))


@pytest.fixture
def edited(tmp_path):
    """The workbook in which the changed values were typed in; openpyxl leaves no values of formulas."""
    own = openpyxl.load_workbook(FOUR_BAR)
    own["Dimensions"]["B3"], own["Dimensions"]["B2"] = 75, 250
    path = tmp_path / "edited.xlsx"
    own.save(path)
    return path


def run(*arguments):
    return CliRunner().invoke(app, ["run", *map(str, arguments)])


def test_results_are_those_of_the_edited_workbook(book, edited):
    changed = sheetmbs.run(sheetmbs.read(book, changes=CHANGES))
    typed = sheetmbs.run(sheetmbs.read(edited))
    as_it_is = sheetmbs.run(sheetmbs.read(book))
    for table, other in zip(changed.sheets.tables, typed.sheets.tables, strict=True):
        assert table.values == pytest.approx(other.values, rel=1e-12, abs=1e-12)
    assert changed.sheets.tables[0].values != pytest.approx(as_it_is.sheets.tables[0].values, rel=1e-3)
    assert changed.summary["changed cells"] == "Dimensions!B3 = 75 instead of 80; Dimensions!B2 = 250 instead of 300"
    assert [(each.code, each.severity) for each in changed.sheets.problems] == [("changed-cells", "note")]


def test_only_results_are_written_and_they_say_what_they_are_of(book):
    done = run(book, "--set", "Dimensions!B3=75", "--set", "Dimensions!$B$2=250", "--json")
    told = json.loads(done.stdout)
    assert (done.exit_code, told["status"]) == (0, "done")
    assert told["summary"]["changed cells"].startswith("Dimensions!B3 = 75 instead of 80")
    before, after = open_book(FOUR_BAR), open_book(book)
    for name in before.sheets:
        assert after.sheets[name].rows == before.sheets[name].rows
    own = openpyxl.load_workbook(book)
    assert "Dimensions!B3 = 75 instead of 80" in str(list(own["mbs Summary"].values))
    assert "not to those in the workbook" in str(list(own["mbs Problems"].values))
    assert run(book).exit_code == 0
    own = openpyxl.load_workbook(book)
    assert "changed cells" not in str(list(own["mbs Summary"].values))
    assert "mbs Problems" not in own.sheetnames


@pytest.mark.parametrize(
    ("change", "code", "word"),
    [
        ("Bodies!B3=1", "change-of-formula", "Dimensions!B3"),
        ("Dimension!B3=1", "unknown-sheet", "Dimensions"),
        ("crnk=75", "unknown-name", "name"),
        ("B3=75", "no-sheet", "which sheet"),
        ("Dimensions.B3=75", "unknown-name", "Dimensions!B3"),
        ("Dimensions!B3=75,5", "text-for-number", "decimal point"),
        ("Dimensions!B3=75 mm", "text-for-number", "without its unit"),
        ("point_names=75", "name-of-no-cell", "OFFSET"),
    ],
)
def test_what_cannot_be_set_is_refused_and_nothing_is_written(book, change, code, word):
    before = book.read_bytes()
    done = run(book, "--set", change, "--json")
    assert done.exit_code == 2
    (problem,) = json.loads(done.stdout)["problems"]
    assert problem["code"] == code
    assert word in str(problem)
    assert book.read_bytes() == before


@pytest.mark.parametrize(
    "change", ["Dimensions!B3", "=3", "Dimensions!B3==B2", "Dimensions!B3=1' --set 'Dimensions!B3=2"]
)
def test_what_is_no_assignment_is_refused_as_such(book, change):
    done = run(book, *[part for each in change.split("' --set '") for part in ("--set", each)])
    assert done.exit_code == 2


def test_cells_are_set_once(book):
    with pytest.raises(WorkbookError, match="changed-twice"):
        sheetmbs.read(book, changes={"Dimensions!B3": 1.0, "dimensions!$B$3": 2.0})


def test_a_cell_on_which_nothing_depends_is_told(book):
    done = run(book, "--set", "Dimensions!B40=1", "--json")
    problems = {each["code"]: each for each in json.loads(done.stdout)["problems"]}
    assert problems["unused-change"]["cell"] == "Dimensions!B40"
    assert "nothing that is computed depends on Dimensions!B40" in problems["unused-change"]["problem"]
    done = run(book, "--set", "Dimensions!B3=79", "--set", "Settings!B3=kinematic", "--json")
    assert [each["code"] for each in json.loads(done.stdout)["problems"]] == ["changed-cells"]


def test_names_texts_truths_and_emptied_cells(tmp_path):
    path = save(
        tmp_path / "book.xlsx",
        {"A": {"A1": 2.0, "A2": "a", "A3": True, "B1": ("=IF(A3,A2&A1,A1*2)", "a2"), "B2": ("=COUNTA(A1:A3)", 3.0)}},
        names={"size": "=A!$A$1", "A!kind": "=A!$A$2"},
    )
    rows = open_book(path, {"size": 3, "kind": "b"}).sheets["A"].rows
    assert (rows[1][1].value, rows[1][2].value, rows[2][2].value) == (3.0, "b3", 3.0)
    rows = open_book(path, {"Size": 3, "A!A3": False, "A!A2": None}).sheets["A"].rows
    assert (rows[1][2].value, rows[2][2].value) == (6.0, 2.0)


def test_formulas_that_no_longer_have_a_value_are_refused_where_they_are_read(book):
    with pytest.raises(WorkbookError) as refused:
        sheetmbs.read(book, changes={"Dimensions!B2": 5000})  # the links no longer reach each other
    assert {problem.code for problem in refused.value.problems} == {"formula-without-value"}
    assert "with the changed cells it gives the error #NUM!" in str(refused.value)


def test_every_case_has_the_changed_cells(tmp_path):
    path = Path(shutil.copy(ROOT / "workbooks" / "car.xlsx", tmp_path))
    results = read_case_models(open_book(path, {"Dimensions!B12": 65}))
    stiffness = {
        name: next(spring.values["k"] for spring in model.springs if spring.name == "spring FL")
        for name, model in results.models.items()
    }
    assert len(stiffness) > 1
    assert list(stiffness.values()) == pytest.approx([65e3] * len(stiffness))
    assert all(model.remarks[0][1] == "Dimensions!B12 = 65 instead of 60" for model in results.models.values())


def test_suspensions_are_swept_with_changed_cells(tmp_path):
    path = Path(shutil.copy(ROOT / "workbooks" / "macpherson.xlsx", tmp_path))
    sheet = openpyxl.load_workbook(path)["Hardpoints"]
    cell = next(
        cell for row in sheet.iter_rows(min_row=3) for cell in row if isinstance(cell.value, float | int)
    ).coordinate
    before = sheetmbs.run_suspension(path)
    after = sheetmbs.run_suspension(path, changes={f"Hardpoints!{cell}": sheet[cell].value + 5})
    assert [each.code for each in after.sheets.problems if each.severity == "note"] == ["changed-cells"]
    assert after.at_design != before.at_design
    assert after.sheets.summary[0][0] == "changed cells"


def test_gait_is_solved_with_changed_cells_and_is_not_of_the_present_inputs(tmp_path):
    from sheetmbs.gait.collecting.run_books import read_run_book

    path = Path(shutil.copy(ROOT / "workbooks" / "gait-walk.xlsx", tmp_path))
    sheet = openpyxl.load_workbook(path)["Subject"]
    mass = next(row for row in range(1, 20) if sheet.cell(row, 1).value == "mass")
    done = run(path, "--set", f"Subject!B{mass}={sheet.cell(mass, 2).value + 10}")
    assert done.exit_code == 0, done.output
    assert "instead of" in done.output
    with pytest.raises(WorkbookError, match="they are of Subject!B"):
        read_run_book(path)
