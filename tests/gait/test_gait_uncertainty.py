"""The uncertainty of peaks and curves is what whole runs of workbooks with changed inputs give."""

import numpy as np
import openpyxl
import pytest

from sheetmbs.gait.gait_results import believed_courses
from sheetmbs.gait.run_gait import run_gait
from sheetmbs.gait.sheets.gait_presentation import GaitPresentation
from sheetmbs.gait.strides.summary_items import peak_items
from sheetmbs.gait.trial.disturbance import UNDISTURBED
from sheetmbs.gait.uncertainty.body_tangents import STEP
from sheetmbs.gait.uncertainty.error_directions import ErrorDirection
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.schema.uncertainty_inputs import SOURCE_WORDS
from tests.gait.gait_courses import times_of
from tests.gait.gait_space_trials import TEMPLATE
from tests.gait.planted_faults import by_pressure
from tests.support import gait_walker
from tests.support.gait_books import Recording, gait_book, positions, walker_sheets

DELAY = 0.27e-3
"""s: no frame falls upon a sample of the plates, where interpolated forces have an edge"""
SIDES, KINDS = ("right", "left"), ("heel strike", "toe off")
HOW = Recording(settings={"cutoff": 12, "force_cutoff": "same", "events": "given", "force_delay": DELAY})
"""events are given, for they are held as errors are carried on"""
SHANK = gait_walker.TABLE["shank"]
CLOSE = 0.05
"""of an uncertainty, by which a run may miss it: its errors are not small, and along exact lines, not filtered ones"""
SMALL = 5e-3
"""rad, N m or W: by so little it may miss an uncertainty that is nearly none"""


def sheets_with(sources=(), settings=None, segment=None, how=HOW):
    """Sheets of the walker. segment: columns and numbers of the right shank."""
    sheets = walker_sheets(how)
    by_pressure(sheets)
    sheets["Events"] = [
        ("event", "side", "time"),
        *((kind, side, float(time)) for side in SIDES for kind in KINDS for time in times_of(side, kind, how.times)),
    ]
    sheets["Processing"] = list({**dict(sheets["Processing"]), **(settings or {})}.items())
    if sources is not None:
        sheets["Uncertainty"] = [("source", "sd", "unit", "of"), *sources]
    if segment:
        head = (*sheets["Segments"][0], *segment)
        rows = [
            (*row, *(segment.values() if row[0] == "right shank" else [None] * len(segment)))
            for row in sheets["Segments"][1:]
        ]
        sheets["Segments"] = [head, *rows]
    return sheets


def results(tmp_path, sheets):
    return run_gait(gait_book(tmp_path / "walk.xlsx", sheets))


def peaks(found, part="value"):
    """Peaks that have an uncertainty."""
    return {
        (each.item, each.side, each.joint): getattr(each, part)
        for each in found.items
        if each.quantity and each.u is not None
    }


def moved(sheets, marker, shift):
    """Sheets with a marker elsewhere. shift: (n, 2) in m."""
    head = sheets["Markers"][0]
    columns = [head.index(f"{marker}.{axis}") for axis in "xy"]
    for row, by in zip(sheets["Markers"][2:], shift, strict=True):
        for column, each in zip(columns, by, strict=True):
            row[column] += each
    return sheets


def scaled(sheets, factor):
    """Sheets in which the force on the right foot is so many times as large."""
    head = sheets["Force plates"][0]
    for row in sheets["Force plates"][2:]:
        for name in ("right.fx", "right.fy", "right.fz", "right.tz"):
            if name in head and row[head.index(name)] is not None:
                row[head.index(name)] *= factor
    return sheets


def pressed(sheets, shift):
    """Sheets in which the force on the right foot acts farther forward."""
    column = sheets["Force plates"][0].index("right.px")
    for row in sheets["Force plates"][2:]:
        row[column] = None if row[column] is None else row[column] + shift
    return sheets


def shank_axes():
    points = positions(HOW)
    along = (points["right knee"] - points["right ankle"])[:, :2]
    along = along / np.linalg.norm(along, axis=1, keepdims=True)
    return along, np.column_stack((along[:, 1], -along[:, 0]))


def knee_swing():
    """(n,) flexion of the right knee less its mean, by its standard deviation."""
    points = positions(HOW)
    line = [points[f"right {one}"] - points[f"right {other}"] for one, other in (("hip", "knee"), ("knee", "ankle"))]
    thigh, shank = (np.unwrap(np.arctan2(each[:, 1], each[:, 0])) for each in line)
    return (thigh - shank - np.mean(thigh - shank)) / np.std(thigh - shank)


def changes_of(name, size):
    """Workbooks in which an input is changed by so much, for each of its independent directions."""
    along, across = shank_axes()
    made = {
        "marker placement": [
            lambda: moved(sheets_with(), "right knee", size * along),
            lambda: moved(sheets_with(), "right knee", size * across),
        ],
        "skin": [lambda: moved(sheets_with(), "right knee", size * knee_swing()[:, None] * along)],
        "plate point": [lambda: pressed(sheets_with(), size)],
        "plate gain": [lambda: scaled(sheets_with(), 1.0 + size)],
        "delay": [lambda: sheets_with(settings={"force_delay": DELAY + size})],
        "mass": [lambda: sheets_with(segment={"mass": (1.0 + size) * SHANK[0] * gait_walker.MASS})],
        "com": [lambda: sheets_with(segment={"com": SHANK[1] + size})],
        "gyration": [lambda: sheets_with(segment={"gyration": (1.0 + size) * SHANK[2]})],
        "cut-off": [lambda: sheets_with(settings={"cutoff": 12.0 + size})],
    }
    return made[name]


@pytest.mark.parametrize(
    ("name", "sd", "unit", "of", "si"),
    [
        ("marker placement", 2.0, "mm", "right knee", 2e-3),
        ("skin", 2.0, "mm", "right shank", 2e-3),
        ("plate point", 4.0, "mm", "right", 4e-3),
        ("plate gain", 0.7, "%", "right", 7e-3),
        ("delay", 1.0, "ms", None, 1e-3),
        ("mass", 0.075, "1", "right shank", 0.075),
        ("com", 3.0, "%", "right shank", 0.03),
        ("gyration", 7.5, "%", "right shank", 0.075),
        ("cut-off", 0.2, "Hz", None, 0.2),
    ],
)
def test_each_source_changes_peaks_as_a_run_with_that_error_does(tmp_path, name, sd, unit, of, si):
    uncertain = peaks(results(tmp_path, sheets_with([(name, sd, unit, of)])), "u")
    variance = dict.fromkeys(uncertain, 0.0)
    step = 0.1 * si
    for up, down in zip(changes_of(name, step), changes_of(name, -step), strict=True):
        high, low = peaks(results(tmp_path, up())), peaks(results(tmp_path, down()))
        for key in variance:
            variance[key] += ((high[key] - low[key]) / (2.0 * step) * si) ** 2
    assert sum(np.sqrt(value) > 10.0 * SMALL for value in variance.values()) >= 3
    for key, value in variance.items():
        assert uncertain[key] == pytest.approx(np.sqrt(value), rel=CLOSE, abs=SMALL), key


@pytest.mark.nightly
def test_noise_of_markers_reaches_results_as_many_draws_do(tmp_path):
    sd, draws = 1e-3, 60
    found = results(tmp_path, sheets_with([("noise", 1.0, "mm", None)]))
    series = found.series[""]
    columns = ["right knee.angle", "right ankle.moment", "right hip.moment", "left knee.moment", "right knee.power"]
    random, drawn = np.random.default_rng(11), []
    for _ in range(draws):
        sheets = sheets_with()
        names = sheets["Markers"][0]
        for row in sheets["Markers"][2:]:
            for column in range(1, len(names)):
                row[column] += sd * random.standard_normal()
        sheets["Processing"] += [("bands", "no")]
        drawn.append(results(tmp_path, sheets).series[""][columns].to_numpy())
    variance = np.var(drawn, axis=0, ddof=1)
    for number, column in enumerate(columns):
        own = series[f"{column}.u"].to_numpy() ** 2
        known = np.isfinite(own) & np.isfinite(variance[:, number])
        assert known.sum() > 100
        # the mean over frames of so many draws is known to a few percent
        assert np.sqrt(np.mean(variance[known, number]) / np.mean(own[known])) == pytest.approx(1.0, abs=0.08), column


def test_shares_of_sources_add_up(tmp_path):
    path = gait_book(tmp_path / "usual.xlsx", sheets_with(None))
    run_gait(path).save()
    sheet = openpyxl.load_workbook(path)["mbs Gait uncertainty"]
    head = [cell.value for cell in sheet[1]]
    assert head[:7] == ["item", "side", "joint", "value", "u", "curvature", "unit"]
    assert tuple(head[7 : 7 + len(SOURCE_WORDS)]) == SOURCE_WORDS
    rows = list(sheet.iter_rows(min_row=3, values_only=True))
    assert len(rows) > 30
    for row in rows:
        assert sum(row[7 : 7 + len(SOURCE_WORDS)]) == pytest.approx(100.0, abs=1e-9), row[:3]


@pytest.mark.nightly
def test_an_uncertainty_is_in_proportion_to_its_source(tmp_path):
    once = peaks(results(tmp_path, sheets_with([("mass", 5, "%", None)])), "u")
    twice = peaks(results(tmp_path, sheets_with([("mass", 10, "%", None)])), "u")
    for key, value in once.items():
        assert twice[key] == pytest.approx(2.0 * value, rel=1e-6, abs=1e-9), key


def test_what_both_sides_share_cancels_in_their_difference(tmp_path):
    path = gait_book(tmp_path / "shared.xlsx", sheets_with([("cut-off", 0.5, "Hz", None)]))
    found = run_gait(path)
    found.save()
    sheet = openpyxl.load_workbook(path)["mbs Gait quality"]
    rows = list(sheet.iter_rows(values_only=True))
    first = next(number for number, row in enumerate(rows) if row[0] == "Differences of sides") + 2
    differences = {row[:2]: row[3] for row in rows[first:] if row[0]}
    own = peaks(found, "u")["moment max", "left", "knee"] / gait_walker.MASS
    assert own > 1e-4
    # both legs of the walker do the same half a stride apart, and so does the filter with them
    assert differences["moment max", "knee"] == pytest.approx(0.0, abs=0.05 * own)


def test_an_uncertainty_of_nothing_is_zero_and_bands_can_be_switched_off(tmp_path):
    none = results(tmp_path, sheets_with([("mass", 0, "%", None)]))
    assert set(peaks(none, "u").values()) == {0.0}
    usual = peaks(results(tmp_path, sheets_with([])), "u")
    assert min(usual.values()) > 0.0, "a sheet without rows says nothing"
    path = gait_book(tmp_path / "off.xlsx", sheets_with(None, settings={"bands": "no"}))
    run_gait(path).save()
    book = openpyxl.load_workbook(path)
    assert "mbs Gait uncertainty" not in book.sheetnames
    assert not any(str(cell.value).endswith(".u") for cell in book["mbs Gait series"][1])


@pytest.mark.parametrize(
    ("row", "cell", "said"),
    [
        (("marker placment", 5, "mm", None), "Uncertainty!A2", "marker placement"),
        (("mass", 5, "kg", None), "Uncertainty!C2", "kg"),
        (("delay", 5, "mm", None), "Uncertainty!C2", "mm"),
        (("mass", -5, "%", None), "Uncertainty!B2", "not negative"),
        (("mass", "much", "%", None), "Uncertainty!B2", "number"),
        (("mass", "as measured", "%", None), "Uncertainty!B2", "noise"),
        (("marker placement", 5, "mm", "right kne"), "Uncertainty!D2", "right knee"),
        (("plate point", 5, "mm", "middle"), "Uncertainty!D2", "plate point"),
        (("delay", 5, "ms", "right"), "Uncertainty!D2", "one delay"),
    ],
)
def test_mistakes_of_the_sheet_are_told_at_their_cells(tmp_path, row, cell, said):
    with pytest.raises(WorkbookError) as caught:
        results(tmp_path, sheets_with([row]))
    assert any(each.cell == cell and said in str(each) for each in caught.value.problems), str(caught.value)


@pytest.fixture(scope="module")
def in_space():
    """The walker in space, with its uncertainties."""
    found = run_gait(TEMPLATE)
    gait = GaitPresentation(found.solved.book, found.solved.courses)
    return believed_courses(found.solved, gait)


def test_errors_of_both_sides_tried_at_once_do_what_each_does_alone(tmp_path):
    # the marker of a hip belongs to the trunk too, so that its skin is felt on the other side
    solved = results(tmp_path, sheets_with(None)).solved
    believed = believed_courses(solved, GaitPresentation(solved.book, solved.courses))
    base = believed.disturbed(ErrorDirection("", {0: UNDISTURBED}))[0]
    uncertain = np.sqrt(np.nansum(believed.changes[0] ** 2, axis=0))
    for number, direction in enumerate(believed.directions):
        alone = (believed.disturbed(direction.times(STEP))[0] - base) / STEP
        missed = np.nan_to_num(np.abs(believed.changes[0][number] - alone))
        joints = slice(len(believed.columns))
        assert (missed[joints] <= 1e-6 * uncertain[joints] + 1e-9).all(), (direction.kind, direction.side)
        # the centre of mass about which the residual moment counts shifts with both sides: nearly nothing
        assert (missed <= 0.03 * uncertain + 1e-9).all(), (direction.kind, direction.side)


def test_tangents_in_space_are_what_whole_solutions_with_a_small_error_give(in_space):
    base = in_space.disturbed(ErrorDirection("", {0: UNDISTURBED}))[0]
    uncertain = np.sqrt(np.nanmean(np.nansum(in_space.changes[0] ** 2, axis=0), axis=1))
    tried = {}
    for number, direction in enumerate(in_space.directions):
        tried.setdefault((direction.kind, direction.side), number)
    assert len({kind for kind, _side in tried}) == len(SOURCE_WORDS) - 1
    for number in tried.values():
        changed = in_space.disturbed(in_space.directions[number].times(STEP))[0]
        whole = (changed - base) / STEP
        missed = np.sqrt(np.nanmean((in_space.changes[0][number] - whole)[:, 5:-5] ** 2, axis=1))
        assert (missed < 1e-3 * uncertain).all(), in_space.directions[number].kind


def test_curvatures_from_windows_are_those_of_whole_solutions(in_space):
    items = [each for each in peak_items(in_space.gait.trials, in_space.gait.strides) if each.joint == "hip"][::7]
    assert len(items) > 3
    for item, curvature in zip(items, in_space.curvatures(items), strict=True):
        assert curvature == pytest.approx(in_space._curvature(item), rel=0.1, abs=1.0), item.item


def drawn(path):
    """Columns beside the report and of the means of angles, by name."""
    book = openpyxl.load_workbook(path, data_only=True)
    found = {}
    for name in ("mbs Gait report", "mbs Gait Angles"):
        sheet = (
            book[name] if name in book.sheetnames else next(each for each in book if each.title.lower() == name.lower())
        )
        for head in sheet[1]:
            values = [sheet.cell(row, head.column).value for row in range(3, 104)]
            if head.value and isinstance(values[0], (int, float)):
                found[head.value] = np.array(values, dtype=float)
    return found


@pytest.mark.nightly
def test_areas_of_charts_reach_two_uncertainties_about_the_means_of_both_sides(tmp_path):
    sheets = sheets_with()
    results(tmp_path, sheets).save()
    of = drawn(tmp_path / "walk.xlsx")
    limits = [
        of[f"{side} knee.angle.mean"] + sign * 2.0 * of[f"{side} knee.angle.u"] for side in SIDES for sign in (-1, 1)
    ]
    parts = [values for name, values in of.items() if name.startswith("left and right Knee angle.2u ")]
    assert len(parts) == 7
    assert all(np.all(each >= 0.0) for each in parts[1:])
    assert parts[0] == pytest.approx(np.min(limits, axis=0), abs=1e-9)
    assert sum(parts) == pytest.approx(np.max(limits, axis=0), abs=1e-9)
    overlap = np.minimum(limits[1], limits[3]) - np.maximum(limits[0], limits[2])
    assert parts[4] - parts[3] == pytest.approx(overlap, abs=1e-9)
    assert parts[1] + parts[4] + parts[5] == pytest.approx(limits[3] - limits[2], abs=1e-9)
    sheets["Normative"] = [("percent", "knee.angle.low", "knee.angle.high"), (0, 0, 10), (100, 0, 10)]
    results(tmp_path, sheets).save()
    of = drawn(tmp_path / "walk.xlsx")
    assert not any(name.startswith("left and right Knee angle") for name in of)
    assert of["left knee.angle.mean-2u"] == pytest.approx(limits[2], abs=1e-9)
