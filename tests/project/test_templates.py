"""The templates: as their script makes them, sound, the same models as the examples, and forms as people need them."""

import importlib
import json
import os
import re
import shutil
import subprocess
import sys
import zipfile
from dataclasses import fields, is_dataclass
from functools import cache
from html import unescape
from pathlib import Path

import numpy as np
import openpyxl
import pytest
from rich.console import Console

import sheetmbs
from sheetmbs.command import console
from sheetmbs.elements import JOINTS
from sheetmbs.schema.column import ColumnKind, SheetLayout
from sheetmbs.schema.input_columns import SHEETS, SHEETS_BY_FOLD
from sheetmbs.schema.settings import FORMAT, SETTINGS
from sheetmbs.workbook.writing.new_workbook import list_templates, new_book
from tests.support.example_books import EXAMPLES, GAIT_BOOKS, HARDPOINT_BOOKS, SUSPENSIONS
from tests.support.opened import cases as cases_of

ROOT = Path(__file__).parents[2]
FOLDER = ROOT / "templates"
NAMES = sorted(path.stem for path in FOLDER.glob("*.xlsx"))
OF_HARDPOINTS = [path.stem for path in HARDPOINT_BOOKS if path.parent == FOLDER]
OF_GAIT = [path.stem for path in GAIT_BOOKS if path.parent == FOLDER]
BLANK = ["blank-2d", "blank-3d"]
EXAMPLE_NAMES = [path.stem for path in EXAMPLES]
FORMS = [*BLANK, "half-hat-leg", "car"]
"""a few that have all kinds of sheets between them"""
REGENERATE = "run: python templates/make.py"
RED = (0xF9, 0xC9, 0xC2)
with_libreoffice = pytest.mark.skipif(shutil.which("soffice") is None, reason="LibreOffice is not installed")


@pytest.fixture
def make(monkeypatch):
    """The function that makes the template of this name into a folder."""
    monkeypatch.syspath_prepend(str(ROOT / "workbooks"))
    monkeypatch.syspath_prepend(str(FOLDER))
    return importlib.import_module("make").make


def template(name):
    return FOLDER / f"{name}.xlsx"


@cache
def opened(name):
    """A template as openpyxl reads it; nobody changes it."""
    return openpyxl.load_workbook(template(name))


def parts(path):
    with zipfile.ZipFile(path) as package:
        return {name: package.read(name) for name in package.namelist()}


def input_sheets(book):
    """The input sheets of a workbook with what is declared of them."""
    return [
        (sheet, SHEETS_BY_FOLD[sheet.title.casefold()]) for sheet in book if sheet.title.casefold() in SHEETS_BY_FOLD
    ]


def names_in(book):
    return {name: definition.attr_text for name, definition in book.defined_names.items()}


def offered(book, sheet, cell):
    """The name of the list that a drop-down offers, and what that stands for; None without one."""
    rules = (rule for rule in sheet.data_validations.dataValidation if cell in rule and rule.type == "list")
    return next(((rule.formula1, names_in(book)[rule.formula1]) for rule in rules), None)


def words_in(book, reference):
    """The words of a list."""
    first, last = reference.removeprefix("Lists!").replace("$", "").split(":")
    return tuple(cell[0].value for cell in book["Lists"][first:last])


# --- how they are made -----------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_committed_template_is_what_its_script_makes_of_the_schema(name, make, tmp_path):
    assert parts(make(name, tmp_path)) == parts(template(name)), REGENERATE


def test_making_a_template_twice_gives_the_same_bytes(make, tmp_path):
    made = []
    for folder in (tmp_path / "first", tmp_path / "second"):
        folder.mkdir()
        made.append(make("slider-crank", folder).read_bytes())
    assert made[0] == made[1]


def test_there_are_blank_forms_and_one_template_for_every_example():
    suspensions = {f"suspension-{name}" for name in SUSPENSIONS}
    assert sorted([*BLANK, *EXAMPLE_NAMES, *OF_HARDPOINTS, *OF_GAIT]) == NAMES
    assert suspensions <= set(OF_HARDPOINTS)


# --- what is in them -------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", NAMES)
def test_template_is_sound_and_gives_no_warning(name, call):
    status, _out, err = call("check", template(name))
    assert (status, err.count("\n")) == (0, 1), err
    assert "no mistake was found" in err


def differences(one, other, path="model"):
    """Where two models differ, but for the addresses of their cells."""
    if is_dataclass(one):
        names = [field.name for field in fields(one) if field.name not in ("cell", "cells", "source", "source_bytes")]
        return [
            line for name in names for line in differences(getattr(one, name), getattr(other, name), f"{path}.{name}")
        ]
    if isinstance(one, dict):
        keys = [] if one.keys() == other.keys() else [f"{path}: {one.keys() ^ other.keys()}"]
        return keys + [
            line for key in one.keys() & other.keys() for line in differences(one[key], other[key], f"{path}.{key}")
        ]
    if isinstance(one, tuple | list):
        if len(one) != len(other):
            return [f"{path}: {len(one)} and {len(other)}"]
        pairs = enumerate(zip(one, other, strict=True))
        return [line for index, (mine, theirs) in pairs for line in differences(mine, theirs, f"{path}[{index}]")]
    same = np.array_equal(one, other) if isinstance(one, np.ndarray) else one == other
    return [] if same else [f"{path}: {one!r} and {other!r}"]


@pytest.mark.parametrize("name", EXAMPLE_NAMES)
def test_template_of_an_example_is_the_same_model(name):
    cases = [case.name for case in cases_of(template(name))] or [None]
    assert cases == ([case.name for case in cases_of(ROOT / "workbooks" / f"{name}.xlsx")] or [None])
    for case in cases:
        example, form = (sheetmbs.read(folder / f"{name}.xlsx", case=case) for folder in (ROOT / "workbooks", FOLDER))
        assert differences(example, form) == []


def test_two_models_that_differ_in_one_number_are_told_apart():
    one, other = sheetmbs.read(template("pendulum")), sheetmbs.read(template("slider-crank"))
    assert differences(one, other)


@pytest.mark.parametrize(
    ("name", "case"), [("slider-crank", None), ("half-hat-leg", None), ("double-wishbone", "static")]
)
def test_template_of_an_example_runs_to_the_same_results(name, case):
    example, form = (
        sheetmbs.run(sheetmbs.read(folder / f"{name}.xlsx", case=case)) for folder in (ROOT / "workbooks", FOLDER)
    )
    assert form.status == "done"
    for one, other in zip(example.sheets.tables, form.sheets.tables, strict=True):
        assert (one.columns, one.units) == (other.columns, other.units)
        assert np.array_equal(one.values, other.values, equal_nan=True)


@pytest.mark.parametrize(("name", "column", "sign"), [("blank-2d", "rod.alpha", -1), ("blank-3d", "rod.alphay", 1)])
def test_blank_form_runs_as_it_is(name, column, sign):
    """One rod on a hinge, let go from the horizontal: alpha = (3/2) g/l at first."""
    result = sheetmbs.run(sheetmbs.read(template(name)))
    alpha = result.bodies[column][0] * (np.pi / 180 if "deg" in result.bodies.attrs["units"][column] else 1)
    assert np.isclose(alpha, sign * 1.5 * 9.81, rtol=1e-3)


@pytest.mark.parametrize("name", NAMES)
def test_template_tells_its_format_in_a_cell_and_in_a_name(name):
    book = opened(name)
    if name not in OF_HARDPOINTS:
        assert [cell.value for cell in book["Settings"][2]][:2] == ["format", FORMAT]
    assert names_in(book)["sheetmbs_format"] == str(FORMAT)


@pytest.mark.parametrize("name", FORMS)
def test_template_has_every_input_sheet_column_and_setting(name):
    models = "3D" if name in ("blank-3d", "car") else "2D"
    book = opened(name)
    there = {declared.name for _sheet, declared in input_sheets(book)}
    assert there == {sheet.name for sheet in SHEETS if sheet.readable and models in sheet.models}
    for sheet, declared in input_sheets(book):
        if declared.layout is SheetLayout.TABLE and declared.name != "Settings":
            headers = [cell.value for cell in sheet[1]]
            assert headers == [column.name for column in declared.columns if models in column.models]
    assert sorted(row[0].value for row in book["Settings"].iter_rows(min_row=2)) == sorted(
        each.name for each in SETTINGS
    )


# --- how they look and help ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("name", FORMS)
def test_every_header_has_a_note_and_its_colour(name):
    for sheet, declared in input_sheets(opened(name)):
        colours = {True: set(), False: set()}
        for cell in sheet[1]:
            if cell.value is None:
                continue
            assert cell.comment, (sheet.title, cell.value)
            text = cell.comment.text
            assert "Example: " in text or sheet.title == "Settings"
            column = declared.by_fold.get(str(cell.value).rpartition(".")[2].replace("_", " "))
            if column is not None:
                assert ("Required." in text) == column.required
                assert ("Unit: " in text) == column.is_numeric
                colours[column.required].add(cell.fill.start_color.rgb)
        assert not colours[True] & colours[False]
        assert all(len(each) <= 1 for each in colours.values())


@pytest.mark.parametrize("name", FORMS)
def test_references_and_words_are_offered_through_defined_names(name):
    book = opened(name)
    for sheet, declared in input_sheets(book):
        if declared.layout is not SheetLayout.TABLE or declared.name == "Settings":
            continue
        for header in sheet[1]:
            column = declared.column(header.value)
            cell = f"{header.column_letter}100"
            offer = offered(book, sheet, cell)
            if column.sheets or column.choices or column.kind is ColumnKind.FLAG:
                assert offer, (sheet.title, column.name)
                assert ("ground" in offer[0]) == column.ground
            else:
                assert offer is None, (sheet.title, column.name)


@pytest.mark.parametrize("name", FORMS)
def test_every_setting_with_choices_offers_them(name):
    book = opened(name)
    sheet = book["Settings"]
    for row in range(2, sheet.max_row + 1):
        setting = next(each for each in SETTINGS if each.name == sheet.cell(row, 1).value)
        offer = offered(book, sheet, f"B{row}")
        assert bool(offer) == bool(setting.choices)
        if offer:
            assert words_in(book, offer[1]) == setting.choices


def test_settings_of_handling_have_the_units_that_people_know():
    """A number without a unit counts in that of its row: 1.225 beside g/cm^3 would be air as heavy as stone."""
    sheet = openpyxl.load_workbook(FOLDER / "suspension-handling.xlsx")["Suspension"]
    heads = [cell.value for cell in sheet[1]]
    units = {row[0]: row[heads.index("unit")] for row in sheet.iter_rows(min_row=2, values_only=True)}
    expected = {"downforce area": "m^2", "drag area": "m^2", "air density": "kg/m^3", "yaw inertia": "kg*m^2"}
    assert {name: units[name] for name in expected} == expected
    assert units["differential bias"] is None


@pytest.mark.parametrize(("name", "models"), [("blank-2d", "2D"), ("blank-3d", "3D")])
def test_types_are_those_of_the_models(name, models):
    book = opened(name)
    column = next(cell.column for cell in book["Joints"][1] if cell.value == "type")
    reference = offered(book, book["Joints"], book["Joints"].cell(9, column).coordinate)[1]
    assert words_in(book, reference) == tuple(joint.name for joint in JOINTS.values() if models in joint.dimensions)


@pytest.mark.parametrize("name", NAMES)
def test_drop_downs_need_no_extension_of_the_format(name):
    book = opened(name)
    for number in range(1, len(book.sheetnames) + 1):
        assert b"<extLst" not in parts(template(name))[f"xl/worksheets/sheet{number}.xml"]


@pytest.mark.parametrize("name", FORMS)
def test_headers_are_frozen_and_pages_are_as_wide_as_their_sheet(name):
    book = opened(name)
    for sheet, declared in input_sheets(book):
        frozen = {"Settings": "B2", "Charts": "B2", "Mass properties": "A2"}.get(declared.name, "B3")
        assert sheet.freeze_panes == frozen, sheet.title
        assert (sheet.page_setup.fitToHeight, sheet.sheet_properties.pageSetUpPr.fitToPage) == (0, True)
    assert book.sheetnames[0] == "README"
    assert len(book["README"]._images) == 1
    assert book["Lists"].sheet_state == "hidden"


@pytest.mark.parametrize("name", FORMS)
def test_columns_that_are_filled_are_not_folded_away(name):
    for sheet, declared in input_sheets(opened(name)):
        if declared.layout is SheetLayout.TABLE:
            for column in sheet.iter_cols():
                letter = column[0].column_letter
                size = next(
                    (each for each in sheet.column_dimensions.values() if each.min <= column[0].column <= each.max),
                    None,
                )
                is_filled = any(cell.value is not None for cell in column[2:])
                assert not (is_filled and size.hidden), (sheet.title, letter)


@pytest.mark.parametrize("name", NAMES)
def test_the_readme_has_five_steps_and_no_path_of_the_repository(name):
    sheet = opened(name)["README"]
    texts = [str(cell.value) for row in sheet.iter_rows() for cell in row if cell.value is not None]
    assert [text[0] for text in texts if re.match(r"\d\. ", text)] == list("12345")
    assert not any("workbooks/" in text for text in texts)


# --- in LibreOffice --------------------------------------------------------------------------------------------------

ALWAYS_RECALCULATE = """<?xml version="1.0" encoding="UTF-8"?>
<oor:items xmlns:oor="http://openoffice.org/2001/registry">
<item oor:path="/org.openoffice.Office.Calc/Formula/Load">
<prop oor:name="OOXMLRecalcMode" oor:op="fuse"><value>0</value></prop></item></oor:items>"""


@pytest.fixture
def libreoffice(tmp_path):
    """Convert files into the folder ``out`` with LibreOffice, everything calculated anew."""
    profile = tmp_path / "profile" / "user"
    profile.mkdir(parents=True)
    (profile / "registrymodifications.xcu").write_text(ALWAYS_RECALCULATE, encoding="utf-8")

    def convert(kind, *paths):
        program = ("soffice", f"-env:UserInstallation={profile.parent.as_uri()}", "--headless", "--convert-to", kind)
        subprocess.run([*program, "--outdir", str(tmp_path / "out"), *map(str, paths)], check=True, capture_output=True)
        return [tmp_path / "out" / f"{path.stem}.{kind}" for path in paths]

    return convert


@with_libreoffice
def test_libreoffice_calculates_what_the_templates_hold(libreoffice):
    names = ["blank-3d", "quick-return", "car"]
    for name, made in zip(names, libreoffice("xlsx", *map(template, names)), strict=True):
        written, held = openpyxl.load_workbook(template(name)), openpyxl.load_workbook(template(name), data_only=True)
        calculated = openpyxl.load_workbook(made, data_only=True)
        for sheet in written:
            for cell in (each for row in sheet.iter_rows() for each in row if each.data_type == "f"):
                value, expected = (book[sheet.title][cell.coordinate].value for book in (calculated, held))
                if isinstance(expected, int | float):
                    assert value == pytest.approx(expected, rel=1e-12, abs=1e-10), (name, sheet.title, cell.coordinate)
                else:
                    assert (value or "") == (expected or ""), (name, sheet.title, cell.coordinate)


@with_libreoffice
def test_lists_grow_with_the_rows_and_skip_blanks_and_comments(libreoffice, tmp_path):
    book = openpyxl.load_workbook(template("blank-2d"))
    for row, name in ((4, None), (5, "crank"), (6, "# old"), (7, "slider")):
        book["Bodies"].cell(row, 1).value = name
    for column, header in enumerate(("road.x", "road.y", None, "tyre.X [mm]", "tyre.y"), start=1):
        book["Curves"].cell(1, column).value = header
    probe = book.create_sheet("probe")
    lists = ("bodies_and_ground", "body_names", "curve_names", "point_names", "joint_names")
    for column, name in enumerate(lists, start=1):
        for row in range(1, 6):
            probe.cell(row, column).value = f'=IFERROR(INDEX({name},{row}),"")'
        probe.cell(6, column).value = f"=ROWS({name})"
    book.save(tmp_path / "grown.xlsx")
    grown = openpyxl.load_workbook(libreoffice("xlsx", tmp_path / "grown.xlsx")[0], data_only=True)["probe"]
    found = {
        name: [cell.value for cell in column if cell.value] for name, column in zip(lists, grown.columns, strict=True)
    }
    assert found == {
        "bodies_and_ground": ["ground", "rod", "crank", "slider", 4],
        "body_names": ["rod", "crank", "slider", 3],
        "curve_names": ["road", "tyre", 2],
        "point_names": ["A", "tip", 2],
        "joint_names": ["hinge", 1],
    }


def with_text(path, sheet, cell, text):
    """Write a text over the content of a filled cell and nothing else, as a person would."""
    number = openpyxl.load_workbook(path).sheetnames.index(sheet) + 1
    name, content = f"xl/worksheets/sheet{number}.xml", parts(path)
    head, _, tail = content[name].decode().partition(f'<c r="{cell}" ')
    style = tail.partition('"')[2].partition('"')[0]
    rest = tail[tail.index("</c>") + len("</c>") :]
    content[name] = f'{head}<c r="{cell}" s="{style}" t="inlineStr"><is><t>{text}</t></is></c>{rest}'.encode()
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED) as package:
        for part, data in content.items():
            package.writestr(part, data)


def red_pixels(pdf, folder):
    """How many pixels of each page after the first, which has the legend, have the colour of a mistake."""
    from matplotlib.image import imread

    subprocess.run(["pdftoppm", "-r", "60", "-f", "2", "-png", str(pdf), str(folder / pdf.stem)], check=True)
    pages = [imread(page) for page in sorted(folder.glob(f"{pdf.stem}-*.png"))]
    return [int(np.sum(np.all(np.abs(page[..., :3] * 255 - RED) < 2, axis=-1))) for page in pages]


@with_libreoffice
@pytest.mark.skipif(shutil.which("pdftoppm") is None, reason="poppler is not installed")
def test_cells_on_the_list_of_problems_turn_red_and_turn_back(call, libreoffice, tmp_path):
    sick, healthy = tmp_path / "sick.xlsx", tmp_path / "healthy.xlsx"
    for path in (sick, healthy):
        shutil.copy(template("slider-crank"), path)
    with_text(sick, "Bodies", "B4", "heavy")
    with_text(sick, "Joints", "C4", "cranc")
    assert call("check", sick, "--mark")[0] == 2
    red = [red_pixels(pdf, tmp_path) for pdf in libreoffice("pdf", sick, healthy)]
    bodies, joints = 1, 3  # pages behind Settings and Points
    assert [page for page, count in enumerate(red[0]) if count > 20] == [bodies, joints]
    assert set(red[1]) == {0}


# --- sheetmbs templates, sheetmbs new --------------------------------------------------------------------------------


def test_templates_are_listed_one_to_a_line_blank_ones_first(call):
    status, out, err = call("templates")
    lines = [line.split("\t") for line in out.splitlines()]
    assert (status, err) == (0, "")
    assert sorted(line[0] for line in lines) == NAMES
    assert [line[0] for line in lines[:2]] == BLANK
    assert all(len(line) == 4 and line[1] in ("2D", "3D") and line[3] for line in lines)


def test_the_list_says_what_is_in_the_templates():
    for listed in list_templates():
        if listed.name in OF_HARDPOINTS:
            assert (listed.dimension, listed.analysis) == ("3D", "suspension")
            continue
        if listed.name in OF_GAIT:
            dimension = "2D" if "-2d" in listed.name else "3D"
            assert (listed.dimension, listed.analysis) == (dimension, "gait")
            continue
        cases = cases_of(template(listed.name))
        settings = sheetmbs.read(template(listed.name)).settings
        assert listed.dimension == settings.dimension
        assert listed.analysis.endswith("cases") if cases else listed.analysis == settings.analysis


def test_the_list_is_there_for_programs(call):
    status, out, _err = call("templates", "--json")
    listed = json.loads(out)
    assert status == 0
    assert sorted(each["name"] for each in listed) == NAMES
    assert set(listed[0]) == {"name", "dimension", "analysis", "about"}


@pytest.mark.parametrize("width", [60, 100])
def test_the_list_fits_the_terminal(width, monkeypatch, capsys):
    options = {"force_terminal": True, "width": width, "no_color": True, "color_system": None}
    monkeypatch.setattr(console, "Console", lambda **more: Console(**(more | options)))
    console.show_templates(list_templates())
    lines = capsys.readouterr().out.splitlines()
    assert max(map(len, lines)) <= width
    assert len([line for line in lines if line[2:].partition(" ")[0] in NAMES]) == len(NAMES)


def test_new_makes_a_workbook_that_runs(call, tmp_path):
    status, out, err = call("new", "Slider Crank", tmp_path / "mine.xlsx")
    assert (status, out) == (0, "")
    assert "slider-crank" in err
    assert call("run", tmp_path / "mine.xlsx")[0] == 0


@pytest.mark.parametrize("name", NAMES)
def test_the_first_sheet_of_a_new_workbook_names_its_file_and_all_else_is_the_template(tmp_path, name):
    new_book(name, tmp_path / "R&D car.xlsx")
    with zipfile.ZipFile(tmp_path / "R&D car.xlsx") as made, zipfile.ZipFile(template(name)) as shown:
        assert made.namelist() == shown.namelist()
        differing = [part for part in shown.namelist() if made.read(part) != shown.read(part)]
        texts = unescape(made.read("xl/sharedStrings.xml").decode())
    assert differing == ["xl/sharedStrings.xml"]
    assert not re.search(r"\bBOOK\b", texts)
    assert 'sheetmbs run "R&D car.xlsx".' in texts
    assert 'sheetmbs check "R&D car.xlsx" --mark. Every mistake' in texts


def test_new_says_in_json_what_it_made(call, tmp_path):
    status, out, _err = call("new", "pendulum", tmp_path / "mine.xlsx", "--json")
    assert status == 0
    assert json.loads(out) == {"status": "done", "workbook": str(tmp_path / "mine.xlsx"), "template": "pendulum"}


def test_new_never_overwrites(call, tmp_path):
    path = tmp_path / "mine.xlsx"
    path.write_text("months of work", encoding="utf-8")
    status, _out, err = call("new", "pendulum", path)
    assert status == 2
    assert "mine.xlsx" in err
    assert path.read_text(encoding="utf-8") == "months of work"


@pytest.mark.parametrize(
    ("name", "book", "words"),
    [
        ("sliderkrank", "a.xlsx", ("unknown-template", "slider-crank")),
        ("aeroplane", "a.xlsx", ("unknown-template", "sheetmbs templates")),
        ("a.xlsx", "pendulum.xlsx", ("unknown-template", "sheetmbs new pendulum a.xlsx")),
        ("pendulum", "a.xlsm", ("wrong-extension", "a.xlsx")),
        ("pendulum", "a.ods", ("wrong-extension", "a.xlsx")),
        ("pendulum", "a", ("wrong-extension", "a.xlsx")),
        ("pendulum", "", ("file-is-folder", "pendulum.xlsx")),
        ("pendulum", "missing/a.xlsx", ("folder-missing", "missing")),
        ("pendulum", "a\0.xlsx", ("null byte",)),
        ("pendulum", f"{'a' * 300}.xlsx", ("not-writable", "too long")),
    ],
)
def test_what_new_cannot_make_is_one_sentence_and_leaves_nothing(name, book, words, call, tmp_path):
    status, out, err = call("new", name, tmp_path / book)
    assert (status, out, err.count("\n")) == (2, "", 1)
    assert all(word in err for word in words), err
    assert list(tmp_path.iterdir()) == []


def test_what_new_cannot_make_is_told_to_programs_too(call, tmp_path):
    status, out, _err = call("new", "sliderkrank", tmp_path / "a.xlsx", "--json")
    assert status == 2
    assert [problem["code"] for problem in json.loads(out)["problems"]] == ["unknown-template"]


def test_a_disk_that_is_full_leaves_nothing(call, tmp_path, monkeypatch):
    def full(_handle):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(os, "fsync", full)
    status, _out, err = call("new", "pendulum", tmp_path / "a.xlsx")
    assert status == 2
    assert "disk-full" in err
    assert list(tmp_path.iterdir()) == []


def test_templates_are_found_where_sheetmbs_is_installed_without_its_repository(tmp_path):
    shutil.copytree(ROOT / "sheetmbs", tmp_path / "site" / "sheetmbs", ignore=shutil.ignore_patterns("__pycache__"))
    shutil.copytree(
        FOLDER, tmp_path / "site" / "sheetmbs" / "templates", ignore=shutil.ignore_patterns("*.py", "*.png")
    )
    done = subprocess.run(
        [sys.executable, "-m", "sheetmbs", "new", "slider-crank", "mine.xlsx"],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path / "site")},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "mine.xlsx").exists()


def test_only_what_users_need_of_the_templates_is_installed():
    import tomllib

    wheel = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["tool"]["hatch"]["build"]["targets"][
        "wheel"
    ]
    assert wheel["sources"] == {"templates": "sheetmbs/templates"}
    assert {path.suffix for path in FOLDER.iterdir() if path.is_file()} == {".py", ".png", ".xlsx"}
    assert wheel["exclude"] == ["templates/*.py", "templates/*.png"]
