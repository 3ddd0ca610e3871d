"""Sheets of markers and force plates with our own columns: what they hold, and slips in them, each at its cell."""

import numpy as np
import pytest
import xlsxwriter

from sheetmbs.gait.formats.lab_files import read_recording
from sheetmbs.schema.problem_list import ProblemList
from sheetmbs.workbook.cells.cells import open_book
from tests.support.gait_recordings import LABELS, own_markers, own_plates, read_rows, walk


@pytest.mark.parametrize(("unit", "size"), [("mm", 1e-3), ("cm", 1e-2), ("m", 1.0)])
def test_a_sheet_of_markers_holds_what_was_recorded_whatever_its_unit(tmp_path, unit, size):
    made = walk()
    found, problems = read_rows(tmp_path, "Markers", list(own_markers(made, unit, size)))
    assert problems == []
    assert found.forces is None
    assert found.markers.labels == LABELS
    np.testing.assert_allclose(found.markers.positions, made.markers, rtol=0, atol=1e-15)
    np.testing.assert_array_equal(found.markers.stamps.times, made.times)
    np.testing.assert_array_equal(found.markers.stamps.frames, np.arange(1, 41))
    assert found.markers.unit == unit
    assert str(found.markers.headers[1]) == "Markers!E1"
    assert str(found.markers.place(1, 4)) == "Markers!E7"
    assert str(found.markers.stamps.place(4)) == "Markers!A7"


def test_a_sheet_of_plates_holds_forces_and_moments(tmp_path):
    made = walk()
    found, problems = read_rows(tmp_path, "Force plates walk03", list(own_plates(made)))
    assert problems == []
    assert found.markers is None
    assert [plate.name for plate in found.forces.plates] == ["FP1", "FP2"]
    for plate, force, moment in zip(found.forces.plates, made.force, made.moment, strict=True):
        np.testing.assert_array_equal(plate.force, force)
        np.testing.assert_allclose(plate.moment, moment, rtol=1e-15)  # a file holds 16 digits
        assert plate.pressure is None
        assert plate.free_moment is None
    np.testing.assert_array_equal(found.forces.stamps.times, made.force_times)


def test_a_foot_that_is_given_by_force_and_pressure_is_blank_where_it_is_unloaded(tmp_path):
    rows = [
        ["time", "right.fx", "right.fy", "right.px"],
        ["s", "N", "N", "cm"],
        [0, 5, 700, 12.5],
        [0.01],
        [0.02, 0, 0],
    ]
    found, problems = read_rows(tmp_path, "Force plates", rows)
    assert problems == []
    (foot,) = found.forces.plates
    np.testing.assert_array_equal(foot.force, [[5, 700, 0], [0, 0, 0], [0, 0, 0]])
    assert foot.moment is None
    np.testing.assert_array_equal(foot.pressure, [[0.125, np.nan, np.nan], [np.nan] * 3, [np.nan] * 3])


def test_two_coordinates_do_in_the_plane_and_the_third_is_missing(tmp_path):
    rows = [["frame", "knee.x", "knee.y"], ["", "cm", "cm"], [3, 1, 2], [4, 0, 0], [7, 3, 4]]
    found, problems = read_rows(tmp_path, "Markers", rows)
    assert problems == []
    np.testing.assert_array_equal(
        found.markers.positions[0], [[0.01, 0.02, np.nan], [0, 0, np.nan], [0.03, 0.04, np.nan]]
    )
    np.testing.assert_array_equal(found.markers.stamps.frames, [3, 4, 7])
    assert np.isnan(found.markers.stamps.times).all()
    assert found.markers.columns.tolist() == [[2, 3, 0]]


@pytest.mark.parametrize("nothing", [(None, None, None), ("NaN", "NaN", "NaN"), ("NULL", "null", "NULL"), (0, 0, 0)])
def test_what_laboratories_write_for_missing_is_missing(tmp_path, nothing):
    rows = [["time", "Sam:R.Knee.x", "Sam:R.Knee.y", "Sam:R.Knee.z"], [0, 1, 2, 3], [0.01, *nothing], [0.02, 0, 0, 1]]
    found, problems = read_rows(tmp_path, "Markers", rows)
    assert problems == []
    assert found.markers.labels == ("R_Knee",)
    np.testing.assert_array_equal(found.markers.positions[0], [[1, 2, 3], [np.nan] * 3, [0, 0, 1]])


def test_times_are_known_to_be_rounded_by_their_last_digit(tmp_path):
    times = np.round(np.arange(30) / 150.0, 3)
    rows = [["time", "a.x"], ["ms", "m"], *([1000 * time, 1.0] for time in times.tolist())]
    found, _problems = read_rows(tmp_path, "Markers", rows)
    assert found.markers.stamps.printed == pytest.approx(1e-3, rel=1e-12)
    rows = [["time", "a.x"], *([at / 150.0, 1.0] for at in range(30))]
    found, _problems = read_rows(tmp_path, "Markers", rows)
    assert found.markers.stamps.printed == 0.0


GOOD = [["time", "a.x", "a.y"], ["s", "mm", "mm"], [0, 1, 2], [0.01, 1, 2], [0.02, 1, 2]]
SLIPS = {
    "a decimal comma": ("B4", "1,5", "number-as-text", "decimal sign"),
    "a minus of printers": ("C5", "\u22121.5", "number-as-text", "decimal sign"),
    "a word": ("C4", "lost", "not-a-number", "number"),
    "a unit that is none": ("B2", "millimetr", "unknown-unit", "millimeter"),
    "a unit of something else": ("B2", "kg", "wrong-dimension", "mm"),
    "no time": ("A4", None, "missing-value", "fill it in"),
    "a doubled column": ("C1", "A.x", "duplicate-header", "take one"),
}


@pytest.mark.parametrize(("cell", "value", "code", "mend"), SLIPS.values(), ids=SLIPS)
def test_a_slip_is_told_at_its_cell(tmp_path, cell, value, code, mend):
    rows = [list(row) for row in GOOD]
    rows[int(cell[1]) - 1][ord(cell[0]) - ord("A")] = value
    _found, problems = read_rows(tmp_path, "Markers", rows)
    assert [(each.cell, each.code, each.severity) for each in problems] == [(f"Markers!{cell}", code, "error")]
    assert mend in problems[0].mend


HEADERS = {
    "without a point": ("Markers", "a_y", "write <marker>.x"),
    "time misspelt": ("Markers", "tme", "did you mean time?"),
    "a pressure of a plate": ("Force plates", "a.x", "did you mean a.px?"),
    "another word": ("Force plates", "a.weight", "notes"),
}


@pytest.mark.parametrize(("sheet", "header", "mend"), HEADERS.values(), ids=HEADERS)
def test_a_column_that_is_not_read_is_a_warning_at_its_header(tmp_path, sheet, header, mend):
    known = ["a.x"] if sheet == "Markers" else ["FP1.fy", "FP1.px"]
    rows = [["time", header, *known], *([at / 100, 1, *[2] * len(known)] for at in range(4))]
    _found, problems = read_rows(tmp_path, sheet, rows)
    assert [(each.cell, each.severity) for each in problems] == [(f"{sheet}!B1", "warning")]
    assert mend in problems[0].mend


@pytest.mark.parametrize(
    ("headers", "code"),
    [(("FP1.fx", "FP1.fz"), "plate-without-moment"), (("FP1.px", "FP1.mz"), "plate-without-force")],
)
def test_a_plate_says_what_it_carries_and_where(tmp_path, headers, code):
    rows = [["time", *headers], *([at / 100, 1, 2] for at in range(4))]
    _found, problems = read_rows(tmp_path, "Force plates", rows)
    assert [(each.cell, each.code) for each in problems] == [("Force plates!B1", code)]


def test_frames_are_whole_numbers(tmp_path):
    rows = [["frame", "a.x"], [1, 1], [2.5, 1], [3, 1]]
    _found, problems = read_rows(tmp_path, "Markers", rows)
    assert [(each.cell, each.code) for each in problems] == [("Markers!A3", "not-whole")]


def test_a_sheet_of_nothing_known_says_how_it_may_begin(tmp_path):
    _found, problems = read_rows(tmp_path, "Markers", [["hello", 1], [2, 3]])
    assert [(each.cell, each.code) for each in problems] == [("Markers!A1", "unknown-format")]
    assert "time or frame" in problems[0].problem


def test_an_empty_form_is_no_recording_and_no_mistake(tmp_path):
    for rows in ([], [["time"], ["s"]]):
        found, problems = read_rows(tmp_path, "Markers", rows)
        assert problems == []
        assert (found.markers, found.forces) == (None, None)


def test_rows_that_are_switched_off_or_comments_do_not_count(tmp_path):
    rows = [["time", "a.x", "active"], [0, 1], ["# spoilt", 5], [0.01, 7, "no"], [0.02, 2]]
    found, problems = read_rows(tmp_path, "Markers", rows)
    assert problems == []
    np.testing.assert_array_equal(found.markers.positions[0, :, 0], [1, 2])


def test_ten_seconds_of_forty_markers_and_two_plates_are_read_whole(tmp_path):
    made = walk(1000, per_frame=10)
    made.labels = tuple(f"m{at}" for at in range(40))
    made.markers = np.tile(made.markers, (8, 1, 1))
    path = tmp_path / "long.xlsx"
    with xlsxwriter.Workbook(path) as book:
        for name, rows in (("Markers", own_markers(made)), ("Force plates", own_plates(made))):
            page = book.add_worksheet(name)
            for at, row in enumerate(rows):
                page.write_row(at, 0, row)
    sheets = open_book(path).sheets
    loaded = [sheets[name] for name in ("Markers", "Force plates")]
    report = ProblemList(sheets)
    found = [read_recording(each, report) for each in loaded]
    assert report.problems() == []
    assert found[0].markers.positions.shape == (40, 1000, 3)
    assert found[1].forces.plates[1].moment.shape == (10000, 3)
