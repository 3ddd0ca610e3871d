"""Markers that leap out of their course for a frame or two."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sheetmbs.gait.quality.exchanged_labels import exchanges
from sheetmbs.gait.quality.recorded_body import RecordedBody
from sheetmbs.schema.problem_list import ProblemList

Vector = NDArray[np.float64]
Mask = NDArray[np.bool_]

MIN_SPIKE = 0.020
"""m of a second difference"""
TIMES = 8.0
"""the median absolute second difference of the marker"""
BACK = 1.0 / 3.0
"""of a second difference, which its neighbour has the other way: a leap, for motion does not turn about in one frame"""


def check_outliers(body: RecordedBody, report: ProblemList) -> None:
    """A warning for each marker that is needed and leaps. Where labels are exchanged that is said instead.

    A marker that its cluster carries has no cells, and leaps with those of the cluster.
    """
    prepared = body.prepared
    leaps = leaping(prepared.recorded)
    for each in exchanges(prepared.recorded):
        turns = np.flatnonzero(np.diff(each.frames))
        for index in (each.first, each.second):
            leaps[index, np.unique(np.clip(turns[:, None] + np.arange(-1, 4), 0, leaps.shape[1] - 1))] = False
    carried = {label for label, _segment in prepared.trial.carried}
    for index in body.needed():
        if not leaps[index].any() or prepared.labels[index] in carried:
            continue
        label, markers = prepared.labels[index], prepared.trial.markers
        sample = int(np.searchsorted(prepared.time.index, np.flatnonzero(leaps[index])[0]))
        found = f"{label} leaps in {body.frames(leaps[index])}"
        problem = (
            f"its course bends there by more than {1e3 * MIN_SPIKE:g} mm and {TIMES:g} x the usual within one frame"
        )
        mend = "clear these cells to have the gap filled, or mend the tracking; nothing is mended here"
        report.warning("leaping-marker", markers.place(index, sample), found, problem, mend)


def leaping(recorded: Vector) -> Mask:
    """(markers, n) where markers (markers, 3, n) leap."""
    bend = np.diff(recorded, 2, axis=2)
    size = np.abs(bend)
    seen = np.isfinite(size)
    leaps = np.zeros((recorded.shape[0], recorded.shape[2]), np.bool_)
    if not (size > MIN_SPIKE).any():
        return leaps
    usual = np.full(size.shape[:2], np.inf)
    known = seen.any(axis=2)
    usual[known] = np.nanmedian(size[known], axis=1)
    with np.errstate(invalid="ignore"):
        large = (size > MIN_SPIKE) & (size > TIMES * usual[:, :, None])
        turned = bend[:, :, :-1] * bend[:, :, 1:] < -BACK * np.maximum(size[:, :, :-1], size[:, :, 1:]) ** 2
    back = np.zeros_like(large)
    back[:, :, :-1] |= turned
    back[:, :, 1:] |= turned
    # the middle of the three bends of a single leap is twice as large as those beside it
    peaks = large & back
    higher = np.pad(size, ((0, 0), (0, 0), (1, 1)))
    peaks &= (size >= higher[:, :, :-2]) & (size >= higher[:, :, 2:])
    leaps[:, 1:-1] = peaks.any(axis=1)
    return leaps
