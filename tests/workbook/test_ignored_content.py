"""Sheets that look like input and are not read, and rows that are hidden and count: a note says so."""

import numpy as np
import pytest

import sheetmbs
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.workbook.cells.sheet_reader import SMALL_SHEET
from tests.support.guided_books import columns, guided_book, times
from tests.support.planar_books import saved, sound_book


def told(book, tmp_path):
    warnings = sheetmbs.read(saved(book, tmp_path)).warnings
    return [(each.severity, each.code, each.cell) for each in warnings]


@pytest.mark.parametrize(
    "name", ["Bodies (2)", "Bodies_2", "bodies2", "Copy of Bodies", "Bodies copy", "Points - old", "Joints 2"]
)
def test_a_copy_of_an_input_sheet_is_told_as_not_read(name, tmp_path):
    book = sound_book()
    book.create_sheet(name).append(["name"])
    assert told(book, tmp_path) == [("note", "unread-sheet", name)]


@pytest.mark.parametrize(
    ("name", "meant"),
    [("Markers", "Guiding"), ("Force plates", "ForceSeries"), ("Constraints", "Joints"), ("Hardpoints", "Points")],
)
def test_a_sheet_that_others_have_for_input_is_told_with_ours(name, meant, tmp_path):
    book = sound_book()
    book.create_sheet(name)
    [note] = sheetmbs.read(saved(book, tmp_path)).warnings
    assert (note.severity, note.code, note.cell) == ("note", "unread-sheet", name)
    assert meant in note.mend


@pytest.mark.parametrize(
    "name", ["Calculations", "Road profile", "README", "Lookup", "Dimensions", "Sheet1", "Track width"]
)
def test_the_users_own_sheets_are_their_own(name, tmp_path):
    book = sound_book()
    book.create_sheet(name)
    assert told(book, tmp_path) == []


def test_a_copy_without_its_original_is_taken_for_it_by_name(tmp_path):
    book = sound_book()
    book["Bodies"].title = "Bodies (2)"
    with pytest.raises(WorkbookError) as caught:
        sheetmbs.read(saved(book, tmp_path))
    assert caught.value.problems[0].code == "missing-sheet"
    assert "'Bodies (2)'" in caught.value.problems[0].mend


def test_hidden_rows_that_count_are_told_once_for_each_sheet(tmp_path):
    book = sound_book()
    for row in (3, 4, 6):
        book["Points"].row_dimensions[row].hidden = True
    book["Bodies"].column_dimensions["D"].hidden = True
    [note] = sheetmbs.read(saved(book, tmp_path)).warnings
    assert (note.severity, note.code, note.cell) == ("note", "hidden-rows", "Points!A3")
    assert "rows 3 to 4, 6" in note.found


def test_hidden_rows_that_say_nothing_or_are_off_are_none(tmp_path):
    book = sound_book()
    bodies = book["Bodies"]
    bodies.cell(1, 12).value = "active"
    bodies.append(["spare", 1, 1, 0, 0, 0, 0, 0, 0, None, None, "no"])
    bodies.append(["# a remark"])
    for row in (bodies.max_row - 1, bodies.max_row, bodies.max_row + 5):
        bodies.row_dimensions[row].hidden = True
    book["Calculations"] if "Calculations" in book else book.create_sheet("Calculations").append([1])
    book["Calculations"].row_dimensions[1].hidden = True
    assert told(book, tmp_path) == []


def test_filtered_rows_of_a_long_series_are_told(tmp_path):
    t = times(1200)
    sound, _ = columns(t)
    book = guided_book(t)
    page = book["Guiding"]
    for row in range(500, 900):
        page.row_dimensions[row].hidden = True
    assert len(sound["leg.x [m]"]) * 60 > SMALL_SHEET  # it goes the short way
    model = sheetmbs.read(saved(book, tmp_path))
    assert [(each.code, each.cell) for each in model.warnings] == [("hidden-rows", "Guiding!A500")]
    assert "rows 500 to 899" in model.warnings[0].found
    assert np.allclose(model.drivers[0].motion.values, sound["leg.x [m]"])
