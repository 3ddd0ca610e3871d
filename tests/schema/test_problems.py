"""The list of problems as people meet it: in the workbook, on a terminal, through a pipe, as JSON."""

import io
import json
import os
import re
import subprocess
import sys
import zipfile
from dataclasses import replace

import openpyxl
import pytest
import xlsxwriter
from rich.console import Console

from sheetmbs.command import console
from sheetmbs.problems import listing
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.problems.listing import fair_part, invisible_in, merged
from sheetmbs.schema import problem_list
from sheetmbs.schema.names import did_you_mean
from sheetmbs.schema.problem_list import quoted
from sheetmbs.workbook.reading.read_workbook import read_model
from sheetmbs.workbook.writing.write import write_problems, write_results
from tests.support.opened import sheet_values
from tests.support.planar_books import put, saved, sound_book
from tests.support.sample_results import PROBLEM as SAMPLE
from tests.support.sample_results import convert, needs_libreoffice, slider_crank

PROBLEM = Problem("number-as-text", "error", "Bodies!B4", "the text '2,4'", "a number is needed", "enter a number")


def at(*cells, **changes):
    return [replace(PROBLEM, cell=cell, **changes) for cell in cells]


def shown(problems, width=100, *, every=False, **options):
    """What a terminal of that width shows of a list of problems."""
    file = io.StringIO()
    messages = console.Messages()
    messages.console = Console(
        file=file, width=width, force_terminal=True, highlight=False, markup=False, emoji=False, **options
    )
    messages.problems(problems, every=every)
    return file.getvalue()


def plain(problems, width=100, *, every=False):
    return shown(problems, width, every=every, color_system=None)


def problems_of(book, tmp_path):
    with pytest.raises(WorkbookError) as caught:
        read_model(saved(book, tmp_path))
    return caught.value.problems


# merging


def test_equal_problems_of_a_column_are_one_entry_with_their_rows_as_ranges():
    [entry] = merged(at("Joints!C7", "Joints!C9", "Joints!C8", "Joints!C12"))
    assert entry.cells == ("Joints!C7:C9", "C12")
    assert entry.count == 4


def test_what_is_found_may_differ_in_one_entry_and_is_told_once_each():
    found = ["'a'", "'b'", "'a'", "'c'", "'d'", "'e'"]
    problems = [replace(PROBLEM, cell=f"Joints!C{row}", found=text) for row, text in enumerate(found, 2)]
    assert merged(problems)[0].found == "'a', 'b', 'c' and 2 others"
    assert len(merged(at("Joints!C2", found="x" * 500) + at("Joints!C3", found="y" * 500))[0].found) < 600


@pytest.mark.parametrize("change", ["code", "severity", "problem", "mend"])
def test_problems_that_differ_in_anything_else_stay_apart(change):
    other = replace(PROBLEM, cell="Bodies!B5", **{change: "warning"})
    assert len(merged([PROBLEM, other])) == 2


def test_problems_of_other_columns_and_sheets_stay_apart_and_in_their_order():
    cells = ["Joints!D2", "Joints!C2", "Points!C3", "Joints", "", "it's!C2"]
    assert [entry.cells[0] for entry in merged(at(*cells))] == cells


def test_a_problem_told_twice_of_one_cell_names_the_cell_once():
    [entry] = merged(at("Bodies!A1", "Bodies!A1"))
    assert entry.cells == ("Bodies!A1",)


def test_of_many_problems_those_are_left_out_whose_kind_is_listed_already():
    many = at(*(f"Guiding!B{row}" for row in range(2, 1002)))
    rare = at("Joints!D2", "Joints!C9")
    part = fair_part([*many, *rare], 10)
    assert part == [*many[:8], *rare]
    assert fair_part(many[:10], 10) == many[:10]


# on a terminal


def test_a_terminal_merges_what_repeats():
    text = plain(at(*(f"Joints!C{row}" for row in range(7, 42))))
    assert "Joints!C7:C41" in text
    assert text.count("enter a number") == 1


def test_a_long_list_is_cut_on_a_terminal_with_a_count_and_errors_come_first(monkeypatch):
    monkeypatch.setattr(console, "MOST_ENTRIES", 3)
    warnings = [replace(PROBLEM, severity="warning", cell=f"Bodies!{letter}1") for letter in "ABCDEFGH"]
    errors = at("Joints!C7", "Joints!C8", "Joints!D3", "Joints!E3")
    text = plain(warnings + errors)
    assert "Joints!C7:C8" in text
    assert "Joints!E3" in text
    assert "Bodies!" not in text
    assert "and 8 more; --all shows them" in text
    everything = plain(warnings + errors, every=True)
    assert all(problem.cell in everything for problem in warnings)
    assert "more" not in everything


def test_many_single_cells_of_one_entry_are_counted():
    rows = range(3, 203, 2)
    text = plain(at(*(f"Joints!C{row}" for row in rows)))
    assert "100 in all" in text
    assert "C201" not in text
    assert "C201" in plain(at(*(f"Joints!C{row}" for row in rows)), every=True)


@pytest.mark.parametrize("width", [40, 63, 64, 80, 110, 200])
def test_no_line_is_wider_than_the_terminal_and_nothing_is_lost(width):
    found = "'" + "x" * 130 + "'"
    text = plain(at("A sheet with a rather long name!AB1234", found=found), width)
    assert max(map(len, text.splitlines())) <= width
    letters = re.sub(r"\s", "", text)
    assert letters.count("x") == 130
    assert "…" not in letters
    assert "enteranumber" in letters


def test_without_colours_every_problem_still_says_how_bad_it_is(monkeypatch):
    monkeypatch.setenv("NO_COLOR", "1")
    text = shown(at("Bodies!B4") + at("Bodies!B5", severity="warning"), color_system="truecolor")
    assert not re.search(r"\x1b\[[0-9;]*3[0-9]", text)
    assert "error" in text
    assert "warning" in text


def test_text_of_any_script_is_shown_and_what_steers_a_terminal_is_not():
    names = "גל ארכובה", "می\u200cلنگ", "滑块", "Größe"
    for name in names:
        assert listing.printable(name) == name
    nasty = "a\x1b[2J\x07b\u202ec\u200fd\x9be"
    assert re.sub("\N{REPLACEMENT CHARACTER}", "", listing.printable(nasty)) == "a[2Jbcde"
    assert listing.printable("4\u00a0000\n\t\u202f5") == "4 000   5"


def test_a_pipe_gets_equal_problems_of_a_column_in_one_line_with_all_their_cells(tmp_path, call):
    book = sound_book()
    for row in [*range(8, 48), *range(60, 80, 2)]:
        book["Joints"].cell(row, 1).value = f"pin {row}"
        for column, value in enumerate(["revolute", "crnak", "ground", "pivot"], 2):
            book["Joints"].cell(row, column).value = value
    book["Joints"]["D9"] = "gruond"
    status, _out, err = call("check", saved(book, tmp_path))
    lines = [line for line in err.splitlines() if line.startswith("unknown-body")]
    assert status == 2
    singles = ", ".join(f"C{row}" for row in range(60, 80, 2))
    assert [line.split("  ")[1] for line in lines] == [f"Joints!C8:C47, {singles}", "Joints!D9"]
    assert err.splitlines()[-1].endswith("51 errors. Nothing was written to it.")


def test_json_has_every_problem_with_its_parts(tmp_path, call):
    book = sound_book()
    for row in (3, 4, 5):
        book["Bodies"].cell(row, 2).value = "1,5"
    book.create_sheet("Joint")
    _status, out, _err = call("check", saved(book, tmp_path), "--json")
    found = json.loads(out)["problems"]
    assert [(each["sheet"], each["cell"], each["code"], each["severity"]) for each in found] == [
        ("Bodies", "Bodies!B3", "number-as-text", "error"),
        ("Bodies", "Bodies!B4", "number-as-text", "error"),
        ("Bodies", "Bodies!B5", "number-as-text", "error"),
        ("Joint", "Joint", "near-miss-sheet", "warning"),
    ]
    assert all(each["found"] and each["problem"] and each["mend"] for each in found)


# in the workbook


def with_formula(path, formula):
    """A workbook whose second sheet holds a formula of the user's."""
    book = xlsxwriter.Workbook(path)
    book.add_worksheet("Model")
    book.add_worksheet("Mine").write_formula("A1", formula, None, 7)
    book.close()
    return path


def sheet_names(path):
    return openpyxl.load_workbook(path).sheetnames


CLEAN = {
    "check": lambda path: write_problems(path, []),
    "run": lambda path: write_results(path, None, slider_crank()),
}


def rows_of(path):
    return [list(row) for row in sheet_values(path, "mbs Problems")]


def test_equal_problems_of_a_column_are_one_row_with_the_others_folded_below_it(tmp_path):
    path = with_formula(tmp_path / "book.xlsx", "=1")
    rare = replace(PROBLEM, cell="Model!A9", code="rare", problem="something else")
    write_problems(path, [*at("Model!C7", "Model!C8"), rare, *at("Model!C12")])
    sheet = openpyxl.load_workbook(path)["mbs Problems"]
    shown = [row for row in range(2, sheet.max_row + 1) if not sheet.row_dimensions[row].hidden]
    assert [sheet.cell(row, 2).value for row in shown] == ["Model!C7", "Model!A9"]
    assert sheet.cell(2, 3).value == "the text '2,4' (3 times: C7:C8, C12)"
    assert [row[1] for row in rows_of(path)[1:]] == ["Model!C7", "Model!C8", "Model!C12", "Model!A9"]  # for formulas
    assert [sheet.row_dimensions[row].outlineLevel for row in (2, 3, 4, 5)] == [0, 1, 1, 0]


@pytest.mark.parametrize("finish", CLEAN.values(), ids=CLEAN)
def test_once_all_is_mended_only_the_headers_stay_where_a_formula_refers_to_the_list(tmp_path, finish):
    book = with_formula(tmp_path / "book.xlsx", "=COUNTA('mbs Problems'!B:B)-1")
    write_problems(book, [SAMPLE])
    finish(book)
    assert rows_of(book) == [["severity", "cell", "found", "problem", "mend"]]
    write_problems(book, [SAMPLE, SAMPLE])
    assert len(rows_of(book)) == 3


@pytest.mark.parametrize("finish", CLEAN.values(), ids=CLEAN)
def test_once_all_is_mended_the_list_goes_where_it_is_only_looked_up_by_a_text(tmp_path, finish):
    book = with_formula(tmp_path / "book.xlsx", """=IFERROR(COUNTIF(INDIRECT("'mbs Problems'!B:B"),"Model!A1"),0)""")
    write_problems(book, [SAMPLE])
    finish(book)
    assert "mbs Problems" not in sheet_names(book)
    assert b"_FilterDatabase" not in zipfile.ZipFile(book).read("xl/workbook.xml")


def test_other_sheets_stay_where_a_text_names_them(tmp_path):
    book = with_formula(tmp_path / "book.xlsx", """=MAX(INDIRECT("'mbs Springs'!B:B"))""")
    write_results(book, None, slider_crank())
    write_results(book, None, slider_crank(springs=False))
    assert "mbs Springs" in sheet_names(book)


def test_marking_again_and_again_ends_in_the_same_workbook(tmp_path):
    book = with_formula(tmp_path / "book.xlsx", "=1+1")
    write_problems(book, [SAMPLE])
    first = book.read_bytes()
    write_problems(book, [SAMPLE])
    assert book.read_bytes() == first


def test_a_sound_workbook_that_cannot_be_written_passes_the_check_all_the_same(tmp_path, call):
    path = saved(sound_book(), tmp_path)
    (tmp_path / f"~${path.name}").write_bytes(b"")  # open in Excel
    assert call("check", path, "--mark")[0] == 0


@pytest.fixture
def marked(tmp_path, call):
    """A workbook whose only mistake has been listed in it, and then corrected."""
    path = tmp_path / "model.xlsx"
    book = openpyxl.Workbook()
    book.remove(book.active)
    for name, rows in {
        "Settings": [["setting", "value"], ["t_end", 0.1], ["t_step", 0.01]],
        "Bodies": [["name", "mass", "inertia", "y"], ["stone", "2,4", 1, 10]],
    }.items():
        sheet = book.create_sheet(name)
        for row in rows:
            sheet.append(row)
    book.save(path)
    assert call("run", path, "--mark")[0] == 2
    assert [row[:2] for row in rows_of(path)[1:]] == [["error", "Bodies!B2"]]
    book = openpyxl.load_workbook(path)
    book["Bodies"]["B2"] = 2.4
    book.save(path)
    return path


@pytest.mark.parametrize("arguments", [("check", "--mark"), ("run", "--mark"), ("run",)])
def test_what_finds_nothing_more_takes_the_list_away(marked, call, arguments):
    status, _out, err = call(arguments[0], marked, *arguments[1:])
    assert status == 0, err
    assert "mbs Problems" not in sheet_names(marked)


def test_a_check_without_mark_leaves_the_workbook_as_it_is(marked, call):
    before = marked.read_bytes()
    assert call("check", marked)[0] == 0
    assert marked.read_bytes() == before


def test_with_mark_a_run_into_a_copy_brings_the_list_of_the_workbook_up_to_date(marked, call, tmp_path):
    copy = tmp_path / "copy.xlsx"
    status, _out, err = call("run", marked, "--output", copy, "--mark")
    assert status == 0, err
    assert "mbs Problems" not in sheet_names(marked)
    assert "mbs Bodies" not in sheet_names(marked)
    assert "mbs Bodies" in sheet_names(copy)


def test_without_mark_a_run_into_a_copy_leaves_the_workbook_alone(marked, call, tmp_path):
    before = marked.read_bytes()
    assert call("run", marked, "--output", tmp_path / "copy.xlsx")[0] == 0
    assert marked.read_bytes() == before


@needs_libreoffice
def test_libreoffice_keeps_links_filter_and_the_texts_as_they_are(tmp_path):
    sheets = ["Model", "It's mine", "two words", "日本 シート"]
    book = openpyxl.Workbook()
    for name in sheets:
        book.create_sheet(name)
    path = saved(book, tmp_path)
    nasty = [replace(SAMPLE, cell=f"{name}!C7", found=text) for name, text in zip(sheets, "=+-@", strict=True)]
    write_problems(path, nasty)
    sheet = openpyxl.load_workbook(convert(path, "xlsx", tmp_path / "out"))["mbs Problems"]
    assert [cell[0].value for cell in sheet["B2:B5"]] == [f"{name}!C7" for name in sheets]
    assert [cell[0].hyperlink.location for cell in sheet["B2:B5"]] == [
        "'Model'!C7",
        "'It''s mine'!C7",
        "'two words'!C7",
        "'日本 シート'!C7",
    ]
    assert [(cell[0].value, cell[0].data_type) for cell in sheet["C2:C5"]] == [(sign, "s") for sign in "=+-@"]
    assert sheet.auto_filter.ref == "A1:E5"
    assert sheet.print_title_rows == "$1:$1"


@pytest.mark.parametrize("sign", "=+@")
def test_a_name_that_looks_like_a_formula_stays_text_in_every_sheet_of_a_run(tmp_path, call, sign):
    book = sound_book()
    new = f"{sign}1+1"
    for sheet in book:
        for row in sheet.iter_rows():
            for cell in row:
                if cell.value in ("ballast", "hinge", "motor", "buffer"):
                    cell.value = f"{new} {cell.value}"
                    cell.data_type = "s"
    book["Guiding"]["B1"] = f"{new} ballast.x [mm]"
    book["Guiding"]["B1"].data_type = "s"
    book["Charts"].append([f"{new} title", "time", f"{new} ballast.x; nothing.x"])
    book["Charts"]["A3"].data_type = book["Charts"]["C3"].data_type = "s"
    path = saved(book, tmp_path)
    status, _out, err = call("run", path)
    assert status == 0, err
    written = openpyxl.load_workbook(path)
    ours = [written[name] for name in written.sheetnames if name.startswith("mbs ")]
    cells = [cell for sheet in ours for row in sheet for cell in row if isinstance(cell.value, str)]
    assert {"mbs Bodies", "mbs Joints", "mbs Springs", "mbs Problems"} <= {sheet.title for sheet in ours}
    assert f"{new} ballast.x" in {cell.value for cell in cells}
    assert {cell.data_type for cell in cells} == {"s"}
    with zipfile.ZipFile(path) as archive:
        charts = b"".join(archive.read(name) for name in archive.namelist() if "/charts/chart" in name)
    references = re.findall(rb"<c:f>([^<]*)</c:f>", charts)
    assert references
    assert all(reference.startswith(b"'mbs ") for reference in references)


# what the list says


def test_thirty_joints_on_a_misspelt_body_are_one_entry_on_a_terminal(tmp_path):
    book = sound_book()
    for row in range(8, 38):
        book["Joints"].append([f"pin {row}", "revolute", "crnak", "ground", "pivot"])
    [entry] = merged(problems_of(book, tmp_path))
    assert entry.cells == ("Joints!C8:C37",)
    assert entry.problem.mend == "did you mean crank?"


NAMES = ["ballast.1", "x" * 101, "bal\nlast", None, "#REF!", "crank"]
"""that cannot be, or are taken"""


@pytest.mark.parametrize("name", NAMES)
def test_references_to_a_row_without_a_sound_name_are_no_problems_of_their_own(tmp_path, name):
    book = sound_book()
    put(book, "Bodies", "ballast", "name", name)
    problems = problems_of(book, tmp_path)
    assert [problem.cell for problem in problems] == ["Bodies!A6"]


def test_a_name_that_cannot_be_may_stand_in_references_too(tmp_path):
    book = sound_book()
    for sheet in ("Bodies", "Points", "Joints"):
        for row in book[sheet].iter_rows():
            for cell in row:
                cell.value = "ballast.1" if cell.value == "ballast" else cell.value
    book["Guiding"]["B1"] = "ballast.1.x [mm]"
    put(book, "Forces", "push", "fx", "-20*'ballast.1'.vx")
    assert [problem.cell for problem in problems_of(book, tmp_path)] == ["Bodies!A6"]


def test_more_unknown_names_than_rows_without_a_name_are_all_reported(tmp_path):
    book = sound_book()
    put(book, "Bodies", "ballast", "name", None)
    put(book, "Springs", "buffer", "body_i", "gearbox")
    cells = [problem.cell for problem in problems_of(book, tmp_path)]
    assert {"Bodies!A6", "Joints!D6", "Springs!C2"} <= set(cells)


def test_an_unknown_name_near_a_known_one_is_reported_whatever_other_rows_lack(tmp_path):
    book = sound_book()
    put(book, "Bodies", "ballast", "name", None)
    put(book, "Springs", "buffer", "body_i", "slidr")
    mends = {problem.cell: problem.mend for problem in problems_of(book, tmp_path)}
    assert mends["Springs!C2"] == "did you mean slider?"
    assert set(mends) == {"Bodies!A6", "Springs!C2"}


def rename(sheet, cell, value):
    def act(book):
        book[sheet][cell] = value

    return act


ONE_CAUSE = {
    "a misspelt header": (rename("Bodies", "A1", "nmae"), "Bodies!A1", "'nmae'"),
    "a misspelt time": (rename("Guiding", "A1", "tiem [s]"), "Guiding!A1", "'tiem [s]'"),
    "a misspelt sheet": (lambda book: setattr(book["Bodies"], "title", "Bodys"), "Bodies", "'Bodys'"),
    "a misspelt curve": (rename("Curves", "B1", "remp.y"), "Curves!A1", "'remp.y'"),
    "headers in row 2": (lambda book: book["Points"].insert_rows(1), "Points!A1", "row 2"),
    "a wrong unit of a column": (rename("Bodies", "B2", "mm"), "Bodies!B2", "kg"),
    "a curve of the wrong kind": (rename("Forces", "H3", "hard"), "Forces!H3", "units"),
    "an unknown type": (rename("Joints", "B2", "revolut"), "Joints!B2", "revolute"),
    "an unknown dimension": (rename("Settings", "B4", "2DD"), "Settings!B4", "2D"),
}


@pytest.mark.parametrize("case", ONE_CAUSE.values(), ids=ONE_CAUSE)
def test_one_cause_is_told_once(tmp_path, case):
    break_, cell, mend = case
    book = sound_book()
    break_(book)
    [problem] = problems_of(book, tmp_path)
    assert problem.cell == cell
    assert mend in problem.mend


NEAR = {
    "a setting": (rename("Settings", "A8", "t_ent"), "t_end"),
    "an analysis": (rename("Settings", "B5", "static"), "equilibrium"),
    "a column": (rename("Bodies", "G1", "omgea"), "omega"),
    "a type of joint": (rename("Joints", "B2", "hinge"), "revolute"),
    "a misspelt word of others": (rename("Joints", "B2", "weeld"), "fixed"),
    "a frame": (rename("Points", "E3", "local"), "body"),
    "a body": (rename("Points", "B3", "crnak"), "crank"),
    "a point": (rename("Joints", "E2", "pivott"), "pivot"),
    "a joint": (rename("Drivers", "C2", "hing"), "hinge"),
    "a curve": (rename("Forces", "H3", "rampe"), "ramp"),
    "a coordinate": (rename("Drivers", "D2", "angel"), "angle"),
    "a unit": (rename("Bodies", "B2", "kgg"), "kg"),
    "a guided body": (rename("Guiding", "B1", "balast.x [mm]"), "ballast"),
    "a guided coordinate": (rename("ForceSeries", "B1", "slider.fxx"), "slider.fx"),
    "a motion column": (rename("Forces", "D2", "slidr.x"), "slider.x"),
    "a function": (rename("Forces", "D2", "sine(t)"), "sin"),
    "an interpolation": (rename("Curves", "E2", "cubics"), "cubic"),
}


@pytest.mark.parametrize("case", NEAR.values(), ids=NEAR)
def test_a_near_miss_is_met_with_what_may_be_meant(tmp_path, case):
    break_, meant = case
    book = sound_book()
    break_(book)
    path = saved(book, tmp_path)
    try:
        problems = read_model(path).warnings
    except WorkbookError as error:
        problems = error.problems
    assert f"did you mean {meant}?" in {problem.mend for problem in problems}


def test_near_names_are_sought_only_as_long_as_that_takes_little_time(tmp_path, monkeypatch):
    monkeypatch.setattr(problem_list, "MAX_COMPARED_NAMES", 40)
    book = sound_book()
    for row in range(8, 40):
        book["Joints"].append([f"pin {row}", "revolute", f"crank{row}", "ground", "pivot"])
        book["Joints"].append([f"bolt {row}", "revolute", "crnak", "ground", "pivot"])
    mends = [problem.mend for problem in problems_of(book, tmp_path)]
    assert mends[0] == "did you mean crank?"
    assert mends.count("did you mean crank?") >= 32  # the same question is not asked twice
    assert any(mend.startswith("add it") for mend in mends)


def test_a_value_is_told_in_the_unit_of_its_column(tmp_path):
    book = sound_book()
    book["Curves"]["C4"] = -6
    [problem] = problems_of(book, tmp_path)
    assert problem.found == "-6 mm after 0 mm"


def test_a_blank_setting_is_to_be_filled_in_and_an_absent_one_added(tmp_path):
    book = sound_book()
    put(book, "Settings", "t_end", "value", None)
    assert problems_of(book, tmp_path)[0].mend == "fill it in"
    put(book, "Settings", "t_end", "setting", "# t_end")
    assert problems_of(book, tmp_path)[0].mend == "add a row t_end with its value"


@pytest.mark.skipif(os.name == "nt", reason="a pseudo-terminal is a matter of Unix")
def test_in_a_real_terminal_the_list_has_its_width(tmp_path):
    import pty

    book = sound_book()
    for row in range(8, 38):
        book["Joints"].append([f"pin {row}", "revolute", "crnak", "ground", "pivot"])
    path = saved(book, tmp_path)
    ours, theirs = pty.openpty()
    environment = os.environ | {"COLUMNS": "72", "TERM": "xterm-256color"}
    environment.pop("NO_COLOR", None)
    done = subprocess.run(
        [sys.executable, "-m", "sheetmbs", "check", path], stderr=theirs, stdout=theirs, env=environment, check=False
    )
    os.close(theirs)
    text = b""
    while True:
        try:
            piece = os.read(ours, 1 << 16)
        except OSError:  # how Linux says that the other end is closed
            break
        if not piece:
            break
        text += piece
    os.close(ours)
    assert done.returncode == 2
    assert b"Joints!C8:C37" in text
    assert b"\x1b[" in text
    lines = re.sub(r"\x1b\[[0-9;]*m", "", text.decode()).splitlines()
    assert max(map(len, lines)) <= 72


@pytest.mark.parametrize(
    "sign", ["\u200b", "\u00ad", "\ufeff", "\u00a0", "\u200e", "\u202e", "\u2060", "\u3164", "\x07"]
)
def test_a_character_that_nobody_can_see_is_named_by_its_code(sign):
    code = f"U+{ord(sign):04X}"
    assert invisible_in(f"bo{sign}b") == f"the invisible character {code}"
    assert f"(it contains the invisible character {code})" in quoted(f"bo{sign}b")
    assert f"did you mean bo{sign}b? That name contains the invisible character {code}" in did_you_mean(
        "bob", [f"bo{sign}b"], "otherwise"
    )


@pytest.mark.parametrize("text", ["bob", "two words", "Größe", "two\nlines", "\u0645\u06cc\u200c\u0631\u0648\u062f"])
def test_a_text_in_which_all_can_be_seen_has_no_such_remark(text):
    assert invisible_in(text) == ""
    assert "invisible" not in quoted(text)
