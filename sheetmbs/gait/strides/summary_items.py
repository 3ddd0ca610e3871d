"""The items of the summary: each a mean over strides, in SI and in the signs of the mechanics."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from math import hypot
from typing import TypeVar

import numpy as np
from scipy.interpolate import CubicSpline

from sheetmbs.gait.arrays import Mask, Vector
from sheetmbs.gait.strides.peaks_and_work import JointWork, Peak, largest, power_spline, smallest, work_between
from sheetmbs.gait.strides.spatio_temporal import (
    ESTIMATED_PART,
    DoubleSupport,
    Step,
    StrideMeasures,
    last_supports,
    steps_of,
    stride_measures,
)
from sheetmbs.gait.strides.strides import KINEMATIC, Stride, over_side, side_of, strides_of
from sheetmbs.gait.trial.gait_book import SIDES
from sheetmbs.gait.trial.trial_courses import TrialCourses

Measured = TypeVar("Measured")
FindPeak = Callable[[Vector, Vector, Mask, float, float], Peak | None]
"""of a course (n,), its times, what is near an end, and from when to when"""
EARLY = 0.3
"""part of the stride in which the early peaks of hip and knee lie"""
IN_EARLY = ", first 30 %"
"""ends the names of these peaks"""
POINTS = 201
"""of a mean power, from strike to strike"""
HALF, WHOLE = 50.0, 100.0
"""% of the stride"""
AT_STRIKE = 20.0
"""%: peaks that lie closer together, over a strike, are the same one"""
PEAK_UNITS = {
    "angle": "rad",
    "adduction": "rad",
    "rotation": "rad",
    "tilt": "rad",
    "obliquity": "rad",
    "progression": "rad",
    "moment": "N*m",
    "moment_adduction": "N*m",
    "moment_rotation": "N*m",
    "mx": "N*m",
    "my": "N*m",
    "power": "W",
}
"""quantities whose peaks are items; flexion is the angle, and the moment about it, or ``mz``, is the moment"""
OF_CENTRE = "centre"
"""what a variant is about that has joint centres elsewhere, followed by the way"""


@dataclass(frozen=True)
class SummaryItem:
    """One line of the summary: the mean of n values, in SI and the signs of the mechanics.

    side, joint: ``""`` where it has none. sd: of n - 1, None where n is 1. at: percent of the stride, of a peak its mean, of a
    phase of work its start and end, () otherwise. Parts of the stride have unit ``1``; cadence is in steps per second.
    quantity: of the joint whose peak it is, ``""`` where it is none. u: standard uncertainty of the mean, None not known.
    is_estimated: whether events that the motion tells are behind it.
    """

    item: str
    side: str
    joint: str
    value: float
    sd: float | None
    n: int
    unit: str
    at: tuple[float, ...]
    quantity: str = ""
    u: float | None = None
    is_estimated: bool = False


def summary_items(trials: Sequence[TrialCourses]) -> list[SummaryItem]:
    """All items of trials of one subject: times and lengths, then peaks and work of each joint.

    A moment whose sign turns when it is shown has its largest value where this one has its smallest: both are here.
    """
    strides = strides_of(trials)
    return [*_spatio_temporal(trials, strides), *_of_joints(trials, strides)]


def peak_items(trials: Sequence[TrialCourses], strides: Sequence[Stride]) -> list[SummaryItem]:
    """The peaks alone, of joints of these trials: what the table of sensitivities compares."""
    return [item for label in _labels(trials) for item in _peaks(trials, strides, label)]


@dataclass(frozen=True)
class _Known:
    """A value of one stride or step, None where it is not known. u: its standard uncertainty; is_shared: by the method.

    u_of_session: by errors that are the same in all strides of a session, such as where a marker was put.
    """

    value: float | None
    u: float
    is_shared: bool
    is_estimated: bool
    doubt: int = 0
    u_of_session: float = 0.0


def _spatio_temporal(trials: Sequence[TrialCourses], strides: Sequence[Stride]) -> Iterator[SummaryItem]:
    """Of strides and steps between events of one kind of source, and only where a side has none of others."""
    measures = stride_measures(trials, strides)
    steps, last = steps_of(trials), last_supports(trials, strides)
    for side in SIDES:
        of_side = [each for each in measures if each.stride.side == side]
        own = _of_one_source(of_side, lambda each: each.stride.is_mixed)
        own_steps = _of_one_source([each for each in steps if each.side == side], lambda each: each.is_mixed)
        stances = _best([_stance(each) for each in of_side], [_stance(each) for each in own])
        known = [_support(each) for each in of_side]
        known += [_last_support(each) for each in last if each.side == side]
        supports = _best(known, [_support(each) for each in own])
        swings = [replace(each, value=None if each.value is None else 1.0 - each.value) for each in stances]
        yield from _mean_of("stride time", side, [_of_stride(each, each.time, each.u_of_time) for each in own], "s")
        yield from _mean_of("step time", side, [_of_step(each, each.time, each.u_of_time) for each in own_steps], "s")
        yield from _mean_of("stance", side, stances, "1")
        yield from _mean_of("swing", side, swings, "1")
        yield from _mean_of("double support", side, supports, "1")
        lengths = [_of_stride(each, each.length, each.u_of_length) for each in own]
        yield from _mean_of("stride length", side, lengths, "m")
        lengths = [
            replace(_of_step(each, each.length, each.u_of_length), u_of_session=each.u_of_markers) for each in own_steps
        ]
        yield from _mean_of("step length", side, lengths, "m")
    both = _of_one_source(measures, lambda each: each.stride.is_mixed)
    yield from _mean_of("cadence", "", [_of_stride(each, each.cadence, each.u_of_cadence) for each in both], "1/s")
    yield from _mean_of("speed", "", [_of_stride(each, each.speed, each.u_of_speed) for each in both], "m/s")


def _of_stride(each: StrideMeasures, value: float | None, u: float) -> _Known:
    return _Known(value, u, each.stride.is_shared, each.stride.is_estimated)


def _of_step(each: Step, value: float | None, u: float) -> _Known:
    return _Known(value, u, each.is_shared, each.is_estimated)


def _stance(each: StrideMeasures) -> _Known:
    is_estimated = each.stance_doubt == ESTIMATED_PART
    return _Known(each.stance, each.u_of_stance, each.stride.is_shared, is_estimated, each.stance_doubt)


def _support(each: StrideMeasures) -> _Known:
    is_estimated = each.support_doubt == ESTIMATED_PART
    return _Known(each.double_support, each.u_of_support, each.stride.is_shared, is_estimated, each.support_doubt)


def _last_support(each: DoubleSupport) -> _Known:
    return _Known(each.part, each.u, each.is_shared, each.doubt == ESTIMATED_PART, each.doubt)


def _mean_of(item: str, side: str, known: Sequence[_Known], unit: str) -> Iterator[SummaryItem]:
    """The mean with its standard uncertainty: errors of single events average out, that of a method does not."""
    told = [each for each in known if each.value is not None]
    for each in _mean(item, side, "", [each.value for each in told], unit):
        u = float(np.sqrt(np.mean([one.u**2 for one in told])))
        shrinks = not any(one.is_shared for one in told)
        u = u / len(told) ** 0.5 if shrinks else u
        session = float(np.sqrt(np.mean([one.u_of_session**2 for one in told])))
        yield replace(each, u=hypot(u, session), is_estimated=any(one.is_estimated for one in told))


def _of_one_source(found: Sequence[Measured], is_mixed: Callable[[Measured], bool]) -> Sequence[Measured]:
    """Those that are not mixed, or all where there are none: a strike that is estimated comes some 40 ms early."""
    return [each for each in found if not is_mixed(each)] or found


def _best(known: Sequence[_Known], others: Sequence[_Known]) -> Sequence[_Known]:
    """Parts of strides that are known best: by measured events alone, else by such that they begin and end with, else others.

    Estimates make a stance some 7 % of the stride longer.
    """
    told = [each for each in known if each.value is not None]
    least = min((each.doubt for each in told), default=ESTIMATED_PART)
    return others if least == ESTIMATED_PART else [each for each in told if each.doubt == least]


def _of_joints(trials: Sequence[TrialCourses], strides: Sequence[Stride]) -> Iterator[SummaryItem]:
    for label in _labels(trials):
        yield from _peaks(trials, strides, label)
        yield from _work(trials, strides, label)


def _labels(trials: Sequence[TrialCourses]) -> list[str]:
    return list(dict.fromkeys(label for each in trials for label in each.joints))


def _peaks(trials: Sequence[TrialCourses], strides: Sequence[Stride], label: str) -> Iterator[SummaryItem]:
    for quantity, unit in PEAK_UNITS.items():
        for word, find in (("max", largest), ("min", smallest)):
            yield from _peak(trials, strides, label, quantity, f"{quantity.replace('_', ' ')} {word}", find, 1.0, unit)
    for word, find in (("max", largest), ("min", smallest)):
        yield from _peak(trials, strides, label, "moment", f"moment {word}{IN_EARLY}", find, EARLY, "N*m")


def _peak(
    trials: Sequence[TrialCourses],
    strides: Sequence[Stride],
    label: str,
    quantity: str,
    item: str,
    find: FindPeak,
    part: float,
    unit: str,
) -> Iterator[SummaryItem]:
    found = list(_stride_peaks(trials, strides, label, quantity, find, part))
    values = [peak.value for _stride, peak in found]
    percents = [stride.percent(peak.time) for stride, peak in found]
    is_estimated = any(each.is_estimated for each in _counting(strides, label, quantity))
    for each in _mean(item, *_side_and_joint(label), values, unit, percents):
        yield replace(each, quantity=quantity, is_estimated=is_estimated)


def _stride_peaks(
    trials: Sequence[TrialCourses], strides: Sequence[Stride], label: str, quantity: str, find: FindPeak, part: float
) -> Iterator[tuple[Stride, Peak]]:
    """The strides that count, each with its peak."""
    for stride in _counting(strides, label, quantity):
        trial = trials[stride.trial]
        course = trial.joints.get(label, {}).get(quantity)
        if course is not None:
            peak = find(course, trial.time, trial.edge, stride.start, stride.start + part * stride.duration)
            if peak:
                yield stride, peak


def peaks_of(trials: Sequence[TrialCourses], strides: Sequence[Stride], item: SummaryItem) -> list[tuple[Stride, Peak]]:
    """The peaks whose mean an item is, one of `peak_items`, with their strides."""
    label = f"{item.side} {item.joint}".strip()
    find = largest if item.item.removesuffix(IN_EARLY).endswith("max") else smallest
    part = EARLY if item.item.endswith(IN_EARLY) else 1.0
    return list(_stride_peaks(trials, strides, label, item.quantity, find, part))


def _work(trials: Sequence[TrialCourses], strides: Sequence[Stride], label: str) -> Iterator[SummaryItem]:
    """Of whole strides, and the phases of their mean power over their mean time."""
    side, joint = _side_and_joint(label)
    found: list[JointWork] = []
    powers: list[Vector] = []
    durations: list[float] = []
    for stride in _counting(strides, label, "power"):
        trial = trials[stride.trial]
        course = trial.joints.get(label, {}).get("power")
        if course is None:
            continue
        spline = power_spline(course, trial.time, stride.start, stride.end)
        if spline:
            found.append(work_between(spline, stride.start, stride.end))
            powers.append(spline(np.linspace(stride.start, stride.end, POINTS)))
            durations.append(stride.duration)
    if not found:
        return
    is_estimated = any(each.is_estimated for each in _counting(strides, label, "power"))
    for part in ("positive", "negative", "net"):
        for item in _mean(f"work {part}", side, joint, [getattr(each, part) for each in found], "J"):
            yield replace(item, is_estimated=is_estimated)
    duration = float(np.mean(durations))
    mean = CubicSpline(np.linspace(0.0, duration, POINTS), np.mean(powers, axis=0))
    for number, phase in enumerate(work_between(mean, 0.0, duration).phases, start=1):
        at = (100.0 * phase.start / duration, 100.0 * phase.end / duration)
        yield SummaryItem(f"work phase {number}", side, joint, phase.work, None, len(found), "J", at)


def _counting(strides: Sequence[Stride], label: str, quantity: str) -> list[Stride]:
    """Strides of the joint's side that count and over which a quantity is known."""
    side = over_side(label, strides)
    own = [each for each in strides if each.side == side and each.counts]
    return [each for each in own if each.is_kinetic or quantity in KINEMATIC]


def _side_and_joint(label: str) -> tuple[str, str]:
    side = side_of(label) or ""
    return side, label.removeprefix(f"{side} ") if side else label


def _mean(
    item: str, side: str, joint: str, values: Sequence[float | None], unit: str, percents: Sequence[float] = ()
) -> Iterator[SummaryItem]:
    """The item, where anything is known of it."""
    known = [each for each in values if each is not None]
    if known:
        sd = float(np.std(known, ddof=1)) if len(known) > 1 else None
        at = (_place(percents),) if percents else ()
        yield SummaryItem(item, side, joint, float(np.mean(known)), sd, len(known), unit, at)


def _place(percents: Sequence[float]) -> float:
    """The mean place of a peak in the stride; one at a strike lies at the end of some strides and at the start of others."""
    places = np.array(percents)
    later = np.where(places < HALF, places + WHOLE, places)
    if np.ptp(places) > HALF and np.ptp(later) < AT_STRIKE:
        return float(np.mean(later)) % WHOLE
    return float(np.mean(places))


@dataclass(frozen=True)
class Variant:
    """Peaks under another choice.

    name: ``cut-off +1 Hz``. about: what is chosen otherwise, ``cut-off``. size: by how much, ``1 Hz``, either way.
    items: in SI and the signs of the mechanics.
    """

    name: str
    about: str
    size: str
    items: Sequence[SummaryItem]
