"""Forces that are late or early against markers, of bodies whose trunk was not measured, and by more than a residual tells."""

from __future__ import annotations

import numpy as np
from scipy.interpolate import CubicSpline

from sheetmbs.gait.quality.body_surrogate import Surrogate
from sheetmbs.gait.quality.checked_trials import frames_in_words, setting_place
from sheetmbs.gait.quality.whole_body import MAX_DELAY, carries_less_than_standing
from sheetmbs.schema.problem_list import ProblemList

STEP, LONGEST = 0.005, 0.150
"""s: delays that are tried"""
SLACK = 0.010
"""s beyond a frame of the markers, from which a delay is worth a word: the stand-in is right to 5 to 10 ms"""
MAX_RATIO = 0.95
"""of what is left between force and demand, to which the delay must bring it"""
ALL = 0.999
"""share of a frame that must be known when forces are moved over it"""


def best_lag(found: Surrogate) -> tuple[float, float, float] | None:
    """The delay in s to be added to force times, and what is left of the force in N rms now and then; None unknown."""
    if not found.is_long:
        return None
    time, known = found.body.courses.time, found.contacts
    force = CubicSpline(time, np.nan_to_num(found.force[:, :2]))
    count = round(LONGEST / STEP)
    delays = np.arange(-count, count + 1) * STEP
    left = []
    for delay in delays:
        moved = time - delay
        both = known & (np.interp(moved, time, known.astype(np.float64), left=0.0, right=0.0) >= ALL)
        error = found.demand[both] - force(moved[both])
        left.append(float(np.sqrt(np.mean(np.sum(error**2, axis=1)))) if both.any() else np.inf)
    best = int(np.argmin(left))
    return float(delays[best]), left[count], left[best]


def check_synchrony(found: Surrogate, report: ProblemList) -> None:
    """A warning from a frame and 10 ms on, with the delay that is to be written; nothing where the residual tells it."""
    lag, body = best_lag(found), found.body
    if lag is None:
        return
    delay, now, then = lag
    is_told = found.is_whole and abs(delay) <= MAX_DELAY
    if is_told or abs(delay) < 1.0 / body.courses.rate + SLACK - 1e-9 or then > MAX_RATIO * now:
        return
    is_last = abs(delay) > LONGEST - 0.5 * STEP
    if is_last and carries_less_than_standing(body):
        return
    sheet = body.solved.prepared.trial.sheets[1]
    says = f"{sheet}: the forces look {'late' if delay < 0.0 else 'early'} by {1e3 * abs(delay):.0f} ms"
    says += " or more" if is_last else ""
    frames = frames_in_words(found.contacts, body.frames)
    problem = f"what the body demands fits best then, in {frames}: {then:.3g} N rms are left, in place of {now:.3g} N"
    written = body.book.processing.force_delay + delay
    mend = f"write force_delay = {written:.3f}; it is not applied"
    if is_last:
        mend = "look how both were synchronised: longer delays are not tried, and none is applied"
    report.warning("synchrony", setting_place(body.book, "force_delay"), says, problem, mend)
