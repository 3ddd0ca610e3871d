"""Sheets of gait under names of another language are known by what stands on them, and nothing else is."""

import openpyxl
import pytest

from sheetmbs.gait.reading.read_gait import read_gait
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.workbook.cells.cells import open_book
from tests.support import gait_walker as w
from tests.support.gait_books import Recording, gait_book, walker_sheets


def renamed(path, names):
    book = openpyxl.load_workbook(gait_book(path, walker_sheets(Recording(noise=0.0))))
    for old, new in names.items():
        book[old].title = new
    book.create_sheet("my notes").append(["setting", "mass"])
    book.save(path)
    return path


def told(path):
    with pytest.raises(WorkbookError) as refused:
        read_gait(open_book(path))
    return [(each.code, each.cell, each.mend) for each in refused.value.problems]


@pytest.mark.parametrize(
    ("sheet", "name"),
    [("Subject", "Proband"), ("Segments", "Segmente"), ("Markers", "Trajektorien"), ("Subject", "Sheet9")],
)
def test_a_sheet_under_another_name_is_known_by_its_contents(tmp_path, sheet, name):
    found = told(renamed(tmp_path / "walk.xlsx", {sheet: name}))
    assert ("misnamed-sheet", name, f"rename {name} to {sheet}") in found
    assert "near-miss-sheet" not in [code for code, *_ in found]


def test_sheets_of_ones_own_are_left_alone(tmp_path):
    assert read_gait(open_book(renamed(tmp_path / "walk.xlsx", {}))).subject.mass == w.MASS


def test_samples_that_are_shown_as_percent_get_a_warning_at_the_first_of_a_column(tmp_path):
    path = gait_book(tmp_path / "walk.xlsx", walker_sheets(Recording(noise=0.0)))
    book = openpyxl.load_workbook(path)
    for row in range(3, 60):
        book["Markers"].cell(row, 2).number_format = "0.0%"
    book.save(path)
    found = [each for each in read_gait(open_book(path)).warnings if each.code == "shown-as-percent"]
    assert [(each.severity, each.cell) for each in found] == [("warning", "Markers!B3")]
