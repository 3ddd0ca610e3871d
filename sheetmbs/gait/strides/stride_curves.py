"""Courses over strides, in equal parts of each, and their means point by point."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from scipy.interpolate import CubicSpline

from sheetmbs.gait.arrays import Integers, Mask, Vector
from sheetmbs.gait.signals.gaps import runs
from sheetmbs.gait.strides.strides import Stride
from sheetmbs.gait.trial.gait_book import SIDES, Side
from sheetmbs.gait.trial.trial_courses import TrialCourses

Quantity = tuple[str, str]
"""label and quantity: ("right knee", "moment")"""

KINEMATIC = {"angle", "rate", "flexion", "adduction", "rotation"}
"""which need whole markers alone; all others need the foot on plates too"""
OF_FEET = ("fx", "fy", "fz")


@dataclass(frozen=True)
class StrideCurves:
    """One quantity over the strides of one side.

    values: (strides, points) from strike to strike, a row of NaN where the stride's data are not whole. edge: (strides,
    points) near an end of the trial, which is out of means. strides: as the rows.
    """

    side: Side
    strides: tuple[Stride, ...]
    values: Vector
    edge: Mask


def stride_curves(
    trials: Sequence[TrialCourses], strides: Sequence[Stride], points: int
) -> dict[Quantity, StrideCurves]:
    """Every course of joints, segments and feet over the strides of its side, by cubic splines through all samples around.

    strides: of these trials. points: of each, from 0 to 100 %. What has no side goes over the strides of the right side, or
    of the left where there are none of that.
    """
    found: dict[Quantity, StrideCurves] = {}
    names = {name: None for trial in trials for name, _ in courses_of(trial)}
    for side in SIDES:
        own = [name for name in names if over_side(name[0], strides) == side]
        of_side = tuple(each for each in strides if each.side == side)
        if not of_side:
            continue
        values = np.full((len(own), len(of_side), points), np.nan)
        for number, trial in enumerate(trials):
            rows = [row for row, each in enumerate(of_side) if each.trial == number]
            values[:, rows] = _over(trial, own, [of_side[row] for row in rows], points)
        edge = np.array([_edge(trials[each.trial], each, points) for each in of_side])
        for name, over in zip(own, values, strict=True):
            if name[1] not in KINEMATIC:
                over[[not each.is_kinetic for each in of_side]] = np.nan
            found[name] = StrideCurves(side, of_side, over, edge)
    return found


def courses_of(trial: TrialCourses) -> Iterator[tuple[Quantity, Vector]]:
    """All courses (n,) of a trial that are shown over strides."""
    for group in (trial.joints, trial.segments):
        for label, course in group.items():
            yield from (((label, quantity), values) for quantity, values in course.items())
    for side, course in trial.feet.items():
        yield from (((f"{side} foot", each), course[each]) for each in OF_FEET if each in course)


def side_of(label: str) -> Side | None:
    """The side that a label begins with."""
    return next((side for side in SIDES if label.startswith(f"{side} ")), None)


def over_side(label: str, strides: Sequence[Stride]) -> Side:
    """Over the strides of which side a course goes: its own, else the right one if that has any."""
    return side_of(label) or ("right" if any(each.side == "right" for each in strides) else "left")


def _over(trial: TrialCourses, names: Sequence[Quantity], strides: Sequence[Stride], points: int) -> Vector:
    """(names, strides, points), NaN where a stride does not lie in a run without gaps."""
    values = np.full((len(names), len(strides), points), np.nan)
    courses = dict(courses_of(trial))
    blank = np.full(len(trial.time), np.nan)
    samples = np.array([courses.get(name, blank) for name in names])
    slack = 1e-9 / trial.rate
    for series, run in runs(samples):
        first, last = trial.time[run.start] - slack, trial.time[run.stop - 1] + slack
        inside = [row for row, each in enumerate(strides) if first <= each.start and each.end <= last]
        if inside:
            spline = CubicSpline(trial.time[run], samples[series, run], axis=-1)
            at = np.array([np.linspace(strides[row].start, strides[row].end, points) for row in inside])
            values[np.ix_(series, np.array(inside))] = spline(at)
    return values


def _edge(trial: TrialCourses, stride: Stride, points: int) -> Mask:
    """(points,) whether the nearest frame is near an end of the trial."""
    at = np.linspace(stride.start, stride.end, points)
    nearest = np.clip(np.rint((at - trial.time[0]) * trial.rate).astype(np.int64), 0, len(trial.time) - 1)
    edge: Mask = trial.edge[nearest]
    return edge


@dataclass(frozen=True)
class Ensemble:
    """mean, sd, n: (points,). mean is NaN where n is 0, and sd (of n - 1) where n is below 2."""

    mean: Vector
    sd: Vector
    n: Integers


def ensemble(curves: StrideCurves) -> Ensemble:
    """The mean and the standard deviation, at each point, of whole strides that count, without what is near a trial's end."""
    whole = np.all(np.isfinite(curves.values), axis=1, keepdims=True)
    counts = whole & ~curves.edge
    counts[[row for row, each in enumerate(curves.strides) if not each.counts]] = False
    n = counts.sum(axis=0)
    kept = np.where(counts, curves.values, 0.0)
    mean = np.full(len(n), np.nan)
    np.divide(kept.sum(axis=0), n, out=mean, where=n > 0)
    squares = np.where(counts, (curves.values - mean) ** 2, 0.0).sum(axis=0)
    variance = np.full(len(n), np.nan)
    np.divide(squares, n - 1, out=variance, where=n > 1)
    return Ensemble(mean, np.sqrt(variance), n)
