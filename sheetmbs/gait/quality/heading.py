"""A walk that goes aslant through the laboratory: of trials in the plane, whose plane is that of the axes that are used."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.feet import recorded_feet
from sheetmbs.gait.quality.checked_trials import RecordedBody, foot_speed, setting_place
from sheetmbs.gait.signals.low_pass import low_pass
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList

MAX_ANGLE = 8.0
"""deg off the forward axis"""
ALIKE = 8.0
"""deg within which two ways agree"""
SHORTEST_WAY = 0.5
"""m of travel that tell a direction; on a treadmill there are less"""
SLOW = 0.3
"""m/s of a foot that stands, on the floor"""
CUTOFF = 6.0
"""Hz, for speeds of feet"""
SPINES = ("right asis", "left asis")


def headings(body: RecordedBody) -> Mapping[str, float]:
    """Angles in deg from forward to the right, of what tells the way of the walk; blank where z was not recorded."""
    points = {fold(name): each for name, each in body.points.items()}
    found: dict[str, float] = {}
    hips = [row.proximal for row in body.book.segments if row.table == "thigh"]
    names = [name for name in (*SPINES, "sacrum", "right psis", "left psis") if name in points]
    of_pelvis = [points[name] for name in names] or [body.points[name] for name in hips]
    if of_pelvis:
        middle = np.mean(of_pelvis, axis=0)
        seen = middle[np.isfinite(middle).all(axis=1)]
        travel = seen[-1] - seen[0] if len(seen) else np.zeros(3)
        if abs(travel[0]) >= SHORTEST_WAY:
            found["the travel of the pelvis"] = _angle(travel)
    if all(name in points for name in SPINES):
        line = points[SPINES[0]] - points[SPINES[1]]
        if np.isfinite(line).all(axis=1).any() and np.nanmax(np.abs(line[:, 2])) > 0.0:
            x, _, z = np.nanmean(line, axis=0)
            found["the normal of the line between both ASIS"] = _angle(np.array([z, 0.0, -x]))
    feet = [line for line in _standing_lines(body) if line is not None]
    if feet:
        # toes point outward on both sides alike: their mean is the way
        found["the line of standing feet"] = _angle(np.mean(feet, axis=0))
    return found


def _standing_lines(body: RecordedBody) -> list[Vector | None]:
    """The mean unit vector from heel to toe of each foot while it stands; None for all where a side is missing."""
    rate = body.prepared.time.rate
    lines: list[Vector | None] = []
    feet = recorded_feet(body.points, body.book)
    if len(feet) < 2:
        return []
    for foot in feet.values():
        filtered = type(foot)(low_pass(foot.heel.T, rate, CUTOFF).T, low_pass(foot.toe.T, rate, CUTOFF).T, foot.is_toe)
        stands = foot_speed(filtered, rate) < SLOW
        line = (foot.toe - foot.heel)[stands]
        line = line[np.isfinite(line).all(axis=1)]
        if not len(line):
            return []
        lines.append(np.asarray(np.mean(line / np.linalg.norm(line, axis=1, keepdims=True), axis=0)))
    return lines


def _angle(way: Vector) -> float:
    return float(np.degrees(np.arctan2(way[2], way[0])))


def check_heading(body: RecordedBody, report: ProblemList) -> None:
    """A warning where two of travel, pelvis and feet lie aslant by more than 8 deg, and alike."""
    if body.book.dimension != "2D" or report.found(
        {"sides-exchanged", "front-behind", "wrong-axis", "wrong-length-unit"}
    ):
        return
    found = headings(body)
    aslant = {name: angle for name, angle in found.items() if MAX_ANGLE < abs(angle) < 90.0 - MAX_ANGLE}
    alike = [
        (name, angle)
        for name, angle in aslant.items()
        if any(other != name and abs(angle - each) <= ALIKE for other, each in aslant.items())
    ]
    if len(alike) < 2:
        return
    mean = float(np.mean([angle for _, angle in alike]))
    sheet, frames = body.prepared.trial.sheets[0], body.prepared.time.frames
    axes = body.prepared.axes
    says = f"{sheet}: the walk goes {abs(mean):.0f} deg to the {'right' if mean > 0.0 else 'left'} of {axes.forward}"
    told = " and ".join(f"{name} ({angle:+.0f} deg)" for name, angle in alike)
    problem = f"{told} say so in frames {frames[0]}-{frames[-1]}, and the plane of a 2D trial is that of its axes"
    mend = "write axis_forward travel, which turns markers and forces about the vertical, or run it in 3D"
    report.warning("heading", setting_place(body.book, "axis_forward"), says, problem, mend)
