"""Plates or markers that are tilted along the walk: it pushes as much forward as back, and stands on a level floor."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

import numpy as np

from sheetmbs.gait.quality.body_surrogate import Surrogate
from sheetmbs.gait.quality.checked_trials import SolvedBody
from sheetmbs.gait.strides.spatio_temporal import FLAT, belt_speed
from sheetmbs.gait.strides.strides import strides_of
from sheetmbs.gait.trial.gait_book import Side
from sheetmbs.schema.problem_list import ProblemList

MAX_TILT = 1.0
"""deg"""
SHORTEST_WAY = 0.8
"""m between standing places of a foot, over which their heights tell a slope"""


def force_tilt(found: Surrogate) -> tuple[float, float, float] | None:
    """The mean direction of the force over whole strides in deg, less what the body gains in speed; and from when to when."""
    time, gravity = found.body.courses.time, found.body.book.gravity
    slopes = []
    for stride in strides_of([found.body.courses]):
        during = (time >= stride.start) & (time <= stride.end)
        if stride.is_mixed or not during.any() or not found.contacts[during].all():
            continue
        force = found.force[during]
        speeds = np.interp([stride.start, stride.end], time, found.velocity[:, 0])
        gained = (speeds[1] - speeds[0]) / (gravity * stride.duration)
        slopes.append((float(force[:, 0].mean() / force[:, 1].mean() - gained), stride.start, stride.end))
    if not slopes:
        return None
    mean = float(np.degrees(np.arctan(np.mean([each[0] for each in slopes]))))
    return mean, min(each[1] for each in slopes), max(each[2] for each in slopes)


def floor_slope(body: SolvedBody) -> float | None:
    """The slope in deg of the line through where feet stand, each foot by itself; None where no foot stands twice."""
    if belt_speed(body.courses) > 0.0:
        return None
    places: dict[Side, list[tuple[float, float]]] = {}
    for side, x, y in _stands(body):
        places.setdefault(side, []).append((x, y))
    steps = [
        (b[0] - a[0], b[1] - a[1])
        for of_side in places.values()
        for a, b in pairwise(of_side)
        if abs(b[0] - a[0]) >= SHORTEST_WAY
    ]
    if not steps:
        return None
    along, up = (np.array(each) for each in zip(*steps, strict=True))
    return float(np.degrees(np.arctan(np.sum(along * up) / np.sum(along**2))))


def _stands(body: SolvedBody) -> Iterator[tuple[Side, float, float]]:
    """Where and how high the middle of a foot stands while it is flat."""
    time = body.courses.time
    for contact in body.courses.contacts:
        if contact.side not in body.feet or contact.start <= time[0] or contact.end >= time[-1]:
            continue
        start, end = (contact.start + part * (contact.end - contact.start) for part in FLAT)
        during = (time >= start) & (time <= end)
        foot = body.feet[contact.side]
        middle = 0.5 * (foot.heel + foot.toe)[during]
        if during.any() and np.isfinite(middle[:, :2]).all():
            yield contact.side, float(np.median(middle[:, 0])), float(np.median(middle[:, 1]))


def check_tilt(found: Surrogate, report: ProblemList) -> None:
    """A warning where forces lean by more than 1 deg, or the floor under the feet does."""
    body = found.body
    sheets = body.solved.prepared.trial.sheets
    leaning = force_tilt(found)
    if leaning is not None and abs(leaning[0]) > MAX_TILT:
        tilt, start, end = leaning
        first, last = (int(body.frames[int(np.argmin(np.abs(body.courses.time - each)))]) for each in (start, end))
        says = (
            f"{sheets[1]}: the force leans {tilt:+.1f} deg along the walk, over whole strides in frames {first}-{last}"
        )
        problem = f"on a level floor it leans by less than {MAX_TILT:g} deg, but for what the body gains in speed"
        mend = "level the plates or their axes (corners on Plates), or look at the zero of the horizontal channels"
        report.warning("tilt", body.recorded_plates[0].header, says, problem, mend)
    slope = floor_slope(body)
    if slope is not None and abs(slope) > MAX_TILT:
        place = body.solved.prepared.trial.markers.headers[0]
        says = f"{sheets[0]}: the places where feet stand rise {slope:+.1f} deg along the walk"
        problem = f"a level floor rises by less than {MAX_TILT:g} deg"
        report.warning(
            "tilt", place, says, problem, "calibrate the origin of the cameras, unless the subject walks on a slope"
        )
