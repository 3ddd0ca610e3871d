"""Each fault of gait data, planted in the exact walker: found, named by its cell, and nothing computed in silence."""

from dataclasses import replace

import numpy as np
import pytest

from sheetmbs import WorkbookError
from sheetmbs.gait_study import check_gait, import_gait, run_gait
from tests import gait_walker
from tests.gait_books import Recording, gait_book, walker_sheets
from tests.gait_plates import plate_sheets
from tests.shared import shared

USUAL = {"cutoff": 6, "force_cutoff": "same"}
NOISY = Recording(noise=0.001, settings=USUAL)
SIZES = {"mm": 1000.0, "cm": 100.0, "in": 1.0 / 0.0254}


@pytest.fixture
def problems_of(tmp_path):
    """All problems of a workbook of the walker after a change of its sheets: those of check, which are those of run."""

    def found(change=None, how=NOISY, *, plates=False):
        sheets = walker_sheets(how)
        if plates:
            sheets |= plate_sheets(how)
        if change:
            change(sheets)
        path = gait_book(tmp_path / "walk.xlsx", sheets)
        try:
            _, problems = check_gait(path)
        except WorkbookError as error:
            problems = error.problems
            with pytest.raises(WorkbookError) as stopped:
                run_gait(path)
            assert stopped.value.exit_status == 2
            assert stopped.value.problems == problems
        return list(problems)

    return found


def only(problems, code, severity="error"):
    """The problem of this code, where it is the only one."""
    assert [(each.severity, each.code) for each in problems] == [(severity, code)], "\n".join(map(str, problems))
    return problems[0]


def columns_of(sheets, sheet, name):
    return [k for k, cell in enumerate(sheets[sheet][0]) if str(cell).rpartition(".")[0] == name]


def settle(sheets, sheet, setting, *values):
    sheets[sheet] = [row for row in sheets[sheet] if row[0] != setting] + [(setting, *values)]


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


def test_corners_that_begin_elsewhere_are_a_turned_plate(problems_of):
    def begin_at_another_corner(sheets):
        sheets["Plates"][3] = [sheets["Plates"][3][0], *sheets["Plates"][3][4:13], *sheets["Plates"][3][1:4], "own"]

    told = next(each for each in problems_of(begin_at_another_corner, plates=True) if each.code == "turned-plate")
    assert told.severity == "error"
    assert told.cell == "Plates!N4"
    assert "deg about y" in told.problem


def test_forces_with_another_vertical_than_the_markers_are_told(problems_of):
    def z_up(sheets):
        for row in sheets["Force plates"][2:]:
            for k in (1, 7):
                row[k + 1], row[k + 2] = row[k + 2], row[k + 1]

    told = problems_of(z_up)
    assert {each.code for each in told if each.severity == "error"} >= {"turned-plate"}
    assert "along z" in next(each for each in told if each.code == "turned-plate").found


def test_forces_on_the_plate_are_told_with_the_sign_to_write(problems_of):
    def turned(sheets):
        for row in sheets["Force plates"][2:]:
            row[1:] = [-each for each in row[1:]]

    found = problems_of(turned, plates=True)
    assert {(each.severity, each.code) for each in found} == {("error", "action-for-reaction")}
    assert found[0].cell == "Plates!A2"
    assert "-1" in found[0].problem
    assert "write action" in found[0].mend


@pytest.mark.parametrize(
    ("factor", "word"), [(1.0 / 9.81, "1/9.81"), (1.0 / 4.448, "1/4.45"), (9.81, "9.81"), (0.7, "0.7")]
)
def test_forces_of_another_unit_are_another_mass(problems_of, factor, word):
    def scaled(sheets):
        for row in sheets["Force plates"][2:]:
            row[1:] = [factor * each for each in row[1:]]

    told = next(each for each in problems_of(scaled) if each.severity == "error")
    assert (told.code, told.cell) == ("wrong-mass", "Subject!B2")
    assert word in told.problem


def test_a_mass_that_is_ten_percent_off_is_doubtful_and_that_of_the_plates_is_named(problems_of):
    def heavier(sheets):
        settle(sheets, "Subject", "mass", 77, "kg")

    told = next(each for each in problems_of(heavier) if each.code == "doubtful-mass")
    assert told.severity == "warning"
    assert "carry 70" in told.found


@pytest.mark.parametrize("plates", [False, True])
def test_a_wrong_foot_is_told_where_it_is_written(problems_of, plates):
    def other_foot(sheets):
        if plates:
            sheets["Plates"][0] = (*sheets["Plates"][0], "foot")
            sheets["Plates"][3] = (*sheets["Plates"][3], "right")
        else:
            turned = {"right": "left", "left": "right"}
            header = [str(cell).partition(".") for cell in sheets["Force plates"][0]]
            sheets["Force plates"][0] = ["".join((turned.get(a, a), b, c)) for a, b, c in header]

    told = next(each for each in problems_of(other_foot, plates=plates) if each.code == "wrong-foot")
    assert told.severity == "error"
    if plates:
        assert told.cell == "Plates!O4"
        assert "FP3 says right; the left foot stands there (8" in told.found
    else:
        assert told.cell == "Force plates!B1"


def test_forces_of_another_length_are_told_with_the_rate_that_fits(problems_of):
    def half_as_long(sheets):
        sheets["Force plates"] = [
            sheets["Force plates"][0],
            sheets["Force plates"][1],
            *([row[0] / 2.0, *row[1:]] for row in sheets["Force plates"][2:]),
        ]

    told = only(problems_of(half_as_long), "unequal-durations")
    assert told.cell == "Force plates!A1"
    assert "261 frames" in told.found
    assert "1000 Hz (10 x" in told.mend


def test_a_force_rate_that_is_no_multiple_is_told(problems_of):
    told = only(problems_of(how=replace(NOISY, force_rate=250.0)), "no-multiple-rate")
    assert "2.5 times a frame" in told.problem


@pytest.mark.parametrize("delay", [0.010, -0.010, 0.030])
def test_forces_that_are_not_synchronous_are_told_with_the_delay_to_write(problems_of, delay):
    def late(sheets):
        rows = np.array(sheets["Force plates"][2:])
        shifted = np.column_stack([np.interp(rows[:, 0] - delay, rows[:, 0], column) for column in rows[:, 1:].T])
        sheets["Force plates"][2:] = np.column_stack((rows[:, 0], shifted)).tolist()

    told = next(each for each in problems_of(late, replace(NOISY, end=4.0)) if each.code == "late-forces")
    assert told.severity == "warning"
    written = float(told.mend.partition("= ")[2].partition(";")[0])
    assert written == pytest.approx(-delay, abs=0.0011)


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


def test_a_drifted_zero_is_told_with_the_offset_to_write(problems_of):
    def drifted(sheets):
        for row in sheets["Force plates"][2:]:
            row[3 * 6 + 3] -= 8.0

    told = only(problems_of(drifted, plates=True), "drifted-zero", "warning")
    assert told.cell.startswith("Plates!")
    assert "FP4 carries 8 N" in told.found
    assert "offset of FP4" in told.mend


def test_contacts_on_a_treadmill_without_feet_that_are_written_stop_the_run(problems_of):
    def in_place(sheets):
        across = [k for k, cell in enumerate(sheets["Markers"][0]) if str(cell).endswith(".x")]
        for row in sheets["Markers"][2:]:
            for column in across:
                row[column] -= gait_walker.SPEED * row[0]

    told = [each for each in problems_of(in_place, plates=True) if each.severity == "error"]
    assert {each.code for each in told} == {"unknown-foot"}
    assert told[0].cell.startswith("Plates!A")
    assert "write right or left in foot" in told[0].mend


def test_something_else_on_a_plate_is_told_by_where_no_foot_is(problems_of):
    def bag(sheets):
        column = sheets["Force plates"][0].index("FP2.fz")
        for row in sheets["Force plates"][2:]:
            if 0.80 < row[0] < 1.05:
                row[column] = -300.0

    told = next(each for each in problems_of(bag, plates=True) if each.code == "force-beside-foot")
    assert told.cell == "Plates!A3"
    assert "from the left foot" in told.found


def test_two_feet_within_one_outline_are_told_and_leave_the_kinetics(problems_of):
    def in_place(sheets):
        """Plates 2 and 3 are one, under both feet."""
        rows, header = sheets["Force plates"], sheets["Force plates"][0]
        two, three = header.index("FP2.fx"), header.index("FP3.fx")
        places = [np.array(sheets["Plates"][k][1:13], float).reshape(4, 3) for k in (2, 3)]
        middles = [each.mean(axis=0) for each in places]
        corners = np.array([places[0][0], places[0][1], places[1][2], places[1][3]])
        if (corners[2, 0] - corners[0, 0]) * (places[0][2, 0] - places[0][0, 0]) < 0.0:
            corners = np.array([places[1][0], places[1][1], places[0][2], places[0][3]])
        corners[:, 2] = np.array([0.5, -0.5, -0.5, 0.5]) * np.sign(places[0][0, 2] - places[0][1, 2])
        middle = corners.mean(axis=0)
        axes = np.array([[0.0, 0.0, 1.0], [-1.0, 0.0, 0.0], [0.0, -1.0, 0.0]])
        for row in rows[2:]:
            force, moment = np.zeros(3), np.zeros(3)
            for start, old in ((two, middles[0]), (three, middles[1])):
                own = np.array(row[start : start + 3]) @ axes
                force += own
                moment += np.array(row[start + 3 : start + 6]) @ axes + np.cross(old - middle, own)
            row[two : two + 6] = [*(axes @ force), *(axes @ moment)]
            row[three : three + 6] = [0.0] * 6
        sheets["Plates"][2] = ("FP2", *corners.ravel().tolist(), "own")

    told = problems_of(in_place, plates=True)
    assert [(each.severity, each.code, each.cell) for each in told] == [("warning", "two-feet", "Plates!A3")]
    assert "strides leave the kinetics" in told[0].problem


def test_a_foot_half_beside_its_plate_leaves_the_kinetics(tmp_path, problems_of):
    def lighter(sheets):
        column = sheets["Force plates"][0].index("FP4.fx")
        for row in sheets["Force plates"][2:]:
            row[column : column + 6] = [0.75 * each for each in row[column : column + 6]]

    how = replace(NOISY, end=4.0)
    told = next(each for each in problems_of(lighter, how, plates=True) if each.code == "partial-contact")
    assert "FP4" in told.found
    assert "less than the motion" in told.problem
    sheets = walker_sheets(how) | plate_sheets(how)
    lighter(sheets)
    solved = run_gait(gait_book(tmp_path / "half.xlsx", sheets)).solved
    assert [each.whole for each in solved.courses[0].contacts if each.plates == ("FP4",)] == [False]


def test_pressures_in_millimetres_read_as_metres_stop_the_run(problems_of):
    told = next(each for each in problems_of(lambda sheets: by_pressure(sheets, 1000.0)) if each.severity == "error")
    assert told.code == "wrong-pressure-unit"
    assert "mm" in told.problem


def by_pressure(sheets, factor=1.0, torque=0.0):
    """Forces with centres of pressure in place of moments."""
    rows = []
    for time, *rest in sheets["Force plates"][2:]:
        row = [time]
        for fx, fy, _fz, mx, _my, mz in (rest[:6], rest[6:]):
            row += [fx, fy, *([None] * 3 if fy < 5.0 else (factor * mz / fy, -factor * mx / fy, torque * fy))]
        rows.append(row)
    names = ("fx", "fy", "px", "pz", "tz")
    header = ["time", *(f"{side}.{name}" for side in ("right", "left") for name in names)]
    sheets["Force plates"] = [header, ["s", *(["N", "N", "m", "m", "N*m"] * 2)], *rows]


def test_centres_of_pressure_of_sound_data_raise_no_word(problems_of):
    assert problems_of(by_pressure) == []


def test_moments_taken_for_free_moments_stop_the_run(problems_of):
    told = next(each for each in problems_of(lambda sheets: by_pressure(sheets, 1.0, 0.3)) if each.severity == "error")
    assert told.code == "moment-for-free-moment"


def test_a_centre_of_pressure_that_leaps_at_low_force_is_told(problems_of):
    def leap(sheets):
        by_pressure(sheets)
        for row in sheets["Force plates"][2:]:
            if row[2] is not None and 20.0 < row[2] < 45.0:
                row[3] += 0.3

    told = next(each for each in problems_of(leap) if each.code == "leaping-pressure")
    assert told.severity == "warning"


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


def test_a_residual_of_the_whole_body_names_its_suspects(problems_of):
    def sideways(sheets):
        for row in sheets["Force plates"][2:]:
            row[1] += 0.25 * row[2]

    told = next(each for each in problems_of(sideways) if each.code == "large-residual")
    assert told.severity == "warning"
    assert "foot off its plate" in told.mend


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
