"""Mean angles that no joint has over a walk: of a wrong neutral angle, unit or line."""

from __future__ import annotations

import numpy as np

from sheetmbs.gait.signs import Signs
from sheetmbs.gait.solve_trial import SolvedTrial
from sheetmbs.gait.trial.gait_book import GaitBook, JointRow
from sheetmbs.schema.problem_list import ProblemList, place_of

MEANS = {"hip": (-30.0, 60.0), "knee": (-15.0, 90.0), "ankle": (-45.0, 40.0)}
"""deg of flexion or dorsiflexion, over a trial"""
OPPOSITE = ("extension", "plantarflexion")
QUARTER = 90.0
"""deg between the line of a foot and that of a shank"""


def check_angles(solved: SolvedTrial, book: GaitBook, report: ProblemList) -> None:
    """A warning for each joint whose mean angle is not plausible."""
    if report.found({"walks-backwards"}):
        return  # flexion turns the other way then
    signs, courses = Signs(book), solved.courses
    for row in book.joints:
        kind = signs.kind(row)
        angle = courses.joints.get(row.label, {}).get("angle")
        if kind not in MEANS or angle is None or not np.isfinite(angle).any():
            continue
        mean = float(np.degrees(np.nanmean(angle))) * (-1.0 if row.positive in OPPOSITE else 1.0)
        low, high = MEANS[kind]
        if low <= mean <= high:
            continue
        sheet, frames = solved.prepared.trial.sheets[0], courses.frames
        found = f"{row.label}: mean {mean:.0f} deg over frames {frames[0]}-{frames[-1]} of {sheet}"
        problem = f"over a walk it is {low:g} to {high:g} deg"
        report.warning("plausible-angles", place_of(row.cell), found, problem, _way_out(row, kind, mean, (low, high)))


def _way_out(row: JointRow, kind: str, mean: float, band: tuple[float, float]) -> str:
    neutral = row.neutral if isinstance(row.neutral, float) else 0.0
    low, high = band
    if neutral and low <= mean + np.degrees(neutral) - neutral <= high:
        return f"is neutral {neutral:.4g} in degrees? write its unit"
    by_quarter = next((turn for turn in (QUARTER, -QUARTER, 180.0, -180.0) if low <= mean - turn <= high), None)
    line = " and the line of the foot (line_from, line_to on Segments)" if kind == "ankle" else ""
    if by_quarter is not None:
        written = np.degrees(neutral) + by_quarter
        return f"look at neutral, which would be {written:.0f} deg, at its unit (rad or deg){line}"
    return f"look at neutral, its unit (rad or deg), positive{line}"
