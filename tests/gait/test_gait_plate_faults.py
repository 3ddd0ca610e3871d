"""Each fault of force plates, planted in the exact walker: found, named by its cell, nothing computed in silence."""

from dataclasses import replace
from functools import partial
from pathlib import Path

import numpy as np
import openpyxl
import pytest

from sheetmbs import WorkbookError
from sheetmbs.gait.run_gait import run_gait
from tests.gait import gait_plates
from tests.gait.gait_plates import plate_sheets
from tests.gait.planted_faults import NOISY, USUAL, by_pressure, columns_of, only, problems_in, settle
from tests.support import gait_walker
from tests.support.gait_books import Recording, gait_book, walker_sheets

LONG = replace(NOISY, end=4.0)
REAL = Path(__file__).parents[2] / "workbooks" / "gait-walk.xlsx"


@pytest.fixture
def problems_of(tmp_path):
    return partial(problems_in, tmp_path)


def test_corners_that_begin_elsewhere_are_a_turned_plate(problems_of):
    def begin_at_another_corner(sheets):
        sheets["Plates"][3] = [sheets["Plates"][3][0], *sheets["Plates"][3][4:13], *sheets["Plates"][3][1:4], "own"]

    told = next(each for each in problems_of(begin_at_another_corner, plates=True) if each.code == "turned-plate")
    assert told.severity == "error"
    assert told.cell == "Plates!B4"
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


@pytest.mark.parametrize("order", [(1, 0, 3, 2), (3, 2, 1, 0), (0, 3, 2, 1), (2, 1, 0, 3)])
def test_corners_the_wrong_way_round_are_told_with_their_order_and_not_as_action(problems_of, order):
    def mirrored(sheets):
        for number, row in enumerate(sheets["Plates"][1:], start=1):
            corners = [row[1 + 3 * k : 4 + 3 * k] for k in order]
            sheets["Plates"][number] = (row[0], *(each for corner in corners for each in corner), row[13])

    told = [each for each in problems_of(mirrored, plates=True) if each.severity == "error"]
    assert {each.code for each in told} == {"corners-wrong-way"}
    assert told[0].cell == "Plates!B2"
    # the order that leads back is the same one, for each exchanges corners in pairs
    assert f"in the order {', '.join(str(k + 1) for k in order)} " in told[0].mend


@pytest.mark.parametrize("corners", ["crossed", "in one point"])
def test_corners_of_no_rectangle_are_refused_at_their_cell(problems_of, corners):
    def bent(sheets):
        row = list(sheets["Plates"][2])
        row[4:10] = [*row[7:10], *row[4:7]] if corners == "crossed" else row[4:10]
        row[1:13] = row[1:4] * 4 if corners == "in one point" else row[1:13]
        sheets["Plates"][2] = row

    assert only(problems_of(bent, plates=True), "no-rectangle").cell == "Plates!B3"


def test_slender_plates_are_rectangles_and_wrong_orders_of_their_corners_are_not(monkeypatch, problems_of):
    """Half a metre along the walk and nearly ten across: the shorter side is less than a twentieth of the diagonal."""
    monkeypatch.setattr(gait_plates, "LONG", 0.48)
    monkeypatch.setattr(gait_plates, "WIDE", 9.9)
    assert problems_of(plates=True) == []
    for order in ((0, 2, 1, 3), (0, 1, 3, 2)):

        def crossed(sheets, order=order):
            row = sheets["Plates"][2]
            corners = [row[1 + 3 * k : 4 + 3 * k] for k in order]
            sheets["Plates"][2] = (row[0], *(each for corner in corners for each in corner), row[13])

        assert only(problems_of(crossed, plates=True), "no-rectangle").cell == "Plates!B3"


def test_a_toe_marker_on_a_metatarsal_is_not_the_tip_of_the_toes(problems_of):
    """As that of Plug-in Gait, on the head of the second: forces act before it late in stance, and no plate is moved."""

    def on_metatarsal(sheets):
        for side in ("right", "left"):
            toes, metatarsals = (columns_of(sheets, "Markers", f"{side} {name}") for name in ("toe", "mt5"))
            for row in sheets["Markers"][2:]:
                for one, other in zip(toes, metatarsals, strict=True):
                    row[one] = row[other]

    assert problems_of(on_metatarsal, LONG, plates=True) == []

    def moved(sheets):
        on_metatarsal(sheets)
        for row in sheets["Plates"][1:]:
            sheets["Plates"][sheets["Plates"].index(row)] = (row[0], *_forward(row[1:13], 0.06), *row[13:])

    told = [each for each in problems_of(moved, LONG, plates=True) if each.severity != "note"]
    assert only(told, "moved-plates", "warning").problem.endswith("moved by -60 mm along x")


def _forward(corners, by):
    """Corners farther along x."""
    return [each + (by if k % 3 == 0 else 0.0) for k, each in enumerate(corners)]


@pytest.mark.parametrize("cut", [1.95, 2.05, 2.15])
def test_a_contact_that_the_recording_cuts_tells_nothing_of_where_its_plate_lies(problems_of, cut):
    """The roll of a foot is cut before its end: its force acts nearer to the heel in the mean."""
    assert problems_of(how=Recording(end=cut, settings=USUAL), plates=True) == []


@pytest.mark.parametrize(
    ("factor", "unit"),
    [(1e-3, "kN"), (1.0 / gait_walker.MASS, "N/kg"), (1.0 / 9.81 / gait_walker.MASS, "parts of the weight")],
)
def test_forces_too_small_for_feet_stop_the_run_with_the_unit_that_they_look_like(problems_of, factor, unit):
    def scaled(sheets):
        for row in sheets["Force plates"][2:]:
            row[1:] = [factor * each for each in row[1:]]

    told = only(problems_of(scaled, plates=True), "weak-forces")
    assert told.cell == "Force plates!B1"
    assert told.problem.endswith(f"look like {unit}")


def test_plates_on_which_nobody_stands_are_told(problems_of):
    def beside(sheets):
        random = np.random.default_rng(3)
        for row in sheets["Force plates"][2:]:
            row[1:] = random.normal(0.0, 1.0, len(row) - 1).tolist()

    told = only(problems_of(beside, plates=True), "no-load", "warning")
    assert told.cell.startswith("Force plates!")


def _in_two(sheets):
    """Each plate becomes two, one behind the other, and each carries its part while the foot rolls over the seam."""
    rows, places = sheets["Force plates"], sheets["Plates"]
    header, units, data = ["time"], ["s"], np.array(rows[2:], float)
    columns, lying = [data[:, 0]], [places[0]]
    for number, place in enumerate(places[1:]):
        force, moment = (data[:, 1 + 6 * number + k : 4 + 6 * number + k] for k in (0, 3))
        # own axes of these plates: x to the right, y backward, z down. Only a narrow lane is under one foot alone
        down = np.where(force[:, 2] < -1.0, force[:, 2], -1.0)
        behind = 1.0 / (1.0 + np.exp(-(moment[:, 0] / down + 0.08) / 0.01))
        lane = 0.15 * np.sign(np.sum(-moment[:, 1] / down))
        corners = np.array(place[1:13], float).reshape(4, 3)
        across, back = (corners[0] - corners[1]) / 0.6, (corners[0] - corners[3]) / 0.6
        for letter, part, side in (("a", behind, 0.07), ("b", 1.0 - behind, -0.23)):
            name, share = f"{place[0]}{letter}", part[:, None]
            own = (moment - np.cross([lane, side, 0.0], force)) * share
            header += [f"{name}.{kind}{axis}" for kind in "fm" for axis in "xyz"]
            units += ["N", "N", "N", "N*m", "N*m", "N*m"]
            columns += [*(force * share).T, *own.T]
            middle = corners.mean(axis=0) + lane * across + side * back
            ends = [middle + 0.085 * a * across + 0.15 * b * back for a, b in ((1, 1), (-1, 1), (-1, -1), (1, -1))]
            lying.append((name, *np.concatenate(ends).tolist(), "own"))
    sheets["Force plates"] = [header, units, *np.column_stack(columns).tolist()]
    sheets["Plates"] = lying


def test_a_foot_that_rolls_over_the_seam_of_two_plates_is_wholly_on_them(tmp_path, problems_of):
    assert problems_of(_in_two, plates=True) == []
    found = []
    for is_split in (True, False):
        sheets = walker_sheets(NOISY) | plate_sheets(NOISY)
        if is_split:
            _in_two(sheets)
        found.append(run_gait(gait_book(tmp_path / "seam.xlsx", sheets)))
    split, whole = found
    contacts = split.solved.courses[0].contacts
    assert [len(each.plates) for each in contacts if each.start > 0.0 and each.end < 2.6] == [2, 2, 2, 2]
    assert all(each.whole for each in contacts)
    assert [(each.item, each.n) for each in split.items] == [(each.item, each.n) for each in whole.items]
    for label, course in split.solved.courses[0].joints.items():
        same = whole.solved.courses[0].joints[label]["moment"]
        np.testing.assert_allclose(course["moment"], same, atol=0.02)  # of forces in which a contact has faded out


@pytest.mark.parametrize(
    ("factor", "word"),
    [
        (1.0 / 9.81, "1/9.81"),
        (1.0 / 4.448, "1/4.45"),
        (9.81, "9.81"),
        (0.7, "0.7"),
        (100.0 / 9.81 / 70.0, "percent of"),
    ],
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


def test_the_mass_of_a_real_trial_is_told_by_a_step_where_no_stride_is_wholly_on_plates(tmp_path):
    """Of the trial only 0.45 to 1.75 s: both feet are on plates from the left strike at 0.761 to the right one at 1.314 s."""
    book = openpyxl.load_workbook(REAL)
    for name, rate in (("Markers", 150), ("Force plates", 450)):
        last = 3 + int(1.75 * rate)
        book[name].delete_rows(last + 1, book[name].max_row - last)
        book[name].delete_rows(3, int(0.45 * rate))
    row = next(row for row in book["Subject"].iter_rows(min_row=2) if row[0].value == "mass")
    real, row[1].value = row[1].value, 0.78 * row[1].value
    book.save(tmp_path / "light.xlsx")
    with pytest.raises(WorkbookError) as stopped:
        run_gait(tmp_path / "light.xlsx")
    (told,) = [each for each in stopped.value.problems if each.severity == "error"]
    assert told.code == "wrong-mass"
    assert float(told.found.rpartition("carry ")[2].removesuffix(" kg")) == pytest.approx(real, rel=0.01)


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


def test_a_delay_beyond_those_that_are_tried_is_not_told_as_a_number_to_write(problems_of):
    def late(sheets):
        rows = np.array(sheets["Force plates"][2:])
        shifted = np.column_stack([np.interp(rows[:, 0] - 0.1, rows[:, 0], column) for column in rows[:, 1:].T])
        sheets["Force plates"][2:] = np.column_stack((rows[:, 0], shifted)).tolist()

    told = next(each for each in problems_of(late, replace(NOISY, end=4.0)) if each.code == "late-forces")
    assert told.found.endswith("60 ms or more")
    assert "force_delay" not in told.mend


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


def test_a_residual_of_the_whole_body_names_its_suspects(problems_of):
    def sideways(sheets):
        for row in sheets["Force plates"][2:]:
            row[1] += 0.25 * row[2]

    told = next(each for each in problems_of(sideways) if each.code == "large-residual")
    assert told.severity == "warning"
    assert "foot off its plate" in told.mend


@pytest.mark.parametrize("plates", [False, True])
def test_moments_in_newton_millimetres_read_as_newton_metres_stop_the_run(problems_of, plates):
    def in_millimetres(sheets):
        columns = [k for k, cell in enumerate(sheets["Force plates"][0]) if ".m" in str(cell)]
        for row in sheets["Force plates"][2:]:
            for column in columns:
                row[column] *= 1000.0

    told = [each for each in problems_of(in_millimetres, plates=plates) if each.severity == "error"]
    assert {each.code for each in told} == {"wrong-moment-unit"}
    assert told[0].cell.startswith("Force plates!")
    assert told[0].problem.endswith("look like N mm")


def test_plates_in_another_frame_are_told_with_the_way_between_both(problems_of):
    def elsewhere(sheets):
        for row in sheets["Force plates"][2:]:
            for k in (1, 7):
                row[k + 5] += 0.5 * row[k + 1]  # half a metre forward: x by fy

    told = only(problems_of(elsewhere), "moved-plates")
    assert "moved by about -" in told.problem
    assert abs(float(told.problem.split()[3]) + 500.0) < 60.0
    assert told.problem.split()[4:7] == ["mm", "along", "x"]
