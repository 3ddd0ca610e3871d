"""The version of the format: what is newer is refused, what is older is read as the present one and said."""

from dataclasses import replace

import pytest
from openpyxl import Workbook
from openpyxl.workbook.defined_name import DefinedName

import sheetmbs
from sheetmbs.schema.settings import FORMAT
from sheetmbs.workbook.cells.cells import Cell, CellKind
from sheetmbs.workbook.reading import input_sheets

NEWER = FORMAT + 1


def book(path, *, given=None, named=None, rows=(("t_end", 1), ("t_step", 0.1)), header=("setting", "value")):
    """A falling body. given: the setting format; named: what the defined name stands for."""
    workbook = Workbook()
    sheet = workbook.active
    sheet.title = "Settings"
    for row in (header, *([("format", given)] if given is not None else []), *rows):
        sheet.append(row)
    bodies = workbook.create_sheet("Bodies")
    bodies.append(("name", "mass", "inertia"))
    bodies.append(("stone", 1, 1))
    if named is not None:
        workbook.defined_names["sheetmbs_format"] = DefinedName("sheetmbs_format", attr_text=named)
    workbook.save(path)
    return path


def problems(path):
    with pytest.raises(sheetmbs.WorkbookError) as refused:
        sheetmbs.read(path)
    return refused.value.problems


@pytest.mark.parametrize(
    ("given", "named"), [(None, None), (1, None), ("1", None), (None, "1"), (1, "1"), ("  ", None)]
)
def test_a_workbook_that_says_nothing_is_of_format_1(given, named, tmp_path):
    assert input_sheets.FIRST_FORMAT == 1
    assert sheetmbs.read(book(tmp_path / "a.xlsx", given=given, named=named)).warnings == ()


@pytest.mark.parametrize(
    ("given", "named"), [(NEWER, None), (str(NEWER), "1"), (None, str(NEWER)), (999_999_999, None)]
)
def test_a_newer_format_is_refused_alone_with_the_mend(given, named, tmp_path):
    path = book(tmp_path / "a.xlsx", given=given, named=named, rows=[("duration", 1)])
    (problem,) = problems(path)
    assert problem.code == "newer-format"
    assert problem.cell == ("Settings!B2" if given else "Settings")
    assert str(given or NEWER) in problem.found
    assert f"up to {FORMAT}" in problem.problem
    assert "update sheetmbs" in problem.mend


def test_a_newer_format_is_seen_in_the_name_where_settings_look_different(tmp_path):
    path = book(tmp_path / "a.xlsx", given=NEWER, named=str(NEWER), header=("option", "choice"))
    assert [problem.code for problem in problems(path)] == ["newer-format"]


@pytest.mark.parametrize("given", [0, -1, 1.5, "latest", "1.0", True, 10**300, "9" * 5000])
def test_what_is_no_format_is_an_error_among_all_the_others(given, tmp_path):
    path = book(tmp_path / "a.xlsx", given=given, rows=[("t_end", "soon"), ("t_step", 0.1)])
    found = {problem.cell: problem.code for problem in problems(path)}
    assert found == {"Settings!B2": "unknown-format", "Settings!B3": "not-a-number"}


@pytest.mark.parametrize("named", ["Settings!$B$2", "0", "'1'", ""])
def test_a_name_that_holds_no_format_is_the_users_own(named, tmp_path):
    assert sheetmbs.read(book(tmp_path / "a.xlsx", named=named)).warnings == ()


def renamed(sheets):
    """As if format 2 had called t_end what format 1 called duration."""
    settings = sheets["Settings"]
    rows = {
        row: {k: replace(cell, value="t_end") if cell.value == "duration" else cell for k, cell in cells.items()}
        for row, cells in settings.rows.items()
    }
    return sheets | {
        "Settings": replace(settings, rows=settings.rows.changed(rows))
    }, "the setting duration is called t_end"


def slower(sheets):
    """As if format 3 had counted t_step in milliseconds."""
    settings = sheets["Settings"]
    place = next(row for row, cells in settings.rows.items() if cells[1].value == "t_step")
    step = settings.rows[place][2]
    row = {**settings.rows[place], 2: Cell(step.row, 2, CellKind.NUMBER, step.value / 1000)}
    rows = settings.rows.changed({place: row})
    return sheets | {"Settings": replace(settings, rows=rows)}, "t_step counts milliseconds"


@pytest.fixture
def three_formats(monkeypatch):
    monkeypatch.setattr(input_sheets, "FORMAT", 3)
    monkeypatch.setattr(input_sheets, "MIGRATIONS", (renamed, slower))


@pytest.mark.usefixtures("three_formats")
@pytest.mark.parametrize(
    ("given", "rows", "changes"),
    [
        (None, (("duration", 1), ("t_step", 100)), ("duration", "milliseconds")),
        (1, (("duration", 1), ("t_step", 100)), ("duration", "milliseconds")),
        (2, (("t_end", 1), ("t_step", 100)), ("milliseconds",)),
        (3, (("t_end", 1), ("t_step", 0.1)), ()),
    ],
)
def test_an_older_format_is_read_as_the_present_one_and_what_changed_is_said(given, rows, changes, tmp_path):
    path = book(tmp_path / "a.xlsx", given=given, rows=rows)
    before = path.read_bytes()
    model = sheetmbs.read(path)
    assert (model.settings.t_end, model.settings.t_step) == (1, pytest.approx(0.1))
    assert [problem.code for problem in model.warnings] == (["older-format"] if changes else [])
    assert all(change in model.warnings[0].problem for change in changes)
    assert path.read_bytes() == before


def test_there_is_a_migration_for_every_format_but_the_present():
    assert len(input_sheets.MIGRATIONS) == FORMAT - input_sheets.FIRST_FORMAT
