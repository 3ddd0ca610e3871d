"""Ordinary mistakes in gait workbooks: each is told at its cell, and nothing is computed."""

from datetime import datetime

import numpy as np
import pytest
from openpyxl import load_workbook

from sheetmbs import WorkbookError, run_gait
from tests.support import gait_walker
from tests.support.gait_books import Recording, gait_book, walker_sheets

SHORT = Recording(end=1.3, force_rate=200.0)


def cell(sheet, row, column, value):
    def change(sheets):
        changed = list(sheets[sheet][row - 1])
        changed[column] = value
        sheets[sheet][row - 1] = changed

    return change


def added(sheet, *row):
    return lambda sheets: sheets[sheet].append(row)


def without(sheet):
    return lambda sheets: sheets.pop(sheet)


def cut(sheet, rows):
    return lambda sheets: sheets.__setitem__(sheet, sheets[sheet][:rows])


def blank_marker(sheets):
    first = sheets["Markers"][0].index("right knee.x")
    for row in sheets["Markers"][2:]:
        row[first : first + 3] = [None] * 3


def pasted_devices(sheets):
    plate = ["Plate #1 - Force", None, None, "Plate #1 - Moment", None, None]
    rows = [["Devices"], [200], [None, None, *plate], ["Frame", "Sub Frame", "Fx", "Fy", "Fz", "Mx", "My", "Mz"]]
    rows.append([None, None, "N", "N", "N", "mm.N", "mm.N", "mm.N"])
    rows += [[1 + at // 2, at % 2, 0.0, 0.0, -700.0, 0.0, 0.0, 0.0] for at in range(261)]
    sheets["Force plates"] = rows


MISTAKES = {
    "mass as a text": (cell("Subject", 2, 1, "seventy"), "not-a-number", "Subject!B2"),
    "mass of nothing": (cell("Subject", 2, 1, 0), "out-of-range", "Subject!B2"),
    "no mass": (lambda sheets: sheets["Subject"].pop(1), "missing-setting", "Subject"),
    "no sheet of the subject": (without("Subject"), "missing-setting", "Subject"),
    "no markers": (without("Markers"), "missing-sheet", "Force plates"),
    "no segments": (without("Segments"), "missing-sheet", "Segments"),
    "a misspelt end": (cell("Segments", 2, 1, "right ankel"), "unknown-marker", "Segments!B2"),
    "a segment twice": (cell("Segments", 3, 0, "right foot"), "duplicate-name", "Segments!A3"),
    "an unknown parent": (added("Segments", "tail", "right hip", "right knee"), "missing-value", "Segments!A9"),
    "a decimal comma": (cell("Markers", 21, 3, "1,5"), "number-as-text", "Markers!D21"),
    "a broken reference": (cell("Markers", 21, 3, "#REF!"), "error-value", "Markers!D21"),
    "a blank time": (cell("Markers", 21, 0, None), "missing-value", "Markers!A21"),
    "a time twice": (cell("Markers", 21, 0, 0.17), "wrong-time", "Markers!A21"),
    "one frame": (cut("Markers", 3), "too-few-rows", "Markers!A1"),
    "plates without samples": (cut("Force plates", 2), "too-few-rows", "Force plates!A1"),
    "a marker blank in all frames": (blank_marker, "unseen-marker", "Markers!H1"),
    "a cut-off above a quarter of the rate": (cell("Processing", 2, 1, 30), "cutoff-too-high", "Processing!B2"),
    "a cut-off in words": (cell("Processing", 2, 1, "six"), "unknown-value", "Processing!B2"),
    "a setting misspelt": (added("Processing", "cut off", 6), "unknown-setting", "Processing!A4"),
    "a setting twice": (added("Processing", "cutoff", 6), "duplicate-setting", "Processing!A4"),
    "an order that is none": (added("Processing", "filter_order", 3), "unknown-value", "Processing!B4"),
    "axes with the same letter": (
        lambda sheets: sheets["Processing"].extend([("axis_forward", "+x"), ("axis_up", "-x")]),
        "same-axes",
        "Processing!B5",
    ),
    "a table that needs the sex": (added("Subject", "anthropometry", "de leva"), "missing-setting", "Subject!B4"),
    "no masses of one's own": (added("Subject", "anthropometry", "custom"), "missing-value", "Segments!A2"),
    "moments by height without one": (
        lambda sheets: (sheets["Subject"].pop(), sheets["Processing"].append(("moment_unit", "%BW*height"))),
        "missing-setting",
        "Processing!B4",
    ),
    "a plate that nothing places": (pasted_devices, "unplaced-plate", "Force plates!C4"),
    "space": (cell("Settings", 3, 1, "3D"), "static", "Settings!B3"),
}


def in_milliseconds(sheet):
    def change(sheets):
        for row in sheets[sheet][2:]:
            row[0] *= 1000.0

    return change


MISTAKES |= {
    "times in ms read as s": (in_milliseconds("Markers"), "wrong-time", "Markers!A1"),
    "times of forces in ms": (in_milliseconds("Force plates"), "wrong-time", "Force plates!A1"),
    "events to be given, and none": (added("Processing", "events", "given"), "no-events", "Processing!B4"),
    "an event twice": (
        lambda sheets: sheets.update(
            {"Events": [("event", "side", "frame"), *[("heel strike", "right", 30), ("toe off", "right", 90)] * 2]}
        ),
        "event-twice",
        "Events!C4",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_told_at_its_cell(tmp_path, mistake):
    change, code, where = MISTAKES[mistake]
    sheets = walker_sheets(SHORT)
    change(sheets)
    with pytest.raises(WorkbookError) as refused:
        run_gait(gait_book(tmp_path / "walk.xlsx", sheets))
    assert (code, where) in [(each.code, each.cell) for each in refused.value.problems]
    assert all(each.mend for each in refused.value.problems)


FINE = {
    "no height": lambda sheets: sheets["Subject"].pop(),
    "no plates": without("Force plates"),
    "no processing": without("Processing"),
    "NaN for a missing value": cell("Markers", 21, 3, "NaN"),
    "one side": added("Subject", "side", "left"),
    "words in another case": cell("Segments", 2, 1, "Right_Ankle"),
    "no trunk": lambda sheets: sheets["Segments"].pop(),
}


@pytest.mark.parametrize("habit", FINE)
def test_what_is_no_mistake_is_none(tmp_path, habit):
    sheets = walker_sheets(SHORT)
    FINE[habit](sheets)
    results = run_gait(gait_book(tmp_path / "walk.xlsx", sheets))
    assert [str(each) for each in results.solved.problems if each.severity == "error"] == []
    assert results.solved.trials[0].courses.joints


LOST = {
    "a time after the trial": ("heel strike", "right", 9.0, None, "Events!C2", "lasts from 0 to 1.3 s"),
    "a time before it": ("heel strike", "right", -0.1, None, "Events!C2", "lasts from 0 to 1.3 s"),
    "a frame after it": ("toe off", "left", None, 132, "Events!D2", "has frames 1 to 131"),
    "half a frame": ("toe off", "left", None, 30.5, "Events!D2", "has frames 1 to 131"),
    "a time that is not the frame's": ("toe off", "left", 0.5, 41, "Events!C2", "is at 0.4 s"),
}


@pytest.mark.parametrize("slip", LOST)
def test_an_event_outside_its_trial_is_refused_at_its_cell(tmp_path, slip):
    *row, where, words = LOST[slip]
    sheets = walker_sheets(SHORT)
    sheets["Events"] = [("event", "side", "time", "frame"), row]
    with pytest.raises(WorkbookError) as refused:
        run_gait(gait_book(tmp_path / "walk.xlsx", sheets))
    assert [each.cell for each in refused.value.problems] == [where]
    assert words in refused.value.problems[0].problem


def test_events_at_the_ends_of_a_trial_count_whatever_rounding_says(tmp_path):
    sheets = walker_sheets(SHORT)
    rows = [("heel strike", "right", -0.004, None), ("heel strike", "right", None, 111), ("heel strike", "left", 1.304)]
    sheets["Events"] = [("event", "side", "time", "frame"), *rows]
    found = run_gait(gait_book(tmp_path / "walk.xlsx", sheets)).solved.trials[0].courses.events
    assert [(each.side, round(each.time, 9)) for each in found] == [("right", 0.0), ("right", 1.1), ("left", 1.3)]


def test_a_trial_without_a_whole_stride_says_so(tmp_path):
    solved = run_gait(gait_book(tmp_path / "walk.xlsx", walker_sheets(Recording(end=0.8)))).solved
    told = [each for each in solved.problems if each.severity == "warning"]
    assert [(each.code, each.cell) for each in told] == [("no-stride", "Markers")]
    assert told[0].found == "heel strikes found: 1 right and 1 left"


@pytest.mark.parametrize("date", [datetime(2026, 3, 1), "2026-03-01"])  # noqa: DTZ001 - as cells have them
def test_the_date_of_a_measurement_is_printed_whether_its_cell_is_a_date_or_a_text(tmp_path, date):
    path = gait_book(tmp_path / "walk.xlsx", walker_sheets(SHORT))
    book = load_workbook(path)
    book["Subject"].append(("date", date))
    book.save(path)
    run_gait(path).save()
    page = load_workbook(path)["mbs Gait report"]
    assert any("2026-03-01" in str(cell.value) for row in page.iter_rows() for cell in row)


def test_the_smallest_book_of_one_leg_is_no_mistake(tmp_path):
    """Centimetres, no sides in marker names, a trunk from the rib, and what the ground does to one foot with px."""
    times, force_times = np.arange(241) / 100.0, np.arange(1201) / 500.0
    points = gait_walker.walk(times).points
    force, moment = gait_walker.ground(force_times)["right"]
    loaded = force[:, 1] > 20.0
    names = {"hip": "right hip", "knee": "right knee", "ankle": "right ankle", "mt5": "right mt5", "rib": "shoulder"}
    markers = [["time", *(f"{name}.{axis}" for name in names for axis in "xy")], ["s", *["cm"] * 10]]
    markers += np.column_stack([times, *(100.0 * points[each].value for each in names.values())]).tolist()
    plates = [["time", "right.fx", "right.fy", "right.px"], ["s", "N", "N", "cm"]]
    plates += [
        [t, *(f.tolist() if on else (0.0, 0.0)), 100.0 * m / f[1] if on else None]
        for t, f, m, on in zip(force_times.tolist(), force, moment.tolist(), loaded, strict=True)
    ]
    sheets = {
        "Settings": [("setting", "value"), ("analysis", "gait")],
        "Subject": [("setting", "value"), ("mass", gait_walker.MASS)],
        "Processing": [("setting", "value"), ("cutoff", "none")],
        "Markers": markers,
        "Force plates": plates,
        "Segments": [
            ("name", "proximal", "distal"),
            ("right foot", "ankle", "mt5"),
            ("right shank", "knee", "ankle"),
            ("right thigh", "hip", "knee"),
            ("trunk", "rib", "hip"),
        ],
    }
    results = run_gait(gait_book(tmp_path / "leg.xlsx", sheets))
    assert [str(each) for each in results.solved.problems] == []
    exact = gait_walker.joint_loads(times)
    inside = slice(20, 60)  # in stance; an exact force still has its kink at the strike
    for joint, most in (("ankle", 0.05), ("knee", 0.2), ("hip", 0.5)):
        found = results.solved.trials[0].courses.joints[f"right {joint}"]["moment"]
        np.testing.assert_allclose(found[inside], exact[f"right {joint}"].moment[inside], atol=most)


def test_an_exact_walker_has_no_residual_to_warn_of_even_where_no_edge_is_left_out(tmp_path):
    """Near its ends 6 Hz take more away than the plates lack: 18 % of the largest force."""
    how = Recording(start=0.55, end=1.9, settings={"cutoff": 6, "force_cutoff": "same", "edge": 0})
    solved = run_gait(gait_book(tmp_path / "walk.xlsx", walker_sheets(how))).solved
    assert [each.code for each in solved.problems if each.severity == "warning"] == []
    residual = np.hypot(solved.courses[0].residual["fx"], solved.courses[0].residual["fy"])
    assert np.nanmax(residual) > 0.15 * 1.2 * 9.81 * gait_walker.MASS


def test_decimal_commas_are_told_as_texts_and_not_as_blank_markers(tmp_path):
    sheets = walker_sheets(Recording())
    sheets["Markers"] = [
        *sheets["Markers"][:2],
        *([row[0], *map("{:.4f}".format, row[1:])] for row in sheets["Markers"][2:]),
    ]
    sheets["Markers"][2:] = [[row[0], *(each.replace(".", ",") for each in row[1:])] for row in sheets["Markers"][2:]]
    with pytest.raises(WorkbookError) as stopped:
        run_gait(gait_book(tmp_path / "commas.xlsx", sheets))
    assert {each.code for each in stopped.value.problems} == {"number-as-text"}


@pytest.mark.parametrize(
    ("row", "code"),
    [
        (("dimensoin", "2D"), "unknown-setting"),
        (("dimension", "2D"), "duplicate-setting"),
        (("gravity_y", 0), "out-of-range"),
    ],
)
def test_settings_that_gait_cannot_take_are_refused(tmp_path, row, code):
    sheets = walker_sheets(SHORT)
    sheets["Settings"].append(row)
    with pytest.raises(WorkbookError) as stopped:
        run_gait(gait_book(tmp_path / "walk.xlsx", sheets))
    assert [each.code for each in stopped.value.problems] == [code]


def test_a_height_that_is_blank_in_all_frames_is_told_by_its_letter(tmp_path):
    sheets = walker_sheets(Recording(end=2.6, axes=("+x", "+z")))
    column = sheets["Markers"][0].index("right knee.z")
    sheets["Markers"][2:] = [[*row[:column], None, *row[column + 1 :]] for row in sheets["Markers"][2:]]
    with pytest.raises(WorkbookError) as stopped:
        run_gait(gait_book(tmp_path / "walk.xlsx", sheets))
    assert "z of right knee is missing in every frame" in [each.found for each in stopped.value.problems]
