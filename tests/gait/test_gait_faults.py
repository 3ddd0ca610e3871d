"""Each fault of recorded motion, planted in the exact walker: found, named by its cell, nothing computed in silence."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import openpyxl
import pytest

from sheetmbs import WorkbookError
from sheetmbs.gait.importing.import_trial import import_trial as import_gait
from sheetmbs.gait.run_gait import run_gait
from tests.gait.planted_faults import NOISY, USUAL, columns_of, only, problems_in, settle
from tests.support.gait_books import Recording, gait_book
from tests.support.opened import checked as check_gait
from tests.support.shared import shared

CENTRES = [
    row
    for side in ("right", "left")
    for row in (
        (f"{side} hip joint", "harrington", "right asis; left asis; right psis; left psis", side),
        (f"{side} knee joint", "mean", f"{side} knee; {side} knee medial", side),
        (f"{side} ankle joint", "mean", f"{side} ankle; {side} ankle medial", side),
    )
]
LEGS = [
    row
    for side in ("right", "left")
    for row in (
        (f"{side} foot", f"{side} ankle joint", f"{side} mt5"),
        (f"{side} shank", f"{side} knee joint", f"{side} ankle joint"),
        (f"{side} thigh", f"{side} hip joint", f"{side} knee joint"),
    )
]
TEMPLATE = Path(__file__).parents[2] / "templates" / "gait-2d.xlsx"
SIZES = {"mm": 1000.0, "cm": 100.0, "in": 1.0 / 0.0254}


@pytest.fixture
def problems_of(tmp_path):
    return partial(problems_in, tmp_path)


@pytest.mark.parametrize("noise", [0.0, 0.001])
@pytest.mark.parametrize("plates", [False, True])
@pytest.mark.parametrize(
    ("axes", "unit", "rate", "force_rate"),
    [(("+x", "+y"), "m", 100.0, 1000.0), (("-y", "+z"), "mm", 200.0, 1000.0), (("+z", "+x"), "cm", 60.0, 1200.0)],
)
def test_sound_data_raise_no_word(problems_of, noise, plates, axes, unit, rate, force_rate):
    how = Recording(noise=noise, axes=axes, unit=unit, rate=rate, force_rate=force_rate, settings=USUAL)
    assert problems_of(how=how, plates=plates) == []


@pytest.mark.parametrize("meant", ["mm", "cm", "in"])
def test_numbers_of_another_unit_stop_the_run_and_name_it(problems_of, meant):
    def read_as_metres(sheets):
        for row in sheets["Markers"][2:]:
            row[1:] = [each * SIZES[meant] for each in row[1:]]

    told = only(problems_of(read_as_metres), "wrong-length-unit")
    assert told.cell.startswith("Markers!")
    assert told.cell.endswith("2")
    assert f"write {meant} as their unit" in told.mend


@pytest.mark.parametrize("unit", ["m", "cm"])
def test_a_unit_is_named_also_where_a_regression_of_the_hip_adds_lengths_of_its_own(tmp_path, unit):
    book = openpyxl.load_workbook(TEMPLATE)
    for row in book["Markers"].iter_rows(min_row=3, min_col=2):
        for cell in row:
            cell.value = cell.value * {"m": 0.001, "cm": 0.1}[unit]
    book.save(tmp_path / "small.xlsx")
    with pytest.raises(WorkbookError) as stopped:
        check_gait(tmp_path / "small.xlsx")
    told = only(stopped.value.problems, "wrong-length-unit")
    assert f"write {unit} as their unit" in told.mend


def test_a_height_in_another_unit_is_told_at_its_own_cell(problems_of):
    def in_centimetres(sheets):
        settle(sheets, "Subject", "height", 175, "m")

    assert only(problems_of(in_centimetres), "implausible-height").cell == "Subject!B3"


@pytest.mark.parametrize(("setting", "word", "right"), [("axis_up", "+z", "+y"), ("axis_forward", "-x", "+x")])
def test_axes_against_the_body_stop_the_run_and_name_both(problems_of, setting, word, right):
    def written(sheets):
        settle(sheets, "Processing", setting, word)
        if setting == "axis_forward":
            settle(sheets, "Processing", "axis_up", "+y")

    told = next(each for each in problems_of(written) if each.severity == "error")
    assert told.code == "wrong-axis"
    assert told.cell.startswith("Processing!B")
    assert told.found == f"{setting}: {word}"
    assert f"write {setting} {right}" in told.mend


def test_axes_as_the_body_walks_are_no_fault(problems_of):
    def written(sheets):
        settle(sheets, "Processing", "axis_up", "+y")
        settle(sheets, "Processing", "axis_forward", "+x")

    assert problems_of(written) == []


def test_labels_exchanged_for_ten_frames_are_told_and_not_mended(problems_of):
    def exchanged(sheets):
        one, other = columns_of(sheets, "Markers", "right knee"), columns_of(sheets, "Markers", "right ankle")
        for row in sheets["Markers"][102:112]:
            for a, b in zip(one, other, strict=True):
                row[a], row[b] = row[b], row[a]

    told = [each for each in problems_of(exchanged) if each.code in ("exchanged-labels", "leaping-marker")]
    assert [each.code for each in told] == ["exchanged-labels"]
    assert told[0].found == "frames 101-110: right knee and right ankle look exchanged"
    assert told[0].cell.endswith("103")


@pytest.mark.parametrize("lasting", [1, 3])
def test_a_leap_of_a_marker_is_told_with_its_frames(problems_of, lasting):
    def leap(sheets):
        column = columns_of(sheets, "Markers", "left knee")[1]
        for row in sheets["Markers"][152 : 152 + lasting]:
            row[column] += 0.06

    told = [each for each in problems_of(leap) if each.code in ("exchanged-labels", "leaping-marker")]
    assert [each.code for each in told] == ["leaping-marker"]
    assert "left knee leaps in frame" in told[0].found
    assert "151" in told[0].found
    assert told[0].cell.endswith("153")


def test_a_long_gap_is_told_with_its_frames_and_segments(problems_of):
    def gap(sheets):
        for row in sheets["Markers"][102:132]:
            for column in columns_of(sheets, "Markers", "left knee"):
                row[column] = None

    told = next(each for each in problems_of(gap) if each.code == "long-gap")
    assert told.severity == "warning"
    assert "left knee is missing in frames 101-130" in told.found
    assert "left shank and left thigh" in told.problem


def test_a_short_gap_is_filled_without_a_word(problems_of):
    def gap(sheets):
        for row in sheets["Markers"][102:108]:
            for column in columns_of(sheets, "Markers", "left knee"):
                row[column] = None

    assert problems_of(gap) == []


@pytest.mark.parametrize("cutoff", [2, 24])
def test_a_cut_off_far_from_the_advice_is_told(problems_of, cutoff):
    told = next(
        each
        for each in problems_of(how=replace(NOISY, settings={"cutoff": cutoff, "force_cutoff": "same"}))
        if each.code == "doubtful-cutoff"
    )
    assert (told.severity, told.cell) == ("warning", "Processing!B2")
    assert "auto" in told.mend


def test_events_of_ones_own_that_nobody_walks_are_told(problems_of):
    def late_toe_off(sheets):
        times = [("heel strike", "right", 0.0), ("toe off", "right", 1.0), ("heel strike", "right", 1.1)]
        sheets["Events"] = [("event", "side", "time"), *times]

    told = next(each for each in problems_of(late_toe_off) if each.code == "doubtful-stride")
    assert told.severity == "warning"
    assert told.cell.startswith("Events!")
    assert "91%" in told.problem


def test_strikes_of_one_side_in_succession_are_told(problems_of):
    def one_missing(sheets):
        times = [("right", 0.0), ("left", 0.55), ("right", 1.1), ("right", 2.2)]
        sheets["Events"] = [("event", "side", "time"), *(("heel strike", *each) for each in times)]

    assert "missing-strike" in {each.code for each in problems_of(one_missing)}


def test_a_foot_between_other_ends_than_those_of_the_table_is_told(problems_of):
    def from_heel(sheets):
        sheets["Segments"] = [
            (row[0], row[1].replace("ankle", "heel"), row[2]) if row[0] == "right foot" else row
            for row in sheets["Segments"]
        ]

    told = next(each for each in problems_of(from_heel) if each.code == "ends-of-table")
    assert (told.severity, told.cell) == ("warning", "Segments!B2")


def test_a_real_trial_raises_at_most_two_warnings(tmp_path):
    folder = shared("gait-data")
    if not folder.is_dir():
        pytest.skip("the trial is not in ../shared/gait-data")
    sheets = {
        "Settings": [("setting", "value"), ("analysis", "gait")],
        "Subject": [("setting", "value"), ("mass", 76.5)],
        "Joint centres": [("name", "kind", "markers", "side"), *CENTRES],
        "Segments": [("name", "proximal", "distal"), *LEGS],
    }
    book = gait_book(tmp_path / "real.xlsx", sheets)
    import_gait([folder / "walk2.trc", folder / "walk2.forces"], book)
    _, problems = check_gait(book)
    assert len([each for each in problems if each.severity == "warning"]) <= 2, problems
    results = run_gait(book)
    assert {each.plates for each in results.solved.courses[0].contacts if each.whole} == {("FP6",), ("FP5",), ("FP3",)}


OTHER = {"right": "left", "left": "right"}


def of_template(tmp_path, change):
    """Problems of the template, whose walker has all markers, after a change of the names in row 1 of its sheets."""
    book = openpyxl.load_workbook(TEMPLATE)
    for name in ("Markers", "Force plates"):
        for cell in book[name][1]:
            cell.value = change(name, cell.value)
    book.save(tmp_path / "walk.xlsx")
    try:
        _, problems = check_gait(tmp_path / "walk.xlsx")
    except WorkbookError as error:
        problems = error.problems
    return list(problems)


def exchange_sides(text):
    side, space, rest = text.partition(" ") if " " in text else text.partition(".")
    return f"{OTHER.get(side, side)}{space}{rest}"


def exchanging(one, other):
    """Names of the markers with two of them exchanged throughout."""

    def change(sheet, text):
        name, point, axis = text.rpartition(".")
        return f"{ {one: other, other: one}.get(name, name) }{point}{axis}" if sheet == "Markers" else text

    return change


def test_right_and_left_exchanged_throughout_stop_the_run(tmp_path):
    told = only(of_template(tmp_path, lambda _, text: exchange_sides(text)), "sides-exchanged")
    assert told.cell.startswith("Markers!")
    assert "exchange right and left in all labels" in told.mend
    assert "mirrored" in told.mend


@pytest.mark.parametrize("axis", "xyz")
def test_mirrored_axes_of_the_markers_stop_the_run(problems_of, axis):
    """Plates with pressures by moments say nothing here: their walker stands on named feet."""

    def mirrored(sheets):
        columns = [k for k, cell in enumerate(sheets["Markers"][0]) if str(cell).endswith(f".{axis}")]
        for row in sheets["Markers"][2:]:
            for column in columns:
                row[column] *= -1.0
        del sheets["Force plates"]

    told = only(problems_of(mirrored), "sides-exchanged")
    assert "x, y and z must be right-handed" in told.mend


@pytest.mark.parametrize(
    ("one", "other", "code", "words"),
    [
        ("right knee", "left knee", "sides-exchanged", "exchanged with those of the left"),
        ("right asis", "left asis", "sides-exchanged", "exchanged with those of the left"),
        ("right heel", "right toe", "front-behind", "right toe lies"),
        ("left asis", "left psis", "front-behind", "left asis lies"),
        ("left knee", "left ankle", "far-apart", "of which left knee centre is the middle"),
    ],
)
def test_two_labels_exchanged_throughout_stop_the_run(tmp_path, one, other, code, words):
    told = [each for each in of_template(tmp_path, exchanging(one, other)) if each.severity == "error"]
    found = [each for each in told if each.code == code]
    assert any(words in f"{each.found} {each.problem}" for each in found), "\n".join(map(str, told))
    assert all(each.cell.startswith("Markers!") for each in found)


def test_a_body_that_walks_backward_is_told_with_the_axis_to_write(problems_of):
    """The same walk with its time reversed: Newton's law does not mind."""

    def reversed_time(sheets):
        for name in ("Markers", "Force plates"):
            rows = sheets[name][2:]
            times = [row[0] for row in rows]
            sheets[name][2:] = [[time, *row[1:]] for time, row in zip(times, reversed(rows), strict=True)]

    told = only(problems_of(reversed_time), "walks-backwards", "warning")
    assert "write axis_forward +x" in told.mend

    def as_told(sheets):
        reversed_time(sheets)
        settle(sheets, "Processing", "axis_forward", "+x")
        settle(sheets, "Processing", "axis_up", "+y")

    assert only(problems_of(as_told), "walks-backwards", "warning").cell.startswith("Processing!")


def test_a_segment_that_changes_its_length_is_told(problems_of):
    def other_foot(sheets):
        for row in sheets["Segments"]:
            if row[0] == "right foot":
                sheets["Segments"][sheets["Segments"].index(row)] = ("right foot", "right ankle", "left mt5")

    told = [each for each in problems_of(other_foot) if each.code == "unsteady-length"]
    assert [each.severity for each in told] == ["warning"]
    assert told[0].found.startswith("the length of right foot changes by")
