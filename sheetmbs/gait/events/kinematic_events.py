"""Events from markers alone: where heel and toes are farthest before and behind the pelvis (Zeni 2008)."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.signal import find_peaks

from sheetmbs.gait.signals.runs import bounds

Vector = NDArray[np.float64]

NEAREST = 0.4
"""s between two events of a kind of one foot: the fastest runners take half as much again"""


def kinematic_strikes(heel: Vector, pelvis: Vector, time: Vector) -> list[float]:
    """Heel strikes in s: the heel is farthest before the sacrum or hip.

    heel, pelvis: (n,) forward positions in m, filtered, NaN missing. time: (n,) uniform, in s.
    Source: Zeni, Richards and Higginson, Gait Posture 27 (2008) 710.
    """
    return _maxima(heel - pelvis, time)


def kinematic_toe_offs(toe: Vector, pelvis: Vector, time: Vector) -> list[float]:
    """Toe offs in s: the toes are farthest behind the sacrum or hip. Arguments as of heel strikes."""
    return _maxima(pelvis - toe, time)


def _maxima(ahead: Vector, time: Vector) -> list[float]:
    """The times of maxima in the upper half of a course (n,), between samples on a parabola."""
    step = float(time[1] - time[0])
    found: list[float] = []
    seen = np.isfinite(ahead)
    if not seen.any():
        return found
    middle = 0.5 * (np.nanmin(ahead) + np.nanmax(ahead))
    for first, last in bounds(seen):
        course = ahead[first : last + 1]
        peaks, _ = find_peaks(course, height=middle, distance=max(NEAREST / step, 1.0))
        for peak in peaks:
            before, at, after = course[peak - 1 : peak + 2]
            bend = before - 2.0 * at + after
            shift = 0.5 * (before - after) / bend if bend < 0.0 else 0.0
            found.append(float(time[first + peak] + shift * step))
    return found
