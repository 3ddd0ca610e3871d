"""Faults in the courses of single markers: leaps, frozen coordinates, gaps that stay, and exchanged labels."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations

import numpy as np

from sheetmbs.gait.arrays import Mask, Vector
from sheetmbs.gait.quality.checked_trials import RecordedBody
from sheetmbs.gait.signals.gaps import bounds
from sheetmbs.problems.listing import sentence_list
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList

MIN_JUMP = 0.015
"""m off its way, from which a marker jumps"""
MIN_JUMP_RATIO = 3.0
"""times farther from its own way than from that of the other marker"""
MIN_SPIKE = 0.020
"""m of a second difference"""
MIN_SPIKE_RATIO = 8.0
"""the median absolute second difference of the marker"""
MIN_REVERSAL = 1.0 / 3.0
"""of a second difference, which its neighbour has the other way: a leap, for motion does not turn about in one frame"""
MAX_STILL_TIME = 1.0
"""s without any motion at all: longer than a foot stands"""
MIN_FROZEN_TIME, MIN_MOTION_OF_SEGMENT = 0.1, 0.020
"""s without any motion, while the other markers of its segment go so many m"""
EVENT_MARKERS = ("heel", "toe", "mt5", "sacrum", "psis")
"""markers that tell events and feet beside those of segments"""
MIN_MOTION_OF_OTHERS = 0.1
"""m by which most others move meanwhile"""
LATERAL_AXIS = 2
"""of our axes, the one to the right"""


@dataclass(frozen=True)
class Exchange:
    """Two markers by their numbers, and the frames (n,) in which each stands for the other."""

    first: int
    second: int
    frames: Mask


def check_exchanged(body: RecordedBody, report: ProblemList) -> None:
    """A warning for each two labels that look exchanged."""
    labels, markers = body.prepared.labels, body.prepared.trial.markers
    for each in exchanges(body.prepared.recorded):
        start = int(np.flatnonzero(each.frames)[0])
        sample = int(np.searchsorted(body.prepared.time.index, start))
        found = f"{body.frames(each.frames)}: {labels[each.first]} and {labels[each.second]} look exchanged"
        problem = "each goes on where the other one was"
        mend = "exchange them where they were tracked; nothing is corrected here"
        report.warning("exchanged-labels", markers.place(each.first, sample), found, problem, mend)


def exchanges(recorded: Vector) -> Iterator[Exchange]:
    """Frames in which two markers are exchanged, of markers (markers, 3, n): the fewer of both kinds."""
    points = np.where(np.all(np.isnan(recorded), axis=(0, 2))[:, None], 0.0, recorded).transpose(0, 2, 1)
    ways = 2.0 * points[:, 1:-1] - points[:, :-2]
    """where each marker would be in frames 2 .. n by its last two"""
    with np.errstate(invalid="ignore"):
        own = np.linalg.norm(points[:, 2:] - ways, axis=2)
        jumps = own > MIN_JUMP
    count = points.shape[1]
    for one, other in combinations(range(len(points)), 2):
        both = np.flatnonzero(jumps[one] & jumps[other])
        if not len(both):
            continue
        to_other = np.linalg.norm(points[one, both + 2] - ways[other, both], axis=1)
        to_one = np.linalg.norm(points[other, both + 2] - ways[one, both], axis=1)
        turns = both[(MIN_JUMP_RATIO * to_other < own[one, both]) & (MIN_JUMP_RATIO * to_one < own[other, both])] + 2
        if len(turns):
            frames = np.zeros(count, np.bool_)
            for turn in turns[np.append(True, np.diff(turns) > 1)]:
                frames[turn:] ^= True
            yield Exchange(one, other, frames if 2 * frames.sum() <= count else ~frames)


def check_outliers(body: RecordedBody, report: ProblemList) -> None:
    """A warning for each marker that is needed and leaps. Where labels are exchanged that is said instead.

    A marker that its cluster carries has no cells, and leaps with those of the cluster.
    """
    prepared = body.prepared
    leaps = spikes(prepared.recorded)
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
        usual = f"{MIN_SPIKE_RATIO:g} x the usual within one frame"
        problem = f"its course bends there by more than {1e3 * MIN_SPIKE:g} mm and {usual}"
        mend = "clear these cells to have the gap filled, or correct the tracking; nothing is corrected here"
        report.warning("leaping-marker", markers.place(index, sample), found, problem, mend)


def spikes(recorded: Vector) -> Mask:
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
        large = (size > MIN_SPIKE) & (size > MIN_SPIKE_RATIO * usual[:, :, None])
        turned = bend[:, :, :-1] * bend[:, :, 1:] < -MIN_REVERSAL * np.maximum(size[:, :, :-1], size[:, :, 1:]) ** 2
    back = np.zeros_like(large)
    back[:, :, :-1] |= turned
    back[:, :, 1:] |= turned
    # the middle of the three bends of a single leap is twice as large as those beside it
    peaks = large & back
    higher = np.pad(size, ((0, 0), (0, 0), (1, 1)))
    peaks &= (size >= higher[:, :, :-2]) & (size >= higher[:, :, 2:])
    leaps[:, 1:-1] = peaks.any(axis=1)
    return leaps


def check_frozen(body: RecordedBody, report: ProblemList) -> None:
    """A warning for each marker whose numbers do not change while the body moves."""
    recorded, rate = body.prepared.recorded, body.prepared.time.rate
    needed = set(body.needed())
    for index, label in enumerate(body.prepared.labels):
        if index not in needed and not fold(label).endswith(EVENT_MARKERS):
            continue
        still = np.all(np.diff(recorded[index], axis=1) == 0.0, axis=0)
        for first, last in bounds(still):
            length = (last + 2 - first) / rate
            ranges = np.ptp(recorded[:, :, first : last + 2], axis=2)
            beside = ranges[_of_same_segment(body, index)]
            of_segment = beside[np.isfinite(beside).all(axis=1)]
            ways = np.linalg.norm(of_segment, axis=1)
            is_left_behind = length >= MIN_FROZEN_TIME and len(ways) > 0 and bool(np.min(ways) >= MIN_MOTION_OF_SEGMENT)
            known = ranges[np.isfinite(ranges).all(axis=1)]
            is_still = length >= MAX_STILL_TIME and len(known) > 0
            is_still = is_still and bool(np.median(np.linalg.norm(known, axis=1)) >= MIN_MOTION_OF_OTHERS)
            if not (is_left_behind or is_still):
                continue
            frames = np.zeros(recorded.shape[2], np.bool_)
            frames[first : last + 2] = True
            sample = int(np.searchsorted(body.prepared.time.index, first))
            found = f"{label} stands still to the last digit in {body.frames(frames)}, while the others move"
            mend = "clear these cells, so that they count as a gap"
            place = body.prepared.trial.markers.place(index, sample)
            code = "frozen-marker" if is_still else "frozen"
            report.warning(code, place, found, "a marker that is lost is blank", mend)
            break


def _of_same_segment(body: RecordedBody, index: int) -> list[int]:
    """Other markers of the segments that a marker is a point of."""
    labels = body.prepared.labels
    found: dict[str, None] = {}
    for row in body.book.segments:
        points = body.book.made_of(row.points)
        if labels[index] in points:
            found |= dict.fromkeys(each for each in points if each in labels and each != labels[index])
    return [labels.index(each) for each in found]


def check_gaps(body: RecordedBody, report: ProblemList) -> None:
    """A warning for each marker that is needed and stays unknown in some frames, with the segments that are blank there."""
    prepared, limit = body.prepared, body.book.processing.gap_limit
    unseen = np.all(prepared.left, axis=2, keepdims=True)
    # of a trial in the plane nobody needs to know where markers lie across it
    a_direction = unseen & (np.arange(3) == LATERAL_AXIS)[None, :, None] & (body.book.dimension == "2D")
    missing = np.any((prepared.left | prepared.dropped) & ~a_direction, axis=1)
    carried = {label for label, _segment in prepared.trial.carried}
    for index in body.needed():
        gone = missing[index]
        if not gone.any() or prepared.labels[index] in carried:
            continue  # a carried marker has no cells, and is missing where its cluster is
        label = prepared.labels[index]
        markers = prepared.trial.markers
        segments = [row.name for row in body.book.segments if prepared.labels[index] in body.book.made_of(row.points)]
        runs = bounds(gone)
        longest = max(last - first + 1 for first, last in runs) / prepared.time.rate
        at_end = " or at an end" if gone[0] or gone[-1] else ""
        place = markers.headers[index]
        if gone.all() and unseen[index].any():
            lacking = _lab_axes(body, unseen[index, :, 0])
            found = f"{' and '.join(lacking)} of {label} {'is' if len(lacking) == 1 else 'are'} missing in every frame"
            tell = report.error if body.book.dimension == "2D" else report.warning
            problem = f"nobody knows where it is, nor {sentence_list(segments)}"
            tell("unseen-marker", place, found, problem, "fill them in, or leave out what needs this marker")
            continue
        if gone.all():
            found = f"{label} is missing in every frame"
        else:
            found = f"{label} is missing in {body.frames(gone)} (up to {longest:.3g} s)"
        problem = (
            f"gaps longer than {limit:g} s{at_end} stay blank, and so do {sentence_list(segments)} and their strides"
        )
        mend = (
            "fill them where the marker was tracked, or raise gap_limit on Processing if you trust a spline that long"
        )
        report.warning("long-gap", place, found, problem, mend)


def _lab_axes(body: RecordedBody, mask: Mask) -> list[str]:
    """The axes of the laboratory along which a mask (3,) of our axes lies."""
    return [word[1] for word, is_one in zip(body.prepared.axes.words, mask, strict=True) if is_one]
