"""Where a subject goes in a recording, how fast, and whether at all."""

from __future__ import annotations

import numpy as np

from sheetmbs.gait.importing.trial_files import TimedTrial, highest_course
from sheetmbs.gait.trial.gait_book import SIDES
from sheetmbs.gait.trial.marker_synonyms import model_name

MAX_STANDING_MOTION = 0.2
"""m within which a part of the body stays where it is"""
FOOT = ("heel", "toe", "mt5")
BODY = ("asis", "psis", "sacrum", *FOOT)


def travel(timed: TimedTrial) -> tuple[str, float | None]:
    """The axis along which a subject goes, and how fast in m/s."""
    high, time = highest_course(timed), timed.marker_time
    if high is None or time is None:
        return "", None
    seen = np.flatnonzero(np.isfinite(high).all(axis=1))
    if len(seen) < 2:
        return "", None
    way = high[seen[-1]] - high[seen[0]]
    axis = int(np.argmax(np.abs(way)))
    seconds = float(seen[-1] - seen[0]) / time.rate
    return f"{'+' if way[axis] > 0 else '-'}{'xyz'[axis]}", float(np.linalg.norm(way)) / seconds


def stands(timed: TimedTrial) -> bool:
    """Whether pelvis and feet stay where they are."""
    reaches = _reaches(timed, BODY)
    return bool(reaches) and max(reaches.values()) <= MAX_STANDING_MOTION


def rests_on_a_foot(timed: TimedTrial) -> bool:
    """Whether a foot stays where it is in the whole recording, so that nobody walks: each stride moves both."""
    reaches = _reaches(timed, FOOT)
    of_sides = [[reach for name, reach in reaches.items() if name.startswith(side)] for side in SIDES]
    return any(bool(own) and max(own) <= MAX_STANDING_MOTION for own in of_sides)


def _reaches(timed: TimedTrial, parts: tuple[str, ...]) -> dict[str, float]:
    """The largest range in m along an axis of each marker of these parts that is seen, by its name in templates."""
    markers = timed.recorded.markers
    if markers is None:
        return {}
    names = [model_name(label) for label in markers.labels]
    return {
        name: float(np.max(np.nanmax(course, axis=0) - np.nanmin(course, axis=0)))
        for name, course in zip(names, markers.positions, strict=True)
        if name.endswith(parts) and np.isfinite(course).all(axis=1).any()
    }
