"""Weights of points of strides as weights of the frames of a trial, and how noise of frames goes together.

A stride is read off the cubic spline through the frames of its run, which is linear in them: with S (frames, points) the
spline through a unit in each frame, weights w of points are weights S w of frames. Frames farther than `MARGIN` from the stride
count for nothing, for a unit decays by 0.27 from frame to frame.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from scipy.interpolate import CubicSpline

from sheetmbs.gait.arrays import Mask, Vector

MARGIN = 16
"""frames beside a stride through which its spline runs too: 0.27^16 is 1e-9"""


def sampled(time: Vector, known: Mask, start: float, end: float, points: int) -> tuple[slice, Vector] | None:
    """The frames that a stride is read off, and (frames, points) what each of them adds.

    time: (n,) in s, uniform. known: (n,) frames in which the course is there. start, end: of the stride in s.
    None where frames between are missing.
    """
    rate = (len(time) - 1) / (time[-1] - time[0])
    first = int(np.floor((start - time[0]) * rate + 1e-9))
    last = int(np.ceil((end - time[0]) * rate - 1e-9))
    if first < 0 or last >= len(time) or last <= first or not known[first : last + 1].all():
        return None
    gone = np.flatnonzero(~known)
    before, after = gone[gone < first], gone[gone > last]
    low = max(first - MARGIN, int(before[-1]) + 1 if len(before) else 0)
    high = min(last + MARGIN, int(after[0]) - 1 if len(after) else len(time) - 1)
    frames = slice(low, high + 1)
    spline = CubicSpline(time[frames], np.eye(high + 1 - low), axis=-1)
    return frames, np.asarray(spline(np.linspace(start, end, points)))


def correlation(filtered: Callable[[Vector], Vector], frames: int) -> Vector:
    """(frames, frames) correlation of white noise behind a filter. filtered: of series (.., n)."""
    impulse = np.zeros((1, 2 * frames + 1))
    impulse[0, frames] = 1.0
    response = filtered(impulse)[0]
    together = np.correlate(response, response, "full")
    middle = len(together) // 2
    by_lag = together[middle : middle + frames] / together[middle]
    lags = np.abs(np.arange(frames)[:, None] - np.arange(frames))
    return np.asarray(by_lag[lags])
