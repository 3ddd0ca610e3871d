"""Columns of friction in joints, and what its user should know of it."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

from sheetmbs.analysis.diagnosis.jamming import jammed
from sheetmbs.analysis.solution import Solution
from sheetmbs.elements.sliding_pairs import FRICTION
from sheetmbs.engine.motion_report import MotionReport
from sheetmbs.lower import Lowered
from sheetmbs.problems.errors import Problem
from sheetmbs.results.columns.collect import CollectedColumns


def add_friction(lowered: Lowered, constraint: int, found: MotionReport, columns: CollectedColumns) -> None:
    """What friction does to body j of a joint, and the power that is lost by it; nothing where the joint has none.

    The force along the axis or the moment about it, both where a joint has both, or the size of the moment about a point.
    """
    for k, record in enumerate(lowered.frictions):
        if record.owner != constraint:
            continue
        joint = lowered.elements[constraint].name
        kind = FRICTION[lowered.model.joints[constraint].type]
        if kind.slides:
            columns.add(f"{joint}.friction", "N", found.friction[:, k, 0])
        if kind.turns:
            columns.add(f"{joint}.friction{'_moment' if kind.slides else ''}", "N*m", found.friction[:, k, 1])
        columns.add(f"{joint}.friction_power", "W", found.friction[:, k, 2])


def has_jammed(found: MotionReport) -> NDArray[np.bool_]:
    """(times,) whether friction leaves no reactions at a row."""
    return np.asarray(np.any(found.friction[:, :, 3] > 0.0, axis=1))


def jams(lowered: Lowered, solution: Solution, found: MotionReport) -> Iterator[Problem]:
    """An error for the first row at which a joint jams while drivers move the model."""
    for row in np.flatnonzero(has_jammed(found))[:1]:
        joint = int(np.argmax(found.friction[row, :, 3]))
        yield jammed(lowered, int(lowered.frictions[joint].owner), float(solution.times[row]))
