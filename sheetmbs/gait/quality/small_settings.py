"""Settings that are possible and odd, and markers that are noisy: a line each."""

from __future__ import annotations

import numpy as np

from sheetmbs.gait.prepare_trial import PreparedTrial
from sheetmbs.gait.quality.checked_trials import RecordedBody, setting_place
from sheetmbs.gait.trial.gait_book import GaitBook
from sheetmbs.schema.problem_list import ProblemList

MAX_NOISE = 0.003
"""m of a marker, by residual analysis: cameras have less than 1 mm"""
THRESHOLD = (5.0, 60.0)
"""N: noise of plates, and what a foot carries as it leaves"""
FEWEST_POINTS = 51
"""of a stride: scores take every second percent"""
FORCE_BY_MARKERS = 0.5
"""of the cut-off of markers, below which that of forces flattens every peak"""


def check_settings(book: GaitBook, report: ProblemList) -> None:
    """Warnings for threshold, points and cut-off of the forces."""
    how = book.processing
    low, high = THRESHOLD
    if "threshold" in how.places and not low <= how.threshold <= high:
        problem = f"{low:g} to {high:g} N are above the noise of plates and below what a foot carries as it leaves"
        place = setting_place(book, "threshold")
        report.warning("threshold", place, f"threshold: {how.threshold:g} N", problem, "write 20 N, or clear the row")
    if how.points < FEWEST_POINTS:
        problem = f"fewer than {FEWEST_POINTS} points lose peaks of the stride"
        report.warning("points", setting_place(book, "points"), f"points: {how.points}", problem, "write 101")
    both = (how.force_cutoff, how.cutoff)
    if isinstance(both[0], float) and isinstance(both[1], float) and both[0] < FORCE_BY_MARKERS * both[1]:
        found = f"force_cutoff: {both[0]:g} Hz, and cutoff {both[1]:g} Hz"
        problem = "forces that are so much smoother than markers do not fit the accelerations"
        report.warning("force-cutoff", setting_place(book, "force_cutoff"), found, problem, "write same, or none")


def check_force_rate(book: GaitBook, trials: tuple[PreparedTrial, ...], report: ProblemList) -> None:
    """A warning where force_rate is written and the times of all forces give another rate, or there are no forces."""
    rate = book.processing.force_rate
    used = [each.force_time.rate for each in trials if each.force_time is not None]
    if rate is None or (used and any(abs(each - rate) <= 1e-6 * rate for each in used)):
        return
    problem = "no trial has forces" if not used else f"the times of the forces give {used[0]:.6g} Hz"
    place = setting_place(book, "force_rate")
    report.warning("force-rate", place, f"force_rate: {rate:g} Hz is not used", problem, "clear the row")


def check_noise(body: RecordedBody, report: ProblemList) -> None:
    """A warning for each marker with more than 3 mm of noise."""
    noise, frames = body.prepared.advice.noise, body.prepared.time.frames
    for index in body.needed():
        if np.isfinite(noise[index]) and noise[index] > MAX_NOISE:
            label, sheet = body.prepared.labels[index], body.prepared.trial.sheets[0]
            found = f"{label}: {1e3 * noise[index]:.1f} mm of noise in frames {frames[0]}-{frames[-1]} of {sheet}"
            problem = f"markers that cameras see well have less than {1e3 * MAX_NOISE:g} mm"
            mend = "look for jumps of the marker, or for another one that was taken for it"
            report.warning("noise", body.header(label), found, problem, mend)
