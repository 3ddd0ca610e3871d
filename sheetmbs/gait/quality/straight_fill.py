"""Gaps that were filled by straight lines before the export: nobody moves along a line at one speed."""

from __future__ import annotations

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.quality.checked_trials import RecordedBody
from sheetmbs.gait.signals.gaps import bounds
from sheetmbs.schema.problem_list import ProblemList

MAX_BEND = 1e-6
"""of the mean step of a marker: its second difference along a line"""
LEAST_BEND = 0.02
"""of its usual second difference, which rounding of the file must not reach"""
MAX_DIGITS = 6
"""decimals of mm to which files are written at most"""
MOVES = 1e-3
"""m between ends of a line: what stands still is reported by another check"""


def check_straight_fill(body: RecordedBody, report: ProblemList) -> None:
    """A warning for each marker that moves along a straight line for longer than gaps that are filled."""
    prepared, limit = body.prepared, body.book.processing.gap_limit
    for index in body.needed():
        course = prepared.recorded[index]
        known = course[np.isfinite(course).any(axis=1)]
        if not len(known):
            continue
        steps = np.linalg.norm(np.diff(known, axis=1), axis=0)
        bends = np.linalg.norm(np.diff(known, n=2, axis=1), axis=0)
        if not np.isfinite(steps).any() or not np.nanmean(steps) > 0.0:
            continue
        straight = bends <= max(MAX_BEND * float(np.nanmean(steps)), _rounding(known, bends))
        frames = np.zeros(course.shape[1], np.bool_)
        for first, last in bounds(straight):
            length = (last - first + 2) / prepared.time.rate
            way = float(np.linalg.norm(known[:, last + 2] - known[:, first]))
            if length > limit + 1e-9 and way > MOVES:
                frames[first : last + 3] = True
        if frames.any():
            label = prepared.labels[index]
            found = f"{label} moves along a straight line in {body.frames(frames)} of {prepared.trial.sheets[0]}"
            problem = f"a gap longer than {limit:g} s seems to have been filled so before the export"
            sample = int(np.searchsorted(prepared.time.index, int(np.flatnonzero(frames)[0])))
            place = prepared.trial.markers.place(index, sample)
            report.warning("straight-fill", place, found, problem, "clear these cells, so that they count as a gap")


def _rounding(known: Vector, bends: Vector) -> float:
    """The second difference in m that the digits of the file alone make on a line, 0 where real motion is no larger."""
    values = 1e3 * known[np.isfinite(known)]
    for digits in range(MAX_DIGITS):
        size = 10.0**-digits
        if np.abs(values / size - np.round(values / size)).max() < 1e-4:
            bend = 2.0 * 1e-3 * size * np.sqrt(len(known))
            return bend if bend < LEAST_BEND * float(np.nanmedian(bends)) else 0.0
    return 0.0
