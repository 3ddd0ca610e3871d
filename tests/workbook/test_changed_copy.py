"""A copy with other values in some cells is the workbook as a spreadsheet program would save it, and no other byte differs."""

from __future__ import annotations

import shutil
import zipfile
from pathlib import Path

import openpyxl
import pytest

import sheetmbs
from sheetmbs.formulas.cell_contents import ErrorValue
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.workbook.cells.cells import open_book
from sheetmbs.workbook.cells.written_book import written_book
from sheetmbs.workbook.writing.changed_copy import write_changed_copy
from tests.support import books
from tests.support.formula_books import at, formulas_of, save

ROOT = Path(__file__).parents[2]
FOUR_BAR = ROOT / "workbooks" / "four-bar.xlsx"


def parts_of(path):
    with zipfile.ZipFile(path) as archive:
        return {entry.filename: archive.read(entry) for entry in archive.infolist()}


def values_of(path, *cells):
    written = written_book(open_book(path))
    return [written.stored(at(cell)) for cell in cells]


@pytest.mark.parametrize("name", ["four-bar", "car", "formula-student"])
def test_only_sheets_with_other_values_differ_and_formulas_have_theirs(name, tmp_path):
    source, copy = ROOT / "workbooks" / f"{name}.xlsx", tmp_path / "copy.xlsx"
    cell = "Hardpoints!C3" if name == "formula-student" else "Dimensions!B3"
    (before,) = values_of(source, cell)
    assert write_changed_copy(source, copy, {at(cell): before * 1.01}) == ()
    old, new = parts_of(source), parts_of(copy)
    assert list(old) == list(new)
    differ = {part for part in old if old[part] != new[part]}
    assert differ
    assert all(part.startswith("xl/worksheets/sheet") for part in differ)
    assert formulas_of(copy).check(written_book(open_book(copy)).formulas) == []
    assert values_of(copy, cell) == [before * 1.01]
    moved = formulas_of(source).dependents(at(cell))
    assert any(values_of(source, str(place)) != values_of(copy, str(place)) for place in moved)


def test_a_run_of_the_copy_is_a_run_with_these_cells(tmp_path):
    copy = tmp_path / "copy.xlsx"
    write_changed_copy(FOUR_BAR, copy, {at("Dimensions!B3"): 75.0, at("Dimensions!B2"): 250.0})
    of_copy = sheetmbs.run(sheetmbs.read(copy))
    changed = sheetmbs.run(sheetmbs.read(FOUR_BAR, changes={"Dimensions!B3": 75, "Dimensions!B2": 250}))
    for table, other in zip(of_copy.sheets.tables, changed.sheets.tables, strict=True):
        assert (table.values == other.values).all()
    assert of_copy.sheets.problems == ()


def test_texts_truths_numbers_errors_and_nothing(tmp_path):
    source, copy = tmp_path / "source.xlsx", tmp_path / "copy.xlsx"
    cells = {"A1": 2.0, "A2": "a", "A3": True, "A4": 5.0, "A5": "long gone", "C9": 1.0}
    computed = {
        "B1": ("=10/A1", 5.0),
        "B2": ('=A2&" & <b>"', "a & <b>"),
        "B3": ("=NOT(A3)", False),
        "B4": ("=COUNTA(A4:A5)", 2.0),
        "B5": ("=1+1", 2.0),
    }
    save(source, {"A": {**cells, **computed}})
    values = {"A1": 0.0, "A2": "ü < _x0041_ ", "A3": False, "A4": None, "A5": 0.1, "D12": True, "E3": "new"}
    assert write_changed_copy(source, copy, {at(f"A!{cell}"): value for cell, value in values.items()}) == ()
    assert values_of(copy, *(f"A!{cell}" for cell in values)) == list(values.values())
    found = values_of(copy, *(f"A!{cell}" for cell in computed))
    assert found == [ErrorValue("#DIV/0!"), "ü < _x0041_  & <b>", True, 1.0, 2.0]
    own = openpyxl.load_workbook(copy, data_only=True)["A"]
    assert [own[cell].value for cell in ("A1", "A3", "A4", "A5", "B3", "E3")] == [0, False, None, 0.1, True, "new"]
    assert openpyxl.load_workbook(copy)["A"]["B2"].value == '=A2&" & <b>"'


def test_styles_and_unusual_spellings_stay(tmp_path):
    rows = """<row r='1'><c s='1' r='A1' t='n' cm="1"><v>3</v></c><x:ignored xmlns:x="u"/>
        <c r="B1" s="1"><f>A1*2</f><v xml:space="preserve">6</v></c><c r="C1" t="s"><v>0</v></c></row>"""
    rows = rows.replace('<x:ignored xmlns:x="u"/>', '<!-- <c r="Z1"><v>1</v></c> -->')
    source, copy = tmp_path / "source.xlsx", tmp_path / "copy.xlsx"
    parts = books.parts(rows) | {
        "xl/styles.xml": books.styles(0, "0.0"),
        "xl/sharedStrings.xml": books.shared_strings("x"),
    }
    books.save(source, parts)
    assert write_changed_copy(source, copy, {at("Data!A1"): 4.0, at("Data!C1"): 1.5}) == ()
    xml = parts_of(copy)["xl/worksheets/sheet1.xml"].decode()
    assert "<c s='1' r='A1' cm=\"1\"><v>4</v></c>" in xml
    assert '<c r="B1" s="1"><f>A1*2</f><v>8</v></c>' in xml
    assert '<c r="C1"><v>1.5</v></c>' in xml


def test_array_formulas_have_new_values_in_all_their_cells(tmp_path):
    source, copy = tmp_path / "source.xlsx", tmp_path / "copy.xlsx"
    save(source, {"A": {"A1": 1.0, "A2": 2.0}}, arrays=[("A", "C1:C2", "{=A1:A2*2}", 2.0)])
    book = openpyxl.load_workbook(source)
    assert book["A"]["C1"].value.ref == "C1:C2"
    write_changed_copy(source, copy, {at("A!A2"): 5.0})
    assert values_of(copy, "A!C2") == [10.0]


def test_what_cannot_be_computed_here_is_told_and_computed_on_opening(tmp_path):
    source, copy = tmp_path / "source.xlsx", tmp_path / "copy.xlsx"
    save(source, {"A": {"A1": 2.0, "B1": ("=A1*2", 4.0), "C1": ("=SUM(A1:B1 A1:A2)", 2.0), "D1": ("=C1+1", 3.0)}})
    problems = write_changed_copy(source, copy, {at("A!A1"): 3.0})
    assert {(each.code, each.cell) for each in problems} == {("not-renewed", "A!C1"), ("not-renewed", "A!D1")}
    assert values_of(copy, "A!B1") == [6.0]
    assert 'fullCalcOnLoad="1"' in parts_of(copy)["xl/workbook.xml"].decode()


@pytest.mark.parametrize("is_computed_on_opening", [True, False])
def test_formulas_may_become_zero_whether_or_not_all_are_computed_on_opening(tmp_path, is_computed_on_opening):
    source, copy = tmp_path / "source.xlsx", tmp_path / "copy.xlsx"
    save(source, {"A": {"A1": 2.0, "B1": ("=A1*2", 4.0), "C1": ("=0*1", 0.0), "D1": ("=NOW()+A1", 3.0)}})
    if is_computed_on_opening:
        package = parts_of(source)
        marked = package["xl/workbook.xml"].replace(b"</workbook>", b'<calcPr fullCalcOnLoad="1"/></workbook>')
        assert marked != package["xl/workbook.xml"]
        books.save(source, package | {"xl/workbook.xml": marked})
    problems = write_changed_copy(source, copy, {at("A!A1"): 0.0})
    assert [each.cell for each in problems] == ["A!D1"]
    assert openpyxl.load_workbook(copy, data_only=True)["A"]["B1"].value == 0


def test_nothing_is_written_where_something_is_wrong(tmp_path):
    copy = tmp_path / "copy.xlsx"
    with pytest.raises(WorkbookError, match="change-of-formula"):
        write_changed_copy(FOUR_BAR, copy, {at("Bodies!B3"): 1.0})
    with pytest.raises(WorkbookError, match="output-type"):
        write_changed_copy(FOUR_BAR, tmp_path / "copy.xlsm", {at("Dimensions!B3"): 1.0})
    book = Path(shutil.copy(FOUR_BAR, tmp_path / "book.xlsx"))
    with pytest.raises(WorkbookError, match="output-is-book"):
        write_changed_copy(book, book, {at("Dimensions!B3"): 1.0})
    assert sorted(each.name for each in tmp_path.iterdir()) == ["book.xlsx"]
    assert book.read_bytes() == FOUR_BAR.read_bytes()
