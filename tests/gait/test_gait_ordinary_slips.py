"""What people mistype in a gait workbook, each told at its cell: ends, parents, tables, parts of 1, units of time, columns."""

from __future__ import annotations

from dataclasses import replace
from functools import partial

import pytest

from sheetmbs.gait.trial.marker_synonyms import side_of
from tests.gait import gait_space_trials as space
from tests.gait.planted_faults import NOISY, columns_of, problems_in, settle

LONG = replace(NOISY, end=4.0)


@pytest.fixture
def problems_of(tmp_path):
    return partial(problems_in, tmp_path)


def write(sheets, sheet, name, column, value):
    """Into the row of this name, in a column that is added where it is not there."""
    rows = [list(row) for row in sheets[sheet]]
    if column not in rows[0]:
        rows = [[*row, column if row is rows[0] else None] for row in rows]
    row = next(row for row in rows if row[0] == name)
    row[rows[0].index(column)] = value
    sheets[sheet] = rows


def slip(sheet, name, column, value):
    return lambda sheets: write(sheets, sheet, name, column, value)


def exchanged_ends(sheets):
    write(sheets, "Segments", "right foot", "proximal", "right mt5")
    write(sheets, "Segments", "right foot", "distal", "right ankle")


def joints(*changed):
    """A sheet Gait joints with other segments for the right knee."""

    def give(sheets):
        rows = [("name", "side", "proximal", "distal")]
        rows += [("hip", "right", "trunk", "right thigh"), ("knee", "right", *changed)]
        sheets["Gait joints"] = rows

    return give


def times(sheet, by):
    def shift(sheets):
        for row in sheets[sheet][2:]:
            row[0] += by

    return shift


SLIPS = {
    "com in percent": (slip("Segments", "right shank", "com", 43.3), "error", "out-of-range", "Segments!D3"),
    "a fraction in percent": (
        slip("Segments", "right shank", "mass_fraction", 4.65),
        "error",
        "out-of-range",
        "Segments!D3",
    ),
    "gyration in mm": (slip("Segments", "right shank", "gyration", 302), "error", "out-of-range", "Segments!D3"),
    "a mass in g": (slip("Segments", "right shank", "mass", 2948), "error", "out-of-range", "Segments!D3"),
    "a length in mm": (slip("Segments", "right shank", "length", 430), "warning", "other-length", "Segments!D3"),
    "a foot for a shank": (slip("Segments", "right shank", "table", "foot"), "warning", "other-table", "Segments!D3"),
    "the knee of the other leg": (
        slip("Segments", "left thigh", "distal", "right knee"),
        "warning",
        "not-joined",
        "Segments!B6",
    ),
    "ends of a foot exchanged": (exchanged_ends, "error", "exchanged-ends", "Segments!B2"),
    "a joint upside down": (joints("right shank", "right thigh"), "error", "reversed-joint", "Gait joints!A3"),
    "a joint that skips a segment": (joints("trunk", "right shank"), "warning", "skipping-joint", "Gait joints!A3"),
    "a knee that flexes as an ankle": (
        lambda sheets: sheets.update(
            {
                "Gait joints": [
                    ("name", "side", "proximal", "distal", "positive"),
                    ("knee", "right", "right thigh", "right shank", "dorsiflexion"),
                ]
            }
        ),
        "warning",
        "other-sense",
        "Gait joints!A2",
    ),
    "a gap limit in frames": (
        lambda sheets: settle(sheets, "Processing", "gap_limit", 10),
        "warning",
        "long-gap-limit",
        "Processing!B4",
    ),
    "a threshold of the whole weight": (
        lambda sheets: settle(sheets, "Processing", "threshold", 700),
        "error",
        "out-of-range",
        "Processing!B4",
    ),
    "an edge that is the trial": (
        lambda sheets: settle(sheets, "Processing", "edge", 50),
        "warning",
        "all-edge",
        "Processing!B4",
    ),
    "a delay in milliseconds": (
        lambda sheets: settle(sheets, "Processing", "force_delay", 30),
        "error",
        "apart-in-time",
        "Processing!B4",
    ),
    "forces that begin later": (times("Force plates", 5.0), "error", "apart-in-time", "Force plates!A1"),
}


@pytest.mark.parametrize(("plant", "severity", "code", "cell"), SLIPS.values(), ids=SLIPS)
def test_an_ordinary_slip_is_told_at_its_cell(problems_of, plant, severity, code, cell):
    told = problems_of(plant)
    assert (severity, code, cell) in [(each.severity, each.code, each.cell) for each in told], "\n".join(map(str, told))


def test_a_marker_that_a_program_holds_where_it_lost_it_is_told(problems_of):
    def frozen(sheets):
        for column in columns_of(sheets, "Markers", "left heel"):
            for row in sheets["Markers"][50:200]:
                row[column] = sheets["Markers"][49][column]

    told = next(each for each in problems_of(frozen) if each.code == "frozen-marker")
    assert told.found.startswith("left heel stands still to the last digit in frames 48-198")
    assert told.cell.startswith("Markers!")


@pytest.mark.parametrize(("column", "is_needed"), [("fy", True), ("mz", True), ("fz", False), ("mx", False)])
def test_plates_in_the_plane_need_the_vertical_force_and_the_moment_across(problems_of, column, is_needed):
    def without(sheets):
        rows = sheets["Force plates"]
        at = rows[0].index(f"left.{column}")
        sheets["Force plates"] = [[*row[:at], *row[at + 1 :]] for row in rows]

    told = [each for each in problems_of(without) if each.code == "missing-columns"]
    assert [(each.severity, each.found) for each in told] == [("error", f"no column left.{column}")] * is_needed


def test_a_centre_of_pressure_without_its_forward_direction_is_refused(problems_of):
    def only_across(sheets):
        rows = sheets["Force plates"]
        header = ["time", "right.fx", "right.fy", "right.pz"]
        at = [rows[0].index(name) for name in header[:3]]
        data = [[*(row[k] for k in at), 0.09] for row in rows[2:]]
        sheets["Force plates"] = [header, ["s", "N", "N", "m"], *data]

    told = [each for each in problems_of(only_across) if each.code == "missing-columns"]
    assert [each.found for each in told] == ["no column right.px"]


def test_corners_in_mm_read_as_m_are_refused_by_the_size_of_their_plate(problems_of):
    def in_millimetres(sheets):
        sheets["Plates"][1:] = [
            (row[0], *(1000.0 * each for each in row[1:13]), *row[13:]) for row in sheets["Plates"][1:]
        ]

    told = problems_of(in_millimetres, plates=True)
    assert {(each.severity, each.code) for each in told} == {("error", "out-of-range")}
    assert told[0].cell == "Plates!B2"


def test_moments_that_are_next_to_nothing_are_told_by_a_force_that_does_not_roll(problems_of):
    def in_kilonewtons(sheets):
        columns = [k for k, cell in enumerate(sheets["Force plates"][0]) if ".m" in str(cell)]
        for row in sheets["Force plates"][2:]:
            for column in columns:
                row[column] *= 1e-3

    told = [each for each in problems_of(in_kilonewtons, LONG, plates=True) if each.code == "still-pressure"]
    assert len(told) > 5
    assert {each.severity for each in told} == {"warning"}


def test_the_hip_of_the_other_side_is_refused(tmp_path):
    from sheetmbs import WorkbookError
    from tests.gait.gait_whole_books import whole_book
    from tests.support.gait_books import gait_book
    from tests.support.opened import checked as check_gait

    sheets = whole_book()
    sheets["Joint centres"] = [
        (*row[:3], "left") if row[0] == "right hip centre" else row for row in sheets["Joint centres"]
    ]
    with pytest.raises(WorkbookError) as stopped:
        check_gait(gait_book(tmp_path / "walk.xlsx", sheets))
    [told] = stopped.value.problems
    assert (told.code, told.cell) == ("other-side", "Joint centres!D2")


def test_a_word_in_place_of_a_number_may_keep_the_unit_that_a_template_has_there(problems_of):
    def words(sheets):
        rows = [row for row in sheets["Processing"] if row[0] not in ("cutoff", "force_cutoff")]
        sheets["Processing"] = [
            ("setting", "value", "unit"),
            *((*row, None) for row in rows[1:]),
            ("cutoff", "auto", "Hz"),
            ("force_cutoff", "none", "Hz"),
        ]

    assert [each.code for each in problems_of(words)] == []


def _frame(segment, **cells):
    """Other cells for the row of Anatomical frames of a segment."""

    def change(sheets):
        rows = sheets["Anatomical frames"]
        row = next(row for row in rows if row[0] == segment)
        for column, value in cells.items():
            row[rows[0].index(column)] = value

    return change


def _twice(sheets):
    sheets["Anatomical frames"].append(list(sheets["Anatomical frames"][-1]))


def _same_cluster(sheets):
    space.cluster(sheets, "right thigh", "right shank 1; right shank 2; right shank 3")


IN_SPACE = {
    "a plane of points on a line": (_frame("right thigh", plane="right knee centre"), "error", "frame-on-line"),
    "an axis from a point to itself": (_frame("right thigh", to="right knee centre"), "error", "frame-on-line"),
    "ends of the other leg": (
        _frame("left thigh", **{"from": "right knee centre", "to": "right hip centre"}),
        "error",
        "other-side",
    ),
    "a plane of the other leg": (_frame("left thigh", plane="right knee"), "warning", "other-side"),
    "axes given twice": (_twice, "error", "duplicate-name"),
    "two segments on one cluster": (_same_cluster, "error", "cluster"),
}


@pytest.mark.parametrize("name", ["thigh pin right", "Brightness", "cleft", "left thigh right pin", "right"])
def test_a_name_that_only_holds_a_side_is_no_point_of_the_other_leg(tmp_path, name):
    """The lateral marker of the left knee under another name, as a plane of the left thigh's axes."""

    def renamed(sheets):
        for sheet in ("Markers", "Markers static"):
            sheets[sheet][0] = [str(cell).replace("left knee.", f"{name}.") for cell in sheets[sheet][0]]
        for sheet in ("Joint centres", "Segments", "Anatomical frames"):
            sheets[sheet] = [[_renamed(cell, name) for cell in row] for row in sheets[sheet]]

    assert [each for each in space.problems_of(tmp_path, renamed) if each.severity != "note"] == []


def _renamed(cell, name):
    """A list of names with another one for the left knee's marker."""
    parts = str(cell).split("; ")
    return "; ".join(name if part == "left knee" else part for part in parts) if "left knee" in parts else cell


@pytest.mark.parametrize(
    ("name", "side"),
    [
        ("right thigh", "right"),
        ("thigh_left", "left"),
        ("LEFT knee right pin", "left"),
        ("hip right joint", "right"),
        ("pin right left of it", None),
        ("Brightness", None),
        ("cleft", None),
        ("upright bar", None),
        ("", None),
    ],
)
def test_the_side_of_a_name_is_a_word_of_it(name, side):
    assert side_of(name) == side


@pytest.mark.parametrize(("plant", "severity", "code"), IN_SPACE.values(), ids=IN_SPACE)
def test_an_ordinary_slip_in_space_is_told_at_its_cell(tmp_path, plant, severity, code):
    told = space.problems_of(tmp_path, plant)
    assert (severity, code) in [(each.severity, each.code) for each in told], "\n".join(map(str, told))
    sheet = "Segments" if code == "cluster" else "Anatomical frames"
    assert {each.cell.partition("!")[0] for each in told if each.code == code} == {sheet}
