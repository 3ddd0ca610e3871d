"""`sheetmbs study BOOK --start`: three sheets with drop-downs and two example rows each, which run at once."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path
from zipfile import ZipFile

import openpyxl
import pytest

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.schema.study_inputs import DISTRIBUTIONS, GOALS, HOW, METHODS
from sheetmbs.studies.running.run_study import StudyOptions, run_study
from sheetmbs.studies.start_study import start_study
from sheetmbs.workbook.writing.new_workbook import new_book
from tests.studies.study_books import SHEETS, save_weight, study_book
from tests.support.opened import sheet_values
from tests.support.validators import against_schemas, needs_schemas

KINDS = ("slider-crank", "pendulum", "quarter-car", "double-wishbone", "suspension-formula-student", "gait-2d-leg")


def template(name: str, folder: Path) -> Path:
    """A new workbook of a template."""
    path = folder / f"{name}.xlsx"
    new_book(name, path)
    return path


def rows_of(path: Path, sheet: str) -> list[dict[str, object]]:
    """The rows of a sheet by its headers."""
    rows = sheet_values(path, sheet)
    return [dict(zip(map(str, rows[0]), row, strict=True)) for row in rows[1:]]


@pytest.mark.parametrize("name", KINDS)
def test_the_example_rows_run_at_once_and_every_variable_changes_a_response(tmp_path: Path, name: str) -> None:
    path = template(name, tmp_path)
    start_study(path)
    variables, responses = rows_of(path, "Variables"), rows_of(path, "Responses")
    assert len(variables) == len(responses) == 2
    book = openpyxl.load_workbook(path)
    for row in variables:
        sheet, cell = str(row["cell"]).replace("'", "").split("!")
        held = book[sheet][cell].value
        assert isinstance(held, float | int)
        assert float(str(row["low"])) < held < float(str(row["high"]))
    found = run_study(path, path.read_bytes(), StudyOptions(workers=1))
    assert found.variants.done.all()
    assert not [problem for problem in found.warnings if problem.severity == "warning"]
    responded = found.variants.responses
    for low, high in ((1, 2), (3, 4)):
        assert (responded[low] != responded[high]).any()
    assert found.best is not None


def test_all_other_parts_of_the_workbook_keep_their_bytes(tmp_path: Path) -> None:
    path = template("slider-crank", tmp_path)
    with ZipFile(path) as archive:
        before = {name: archive.read(name) for name in archive.namelist()}
    start_study(path)
    with ZipFile(path) as archive:
        after = {name: archive.read(name) for name in archive.namelist()}
    listings = {
        "[Content_Types].xml",
        "xl/workbook.xml",
        "xl/_rels/workbook.xml.rels",
        "xl/styles.xml",
        "docProps/app.xml",
    }
    assert {name for name in before if before[name] != after[name]} <= listings
    assert len(after) == len(before) + 3
    assert b"fullCalcOnLoad" not in after["xl/workbook.xml"] or b"fullCalcOnLoad" in before["xl/workbook.xml"]


def test_a_copy_gets_the_sheets_and_the_workbook_stays(tmp_path: Path) -> None:
    path, copy = template("slider-crank", tmp_path), tmp_path / "copy.xlsx"
    before = path.read_bytes()
    start_study(path, copy)
    assert path.read_bytes() == before
    assert {"Variables", "Responses", "Study"} <= set(openpyxl.load_workbook(copy).sheetnames)


def test_drop_downs_offer_the_words_that_are_declared(tmp_path: Path) -> None:
    path = template("slider-crank", tmp_path)
    start_study(path)
    book = openpyxl.load_workbook(path)

    def offered(sheet: str, cell: str) -> list[str]:
        rules = [
            rule for rule in book[sheet].data_validations.dataValidation if cell in rule.sqref and rule.type == "list"
        ]
        return [word for rule in rules for word in rule.formula1.strip('"').split(",")]

    heads = {name: {cell.value: cell.column_letter for cell in book[name][1]} for name in ("Variables", "Responses")}
    for row in (2, 3, 20):
        assert offered("Variables", f"{heads['Variables']['how']}{row}") == [*HOW]
        assert offered("Variables", f"{heads['Variables']['distribution']}{row}") == [*DISTRIBUTIONS]
        assert offered("Responses", f"{heads['Responses']['goal']}{row}") == [*GOALS]
        assert offered("Responses", f"{heads['Responses']['active']}{row}") == ["yes", "no"]
    assert book["Study"]["A2"].value == "method"
    assert offered("Study", "B2") == [*METHODS]
    assert offered("Study", "B3") == []


@needs_schemas
def test_the_new_sheets_satisfy_the_schema_of_the_format(tmp_path: Path) -> None:
    path = template("slider-crank", tmp_path)
    start_study(path)
    assert against_schemas(path) == []


@pytest.mark.parametrize("there", ["Variables", "responses", "Study", "Variants"])
def test_a_workbook_that_has_a_sheet_of_studies_is_left_alone(tmp_path: Path, there: str) -> None:
    path = save_weight(tmp_path / "weight.xlsx", {there: [["name"], ["mine"]]})
    before = path.read_bytes()
    with pytest.raises(WorkbookError, match="has sheets of a study already"):
        start_study(path)
    assert path.read_bytes() == before


def test_where_input_sheets_hold_formulas_the_cells_behind_them_vary(tmp_path: Path) -> None:
    length = "=Dimensions!B5"
    sheets = {name: [list(row) for row in rows] for name, rows in SHEETS.items()}
    sheets["Dimensions"].append(["length", 1.0, "m"])
    sheets["Points"][2][3] = sheets["Springs"][1][7] = length
    sheets["Points"][1][3] = "=0*Dimensions!B5"
    path = save_weight(tmp_path / "weight.xlsx", sheets, stores=False)
    started = start_study(path)
    cells = {cell for _name, cell, _low, _high in started.variables}
    assert len(cells) == 2
    assert all(cell.startswith("Dimensions!B") for cell in cells)


def test_a_workbook_that_cannot_be_analysed_is_refused_with_its_own_mistake(tmp_path: Path) -> None:
    bodies = [["name", "mass", "inertia", "x", "y"], ["load", -1.0, 0.1, 0.0, 0.0]]
    path = save_weight(tmp_path / "weight.xlsx", {**SHEETS, "Bodies": bodies})  # type: ignore[dict-item]
    before = path.read_bytes()
    with pytest.raises(WorkbookError, match="Bodies!B2"):
        start_study(path)
    assert path.read_bytes() == before


def test_the_command_says_what_it_added_and_what_to_do_next(tmp_path: Path) -> None:
    path = template("slider-crank", tmp_path)
    command = [sys.executable, "-m", "sheetmbs", "study", str(path)]
    done = subprocess.run([*command, "--start"], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    assert f"then run: sheetmbs study {path}" in done.stderr
    again = subprocess.run([*command, "--start"], capture_output=True, text=True, check=False)
    assert again.returncode == 2
    assert study_book(tmp_path / "weight.xlsx", "grid").exists()
    wrong = subprocess.run([*command, "--start", "--resume"], capture_output=True, text=True, check=False)
    assert wrong.returncode == 2
    assert "--start only adds sheets" in wrong.stderr.replace("\n", " ")
