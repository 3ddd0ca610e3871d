"""Rows of a motion at which friction leaves no reactions."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.diagnosis.locking import jammed
from sheetmbs.analysis.solution import Solution
from sheetmbs.engine.motion_report import MotionReport
from sheetmbs.lower import Lowered
from sheetmbs.problems.errors import Problem


def jammed_rows(found: MotionReport) -> NDArray[np.bool_]:
    """(times,) whether friction leaves no reactions at a row."""
    return np.asarray(np.any(found.friction[:, :, 3] > 0.0, axis=1))


def jams(lowered: Lowered, solution: Solution, found: MotionReport) -> Iterator[Problem]:
    """An error for the first row at which a joint jams while drivers move the model."""
    for row in np.flatnonzero(jammed_rows(found))[:1]:
        joint = int(np.argmax(found.friction[row, :, 3]))
        yield jammed(lowered, int(lowered.frictions[joint].owner), float(solution.times[row]))
