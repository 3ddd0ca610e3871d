"""A marker of another segment in a cluster of three: it keeps its distances from the markers there, not from the two others.

Three markers are told from a rigid triangle by centimetres only, for skin moves; by which segment one of them goes with it is
told by less. In a real trial distances within a segment vary by 2 to 9 mm (standard deviation).
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sheetmbs.gait.kinematics.cluster_poses import MIN_CLUSTER_MARKERS
from sheetmbs.gait.quality.recorded_body import RecordedBody
from sheetmbs.gait.trial.gait_book import SegmentRow
from sheetmbs.schema.problem_list import ProblemList, place_of

VARIES = 0.005
"""m, standard deviation of both its distances: those of a marker on its own segment are less, or no other segment has it"""
STEADIER = 0.5
"""of that: distances from the markers with which it goes, and between the two others of its cluster"""


def check_borrowed(body: RecordedBody, report: ProblemList) -> None:
    """A warning for each marker of a cluster of three that goes with the markers of another segment."""
    told = {(problem.found or "").partition(" is up to")[0] for problem in report.found({"marker-off-cluster"})}
    for row in body.book.segments:
        if len(row.markers) != MIN_CLUSTER_MARKERS:
            continue
        for marker in row.markers:
            others = [each for each in row.markers if each != marker]
            own = min(_variation(body, marker, [each]) for each in others)
            if marker in told or own < VARIES or _variation(body, others[0], others[1:]) > STEADIER * own:
                continue
            home = next((each for each in body.book.segments if _goes_with(body, marker, each, row, own)), None)
            if home is None:
                continue
            found = f"{marker} of {row.name} goes with the markers of {home.name}"
            rule = (
                f"its distances from {others[0]} and {others[1]} vary by {1e3 * own:.0f} mm (standard deviation) or more, "
                f"those from {home.name} by less than {1e3 * STEADIER * own:.0f} mm"
            )
            mend = f"take it out of the markers of {row.name} and name one that lies on it, or correct its label"
            place = place_of(row.cells.get("markers") or row.cells.get("name", "Segments"))
            report.warning("borrowed-marker", place, found, rule, mend)


def _goes_with(body: RecordedBody, marker: str, home: SegmentRow, row: SegmentRow, own: float) -> bool:
    """Whether a marker keeps its distances from those of another segment."""
    others = [each for each in home.markers if each != marker and each not in row.markers]
    return home is not row and len(others) > 1 and _variation(body, marker, others) < STEADIER * own


def _variation(body: RecordedBody, marker: str, others: Sequence[str]) -> float:
    """M, the largest standard deviation of the distances of a marker from others; 0 where they are not seen together."""
    found = [0.0]
    for other in others:
        away = np.linalg.norm(body.points[marker] - body.points[other], axis=1)
        away = away[np.isfinite(away)]
        found.append(float(np.std(away)) if len(away) else 0.0)
    return max(found)
