"""Faults planted in a real trial and in the exact walker, which checks name that need no trunk; sound trials raise none."""

from functools import cache

import numpy as np
import openpyxl
import pytest

from sheetmbs import WorkbookError
from sheetmbs.gait.quality.body_surrogate import surrogate
from sheetmbs.gait.quality.checked_trials import recorded_body, solved_body
from sheetmbs.gait.quality.heading import headings
from sheetmbs.gait.quality.plate_gain import carried_masses, shear_slope
from sheetmbs.gait.quality.synchrony import best_lag
from sheetmbs.gait.quality.tilt import floor_slope, force_tilt
from sheetmbs.gait.run_gait import run_gait
from tests.gait.gait_plates import plate_sheets
from tests.gait.gait_whole_books import whole_book
from tests.gait.planted_faults import NOISY, columns_of, problems_in, settle
from tests.support.example_books import ROOT
from tests.support.gait_books import Recording, gait_book, walker_sheets

BOOK = ROOT / "workbooks" / "gait-walk.xlsx"
NEW = {
    "synchrony",
    "plate-gain",
    "shear-gain",
    "tilt",
    "heading",
    "straight-fill",
    "sides",
    "plausible-angles",
    "standing-plates",
    "noise",
}


def real(folder, change=None, **processing):
    """The real trial after a change of its cells, and settings of Processing; without bands, which judge no check."""
    book = openpyxl.load_workbook(BOOK)
    rows = {str(row[0].value): row for row in book["Processing"].iter_rows()}
    for name, value in ({"bands": "no"} | processing).items():
        if name in rows:
            rows[name][1].value = value
        else:
            book["Processing"].append([name, value])
    if change:
        change(book)
    book.save(folder / "walk.xlsx")
    return run_gait(folder / "walk.xlsx")


@cache
def as_shipped():
    return run_gait(BOOK)


def judged(found):
    (trial,) = found.solved.trials
    stand_in = surrogate(solved_body(trial, found.solved.book))
    assert stand_in is not None
    return stand_in


def told(found, code):
    return [each for each in found.sheets.problems if each.code == code]


def columns(book, sheet):
    return {str(cell.value): cell.column for cell in book[sheet][1] if cell.value is not None}


def scale(book, names, factor):
    sheet, at = book["Force plates"], columns(book, "Force plates")
    for name in names:
        for row in range(3, sheet.max_row + 1):
            cell = sheet.cell(row, at[name])
            if cell.value is not None:
                cell.value *= factor


def rotate(book, pairs, degrees, sheets=("Markers", "Force plates")):
    """Turn vectors: pairs of endings such as ("x", "z"), the first towards the second."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    for sheet in sheets:
        at = columns(book, sheet)
        for name, column in at.items():
            for first, second in pairs:
                other = at.get(f"{name.removesuffix(first)}{second}")
                if not name.endswith(f".{first}") or other is None:
                    continue
                for row in range(3, book[sheet].max_row + 1):
                    one, two = book[sheet].cell(row, column), book[sheet].cell(row, other)
                    if one.value is not None and two.value is not None:
                        one.value, two.value = c * one.value - s * two.value, s * one.value + c * two.value


def test_a_sound_real_trial_and_exact_walkers_raise_none(tmp_path):
    assert not {each.code for each in as_shipped().sheets.problems} & NEW
    for noise in (0.0, 0.001):
        how = Recording(noise=noise, settings={"cutoff": 6, "force_cutoff": "same"})
        sheets = walker_sheets(how) | plate_sheets(how)
        assert problems_in(tmp_path, lambda found, sheets=sheets: found.update(sheets), how) == []
        without = [row for row in sheets["Segments"] if row[0] != "trunk"]
        assert problems_in(tmp_path, lambda found, all_=sheets | {"Segments": without}: found.update(all_), how) == []


@pytest.mark.parametrize("delay", [0.060, 0.100, -0.060])
def test_forces_that_are_late_are_found_without_a_trunk(tmp_path, delay):
    clean = best_lag(judged(as_shipped()))[0]
    found = real(tmp_path, force_delay=delay)
    assert abs(clean) <= 0.010
    assert best_lag(judged(found))[0] == pytest.approx(clean - delay, abs=0.0051)
    (word,) = told(found, "synchrony")
    assert word.cell.startswith("Processing!B")
    assert f"by {abs(1e3 * (clean - delay)):.0f} ms" in word.found or "ms" in word.found
    assert "Force plates" in word.found
    assert "frames" in word.problem
    assert word.mend.startswith("write force_delay = ")
    written = float(word.mend.split("= ")[1].split(";")[0])
    assert written == pytest.approx(clean, abs=0.0051), "what is written leaves the lag of the sound trial"


def test_a_plate_with_a_gain_of_its_own_is_named_by_its_mass(tmp_path):
    masses = carried_masses(judged(as_shipped()))
    assert {name: round(each.mass, 1) for name, each in masses.items()} == {"FP6": 79.6, "FP5": 76.7, "FP3": 76.6}
    parts = [f"FP3.{each}" for each in ("fx", "fy", "fz", "tz")]
    found = real(tmp_path, lambda book: scale(book, parts, 1.1))
    (word,) = told(found, "plate-gain")
    assert word.found.startswith("FP3: carries 84.2 kg in single support in frames")
    assert word.cell.startswith("Force plates!")
    assert "multiply its forces and moments by 0.9" in word.mend


def test_half_the_shear_is_out_of_the_band(tmp_path):
    whole = shear_slope(judged(as_shipped()))
    assert 0.38 < whole < 1.2
    names = [f"FP{number}.fx" for number in range(1, 8)]
    found = real(tmp_path, lambda book: scale(book, names, 0.4))
    assert shear_slope(judged(found)) == pytest.approx(0.4 * whole, rel=0.02)
    (word,) = told(found, "shear-gain")
    assert "of what the body demands in frames" in word.found


@pytest.mark.parametrize("factor", [-1.0, 0.0])
def test_shear_that_goes_against_the_body_or_is_not_there_is_told(tmp_path, factor):
    names = [f"FP{number}.fx" for number in range(1, 8)]
    found = real(tmp_path, lambda book: scale(book, names, factor))
    (word,) = told(found, "shear-gain")
    assert f"the force forward is {factor * shear_slope(judged(as_shipped())):.2f} of what" in word.found


def test_forces_that_lean_are_told_with_their_angle(tmp_path):
    before = force_tilt(judged(as_shipped()))[0]
    assert abs(before) < 1.0
    assert abs(floor_slope(judged(as_shipped()).body)) < 0.2
    found = real(tmp_path, lambda book: rotate(book, [("fy", "fx")], 2.0, ("Force plates",)))
    assert force_tilt(judged(found))[0] == pytest.approx(before + 2.0, abs=0.05)
    (word,) = told(found, "tilt")
    assert "the force leans +2.7 deg" in word.found


def test_a_floor_that_rises_under_the_markers_is_told(tmp_path):
    found = real(tmp_path, lambda book: rotate(book, [("x", "y")], 2.0, ("Markers",)))
    assert any("rise +2.1 deg" in each.found for each in told(found, "tilt"))


def test_a_walk_aslant_is_told_and_travel_takes_it_back(tmp_path):
    (trial,) = as_shipped().solved.trials
    before = headings(recorded_body(trial.prepared, as_shipped().solved.book))
    pairs = [("x", "z"), ("fx", "fz"), ("px", "pz")]
    found = real(tmp_path, lambda book: rotate(book, pairs, 15.0))
    after = headings(recorded_body(found.solved.trials[0].prepared, found.solved.book))
    for name, angle in before.items():
        assert after[name] == pytest.approx(angle + 15.0, abs=0.2)
    (word,) = told(found, "heading")
    assert "17 deg to the right of +x" in word.found
    assert "write axis_forward travel" in word.mend
    turned = real(tmp_path, lambda book: rotate(book, pairs, 15.0), axis_forward="travel")
    plain = real(tmp_path, axis_forward="travel")
    assert not told(turned, "heading")
    (note,) = told(turned, "turned-axes")
    assert "by 16.0 deg" in note.found
    for one, other in zip(turned.items, plain.items, strict=True):
        assert (one.item, one.side, one.joint) == (other.item, other.side, other.joint)
        assert one.value == pytest.approx(other.value, rel=1e-3, abs=1e-3), one


def test_a_gap_that_was_filled_by_a_line_is_named_with_its_frames(tmp_path):
    def fill(sheets):
        for column in columns_of(sheets, "Markers", "right knee"):
            rows = sheets["Markers"][2:]
            first, last = rows[50][column], rows[80][column]
            for k in range(31):
                rows[50 + k][column] = first + (last - first) * k / 30

    (word,) = [each for each in problems_in(tmp_path, fill) if each.code == "straight-fill"]
    assert word.found.startswith("right knee moves along a straight line in frames 51-81 of Markers")


def test_a_marker_that_stands_still_while_its_segment_moves_is_frozen(tmp_path):
    def freeze(sheets):
        for column in columns_of(sheets, "Markers", "right knee"):
            for k in range(14):
                sheets["Markers"][2 + 90 + k][column] = sheets["Markers"][2 + 90][column]

    words = [each for each in problems_in(tmp_path, freeze) if each.code == "frozen"]
    assert [each.found.split(",")[0] for each in words] == [
        "right knee stands still to the last digit in frames 91-104"
    ]


def test_sides_that_differ_are_told(tmp_path):
    def rows(book):
        at = next(row for row in book["Gait joints"].iter_rows() if (row[0].value, row[1].value) == ("ankle", "left"))
        at[4].value = 45

    found = real(tmp_path, rows)
    (word,) = [each for each in told(found, "sides") if "neutral" in each.found]
    assert "45 deg on the left, 90 deg on the right" in word.found

    def senses(book):
        at = next(row for row in book["Gait joints"].iter_rows() if (row[0].value, row[1].value) == ("knee", "left"))
        at[5].value = "extension"
        other = next(row for row in book["Segments"].iter_rows() if row[0].value == "left shank")
        heads = [cell.value for cell in next(book["Segments"].iter_rows())]
        other[heads.index("table")].value = "thigh"

    with pytest.raises(WorkbookError) as stopped:
        real(tmp_path, senses)
    assert sorted(each.found.split(":")[0] for each in stopped.value.problems if each.code == "sides") == [
        "positive",
        "table",
    ]


def test_lengths_of_both_sides_are_compared(tmp_path):
    def lower(sheets):
        for column in columns_of(sheets, "Markers", "left knee")[1:2]:
            for row in sheets["Markers"][2:]:
                row[column] -= 0.03

    words = [each.found for each in problems_in(tmp_path, lower) if each.code == "sides"]
    assert any("thigh 420 mm on the right, 449 mm on the left" in each for each in words)


def test_an_angle_that_no_joint_has_is_told_with_its_neutral(tmp_path):
    def no_neutral(book):
        for row in book["Gait joints"].iter_rows(min_row=2):
            if row[0].value == "ankle":
                row[4].value = 0.0

    words = told(real(tmp_path, no_neutral), "plausible-angles")
    assert [each.found.split(":")[0] for each in words] == ["right ankle", "left ankle"]
    assert all("neutral, which would be 90 deg" in each.mend for each in words)


@pytest.mark.parametrize(
    ("setting", "value", "code"),
    [
        ("threshold", 80, "threshold"),
        ("threshold", 2, "threshold"),
        ("points", 21, "points"),
        ("force_cutoff", 2.5, "force-cutoff"),
        ("force_rate", 500, "force-rate"),
    ],
)
def test_odd_settings_have_a_line_each(tmp_path, setting, value, code):
    words = [
        each
        for each in problems_in(tmp_path, lambda sheets: settle(sheets, "Processing", setting, value))
        if each.code == code
    ]
    assert len(words) == 1
    assert words[0].cell.startswith("Processing!B")


def test_a_noisy_marker_is_named(tmp_path):
    random = np.random.default_rng(3)

    def shake(sheets):
        for column in columns_of(sheets, "Markers", "right ankle"):
            for row in sheets["Markers"][2:]:
                row[column] += 0.005 * random.standard_normal()

    words = [each for each in problems_in(tmp_path, shake, NOISY) if each.code == "noise"]
    assert [each.found.split(":")[0] for each in words] == ["right ankle"]


# standing on plates


def standing(forward=0.0, factor=1.0):
    """The whole book with a plate under both feet of its standing trial, whose force acts ``forward`` m off."""
    sheets = whole_book()
    weight = 70.0 * 9.81 * factor
    ahead = -0.065 + 0.67 * 0.18 + forward
    time = np.arange(60) / 100.0
    # the laboratory looks along -y, z up: forward is -y, and the right is -x
    force = [0.0, 0.0, weight]
    moment = np.cross([0.0, -ahead, 0.0], force)
    rows = [[float(t), *force, *map(float, moment)] for t in time]
    head = ["time", *(f"S1.{name}" for name in ("fx", "fy", "fz", "mx", "my", "mz"))]
    return sheets | {"Force plates static": [head, ["s", "N", "N", "N", "N*m", "N*m", "N*m"], *rows]}


@pytest.mark.parametrize(
    ("forward", "factor", "said"),
    [(0.0, 1.0, ""), (0.05, 1.0, "of heel to toe"), (0.0, 1.04, "carry 72.80 kg"), (-0.04, 1.0, "of heel to toe")],
)
def test_forces_of_a_standing_subject_act_in_the_feet_and_carry_the_mass(tmp_path, forward, factor, said):
    found = run_gait(gait_book(tmp_path / "walk.xlsx", standing(forward, factor)))
    words = told(found, "standing-plates")
    assert [said in each.found for each in words] == ([True] if said else [])


def test_a_foot_beside_its_plate_is_no_wrong_mass_where_standing_plates_carry_it(tmp_path):
    def weaker(sheets):
        name = next(each for each in sheets if each.startswith("Force plates") and not each.endswith("static"))
        head, units, *rows = sheets[name]
        rows = [[row[0], *(None if cell is None else 0.75 * cell for cell in row[1:])] for row in rows]
        return sheets | {name: [head, units, *rows]}

    with pytest.raises(WorkbookError) as stopped:
        run_gait(gait_book(tmp_path / "alone.xlsx", weaker(whole_book())))
    assert [each.code for each in stopped.value.problems if each.severity == "error"] == ["wrong-mass"]
    found = run_gait(gait_book(tmp_path / "standing.xlsx", weaker(standing())))
    (word,) = told(found, "doubtful-mass")
    assert word.severity == "warning"
    assert "standing they carry 70" in word.problem
