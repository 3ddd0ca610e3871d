"""What is read off curves has the uncertainty that whole runs with changed inputs show, and what a session shares cancels."""

from dataclasses import replace

import numpy as np
import pytest
from scipy.interpolate import CubicSpline

from sheetmbs.gait.gait_results import believed_courses
from sheetmbs.gait.sheets.clinical_parameters import (
    HEADS,
    _OneSide,
    clinical_rows,
    mean_deviation,
    multiple_correlation,
    slopes_of_correlation,
    slopes_of_deviation,
    u_of_symmetry,
)
from sheetmbs.gait.sheets.gait_presentation import GaitPresentation
from sheetmbs.gait.strides.summary_items import peak_items
from sheetmbs.gait.uncertainty.curve_readings import sampled
from sheetmbs.gait.uncertainty.error_directions import GaitSession
from sheetmbs.gait.uncertainty.propagation import Propagation
from sheetmbs.schema.uncertainty_inputs import SOURCE_WORDS, SourceKind
from tests.gait.test_gait_uncertainty import HOW, changes_of, results, sheets_with
from tests.support.gait_books import Recording

SHARED = {
    *(SourceKind.PLACEMENT, SourceKind.CENTRE, SourceKind.MASS),
    *(SourceKind.COM, SourceKind.GYRATION, SourceKind.CUTOFF),
}
"""that all trials of a session have alike"""
SIZE = 2e-3
"""m"""
LINEAR = 0.04
"""of an uncertainty, by which a run may miss it: points of a curve lie between frames, and errors are not small"""


def without_bands(sheets):
    """Sheets of a run that only gives values."""
    return sheets | {"Processing": [*sheets["Processing"], ("bands", "no")]}


def clinical(found, *, is_believed=True):
    """Rows of the clinical page by their parameter."""
    gait = GaitPresentation(found.solved.book, found.solved.courses)
    believed = believed_courses(found.solved, gait) if is_believed else None
    return {row[0]: dict(zip(HEADS, row, strict=True)) for row in clinical_rows(gait, [], believed)}


def test_ranges_times_and_work_change_as_runs_with_an_error_do(tmp_path):
    told = clinical(results(tmp_path, sheets_with([("marker placement", 1e3 * SIZE, "mm", "right knee")])))
    variance = dict.fromkeys(told, 0.0)
    differences = dict.fromkeys(told, 0.0)
    step = 0.25 * SIZE
    for up, down in zip(changes_of("marker placement", step), changes_of("marker placement", -step), strict=True):
        high, low = (clinical(results(tmp_path, without_bands(each())), is_believed=False) for each in (up, down))
        for name, row in told.items():
            if row["right_u"] is not None:
                change = (high[name]["right"] - low[name]["right"]) * SIZE / (2.0 * step)
                variance[name] += change**2
                if row["difference"] is not None:
                    differences[name] += (
                        (high[name]["difference"] - low[name]["difference"]) * SIZE / (2.0 * step)
                    ) ** 2
    known = [name for name, row in told.items() if row["right_u"] is not None]
    assert {"knee flexion, range", "knee flexion, peak in swing", "H1 work", "A2 work"} <= set(known)
    for name in known:
        if told[name]["unit"] != "%":
            assert told[name]["right_u"] == pytest.approx(np.sqrt(variance[name]), rel=LINEAR, abs=2e-3), name
            if told[name]["u_difference"] is not None:
                expected = np.sqrt(differences[name])
                assert told[name]["u_difference"] == pytest.approx(expected, rel=LINEAR, abs=2e-3), name


def score_rows(found):
    """Scores and their uncertainties by side, score and variable."""
    (page,) = [each for each in found.sheets.pages if each.name == "mbs Gait scores"]
    cells = {(cell.row, cell.column): cell.value for cell in page.cells}
    return {
        tuple(cells.get((row, column)) for column in (1, 2, 3)): (cells.get((row, 4)), cells.get((row, 7)))
        for row in sorted({row for row, _ in cells if row > 2})
    }


def test_scores_change_as_runs_with_an_error_do(tmp_path):
    percent = np.arange(0.0, 101.0, 2.0)
    joints = [f"{side} {joint}.angle" for side in ("right", "left") for joint in ("hip", "knee", "ankle")]
    head = ("percent", *(f"{joint}.{part}" for joint in joints for part in ("mean", "sd")))
    middle = (10.0, 25.0, 0.0) * 2
    norm = [head, ("%", *("deg",) * 12), *((each, *(v for m in middle for v in (m, 5.0))) for each in percent)]

    def scored(sheets):
        return score_rows(results(tmp_path, sheets | {"Normative": norm}))

    sources, bands = [("marker placement", 1e3 * SIZE, "mm", "right knee")], {"bands": "yes"}
    told = scored(sheets_with(sources, bands))
    variance, step = dict.fromkeys(told, 0.0), 0.25 * SIZE
    for up, down in zip(changes_of("marker placement", step), changes_of("marker placement", -step), strict=True):
        high, low = (scored(without_bands(each())) for each in (up, down))
        for key in told:
            variance[key] += ((high[key][0] - low[key][0]) * SIZE / (2.0 * step)) ** 2
    assert {key[:2] for key in told} >= {("right", "GVS"), ("right", "GPS-2D"), ("overall", "GPS-2D")}
    for key, (value, u) in told.items():
        assert value > 0.0
        assert u == pytest.approx(np.sqrt(variance[key]), rel=LINEAR, abs=2e-4), key


def test_points_of_a_stride_are_sums_of_frames_of_its_run():
    time = np.arange(120) / 100.0
    values = np.sin(7.0 * time) + 0.2 * np.cos(31.0 * time)
    known = np.ones(120, np.bool_)
    known[:20] = False
    frames, weights = sampled(time, known, 0.301, 1.002, 51)
    whole = CubicSpline(time[20:], values[20:])(np.linspace(0.301, 1.002, 51))
    assert values[frames] @ weights == pytest.approx(whole, abs=1e-9)
    known[60] = False
    assert sampled(time, known, 0.301, 1.002, 51) is None


def test_what_a_session_shares_cancels_between_conditions(tmp_path):
    found = results(tmp_path, sheets_with(None)).solved
    (trial,), prepared = found.trials, found.prepared
    again = replace(trial, courses=replace(trial.courses, trial="again"))
    gait = GaitPresentation(found.book, [trial.courses, again.courses])
    both = Propagation(GaitSession(found.book, (trial, again), prepared.static, prepared.standing), gait)
    single = believed_courses(found, GaitPresentation(found.book, found.courses))
    items = [each for each in peak_items(single.gait.trials, single.gait.strides) if single.of_peak(each) is not None]
    assert len(items) > 12
    for item in items:
        one, other = ([each for each in gait.strides if each.trial == number] for number in (0, 1))
        between, alone = both.of_peak_between(item, one, other), single.of_peak(item)
        assert between.value == pytest.approx(0.0, abs=1e-9)
        for word, here, there in zip(SOURCE_WORDS, between.by_source, alone.by_source, strict=True):
            expected = 0.0 if word in SHARED else 2.0 * there
            assert here == pytest.approx(expected, rel=1e-6, abs=1e-12), (item.item, word)


@pytest.mark.parametrize(
    ("value", "slopes"),
    [(mean_deviation, slopes_of_deviation), (multiple_correlation, slopes_of_correlation)],
    ids=["SD", "CMC"],
)
def test_slopes_of_variability_are_its_differences(value, slopes):
    random = np.random.default_rng(8)
    values = np.sin(np.linspace(0.0, 6.0, 12)) + 0.1 * random.standard_normal((4, 12))
    way = random.standard_normal(values.shape)
    differenced = (value(values + 1e-6 * way) - value(values - 1e-6 * way)) / 2e-6
    assert np.sum(slopes(values) * way) == pytest.approx(differenced, rel=1e-6)
    assert slopes(np.tile(values[0], (4, 1))) is None


def test_variability_changes_as_runs_with_another_cut_off_do(tmp_path):
    """Strides that differ by noise of markers, of which the filter leaves more or less."""
    noisy, step = Recording(end=3.8, noise=2e-3, settings=dict(HOW.settings)), 0.25
    told = clinical(results(tmp_path, sheets_with([("cut-off", 1.0, "Hz", None)], how=noisy)))
    high, low = (
        clinical(
            results(tmp_path, without_bands(sheets_with((), {"cutoff": 12.0 + sign * step}, how=noisy))),
            is_believed=False,
        )
        for sign in (1.0, -1.0)
    )
    for name in ("knee angle, mean SD of strides", "knee angle, CMC of strides", "ankle angle, mean SD of strides"):
        for cell, u in (("right", "right_u"), ("left", "left_u"), ("difference", "u_difference")):
            change = abs(high[name][cell] - low[name][cell]) / (2.0 * step)
            # a difference of sides that nearly cancels is known as well as the sides are
            assert told[name][u] == pytest.approx(change, rel=0.05, abs=0.05 * told[name]["right_u"]), (name, cell)


def test_symmetry_is_as_uncertain_as_its_slopes_by_both_sides_say():
    left, right = _OneSide(0.62, None, 3, 0.01), _OneSide(0.58, None, 3, 0.02)

    def index(one, other):
        return 200.0 * abs(one - other) / (one + other)

    up, down = (index(0.62 + sign * 0.01, 0.58 - sign * 0.02) for sign in (1.0, -1.0))
    assert u_of_symmetry(left, right, is_opposed=True) == pytest.approx(0.5 * (up - down), rel=1e-3)
    alone = [0.5 * (index(0.62 + a, 0.58 + b) - index(0.62 - a, 0.58 - b)) for a, b in ((0.01, 0.0), (0.0, 0.02))]
    assert u_of_symmetry(left, right, is_opposed=False) == pytest.approx(np.hypot(*alone), rel=1e-3)


def test_steps_of_both_sides_are_wider_by_the_same_misplaced_heels(tmp_path):
    row = clinical(results(tmp_path, sheets_with([("marker placement", 6, "mm", None)])))[
        "step width, heels across the way"
    ]
    assert row["left_u"] == pytest.approx(np.hypot(6e-3, 6e-3), rel=1e-3)
    assert row["right_u"] == pytest.approx(row["left_u"])
    # what noise is seen in exact markers
    assert row["u_difference"] < 0.03 * row["left_u"]
