"""Forces that run late or early: the delay at which the whole body asks for least that nobody gives."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline
from scipy.ndimage import binary_erosion

from sheetmbs.gait.quality.recorded_body import setting_place
from sheetmbs.gait.quality.solved_body import SolvedBody
from sheetmbs.schema.problem_list import ProblemList

Vector = NDArray[np.float64]
Mask = NDArray[np.bool_]

MAX_DELAY, STEP = 0.060, 0.001
"""s: delays that are tried"""
MIN_DELAY = 0.75
"""of a frame: the delay is found within a millisecond"""
SHORTEST = 0.4
"""s in which both feet must be known throughout all delays"""
BETTER = 0.9
"""of the residual, to which another delay must bring it to be worth a word"""


def check_delay(body: SolvedBody, report: ProblemList) -> None:
    """A warning where forces are late or early by a frame of the markers or more."""
    found = best_delay(body)
    if found is None:
        return
    delay, now, then = found
    frame = 1.0 / body.courses.rate
    if abs(delay) < max(frame - STEP, MIN_DELAY * frame) - 1e-9 or then > BETTER * now:
        return
    written = body.book.processing.force_delay + delay
    is_last = abs(delay) > MAX_DELAY - 0.5 * STEP
    more = " or more" if is_last else ""
    says = f"the forces look {'late' if delay < 0.0 else 'early'} by {1e3 * abs(delay):.0f} ms{more}"
    problem = (
        f"the residual of the whole body falls from {now:.3g} to {then:.3g} N with a delay of {1e3 * delay:.0f} ms"
    )
    mend = f"write force_delay = {written:.3f}; it is not applied"
    if is_last:
        mend = "look how both were synchronised: longer delays are not tried, and none is applied"
    report.warning("late-forces", setting_place(body.book, "force_delay"), says, problem, mend)


def best_delay(body: SolvedBody) -> tuple[float, float, float] | None:
    """The delay to add in s, and the residual in N rms now and then; None where no time or no whole body tells it."""
    courses = body.courses
    residual = courses.residual
    if residual is None:
        return None
    known = np.isfinite(residual["fy"]) & np.isfinite(residual["fx"]) & body.inside
    width = int(np.ceil(MAX_DELAY * courses.rate))
    inside = binary_erosion(known, iterations=width, border_value=0)
    if inside.sum() < SHORTEST * courses.rate:
        return None
    given = np.column_stack([sum(foot[name] for foot in courses.feet.values()) for name in ("fx", "fy")])
    lacking = np.column_stack((residual["fx"], residual["fy"]))
    needed = (given + lacking)[inside]
    spline = CubicSpline(courses.time[known], given[known])
    delays = np.arange(-round(MAX_DELAY / STEP), round(MAX_DELAY / STEP) + 1) * STEP
    shifted = spline(courses.time[inside] - delays[:, None])
    rms = np.sqrt(np.mean(np.sum((needed - shifted) ** 2, axis=2), axis=1))
    best = int(np.argmin(rms))
    return float(delays[best]), float(rms[len(delays) // 2]), float(rms[best])
