"""Forces that act farther before the heel when walking one way through the laboratory than the other: plates or markers moved.

Feet carry alike both ways. What differs is twice what the frame of forces is off along the walk, which one way alone cannot
tell from how somebody walks.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from sheetmbs.gait.quality.moved_plates import rolling_contacts
from sheetmbs.gait.quality.solved_body import SolvedBody
from sheetmbs.schema.problem_list import ProblemList

MIN_CONTACTS_EACH_WAY = 2
"""contacts each way"""
OFF = 0.015
"""m that the frame is off; contacts of one walk differ by 0.006"""


def check_walking_directions(bodies: Sequence[SolvedBody], report: ProblemList) -> None:
    """A warning where forces act elsewhere under the feet walking back."""
    if report.has_errors or report.found({"moved-plates"}):
        return
    places: dict[str, list[float]] = {}
    trials: dict[str, SolvedBody] = {}
    for body in bodies:
        way = body.solved.prepared.axes.forward
        found = [each.forward for plate in body.recorded_plates for each in rolling_contacts(body, plate)]
        places.setdefault(way, []).extend(found)
        trials.setdefault(way, body)
    for axis in "xyz":
        there, back = places.get(f"+{axis}", []), places.get(f"-{axis}", [])
        if min(len(there), len(back)) < MIN_CONTACTS_EACH_WAY:
            continue
        off = 0.5 * float(np.median(there) - np.median(back))
        if abs(off) < OFF:
            continue
        one, other = (trials[f"{sign}{axis}"].courses.trial for sign in "+-")
        sense = "farther before the heel" if off > 0.0 else "nearer to the heel"
        said = f"forces act {2e3 * abs(off):.0f} mm {sense} walking along +{axis} ({one}) than along -{axis} ({other})"
        problem = f"feet carry alike both ways, as they would with the plates moved by {-1e3 * off:.0f} mm along {axis}"
        mend = "look at the corners on Plates, and at the origin that plates and markers share; nothing is moved here"
        body = trials[f"+{axis}"]
        report.warning("moved-plates", body.plate_cell(body.recorded_plates[0], "x1"), said, problem, mend)
