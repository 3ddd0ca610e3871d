"""Mistakes that beginners make, planted one by one: each is named in a sentence at its cell, and nothing else is."""

from pathlib import Path
from typing import NamedTuple

import openpyxl
import pytest
from typer.testing import CliRunner

import sheetmbs
from sheetmbs.command.cli import app
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.problems.listing import counted
from sheetmbs.schema.expression import ExpressionError, parse
from sheetmbs.studies.responses.response_language import parse_response
from sheetmbs.workbook.reading.read_workbook import read_model
from tests.support.planar_books import saved, sound_book

TEMPLATES = sorted(
    path
    for path in (Path(__file__).parents[2] / "templates").glob("*.xlsx")
    if not path.stem.startswith(("gait", "suspension"))
)
NAMED_HERE = {
    *("gravity-upwards", "shown-as-percent", "totals-row", "repeated-header", "misnamed-sheet", "number-as-text"),
    *("merged-cell", "missing-value", "wrong-dimension"),
}
HEADERS = ["Name", "Masse", "Trägheit", "x", "y", "Winkel"]


class Mistake(NamedTuple):
    """plant: puts it into the sound workbook. words: of the sentence."""

    name: str
    plant: object
    severity: str
    cell: str
    words: tuple[str, ...]


def enter(sheet, address, value, number_format="General"):
    def plant(book):
        book[sheet][address] = value
        book[sheet][address].number_format = number_format

    return plant


def as_text(value, *words, sheet="Bodies", address="B3"):
    name = f"{value!r} at {sheet}!{address}"
    return Mistake(name, enter(sheet, address, value), "error", f"{sheet}!{address}", ("stored as text", *words))


def add_row(sheet, *row):
    return lambda book: book[sheet].append(row)


def rename(sheet, new):
    return lambda book: setattr(book[sheet], "title", new)


def insert_headers(row, headers):
    def plant(book):
        book["Bodies"].insert_rows(row)
        for column, text in enumerate(headers, 1):
            book["Bodies"].cell(row, column, text)

    return plant


MISTAKES = [
    Mistake(
        "gravity that points up",
        enter("Settings", "B6", 9810),
        "warning",
        "Settings!B6",
        ("gravity_y = 9.81 m/s^2", "towards +y", "write -9.81 m/s^2"),
    ),
    Mistake(
        "a mass that the cell shows as percent",
        enter("Bodies", "B3", 1.2, "0%"),
        "warning",
        "Bodies!B3",
        ("1.2, which the cell shows as 120 %", "mass is no ratio", "1.2 kg"),
    ),
    Mistake(
        "a time that the cell shows as percent",
        enter("Settings", "B8", 2, "0.0%"),
        "warning",
        "Settings!B8",
        ("shows as 200 %", "t_end"),
    ),
    Mistake(
        "a percentage in a time",
        enter("Settings", "B8", "50%"),
        "error",
        "Settings!B8",
        ("t_end is a time", "% is not a unit of time"),
    ),
    as_text("\u22129810", "minus is a typographic one, U+2212", "type -9810", sheet="Settings", address="B6"),
    as_text("\u20131.2", "typographic one, U+2013", "type -1.2"),
    as_text("3'200", "apostrophes group its thousands", "type 3200"),
    as_text("3\u2019200", "apostrophes group its thousands", "type 3200"),
    as_text("3,200", "can be read in several ways", "type 3.200 or 3200"),
    as_text("0,8", "its decimal sign is a comma", "type 0.8"),
    as_text("1.8,", "a comma stands at its end", "type 1.8"),
    as_text("1.8 ", "a blank stands at its end", "type 1.8"),
    as_text(" 1.8", "a blank stands at its beginning", "type 1.8"),
    as_text("\u00a01.8", "U+00A0", "type 1.8"),
    as_text("1.8\u200b", "U+200B", "type 1.8"),
    as_text("\uff11.\uff18", "fullwidth", "U+FF11", "type 1.8"),
    as_text("1.000.000", "points group its thousands", "type 1000000"),
    Mistake(
        "an invisible character in a unit",
        enter("Bodies", "B3", "1.8\u200bkg"),
        "error",
        "Bodies!B3",
        ("the invisible character U+200B", "type it again: 1.8 kg"),
    ),
    Mistake(
        "an invisible character in a name",
        enter("Joints", "D2", "crank\u200b"),
        "error",
        "Joints!D2",
        ("the invisible character U+200B", "did you mean crank?"),
    ),
    Mistake(
        "a formula that gives an empty text, for a mass",
        enter("Bodies", "B3", '=IF(1=2,1,"")'),
        "error",
        "Bodies!B3",
        ("mass is blank: its formula gives an empty text", "correct the formula"),
    ),
    Mistake(
        "a formula that gives an empty text, for a setting",
        enter("Settings", "B8", '=IF(1=2,1,"")'),
        "error",
        "Settings!B8",
        ("no value of t_end: its formula gives an empty text",),
    ),
    Mistake(
        "a row of totals",
        add_row("Bodies", "Total", "=SUM(B3:B6)"),
        "error",
        "Bodies!A7",
        ("'Total'", "a row of totals", "begin its name with #"),
    ),
    Mistake("a row of totals in German", add_row("Bodies", "Summe:", 7.4), "error", "Bodies!A7", ("a row of totals",)),
    Mistake(
        "headers once more, in German and above the units",
        insert_headers(2, HEADERS),
        "error",
        "Bodies!A2",
        ("'Name', 'Masse', 'Trägheit'", "row 2 repeats the headers", "delete row 2"),
    ),
    Mistake(
        "headers once more, below",
        insert_headers(5, ["name", "mass", "inertia", "x", "y"]),
        "error",
        "Bodies!A5",
        ("row 5 repeats the headers", "delete row 5"),
    ),
    Mistake("Körper", rename("Bodies", "Körper"), "error", "Körper", ("those of Bodies", "rename Körper to Bodies")),
    Mistake("Gelenke", rename("Joints", "Gelenke"), "error", "Gelenke", ("rename Gelenke to Joints",)),
    Mistake("Puntos", rename("Points", "Puntos"), "error", "Puntos", ("rename Puntos to Points",)),
    Mistake("Einstellungen", rename("Settings", "Einstellungen"), "error", "Einstellungen", ("to Settings",)),
    Mistake("any other name", rename("Bodies", "Sheet7"), "error", "Sheet7", ("rename Sheet7 to Bodies",)),
    Mistake(
        "a formula of a German spreadsheet",
        enter("Forces", "D2", "WENN(t<1;0,5;WENN(t<2;1;2))"),
        "error",
        "Forces!D2",
        ("WENN is if here", "separated by commas", "write if(t<1, 0.5, if(t<2, 1, 2))"),
    ),
    Mistake("of a French one", enter("Forces", "D2", "SI(t<1;2;3)"), "error", "Forces!D2", ("write if(t<1, 2, 3)",)),
    Mistake("of an Italian one", enter("Forces", "D2", "SE(t<1;2;3)"), "error", "Forces!D2", ("write if(t<1, 2, 3)",)),
]


def problems_of(book, tmp_path):
    try:
        return list(read_model(saved(book, tmp_path)).warnings)
    except WorkbookError as error:
        return error.problems


@pytest.mark.parametrize("mistake", MISTAKES, ids=[each.name for each in MISTAKES])
def test_a_planted_mistake_is_the_only_one_and_is_named_at_its_cell(mistake, tmp_path):
    book = sound_book()
    mistake.plant(book)
    (problem,) = problems_of(book, tmp_path)
    assert (problem.severity, problem.cell) == (mistake.severity, mistake.cell)
    assert problem.mend
    for words in mistake.words:
        assert words in str(problem)


@pytest.mark.parametrize("path", TEMPLATES, ids=lambda path: path.stem)
def test_templates_have_none_of_these_mistakes(path):
    assert not {problem.code for problem in read_model(path).warnings} & NAMED_HERE


def test_the_sound_workbook_has_no_mistake(tmp_path):
    assert problems_of(sound_book(), tmp_path) == []


def friction_as_percent(book):
    book["Joints"].cell(1, 13, "friction")
    book["Joints"].cell(5, 13, 0.3).number_format = "0%"


SOUND = {
    "a ratio that the cell shows as percent": friction_as_percent,
    "a body called total with all its data": add_row("Bodies", "total", 3, 1000, 0, 500, 90, 0, 0, 0),
    "a remark that begins as totals do": add_row("Bodies", "# total", 7.4),
    "gravity along +x": lambda book: (enter("Settings", "A6", "gravity_x")(book), enter("Settings", "B6", 9810)(book)),
    "a sheet of the user's own with two of our headers": lambda book: book.create_sheet("Mine").append(["name", "x"]),
    "a sheet Parameter beside Settings": lambda book: book.create_sheet("Parameter").append(["setting", "value"]),
    "a unit behind a non-breaking blank": enter("Bodies", "B3", "1.8\u00a0kg"),
}


@pytest.mark.parametrize("change", SOUND.values(), ids=SOUND)
def test_what_only_looks_like_such_a_mistake_is_none(change, tmp_path):
    book = sound_book()
    change(book)
    assert not {problem.code for problem in problems_of(book, tmp_path)} & NAMED_HERE


def test_a_sheet_under_another_name_is_read_for_its_other_mistakes(tmp_path):
    book = sound_book()
    rename("Bodies", "Körper")(book)
    enter("Körper", "B3", "0,8")(book)
    assert {(each.code, each.cell) for each in problems_of(book, tmp_path)} == {
        ("misnamed-sheet", "Körper"),
        ("number-as-text", "Körper!B3"),
    }


@pytest.mark.parametrize(
    "names", [{"Hardpoints": "Punkte"}, {"Suspension": "Fahrwerk"}, {"Suspension": "Fahrwerk", "Hardpoints": "Punkte"}]
)
def test_sheets_of_a_suspension_under_other_names_are_recognised(names, tmp_path):
    book = openpyxl.load_workbook(Path(__file__).parents[2] / "templates" / "suspension-double-wishbone.xlsx")
    for name, other in names.items():
        book[name].title = other
    path = tmp_path / "car.xlsx"
    book.save(path)
    answer = CliRunner().invoke(app, ["check", str(path)])
    assert answer.exit_code == 2
    lines = [line for line in answer.stderr.splitlines() if line.startswith("misnamed-sheet")]
    assert len(lines) == len(names) == len(answer.stderr.splitlines()) - 1
    for name, other in names.items():
        assert any(line.endswith(f"rename {other} to {name}") for line in lines)


def test_a_merged_range_counts_as_one_mistake(tmp_path):
    book = sound_book()
    book["Bodies"].merge_cells("A3:A4")
    assert counted(problems_of(book, tmp_path)) == "1 error"
    apart = [Problem("merged-cell", "error", f"Bodies!A{row}", "", "", "") for row in (3, 4, 7, 8)]
    other = Problem("number-as-text", "error", "Bodies!B3", "", "", "")
    assert counted([*apart, other, other]) == "4 errors"


def test_a_response_in_the_words_of_another_spreadsheet_comes_back_corrected():
    with pytest.raises(ExpressionError) as caught:
        parse_response("WENN(max(crank.x)>0,5;1;2)", lambda name: name == "crank.x")
    assert caught.value.mend == "write if(max(crank.x)>0.5, 1, 2)"


@pytest.mark.parametrize("text", ["atan2(1; 2)", "WENN(t<1, 2, 3)"])
def test_one_word_of_another_spreadsheet_keeps_its_own_advice(text):
    with pytest.raises(ExpressionError) as caught:
        parse(text)
    assert caught.value.mend in ("write a comma", "write if(condition, a, b)")


@pytest.mark.parametrize(
    ("begun", "suggested"),
    [("blank", ("blank-2d", "blank-3d")), ("suspension", ("suspension-double-wishbone", "suspension-multilink"))],
)
def test_new_suggests_the_templates_whose_names_begin_so(begun, suggested, tmp_path):
    answer = CliRunner().invoke(app, ["new", begun, str(tmp_path / "new.xlsx")])
    assert answer.exit_code == 2
    for name in suggested:
        assert name in answer.stderr


def test_python_warns_of_a_change_of_a_cell_that_nothing_reads(tmp_path):
    book = sound_book()
    book.create_sheet("Dimensions")["B3"] = 4
    path = saved(book, tmp_path)
    warned = {each.code: each.cell for each in sheetmbs.read(path, changes={"Dimensions!B33": 3}).warnings}
    assert warned["unused-change"] == "Dimensions!B33"


def test_the_last_line_of_a_run_repeats_an_inertia_in_a_likely_wrong_unit(tmp_path):
    book = sound_book()
    for row in range(4, 7):
        book["Bodies"].cell(row, 3).value *= 1e-6
    book["Bodies"]["C2"] = None
    book["Settings"]["B8"].number_format = "0%"  # another warning, before it
    path = saved(book, tmp_path)
    answer = CliRunner().invoke(app, ["run", str(path)])
    assert answer.exit_code == 0
    assert "shown-as-percent  Settings!B8" in answer.stderr
    assert "Check Bodies!C3 before you use the results" in answer.stderr.strip().splitlines()[-1]
    assert openpyxl.load_workbook(path)["Bodies"]["C3"].value == 4500
