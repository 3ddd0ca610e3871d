"""Peaks of a course within a stride."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Mask = NDArray[np.bool_]


@dataclass(frozen=True)
class Peak:
    """The largest or smallest value, and when, in s."""

    value: float
    time: float


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
    return Peak(-found.value, found.time) if found else None


def _vertex(values: Vector, time: Vector, top: int, start: float, end: float) -> Peak:
    """On the parabola through a sample and its neighbours, not beyond the stride."""
    around = values[max(top - 1, 0) : top + 2]
    if len(around) < 3 or np.isnan(around).any():
        return Peak(float(values[top]), float(time[top]))
    before, at, after = (float(each) for each in around)
    slope, bend = 0.5 * (after - before), before - 2.0 * at + after
    step = float(time[top + 1] - time[top])
    vertex = -slope / bend if bend < 0.0 else float(np.sign(slope))
    low, high = max((start - time[top]) / step, -1.0), min((end - time[top]) / step, 1.0)
    shift = min(max(vertex, low), high)
    return Peak(at + slope * shift + 0.5 * bend * shift**2, float(time[top]) + shift * step)
