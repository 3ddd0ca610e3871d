"""What the heights of a foot tell of its events: strikes and toe offs by its vertical speed, what strikes first, dragging."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np
from scipy.signal import find_peaks

from sheetmbs.gait.arrays import Mask, Vector
from sheetmbs.gait.signals.gaps import bounds

MIN_EVENT_INTERVAL = 0.4
"""s between two events of a kind of one foot: the fastest runners take half as much again"""
LOW_PART = 0.35
"""share of the range of heights of the middle of the foot: it strikes in the lowest part (O'Connor 2007)"""
LEAST_PEAK = 0.5
"""share of the largest vertical speed that the speed at an event reaches at least"""
STANDING = 0.05
"""part of the frames in which a point of the foot stands: the quantile of its heights is that over the ground"""
LOW = 0.03
"""m over where it stands, below which a point of the foot may touch the ground"""
SLOW = 0.3
"""m/s against the ground, below which it stands"""
BEFORE, AFTER = 0.20, 0.35
"""s around a strike of the heel's farthest reach, in which points of the foot come to stand"""
CLEARLY_FIRST = 0.04
"""s by which forefoot or toes stand before the heel, where they strike first: the foot is flat within a frame or two else"""
MIN_LIFT = 0.010
"""m that toes rise after they leave the ground: in mid swing alone they pass 10 to 20 mm over it, and after push-off 30"""
LIFT_TIME = 0.4
"""s after a toe off in which they rise"""
Points = Mapping[str, Vector]
"""heel, mt5, toe -> (n, 2) forward and up in m, filtered, NaN missing"""


def middle_of_foot(points: Points) -> Vector | None:
    """(n,) height in m of the middle of heel and toe (else mt5); None without them."""
    front = points.get("toe", points.get("mt5"))
    return None if front is None or "heel" not in points else np.asarray(0.5 * (points["heel"] + front)[:, 1])


def speed_strikes(height: Vector, time: Vector) -> list[float]:
    """Heel strikes in s: the vertical speed of the middle of the foot is least, in the lowest 35 % of its heights.

    height: (n,) in m, filtered, NaN missing. time: (n,) uniform, in s.
    Source: O'Connor, Thorpe, O'Malley and Vaughan, Gait Posture 25 (2007) 469.
    """
    if not np.isfinite(height).any():
        return []
    low = height <= np.nanmin(height) + LOW_PART * (np.nanmax(height) - np.nanmin(height))
    return _extremes(-np.gradient(height, time), time, low)


def speed_toe_offs(height: Vector, time: Vector) -> list[float]:
    """Toe offs in s: the vertical speed of the middle of the foot is greatest. Arguments as of strikes."""
    return _extremes(np.gradient(height, time), time, np.isfinite(height))


def _extremes(speed: Vector, time: Vector, allowed: Mask) -> list[float]:
    """The times of the clear maxima of a speed (n,) where they are allowed, on parabolas, with the larger of close ones."""
    step = float(time[1] - time[0])
    if not np.isfinite(speed[allowed]).any():
        return []
    least = LEAST_PEAK * float(np.nanmax(speed[allowed]))
    found: list[tuple[float, float]] = []
    for first, last in bounds(np.isfinite(speed)):
        course = speed[first : last + 1]
        peaks, _ = find_peaks(course, height=least)
        for peak in (int(each) for each in peaks if allowed[first + each]):
            before, at, after = (float(each) for each in course[peak - 1 : peak + 2])
            bend = before - 2.0 * at + after
            shift = 0.5 * (before - after) / bend if bend < 0.0 else 0.0
            found.append((at, float(time[first + peak] + shift * step)))
    kept: list[float] = []
    for _, when in sorted(found, reverse=True):
        if all(abs(when - other) >= MIN_EVENT_INTERVAL for other in kept):
            kept.append(when)
    return sorted(kept)


def first_to_stand(points: Points, time: Vector, strike: float) -> tuple[str, float | None]:
    """Which of heel, mt5 and toe is low and slow first at a strike in s, and when, where it is not the heel.

    The name is ``""`` where none of them comes to stand. Speeds are against what stands, be it the floor or a belt.
    """
    when = {name: each for name, course in points.items() if (each := _stands(course, time, strike)) is not None}
    if not when:
        return "", None
    first = min(when, key=lambda name: when[name])
    if "heel" not in points or when[first] > when.get("heel", np.inf) - CLEARLY_FIRST:
        return "heel" if "heel" in when else first, None
    return first, when[first]


def _stands(course: Vector, time: Vector, strike: float) -> float | None:
    """When a point (n, 2) comes to stand around a strike; None where it does not."""
    if np.isfinite(course).all(axis=1).sum() < 3:
        return None
    low = course[:, 1] < np.nanquantile(course[:, 1], STANDING) + LOW
    speed = np.gradient(course, time, axis=0)
    ground = np.nanmedian(speed[low & np.isfinite(speed[:, 0]), 0]) if (low & np.isfinite(speed[:, 0])).any() else 0.0
    stands = low & (np.hypot(speed[:, 0] - ground, speed[:, 1]) < SLOW)
    begins = np.flatnonzero(stands[1:] & ~stands[:-1]) + 1
    near = begins[(time[begins] >= strike - BEFORE) & (time[begins] <= strike + AFTER)]
    return float(time[near[0]]) if len(near) else None


def is_dragged(points: Points, time: Vector, toe_off: float) -> bool:
    """Whether the toes stay on the ground after what would be a toe off in s."""
    toe = points.get("toe", points.get("mt5"))
    if toe is None or not np.isfinite(toe[:, 1]).any():
        return False
    after = toe[(time >= toe_off) & (time <= toe_off + LIFT_TIME), 1]
    is_seen = len(after) > 0 and bool(np.isfinite(after).all()) and time[-1] >= toe_off + LIFT_TIME
    return is_seen and float(np.max(after)) < float(np.nanquantile(toe[:, 1], STANDING)) + MIN_LIFT
