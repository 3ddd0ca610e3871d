"""Where a subject goes in a recording, and how fast."""

from __future__ import annotations

import numpy as np

from sheetmbs.gait.importing.trial_files import TimedTrial, highest_course


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
