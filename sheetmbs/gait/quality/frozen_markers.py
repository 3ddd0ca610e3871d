"""Markers that stand still in the air: a program went on writing the last place of one that it had lost."""

from __future__ import annotations

import numpy as np

from sheetmbs.gait.quality.recorded_body import RecordedBody
from sheetmbs.gait.signals.runs import bounds
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList

LONGEST = 1.0
"""s without any motion at all: longer than a foot stands"""
OF_EVENTS = ("heel", "toe", "mt5", "sacrum", "psis")
"""markers that tell events and feet beside those of segments"""
MOVING = 0.1
"""m by which most others move meanwhile"""


def check_frozen(body: RecordedBody, report: ProblemList) -> None:
    """A warning for each marker whose numbers do not change while the body moves."""
    recorded, rate = body.prepared.recorded, body.prepared.time.rate
    needed = set(body.needed())
    for index, label in enumerate(body.prepared.labels):
        if index not in needed and not fold(label).endswith(OF_EVENTS):
            continue
        still = np.all(np.diff(recorded[index], axis=1) == 0.0, axis=0)
        for first, last in bounds(still):
            if (last + 2 - first) / rate < LONGEST:
                continue
            ranges = np.ptp(recorded[:, :, first : last + 2], axis=2)
            known = ranges[np.isfinite(ranges).all(axis=1)]
            if not len(known) or np.median(np.linalg.norm(known, axis=1)) < MOVING:
                continue
            frames = np.zeros(recorded.shape[2], np.bool_)
            frames[first : last + 2] = True
            sample = int(np.searchsorted(body.prepared.time.index, first))
            found = f"{label} stands still to the last digit in {body.frames(frames)}, while the others move"
            mend = "clear these cells, so that they count as a gap"
            place = body.prepared.trial.markers.place(index, sample)
            report.warning("frozen-marker", place, found, "a marker that is lost is blank", mend)
            break
