"""Gaps that stay: too long, or at an end of the trial."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from sheetmbs.gait.quality.recorded_body import RecordedBody, in_words
from sheetmbs.gait.signals.runs import bounds
from sheetmbs.schema.problem_list import ProblemList

ACROSS = 2
"""of our axes, the one to the right"""


def check_gaps(body: RecordedBody, report: ProblemList) -> None:
    """A warning for each marker that is needed and stays unknown in some frames, with the segments that are blank there."""
    prepared, limit = body.prepared, body.book.processing.gap_limit
    unseen = np.all(prepared.left, axis=2, keepdims=True)
    # of a trial in the plane nobody needs to know where markers lie across it
    a_direction = unseen & (np.arange(3) == ACROSS)[None, :, None] & (body.book.dimension == "2D")
    missing = np.any((prepared.left | prepared.dropped) & ~a_direction, axis=1)
    carried = {label for label, _segment in prepared.trial.carried}
    for index in body.needed():
        gone = missing[index]
        if not gone.any() or prepared.labels[index] in carried:
            continue  # a carried marker has no cells, and is missing where its cluster is
        label = prepared.labels[index]
        markers = prepared.trial.markers
        segments = [row.name for row in body.book.segments if index in _markers_of(body, row.name)]
        runs = bounds(gone)
        longest = max(last - first + 1 for first, last in runs) / prepared.time.rate
        at_end = " or at an end" if gone[0] or gone[-1] else ""
        place = markers.headers[index]
        if gone.all() and unseen[index].any():
            lacking = _letters(body, unseen[index, :, 0])
            found = f"{' and '.join(lacking)} of {label} {'is' if len(lacking) == 1 else 'are'} missing in every frame"
            tell = report.error if body.book.dimension == "2D" else report.warning
            problem = f"nobody knows where it is, nor {in_words(segments)}"
            tell("unseen-marker", place, found, problem, "fill them in, or leave out what needs this marker")
            continue
        if gone.all():
            found = f"{label} is missing in every frame"
        else:
            found = f"{label} is missing in {body.frames(gone)} (up to {longest:.3g} s)"
        problem = f"gaps longer than {limit:g} s{at_end} stay blank, and so do {in_words(segments)} and their strides"
        mend = (
            "fill them where the marker was tracked, or raise gap_limit on Processing if you trust a spline that long"
        )
        report.warning("long-gap", place, found, problem, mend)


def _letters(body: RecordedBody, mask: NDArray[np.bool_]) -> list[str]:
    """The axes of the laboratory along which a mask (3,) of our axes lies."""
    return [word[1] for word, is_one in zip(body.prepared.axes.words, mask, strict=True) if is_one]


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
