"""Faults of trials in space: each planted, found, and named by its cell, or known to change nothing."""

from functools import partial

import numpy as np
import pytest

from tests.gait import gait_space_trials as space


@pytest.fixture
def problems_of(tmp_path):
    return partial(space.problems_of, tmp_path)


def codes(problems):
    return [(each.severity, each.code, each.cell) for each in problems]


@pytest.mark.parametrize("noise", [0.0, 1.0])
def test_sound_trials_in_space_raise_no_word(problems_of, noise):
    assert problems_of(noise=noise) == []


@pytest.mark.parametrize("sheet", ["Markers", "Markers static"])
@pytest.mark.parametrize(
    ("one", "other"),
    [("right thigh 1", "right thigh 3"), ("right thigh 2", "right thigh 4"), ("right mt5", "right mt1")],
)
def test_labels_of_one_cluster_exchanged_throughout_stop_the_run_and_are_named(problems_of, one, other, sheet):
    """Those of a foot lie nearly in a plane, and fit a foot that lies on its back as well."""
    told = problems_of(lambda sheets: space.exchange(sheets, one, other, sheet))
    assert [(each.severity, each.code) for each in told] == [("error", "exchanged-cluster")]
    assert told[0].found == f"{one} and {other} look exchanged throughout"


def test_labels_of_one_cluster_exchanged_for_ten_frames_are_told_once(problems_of):
    told = problems_of(lambda sheets: space.exchange(sheets, "right thigh 1", "right thigh 3", "Markers", 100, 110))
    assert "frames 101-110: right thigh 1 and right thigh 3 look exchanged" in [each.found for each in told]
    assert "marker-off-cluster" not in {each.code for each in told}


@pytest.mark.parametrize("sheet", ["Markers", "Markers static"])
def test_sides_exchanged_in_one_of_both_trials_are_told_without_their_consequences(problems_of, sheet):
    def exchanged(sheets):
        other = {"right": "left", "left": "right"}
        names = [str(name).partition(" ") for name in sheets[sheet][0]]
        sheets[sheet][0] = [f"{other.get(a, a)}{b}{c}" for a, b, c in names]

    assert [each.code for each in problems_of(exchanged)] == ["sides-exchanged"]


def test_three_markers_tell_which_of_them_is_none_of_the_segment(problems_of):
    def other_leg(sheets):
        space.cluster(sheets, "right thigh", "right thigh 1; right thigh 2; left shank 2")

    told = next(each for each in problems_of(other_leg) if each.code == "marker-off-cluster")
    assert told.found.startswith("left shank 2 is up to")


@pytest.mark.parametrize(
    ("markers", "words"),
    [
        ("right thigh 1; right thigh 2", "has 2 markers"),
        ("right thigh 1; right thigh 2; right thigh 2", "has right thigh 2 twice"),
    ],
)
def test_a_cluster_of_too_few_markers_is_refused_at_its_cell(problems_of, markers, words):
    told = problems_of(lambda sheets: space.cluster(sheets, "right thigh", markers))
    assert codes(told) == [("error", "cluster", "Segments!O5")]
    assert words in told[0].found


@pytest.mark.parametrize(("aside", "severity"), [(0.0, "error"), (20.0, "warning")])
def test_a_cluster_on_a_line_is_told_at_its_cell(problems_of, aside, severity):
    names = ("right thigh 1", "right thigh 2", "right thigh 3")

    def on_line(sheets):
        space.cluster(sheets, "right thigh", "; ".join(names))
        for sheet in ("Markers", "Markers static"):
            rows = sheets[sheet]
            one, middle, other = (space.columns_of(rows, name) for name in names)
            for row in rows[2:]:
                a, b = (np.array([row[k] for k in each]) for each in (one, other))
                across = np.cross(b - a, [0.0, 0.0, 1.0])
                placed = 0.5 * (a + b) + aside * across / np.linalg.norm(across)
                for k, value in zip(middle, placed, strict=True):
                    row[k] = float(value)

    told = next(each for each in problems_of(on_line) if each.code == "cluster-on-line")
    assert (told.severity, told.cell) == (severity, "Segments!O5")


def test_a_marker_that_is_blank_in_the_standing_trial_is_named(problems_of):
    def blank(sheets):
        rows = sheets["Markers static"]
        for row in rows[2:]:
            for column in space.columns_of(rows, "right knee medial"):
                row[column] = None

    [told] = problems_of(blank)
    assert (told.code, told.found) == ("static", "right knee medial of right knee centre")


def test_a_direction_that_is_blank_in_every_frame_is_no_place(problems_of):
    def blank(sheets):
        rows = sheets["Markers"]
        for row in rows[2:]:
            row[rows[0].index("left thigh 1.y")] = None

    [told] = problems_of(blank)
    assert told.found == "y of left thigh 1 is missing in every frame"


def test_a_standing_trial_of_somebody_taller_is_told(problems_of):
    def taller(sheets):
        for row in sheets["Markers static"][2:]:
            row[1:] = [1.08 * each for each in row[1:]]

    [told] = problems_of(taller)
    assert (told.severity, told.code) == ("warning", "other-standing")


def test_a_standing_trial_in_another_unit_is_told_without_its_consequences(problems_of):
    def in_centimetres(sheets):
        sheets["Markers static"][1] = ["s", *(["cm"] * (len(sheets["Markers static"][1]) - 1))]

    [told] = problems_of(in_centimetres)
    assert (told.code, told.cell.partition("!")[0]) == ("wrong-length-unit", "Markers static")


def test_missing_markers_of_a_cluster_are_told_and_not_those_that_it_carries(problems_of):
    def gap(sheets):
        rows = sheets["Markers"]
        for row in rows[102:122]:
            for name in ("right thigh 1", "right thigh 2"):
                for column in space.columns_of(rows, name):
                    row[column] = None

    assert [each.found[:13] for each in problems_of(gap)] == ["right thigh 1", "right thigh 2"]


@pytest.mark.parametrize(("start", "order"), [(1, "4, 1, 2, 3"), (2, "3, 4, 1, 2"), (3, "2, 3, 4, 1")])
def test_a_turned_plate_under_the_feet_is_told_by_how_feet_roll_and_push(problems_of, start, order):
    def begun_elsewhere(sheets):
        row = sheets["Plates"][4]
        row[2:14] = np.roll(space.corners_of(row), -start, axis=0).ravel().tolist()

    told = [each for each in problems_of(begun_elsewhere) if each.severity == "error"]
    assert [(each.code, each.cell) for each in told] == [("turned-plate", "Plates!C5")]
    assert f"in the order {order} " in told[0].mend


@pytest.mark.parametrize(
    ("way", "words"),
    [
        ((0.0, 0.03, 0.0), "-30 mm along y"),
        ((0.0, -0.03, 0.0), "30 mm along y"),
        ((-0.045, 0.0, 0.0), "45 mm along x"),
        ((0.05, 0.05, 0.0), "-50 mm along x and -50 mm along y"),
    ],
)
def test_a_frame_of_forces_that_is_off_is_told_with_the_way_back(problems_of, way, words):
    [told] = problems_of(lambda sheets: space.move_plates(sheets, way))
    assert (told.severity, told.code, told.cell) == ("warning", "moved-plates", "Plates!C3")
    assert told.problem.endswith(f"moved by {words}")


def test_a_frame_of_forces_that_is_far_off_stops_the_run(problems_of):
    told = problems_of(lambda sheets: space.move_plates(sheets, (0.0, 0.1, 0.0)))
    assert codes(told) == [("error", "moved-plates", "Plates!C3")]


def test_one_plate_that_lies_elsewhere_is_told_by_the_others(problems_of):
    [told] = problems_of(lambda sheets: space.move_plates(sheets, (0.05, 0.0, 0.0), slice(4, 5)))
    assert (told.severity, told.code, told.cell) == ("warning", "moved-plate", "Plates!C5")
    assert told.problem.endswith("moved by -50 mm along x")


def test_moments_of_the_other_sign_stop_the_run_for_feet_roll_backward(problems_of):
    def negative(sheets):
        rows = sheets["Force plates"]
        for row in rows[2:]:
            for column, name in enumerate(rows[0]):
                if ".m" in name:
                    row[column] *= -1.0

    told = problems_of(negative)
    assert {(each.severity, each.code) for each in told} == {("error", "exchanged-columns")}
    assert {each.problem for each in told} == {"with mx and my of the other sign they do"}


def test_axes_of_the_markers_written_for_plates_of_their_own_are_told_as_such(problems_of):
    def as_markers(sheets):
        for row in sheets["Plates"][2:]:
            row[sheets["Plates"][0].index("axes")] = "marker"

    told = [each for each in problems_of(as_markers) if each.code == "action-for-reaction"]
    assert {each.mend for each in told} >= {f"write own in axes of FP{k}" for k in range(1, 7)}


def test_corners_of_two_plates_exchanged_are_told_and_no_drifted_zero(problems_of):
    def exchanged(sheets):
        one, other = sheets["Plates"][4:6]
        one[2:14], other[2:14] = other[2:14], one[2:14]

    told = problems_of(exchanged)
    assert codes(told) == [("warning", "force-beside-foot", "Plates!A5"), ("warning", "force-beside-foot", "Plates!A6")]


@pytest.mark.parametrize(("depth", "severity"), [(-0.045, "warning"), (45.0, "error")])
def test_transducers_above_the_plate_or_far_from_it_are_told(problems_of, depth, severity):
    def moved(sheets):
        for row in sheets["Plates"][2:]:
            row[sheets["Plates"][0].index("oz")] = depth

    told = problems_of(moved)
    assert {each.severity for each in told} == {severity}
    assert told[0].cell == "Plates!Q3"


def test_a_plate_in_space_needs_all_its_columns(problems_of):
    def without(sheets):
        column = sheets["Force plates"][0].index("FP2.mx")
        sheets["Force plates"] = [[*row[:column], *row[column + 1 :]] for row in sheets["Force plates"]]

    [told] = problems_of(without)
    assert (told.code, told.found) == ("missing-columns", "no column FP2.mx")


def test_a_blank_among_forces_of_a_loaded_plate_is_told(problems_of):
    def blank(sheets):
        rows = sheets["Force plates"]
        rows[100][rows[0].index("FP2.mx")] = None

    told = next(each for each in problems_of(blank) if each.code == "blank-force")
    assert (told.severity, told.cell) == ("warning", "Force plates!K101")


@pytest.mark.parametrize(("stands", "walks", "count"), [(12.0, 19.0, 0), (22.0, 22.0, 1)])
def test_a_leg_that_is_longer_only_as_knees_bend_has_no_marker_in_another_place(tmp_path, stands, walks, count):
    """mm by which the left knee lies lower, standing and walking; 19 mm are 4.5 % of the thigh."""

    def lower(sheets):
        for sheet, names, by in (
            ("Markers static", ("left knee", "left knee medial"), stands),
            ("Markers", ("left knee",), 2.0 * walks - stands),
        ):
            for name in names:
                column = space.columns_of(sheets[sheet], name)[2]
                for row in sheets[sheet][2:]:
                    row[column] -= by

    told = [each for each in space.problems_of(tmp_path, lower, 0.0) if each.code == "sides" and "thigh" in each.found]
    assert len(told) == count
