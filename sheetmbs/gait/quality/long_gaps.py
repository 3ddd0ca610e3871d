"""Gaps that stay: too long, or at an end of the trial."""

from __future__ import annotations

import numpy as np

from sheetmbs.gait.quality.recorded_body import RecordedBody, in_words
from sheetmbs.gait.signals.runs import bounds
from sheetmbs.workbook.reading.problem_list import ProblemList


def check_gaps(body: RecordedBody, report: ProblemList) -> None:
    """A warning for each marker that is needed and stays unknown in some frames, with the segments that are blank there."""
    prepared, limit = body.prepared, body.book.processing.gap_limit
    unseen = np.all(prepared.left, axis=2, keepdims=True)
    a_direction = unseen & ~np.all(unseen, axis=1, keepdims=True)
    missing = np.any((prepared.left | prepared.dropped) & ~a_direction, axis=1)
    for index in body.needed():
        gone = missing[index]
        if not gone.any():
            continue
        label = prepared.labels[index]
        markers = prepared.trial.markers
        segments = [row.name for row in body.book.segments if index in _markers_of(body, row.name)]
        runs = bounds(gone)
        longest = max(last - first + 1 for first, last in runs) / prepared.time.rate
        at_end = " or at an end" if gone[0] or gone[-1] else ""
        if gone.all():
            found, place = f"{label} is missing in every frame", markers.headers[index]
        else:
            place = markers.headers[index]
            found = f"{label} is missing in {body.frames(gone)} (up to {longest:.3g} s)"
        problem = f"gaps longer than {limit:g} s{at_end} stay blank, and so do {in_words(segments)} and their strides"
        mend = (
            "fill them where the marker was tracked, or raise gap_limit on Processing if you trust a spline that long"
        )
        report.warning("long-gap", place, found, problem, mend)


def _markers_of(body: RecordedBody, segment: str) -> set[int]:
    """The markers of one segment, by themselves or through joint centres."""
    row = next(each for each in body.book.segments if each.name == segment)
    made_of = {each.name: each.markers for each in body.book.centres}
    waiting, found = [row.proximal, row.distal, *row.line, *row.markers], set()
    while waiting:
        name = waiting.pop()
        if name in made_of:
            waiting += made_of[name]
        elif name in body.prepared.labels:
            found.add(body.prepared.labels.index(name))
    return found
