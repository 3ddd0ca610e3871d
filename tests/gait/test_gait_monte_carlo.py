"""Standard uncertainties are what thousands of draws of all errors make of exact walkers.

Each draw solves the trial again, in full, with every error of the sheet at once and new noise in every sample.
"""

from dataclasses import dataclass

import numpy as np
import pytest

from sheetmbs.gait.gait_results import believed_courses
from sheetmbs.gait.run_gait import run_gait
from sheetmbs.gait.sheets.gait_presentation import GaitPresentation
from sheetmbs.gait.solve_trial import Choices, stand, vary_joints
from sheetmbs.gait.strides.summary_items import peaks_of
from sheetmbs.gait.trial.disturbance import UNDISTURBED, Disturbance, Disturbed
from sheetmbs.gait.uncertainty.error_directions import sum_of
from sheetmbs.schema.uncertainty_inputs import SOURCE_WORDS
from tests.gait.gait_space_trials import trial as space_trial
from tests.gait.test_gait_uncertainty import sheets_with
from tests.support.gait_books import gait_book

LINEAR = 5.0
"""% of curvature up to which a peak is expected to keep to its linear uncertainty; the sheet warns above 20"""
NOISE = 0.5e-3
"""m of every coordinate of every marker"""
NOISE_PART = 4
"""a draw of noise alone for so many of all errors: its variance is then known well enough for shares"""
SOURCES = [
    *(("marker placement", 5, "mm", None), ("joint centre", 12, "mm", None), ("skin", 4, "mm", None)),
    *(("noise", 1e3 * NOISE, "mm", None), ("plate point", 4, "mm", None), ("plate gain", 0.7, "%", None)),
    *(("delay", 1, "ms", None), ("mass", 7.5, "%", None), ("com", 3, "%", None), ("gyration", 7.5, "%", None)),
    ("cut-off", 0.3, "Hz", None),
]


def space_sheets(sources):
    """Sheets of the walker in space."""
    return space_trial(0.0) | {"Uncertainty": [("source", "sd", "unit", "of"), *sources]}


@dataclass
class Drawn:
    """Peaks and draws. shares: (peaks, sources) in %. draws: (draws, peaks). sizes: (draws, errors). kinds: of errors.

    noise: (peaks,) variance of draws of noise alone.
    """

    u: np.ndarray
    value: np.ndarray
    shares: np.ndarray
    draws: np.ndarray
    sizes: np.ndarray
    kinds: list
    noise: np.ndarray


def drawn(path, sheets, count, seed):
    """A workbook, its uncertainties, and so many draws of its peaks."""
    found = run_gait(gait_book(path, sheets))
    solved, gait = found.solved, GaitPresentation(found.solved.book, found.solved.courses)
    believed, (trial,) = believed_courses(solved, gait), solved.trials
    peaks = [each for each in found.items if each.quantity and each.u]
    curved = believed.curvatures(peaks)
    peaks = [each for each, bent in zip(peaks, curved, strict=True) if bent is not None and bent < LINEAR]
    values = [believed.of_peak(each) for each in peaks]
    random = np.random.default_rng(seed)
    sizes = random.standard_normal((count, len(believed.directions)))
    processing, prepared = solved.book.processing, trial.prepared
    choices = Choices(processing.force_cutoff, delay=processing.force_delay)
    alone = np.zeros((max(count // NOISE_PART, 2), len(believed.directions)))
    draws = []
    for own in (*sizes, *alone):
        error = sum_of(believed.directions, own)
        white = {
            (Disturbed.MARKER, label): NOISE * random.standard_normal(prepared.values[0].T.shape)
            for label in prepared.labels
        }
        standing = solved.prepared.standing
        if error.standing.parts and solved.prepared.static is not None:
            standing = stand(solved.prepared.static, solved.book, error.standing)
        disturbance = error.trials.get(0, UNDISTURBED).plus(Disturbance(white))
        courses = GaitPresentation(
            solved.book, [vary_joints(trial, solved.book, standing, choices, disturbance)]
        ).trials
        draws.append([at_their_times(courses, gait, each) for each in peaks])
    return Drawn(
        np.array([each.u for each in peaks]),
        np.array([each.value for each in peaks]),
        np.array([one.shares for one in values]),
        np.array(draws[:count]),
        sizes,
        [each.kind for each in believed.directions],
        np.var(draws[count:], axis=0, ddof=1),
    )


def at_their_times(courses, gait, item):
    """The mean of a peak at the times at which it was without errors."""
    label = f"{item.side} {item.joint}".strip()
    return np.mean(
        [
            peak.of(courses[stride.trial].joints[label][item.quantity], courses[stride.trial].time)
            for stride, peak in peaks_of(gait.trials, gait.strides, item)
        ]
    )


def check(found, of_u, of_share, inside):
    """Peaks against draws. of_u: as a part. of_share: in points. inside: least and most share of draws within 1.96 u."""
    count = len(found.draws)
    assert len(found.u) > 12
    ratio = found.u / np.std(found.draws, axis=0, ddof=1)
    assert ratio == pytest.approx(np.ones(len(ratio)), abs=of_u)
    within = np.mean(np.abs(found.draws - found.value) < 1.96 * found.u, axis=0)
    assert inside[0] < within.min()
    assert within.max() < inside[1]
    # what each error makes of a peak in the mean over all draws; products of errors belong to no source
    fitted = np.column_stack((np.ones(count), found.sizes))
    slopes = np.linalg.lstsq(fitted, found.draws, rcond=None)[0]
    left = np.sum((found.draws - fitted @ slopes) ** 2, axis=0) / (count - fitted.shape[1])
    # a square of an estimated slope is too large by the variance of that estimate
    squares = slopes**2 - np.diag(np.linalg.inv(fitted.T @ fitted))[:, None] * left
    total = np.sum(squares[1:], axis=0) + found.noise
    for column, word in enumerate(SOURCE_WORDS):
        own = squares[1:][[kind == word for kind in found.kinds]]
        variance = found.noise if word == "noise" else np.sum(own, axis=0)
        assert found.shares[:, column] == pytest.approx(100.0 * variance / total, abs=of_share), word


def test_peaks_scatter_as_their_uncertainty_says(tmp_path):
    # of 250 draws the standard deviation is known to 4.5 %, so that 18 % is four of those
    check(drawn(tmp_path / "walk.xlsx", sheets_with(SOURCES), 250, 5), 0.18, 12.0, (0.89, 0.995))


@pytest.mark.nightly
@pytest.mark.parametrize(
    ("sheets", "of_u"),
    # in space products of errors that turn the short axes of the foot add 7 % to the scatter of the angle of the ankle
    [(sheets_with, 0.05), (space_sheets, 0.08)],
    ids=["plane", "space"],
)
def test_four_thousand_draws_agree_with_uncertainty_shares_and_coverage(tmp_path, sheets, of_u):
    check(drawn(tmp_path / "walk.xlsx", sheets(SOURCES), 4000, 7), of_u, 3.0, (0.93, 0.97))
