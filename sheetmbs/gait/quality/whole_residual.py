"""What nobody applies to the whole body, against the force of the ground."""

from __future__ import annotations

import numpy as np

from sheetmbs.gait.quality.solved_body import SolvedBody
from sheetmbs.schema.problem_list import ProblemList

MAX_RESIDUAL = 0.15
"""of the largest force of the ground; good trials have 0.05 to 0.06"""


def residual_parts(body: SolvedBody) -> tuple[float, float] | None:
    """The largest residual force, and the rms, as parts of the largest force of the ground; None without a whole body."""
    residual, feet = body.courses.residual, body.courses.feet
    if residual is None:
        return None
    inside = np.isfinite(residual["fy"]) & body.inside
    if not inside.any():
        return None
    size = np.hypot(residual["fx"], residual["fy"])[inside]
    total = np.hypot(sum(foot["fx"] for foot in feet.values()), sum(foot["fy"] for foot in feet.values()))[inside]
    largest = float(np.max(total))
    return (float(np.max(size)) / largest, float(np.sqrt(np.mean(size**2))) / largest) if largest > 0.0 else None


def check_residual(body: SolvedBody, report: ProblemList) -> None:
    """A warning at 15 %, with the first suspects in order."""
    parts = residual_parts(body)
    if parts is None or parts[0] <= MAX_RESIDUAL:
        return
    place = body.solved.prepared.trial.markers.headers[0]._replace(row=0, column=0)
    found = f"nobody applies up to {parts[0]:.0%} of the largest force of the ground ({parts[1]:.1%} rms)"
    problem = (
        f"feet, weights and accelerations leave at most {MAX_RESIDUAL:.0%} in a sound trial, and 5 to 6 % in a good one"
    )
    mend = "first suspects in order: a foot off its plate, the delay of the forces, the mass, units, the cut-off"
    report.warning("large-residual", place, found, problem, mend)
