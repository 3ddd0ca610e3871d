"""Strides of a foot, from one heel strike to the next of the same side, with courses over them and their means."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np
from scipy.interpolate import CubicSpline

from sheetmbs.gait.arrays import Integers, Mask, Vector
from sheetmbs.gait.signals.gaps import runs
from sheetmbs.gait.trial.gait_book import SIDES, Side
from sheetmbs.gait.trial.trial_courses import Contact, GaitEvent, TrialCourses

MAX_BRIEF_CONTACT = 0.1
"""s: a contact that is so short within a stride belongs to the one before or after it"""
Quantity = tuple[str, str]
"""label and quantity: ("right knee", "moment")"""

KINEMATIC = {"angle", "rate", "flexion", "adduction", "rotation", "tilt", "obliquity", "progression"}
"""which need whole markers alone; all others need the foot on plates too"""
OF_FEET = ("fx", "fy", "fz")


@dataclass(frozen=True)
class Stride:
    """From strike to strike of one side, in s. trial: its index among the trials. name: of that trial.

    toe_off: of the same side, None where there is none; toe_off_estimated: from the motion. is_kinetic: every contact of the
    foot within it is wholly on plates, and its force is known throughout.
    starts_estimated: its first strike is from the motion. is_estimated: one of its strikes is. is_mixed: one is, and the other
    is not, so that it is some 3 % too short or too long. counts: whether it enters means, SD, n, peaks and work.
    u_of_start, u_of_end, u_of_toe_off: standard uncertainties of these times in s. is_shared: whether one of them is that of
    a method, which does not shrink with the number of strides.
    """

    trial: int
    name: str
    side: Side
    start: float
    end: float
    toe_off: float | None
    toe_off_estimated: bool
    is_kinetic: bool
    starts_estimated: bool
    is_estimated: bool
    is_mixed: bool
    counts: bool
    u_of_start: float = 0.0
    u_of_end: float = 0.0
    u_of_toe_off: float = 0.0
    is_shared: bool = False

    @property
    def duration(self) -> float:
        """Duration of the stride, s."""
        return self.end - self.start

    def percent(self, time: float) -> float:
        """Where a time in s stands in the stride."""
        return 100.0 * (time - self.start) / self.duration


def strides_of(trials: Sequence[TrialCourses]) -> list[Stride]:
    """All strides, trial by trial, of the right side and then of the left.

    Between two strikes with more than one toe off a strike is missing: that is no stride. An estimated strike comes 7 to 61 ms
    early, which shifts the whole stride against the others. So of a side that has a stride between measured strikes in any
    trial only such strides count; of a side that has none, all do.
    """
    found = [
        _stride(number, each, side, first, second)
        for number, each in enumerate(trials)
        for side in SIDES
        for first, second in pairwise(_events_of(each.events, "heel strike", side))
        if len(_toe_offs(each, first, second)) < 2
    ]
    measured = {each.side for each in found if not each.is_estimated}
    return [
        replace(
            each,
            counts=(not each.is_estimated or each.side not in measured)
            and (each.side, each.start) not in trials[each.trial].left_out,
        )
        for each in found
    ]


def is_mixed(first: GaitEvent, second: GaitEvent) -> bool:
    """Whether one of two events is estimated and the other is not."""
    return first.is_estimated != second.is_estimated


def _stride(number: int, trial: TrialCourses, side: Side, first: GaitEvent, second: GaitEvent) -> Stride:
    toe_offs = _toe_offs(trial, first, second)
    return Stride(
        trial=number,
        name=trial.trial,
        side=side,
        start=first.time,
        end=second.time,
        toe_off=toe_offs[0].time if toe_offs else None,
        toe_off_estimated=bool(toe_offs) and toe_offs[0].is_estimated,
        is_kinetic=_is_on_plates(trial.contacts, side, first.time, second.time)
        and _is_known(trial, side, first.time, second.time),
        starts_estimated=first.is_estimated,
        is_estimated=first.is_estimated or second.is_estimated,
        is_mixed=is_mixed(first, second),
        counts=True,
        u_of_start=first.u,
        u_of_end=second.u,
        u_of_toe_off=toe_offs[0].u if toe_offs else 0.0,
        is_shared=any(each.is_shared for each in (first, second, *toe_offs)),
    )


def _events_of(events: Sequence[GaitEvent], kind: str, side: Side) -> list[GaitEvent]:
    return sorted((each for each in events if each.kind == kind and each.side == side), key=lambda each: each.time)


def _toe_offs(trial: TrialCourses, first: GaitEvent, second: GaitEvent) -> list[GaitEvent]:
    return [each for each in _events_of(trial.events, "toe off", first.side) if first.time < each.time < second.time]


def _is_on_plates(contacts: Sequence[Contact], side: Side, start: float, end: float) -> bool:
    within = [
        each
        for each in contacts
        if each.side == side and min(each.end, end) - max(each.start, start) > MAX_BRIEF_CONTACT
    ]
    return bool(within) and all(each.whole and each.plates for each in within)


def _is_known(trial: TrialCourses, side: Side, start: float, end: float) -> bool:
    """Whether the force on the foot is known throughout; where courses hold none at all, contacts alone tell."""
    force = trial.feet.get(side, {}).get("fy")
    if force is None:
        return True
    during = (trial.time >= start) & (trial.time <= end)
    return bool(np.isfinite(force[during]).all())


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
    courses = dict(courses_of(trial))
    blank = np.full(len(trial.time), np.nan)
    return over_strides(trial, np.array([courses.get(name, blank) for name in names]), strides, points)


def over_strides(trial: TrialCourses, samples: Vector, strides: Sequence[Stride], points: int) -> Vector:
    """(series, strides, points) of series (series, n) of a trial, NaN where a stride does not lie in a run without gaps."""
    values = np.full((len(samples), len(strides), points), np.nan)
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


def in_means(curves: StrideCurves) -> Mask:
    """(strides, points) what enters means: whole strides that count, without what is near a trial's end."""
    whole = np.all(np.isfinite(curves.values), axis=1, keepdims=True)
    counts: Mask = whole & ~curves.edge
    counts[[row for row, each in enumerate(curves.strides) if not each.counts]] = False
    return counts


def ensemble(curves: StrideCurves) -> Ensemble:
    """The mean and the standard deviation at each point of what enters means."""
    counts = in_means(curves)
    n = counts.sum(axis=0)
    kept = np.where(counts, curves.values, 0.0)
    mean = np.full(len(n), np.nan)
    np.divide(kept.sum(axis=0), n, out=mean, where=n > 0)
    squares = np.where(counts, (curves.values - mean) ** 2, 0.0).sum(axis=0)
    variance = np.full(len(n), np.nan)
    np.divide(squares, n - 1, out=variance, where=n > 1)
    return Ensemble(mean, np.sqrt(variance), n)
