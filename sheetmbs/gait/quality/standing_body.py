"""A standing trial that is not of the same body as a walk: clusters of another shape, legs of another length."""

from __future__ import annotations

import numpy as np

from sheetmbs.gait.quality.borrowed_markers import check_borrowed
from sheetmbs.gait.quality.cluster_markers import check_clusters
from sheetmbs.gait.quality.length_units import WRONG_UNIT, legs_of
from sheetmbs.gait.quality.recorded_body import RecordedBody
from sheetmbs.schema.problem_list import ProblemList

MAX_LEG_LENGTH_CHANGE = 0.05
"""of the length of a leg: knees that bend under their skin change it by 1 to 2 %"""


def check_standing(body: RecordedBody, still: RecordedBody, report: ProblemList) -> None:
    """Errors and warnings for what does not agree with the standing trial; nothing where units, axes or sides are wrong."""
    wrong = report.found({WRONG_UNIT, "sides-exchanged", "front-behind", "wrong-axis"})
    if any(each.severity == "error" for each in wrong):
        return
    if body.book.dimension == "3D":
        check_clusters(body, still.points, report)
        check_borrowed(body, report)
    standing = {thigh.name: length for thigh, length in legs_of(still)}
    for thigh, length in legs_of(body):
        usual = standing.get(thigh.name, np.nan)
        if abs(length / usual - 1.0) > MAX_LEG_LENGTH_CHANGE and not report.found(
            {"exchanged-cluster", "marker-off-cluster"}
        ):
            sheet, other = body.prepared.trial.sheets[0], still.prepared.trial.sheets[0]
            side = f"the {thigh.side} leg" if thigh.side else "the leg"
            found = f"{side} is {length:.3f} m long in {sheet}, and {usual:.3f} m in {other}"
            problem = f"thigh and shank of one body agree within {MAX_LEG_LENGTH_CHANGE:.0%}"
            mend = "is the standing trial that of this subject, with these markers, in this unit?"
            report.warning("other-standing", still.header(thigh.distal), found, problem, mend)
            return
