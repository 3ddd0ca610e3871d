"""Cross-talk: a thigh wand out of its plane turns flexion of the knee into adduction.

Where in swing the adduction ranges widely and goes with the flexion, the rotation of the thigh that removes it is the one with
the least variance of the adduction, found on the same markers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
from scipy.optimize import minimize_scalar

from sheetmbs.gait.arrays import Mask, Vector
from sheetmbs.gait.body.body_segments import Points
from sheetmbs.gait.conventional.followed_body import frames_of_leg
from sheetmbs.gait.joint_centres import with_centres
from sheetmbs.gait.kinematics.rotations import joint_angles
from sheetmbs.gait.solve_trial import SolvedTrial
from sheetmbs.gait.strides.strides import strides_of
from sheetmbs.gait.trial.gait_book import GaitBook, Side
from sheetmbs.schema.problem_list import ProblemList, place_of

MOST_RANGE = np.radians(10.0)
"""of the knee's adduction in swing: a sound knee has less"""
MOST_CORRELATION = 0.7
"""of adduction with flexion, from which on it is the axis that is wrong"""
FARTHEST = np.radians(60.0)
"""that a wand may stand off its plane"""


def check_cross_talk(trials: Sequence[SolvedTrial], book: GaitBook, report: ProblemList) -> None:
    """A warning for each knee with cross-talk, with the rotation of the thigh that removes it."""
    model = book.conventional
    if model is None:
        return
    for side in book.subject.sides:
        swings = [_swing(each, side) for each in trials]
        angles = np.concatenate([_knee(each, side)[mask] for each, mask in zip(trials, swings, strict=True)])
        angles = angles[np.isfinite(angles).all(axis=1)]
        if len(angles) < 3 or np.ptp(angles[:, 1]) <= MOST_RANGE:
            continue
        correlation = float(np.corrcoef(angles[:, 0], angles[:, 1])[0, 1])
        if abs(correlation) <= MOST_CORRELATION:
            continue
        best = np.degrees(_best_rotation(trials, swings, book, side))
        found = (
            f"the {side} knee's adduction ranges over {np.degrees(np.ptp(angles[:, 1])):.0f} deg in swing and goes with "
            f"its flexion (r {correlation:.2f})"
        )
        problem = "its axis is off: flexion shows as adduction"
        mend = f"move the thigh wand, or write thigh rotation {best:.1f} deg for this leg, which removes it"
        cells = model.measures.cells
        cell = cells.get(("thigh rotation", side)) or cells.get(("thigh rotation", "setting"), model.cell)
        report.warning("cross-talk", place_of(cell), found, problem, mend)


def _swing(trial: SolvedTrial, side: Side) -> Mask:
    """(n,) frames in which the foot swings, away from the ends of the trial."""
    courses = trial.courses
    found = np.zeros(len(courses.time), np.bool_)
    for stride in strides_of([courses]):
        if stride.side == side and stride.toe_off is not None:
            found |= (courses.time >= stride.toe_off) & (courses.time <= stride.end)
    return found & ~courses.edge


def _knee(trial: SolvedTrial, side: Side) -> Vector:
    """(n, 2) flexion and adduction in rad."""
    course = trial.courses.joints[f"{side} knee"]
    return np.stack((course["flexion"], course["adduction"]), axis=1)


def _best_rotation(trials: Sequence[SolvedTrial], swings: Sequence[Mask], book: GaitBook, side: Side) -> float:
    """The rotation of the thigh in rad by which the adduction varies least in swing."""
    variance = _variance_of(trials, swings, book, side)
    return float(minimize_scalar(variance, bounds=(-FARTHEST, FARTHEST), method="bounded").x)


def _variance_of(
    trials: Sequence[SolvedTrial], swings: Sequence[Mask], book: GaitBook, side: Side
) -> Callable[[float], float]:
    sign = 1.0 if side == "right" else -1.0
    own = [
        {name: points[mask] for name, points in each.courses.points.items()}
        for each, mask in zip(trials, swings, strict=True)
    ]

    def variance(rotation: float) -> float:
        found = [_adduction(points, book, side, -sign * rotation) for points in own]
        return float(np.nanvar(np.concatenate(found)))

    return variance


def _adduction(points: Points, book: GaitBook, side: Side, turn: float) -> Vector:
    """(n,) of the knee in rad, with its chord turned otherwise."""
    model = book.conventional
    if model is None:
        raise ValueError("the workbook has another model")
    centres = [replace(row, turn=turn) if row.name == f"{side} knee centre" else row for row in book.centres]
    markers = {name: each for name, each in points.items() if name not in {row.name for row in book.centres}}
    frames = frames_of_leg(model, with_centres(markers, centres, book.segments, "3D"), side)
    return np.asarray(joint_angles(frames.thigh, frames.shank, side)[:, 1])
