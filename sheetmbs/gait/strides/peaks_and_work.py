"""Peaks of a course within a stride, and the work of a joint over it: the integral of its power, from zero to zero."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.interpolate import CubicSpline

from sheetmbs.gait.arrays import Mask, Vector

SPLINE_MARGIN = 8
"""samples before and after the stride through which the spline runs too"""
PARABOLA = 3
"""samples through which a parabola runs"""
MIN_PHASE_SHARE = 0.02
"""of the total of all phases: what is less is merged with its neighbours"""


@dataclass(frozen=True)
class Peak:
    """The largest or smallest value, and when, in s. sample: the largest or smallest sample, about which the parabola is."""

    value: float
    time: float
    sample: int = 0

    def of(self, series: Vector, time: Vector) -> Vector:
        """(..) of series (.., n) over the times (n,) of the peak's course, on parabolas through the same samples."""
        around = series[..., max(self.sample - 1, 0) : self.sample + 2]
        if around.shape[-1] < PARABOLA or np.isnan(around).any():
            return np.asarray(series[..., self.sample])
        x = (self.time - time[self.sample]) / (time[1] - time[0])
        before, at, after = np.moveaxis(around, -1, 0)
        return np.asarray(at + 0.5 * (after - before) * x + 0.5 * (before - 2.0 * at + after) * x * x)


def largest(values: Vector, time: Vector, edge: Mask, start: float, end: float) -> Peak | None:
    """The largest value from start to end, on the parabola through the largest sample and its neighbours.

    values, edge: (n,) over a uniform time (n,) in s. Samples near an end of the trial do not count; None where one of them is
    larger, so that the peak may lie among them, and where a sample between start and end is missing.
    """
    rate = (len(time) - 1) / (time[-1] - time[0])
    first = int(np.ceil((start - time[0]) * rate - 1e-9))
    last = int(np.floor((end - time[0]) * rate + 1e-9))
    inside = slice(max(first, 0), last + 1)
    samples, counts = values[inside], ~edge[inside]
    if first < 0 or last >= len(time) or last < first or np.isnan(samples).any() or not counts.any():
        return None
    top = int(np.argmax(np.where(counts, samples, -np.inf)))
    if (samples[~counts] > samples[top]).any():
        return None
    return _vertex(values, time, first + top, start, end)


def smallest(values: Vector, time: Vector, edge: Mask, start: float, end: float) -> Peak | None:
    """The smallest value, likewise."""
    found = largest(-values, time, edge, start, end)
    return Peak(-found.value, found.time, found.sample) if found else None


def _vertex(values: Vector, time: Vector, top: int, start: float, end: float) -> Peak:
    """On the parabola through a sample and its neighbours, not beyond the stride."""
    around = values[max(top - 1, 0) : top + 2]
    if len(around) < PARABOLA or np.isnan(around).any():
        return Peak(float(values[top]), float(time[top]), top)
    before, at, after = (float(each) for each in around)
    slope, bend = 0.5 * (after - before), before - 2.0 * at + after
    step = float(time[top + 1] - time[top])
    vertex = -slope / bend if bend < 0.0 else float(np.sign(slope))
    low, high = max((start - time[top]) / step, -1.0), min((end - time[top]) / step, 1.0)
    shift = min(max(vertex, low), high)
    return Peak(at + slope * shift + 0.5 * bend * shift**2, float(time[top]) + shift * step, top)


@dataclass(frozen=True)
class WorkPhase:
    """A time of generation (work > 0) or absorption. start, end: in s. work: in J."""

    start: float
    end: float
    work: float


@dataclass(frozen=True)
class JointWork:
    """positive, negative, net: in J. phases: in order, those under 2 % of the total merged."""

    positive: float
    negative: float
    net: float
    phases: tuple[WorkPhase, ...]


def joint_work(power: Vector, time: Vector, start: float, end: float) -> JointWork | None:
    """The work of a power (n,) in W over a uniform time (n,) in s, from start to end; None where samples are missing."""
    spline = power_spline(power, time, start, end)
    return work_between(spline, start, end) if spline else None


def power_spline(power: Vector, time: Vector, start: float, end: float) -> CubicSpline | None:
    """Through the samples from start to end and some around, or None where one is missing."""
    rate = (len(time) - 1) / (time[-1] - time[0])
    first = int(np.floor((start - time[0]) * rate + 1e-9))
    last = int(np.ceil((end - time[0]) * rate - 1e-9))
    if first < 0 or last >= len(time) or np.isnan(power[first : last + 1]).any():
        return None
    low, high = _whole(power, first, last)
    return CubicSpline(time[low : high + 1], power[low : high + 1])


def work_between(spline: CubicSpline, start: float, end: float) -> JointWork:
    """The work of a power from start to end."""
    zeros = [float(each) for each in spline.roots(extrapolate=False) if start < each < end]
    ends = np.array([start, *sorted(set(zeros)), end])
    work = np.diff(spline.antiderivative()(ends))
    phases = [WorkPhase(float(a), float(b), float(w)) for a, b, w in zip(ends[:-1], ends[1:], work, strict=True)]
    positive, negative = float(work[work > 0.0].sum()), float(work[work < 0.0].sum())
    return JointWork(positive, negative, positive + negative, tuple(_merged(phases)))


def _whole(power: Vector, first: int, last: int) -> tuple[int, int]:
    """The samples around a stride without gaps."""
    before = np.flatnonzero(np.isnan(power[max(first - SPLINE_MARGIN, 0) : first]))
    after = np.flatnonzero(np.isnan(power[last + 1 : last + 1 + SPLINE_MARGIN]))
    low = max(first - SPLINE_MARGIN, 0) + (int(before[-1]) + 1 if len(before) else 0)
    high = last + int(after[0]) if len(after) else min(last + SPLINE_MARGIN, len(power) - 1)
    return low, high


def _merged(phases: list[WorkPhase]) -> list[WorkPhase]:
    """The smallest phase goes into its neighbours, until each is at least 2 % of the total."""
    merged = list(phases)
    least = MIN_PHASE_SHARE * sum(abs(each.work) for each in phases)
    while len(merged) > 1:
        small = min(range(len(merged)), key=lambda k: abs(merged[k].work))
        if abs(merged[small].work) >= least:
            break
        low, high = max(small - 1, 0), min(small + 1, len(merged) - 1)
        together = merged[low : high + 1]
        merged[low : high + 1] = [WorkPhase(together[0].start, together[-1].end, sum(each.work for each in together))]
    return merged
