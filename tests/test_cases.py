"""Cases: one workbook for several runs."""

import json

import pytest
from typer.testing import CliRunner

import sheetmbs
from sheetmbs import study
from sheetmbs.cli import app
from sheetmbs.errors import WorkbookError
from tests.planar_books import put, saved, sound_book


def book_of_cases():
    """The sound book with the cases slow, fast and hanging."""
    book = sound_book()
    settings = book["Settings"]
    for column, (name, rows) in enumerate(
        {
            "case slow": {"t_end": 1},
            "Case_Fast": {"t_end": 0.5, "t_step": 5},
            "case hanging": {"analysis": "equilibrium"},
        }.items(),
        start=5,
    ):
        settings.cell(1, column).value = name
        for cell in settings["A"]:
            if cell.value in rows:
                settings.cell(cell.row, column).value = rows[cell.value]
    drivers = book["Drivers"]
    drivers.cell(1, 10).value = "active"
    drivers.cell(2, 10).value = "slow; hanging"
    drivers.append(["fast motor", None, "hinge", "angle", None, "950 rpm", None, None, None, "fast"])
    return book


def read(book, folder, **more):
    return sheetmbs.read(saved(book, folder), **more)


def test_values_of_a_case_replace_those_of_the_column_value(tmp_path):
    book = book_of_cases()
    base, slow, fast = (read(book, tmp_path, case=case) for case in (None, "slow", "FAST"))
    assert (base.settings.t_end, slow.settings.t_end, fast.settings.t_end) == (2.0, 1.0, 0.5)
    assert fast.settings.t_step == 0.005
    assert (base.settings.case, fast.settings.case) == ("", "Fast")
    assert fast.settings.cells["t_end"] == "Settings!F8"
    assert slow.settings.cells["t_step"] == "Settings!B9"


def test_rows_count_in_the_cases_they_list(tmp_path):
    book = book_of_cases()
    names = {
        case: [driver.name for driver in read(book, tmp_path, case=case).drivers if not driver.guiding]
        for case in (None, "slow", "fast", "hanging")
    }
    assert names == {None: [], "slow": ["motor"], "fast": ["fast motor"], "hanging": ["motor"]}


def test_not_excludes_cases(tmp_path):
    book = book_of_cases()
    book["Drivers"].cell(2, 10).value = "not slow, fast"
    found = {case: len(read(book, tmp_path, case=case).drivers) for case in (None, "slow", "fast", "hanging")}
    assert found == {None: 2, "slow": 1, "fast": 2, "hanging": 2}


def test_setting_names_the_case_that_counts_by_default(tmp_path):
    book = book_of_cases()
    book["Settings"].append(["case", "slow"])
    assert read(book, tmp_path).settings.t_end == 1.0
    assert read(book, tmp_path, case="fast").settings.t_end == 0.5


def test_static_case_needs_no_end(tmp_path):
    book = book_of_cases()
    put(book, "Settings", "t_end", "value", None)
    assert read(book, tmp_path, case="hanging").settings.analysis == "equilibrium"
    with pytest.raises(WorkbookError) as caught:
        read(book, tmp_path)
    assert [problem.code for problem in caught.value.problems] == ["missing-setting"]


@pytest.mark.parametrize(
    ("break_", "case", "code", "cell"),
    [
        (lambda _book: None, "slwo", "unknown-case", ""),
        (lambda book: book["Settings"].append(["case", "fats"]), None, "unknown-case", "Settings!B11"),
        (lambda book: put(book, "Drivers", "motor", "active", "slow; quick"), "slow", "unknown-case", "Drivers!J2"),
        (lambda book: put(book, "Settings", "t_step", "Case_Fast", -1), "fast", "out-of-range", "Settings!F9"),
    ],
)
def test_wrong_case_is_told_at_its_cell(tmp_path, break_, case, code, cell):
    book = book_of_cases()
    break_(book)
    with pytest.raises(WorkbookError) as caught:
        read(book, tmp_path, case=case)
    problem = caught.value.problems[0]
    assert (problem.code, problem.cell) == (code, cell)


def test_wrong_case_asks_for_the_nearest(tmp_path):
    with pytest.raises(WorkbookError) as caught:
        read(book_of_cases(), tmp_path, case="slwo")
    assert caught.value.problems[0].mend == "did you mean slow?"


def test_workbook_without_cases_says_so(tmp_path):
    with pytest.raises(WorkbookError) as caught:
        read(sound_book(), tmp_path, case="bump")
    assert caught.value.problems[0].code == "no-cases"


def test_reference_to_a_row_of_another_case_is_an_error(tmp_path):
    book = book_of_cases()
    points = book["Points"]
    points.cell(1, 7).value = "active"
    put(book, "Points", "hook", "active", "fast")
    assert read(book, tmp_path, case="fast")
    with pytest.raises(WorkbookError, match="hook"):
        read(book, tmp_path, case="slow")


def test_command_line_runs_a_case_and_names_it_in_the_summary(tmp_path):
    path = saved(book_of_cases(), tmp_path)
    found = CliRunner().invoke(
        app, ["run", str(path), "--case", "fast", "--json", "--output", str(tmp_path / "out.xlsx")]
    )
    told = json.loads(found.stdout)
    assert told["status"] == "done"
    assert told["summary"]["case"] == "Fast"
    assert told["summary"]["reported rows"] == 101


def test_cases_are_listed_with_their_analyses(tmp_path):
    path = saved(book_of_cases(), tmp_path)
    assert study.cases(path) == [("slow", "dynamic"), ("Fast", "dynamic"), ("hanging", "equilibrium")]
    found = CliRunner().invoke(app, ["cases", str(path)])
    assert found.stdout.splitlines() == ["slow\tdynamic", "Fast\tdynamic", "hanging\tequilibrium"]
