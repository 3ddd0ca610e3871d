"""Work of a joint over a stride: the integral of its power, from zero to zero."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray
from scipy.interpolate import CubicSpline

Vector = NDArray[np.float64]

AROUND = 8
"""samples before and after the stride through which the spline runs too"""
LEAST_PART = 0.02
"""of the total of all phases: what is less is merged with its neighbours"""


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
    before = np.flatnonzero(np.isnan(power[max(first - AROUND, 0) : first]))
    after = np.flatnonzero(np.isnan(power[last + 1 : last + 1 + AROUND]))
    low = max(first - AROUND, 0) + (int(before[-1]) + 1 if len(before) else 0)
    high = last + int(after[0]) if len(after) else min(last + AROUND, len(power) - 1)
    return low, high


def _merged(phases: list[WorkPhase]) -> list[WorkPhase]:
    """The smallest phase goes into its neighbours, until each is at least 2 % of the total."""
    merged = list(phases)
    least = LEAST_PART * sum(abs(each.work) for each in phases)
    while len(merged) > 1:
        small = min(range(len(merged)), key=lambda k: abs(merged[k].work))
        if abs(merged[small].work) >= least:
            break
        low, high = max(small - 1, 0), min(small + 1, len(merged) - 1)
        together = merged[low : high + 1]
        merged[low : high + 1] = [WorkPhase(together[0].start, together[-1].end, sum(each.work for each in together))]
    return merged
