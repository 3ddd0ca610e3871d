"""Cases: one workbook for several runs."""

import json
from math import sin

import pytest
from openpyxl import Workbook
from typer.testing import CliRunner

import sheetmbs
from sheetmbs.command.cli import app
from sheetmbs.problems.errors import WorkbookError
from tests.support.opened import cases as cases_of
from tests.support.planar_books import put, saved, sound_book


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


def test_reference_to_a_row_of_another_case_is_an_error_that_names_the_case(tmp_path):
    book = book_of_cases()
    points = book["Points"]
    points.cell(1, 7).value = "active"
    put(book, "Points", "hook", "active", "fast")
    assert read(book, tmp_path, case="fast")
    with pytest.raises(WorkbookError) as caught:
        read(book, tmp_path, case="slow")
    problem = next(each for each in caught.value.problems if each.cell == "Forces!C2")
    assert (problem.code, problem.found) == ("switched-off", "'hook'")
    assert problem.problem == "the point at Points!A6 does not count in the case slow (active = 'fast')"


def test_reference_to_a_row_of_a_case_where_none_is_chosen_says_so(tmp_path):
    book = book_of_cases()
    book["Points"].cell(1, 7).value = "active"
    put(book, "Points", "hook", "active", "fast")
    with pytest.raises(
        WorkbookError, match=r"counts in some cases only .active = 'fast'., and none is chosen; choose one"
    ):
        read(book, tmp_path)


@pytest.mark.parametrize(
    ("listed", "counts"),
    [("slow;", True), ("; slow ,", True), ("SLOW", True), ("no", False), ("not Fast;", True), ("not slow", False)],
)
def test_a_list_of_cases_may_be_written_as_people_write_lists(tmp_path, listed, counts):
    book = book_of_cases()
    put(book, "Drivers", "motor", "active", listed)
    assert ("motor" in [driver.name for driver in read(book, tmp_path, case="slow").drivers]) is counts


@pytest.mark.parametrize("header", ["case yes", "case 0", "Case not bump", "case bump; roll", "case bump, roll"])
def test_a_case_whose_name_could_be_mistaken_is_refused(tmp_path, header):
    book = book_of_cases()
    book["Settings"].cell(1, 6).value = header
    with pytest.raises(WorkbookError) as caught:
        read(book, tmp_path, case="slow")
    assert ("wrong-case-name", "Settings!F1") in [(each.code, each.cell) for each in caught.value.problems]


def test_two_columns_of_one_case_are_refused(tmp_path):
    book = book_of_cases()
    book["Settings"].cell(1, 6).value = "CASE_SLOW"
    with pytest.raises(WorkbookError) as caught:
        read(book, tmp_path, case="slow")
    assert ("duplicate-header", "Settings!F1") in [(each.code, each.cell) for each in caught.value.problems]


def test_a_case_named_in_a_workbook_without_cases_is_told_how_cases_are_made(tmp_path):
    book = sound_book()
    book["Drivers"].cell(1, 10).value = "active"
    book["Drivers"].cell(2, 10).value = "bump"
    with pytest.raises(WorkbookError) as caught:
        read(book, tmp_path)
    (problem,) = caught.value.problems
    assert (problem.code, problem.cell) == ("not-yes-or-no", "Drivers!J2")
    assert "head a column of Settings with case and its name" in problem.mend


def test_two_cases_of_one_workbook_give_their_own_results(tmp_path):
    book = book_of_cases()
    turned = {}
    for case in ("slow", "fast"):
        result = sheetmbs.run(read(book, tmp_path, case=case))
        turned[case] = result.bodies["crank.phi"].iloc[-1] - result.bodies["crank.phi"].iloc[0]
    assert turned == pytest.approx({"slow": 95 * 6 * 1.0, "fast": 950 * 6 * 0.5}, rel=1e-9)  # 1 rpm = 6 deg/s


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
    assert cases_of(path) == [
        ("slow", "dynamic", False),
        ("Fast", "dynamic", False),
        ("hanging", "equilibrium", False),
    ]
    found = CliRunner().invoke(app, ["cases", str(path)])
    assert found.stdout.splitlines() == ["slow\tdynamic", "Fast\tdynamic", "hanging\tequilibrium"]


def test_the_list_tells_which_case_runs_when_none_is_asked_for(tmp_path):
    book = book_of_cases()
    book["Settings"].append(["case", "FAST"])
    path = saved(book, tmp_path)
    found = CliRunner().invoke(app, ["cases", str(path), "--json"])
    assert [(each["case"], each["default"]) for each in json.loads(found.stdout)] == [
        ("slow", False),
        ("Fast", True),
        ("hanging", False),
    ]


def test_on_a_terminal_the_list_of_cases_is_laid_out(tmp_path, monkeypatch):
    book = book_of_cases()
    book["Settings"].append(["case", "fast"])
    monkeypatch.setenv("FORCE_COLOR", "1")
    monkeypatch.setenv("NO_COLOR", "1")
    lines = CliRunner().invoke(app, ["cases", str(saved(book, tmp_path))]).stdout.splitlines()
    assert len({line.index(word) for line, word in zip(lines, ("dyn", "dyn", "equ"), strict=True)}) == 1
    assert ["runs when none is asked for" in line for line in lines] == [False, True, False]


def check(book, folder, *options):
    found = CliRunner().invoke(app, ["check", str(saved(book, folder)), *options])
    return found.exit_code, found.stderr


def test_a_check_says_which_case_it_looked_at(tmp_path):
    status, told = check(book_of_cases(), tmp_path, "--case", "FAST")
    assert status == 0
    assert ", case Fast: no mistake was found" in told


def test_a_check_of_all_cases_tells_what_is_wrong_in_each(tmp_path):
    book = book_of_cases()
    assert check(book, tmp_path, "--all-cases")[1].endswith("no mistake was found in 3 cases.\n")
    put(book, "Settings", "t_step", "Case_Fast", -1)
    put(book, "Settings", "gravity_y", "value", "heavy")
    put(book, "Drivers", "fast motor", "position", "far")
    assert check(book, tmp_path, "--case", "slow")[1].count("Settings!B6") == 1
    status, told = check(book, tmp_path, "--all-cases")
    assert status == 2
    lines = [line.split("  ")[1:] for line in told.splitlines()[:-1]]
    assert [cell for cell, _text in lines] == ["Settings!B6", "Settings!F9", "Drivers!E3"]
    assert [text.startswith("in the case Fast: ") for _cell, text in lines] == [False, True, True]


def test_warnings_of_all_cases_are_told_with_their_cases(tmp_path):
    book = book_of_cases()
    book["Drivers"].append(["spin", "ballast", None, "x", None, "1 m/s", None, None, None, "fast, hanging"])
    put(book, "Bodies", "ballast", "x", 5)
    for row in book["Guiding"]["B"]:
        row.value = None
    status, told = check(book, tmp_path, "--all-cases")
    assert status == 0
    assert "in the cases Fast, hanging: position is blank" in told
    assert "1 warning in 3 cases" in told


def test_all_cases_of_a_workbook_without_cases_is_an_error(tmp_path):
    status, told = check(sound_book(), tmp_path, "--all-cases")
    assert status == 2
    assert told.startswith("no-cases")


def test_one_case_and_all_cases_exclude_each_other(tmp_path):
    path = saved(book_of_cases(), tmp_path)
    found = CliRunner().invoke(app, ["check", str(path), "--all-cases", "--case", "fast"])
    assert found.exit_code == 2
    assert "exclude each other" in found.stderr


def wheel_on_a_strut(folder):
    """The workbook that the guide shows under Cases, with what it leaves out."""
    book = Workbook()
    del book["Sheet"]
    for name, rows in {
        "Settings": [
            ("setting", "value", "case bump", "case road", "case static"),
            ("analysis", "dynamic", "kinematic", None, "equilibrium"),
            ("t_end", "2 s", None, "5 s"),
            ("t_step", "10 ms"),
            ("case", "road"),
        ],
        "Bodies": [("name", "mass", "inertia", "y"), ("wheel", 40, 1, 0), ("ramp", 10, 1, -0.3)],
        "Joints": [
            ("name", "type", "body_i", "body_j", "axis_x", "axis_y", "xi_i", "eta_i", "xi_j", "eta_j"),
            ("strut", "translational", "ground", "wheel", 0, 1, 0, 0, 0, 0),
            ("plate", "translational", "ground", "ramp", 0, 1, 0, -0.3, 0, 0),
        ],
        "Springs": [
            ("name", "type", "body_i", "body_j", "xi_i", "eta_i", "xi_j", "eta_j", "k", "c"),
            ("tyre", "translational", "ramp", "wheel", 0, 0, 0, 0, 2e5, 500),
            ("coil", "translational", "ground", "wheel", 0, 0.4, 0, 0, 3e4, 2000),
        ],
        "Drivers": [
            ("name", "joint", "coordinate", "expression", "active"),
            ("lift", "strut", "displacement", "step(t, 0, 0, 2, 0.06)", "bump"),
            ("road", "plate", "displacement", "0.02*sin(20*t)", "road"),
            ("rest", "plate", "displacement", None, "not road"),
        ],
        "Forces": [("name", "body", "fy [N]", "active"), ("load", "wheel", -2500, "static; road")],
    }.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    return saved(book, folder)


def test_the_cases_of_the_guide_do_what_it_says(tmp_path):
    path = wheel_on_a_strut(tmp_path)
    bodies = {case: sheetmbs.run(sheetmbs.read(path, case=case)).bodies for case in ("bump", "static", None)}
    bump, static, road = bodies.values()
    assert (bump["time"].iloc[-1], bump["wheel.y"].iloc[-1]) == pytest.approx((2.0, 0.06))
    assert list(static["wheel.y"]) == pytest.approx([-(2500 + 40 * 9.81) / (2e5 + 3e4)], rel=1e-8)
    assert (road["time"].iloc[-1], road["ramp.y"].iloc[-1]) == pytest.approx((5.0, -0.3 + 0.02 * sin(100)), abs=1e-9)
