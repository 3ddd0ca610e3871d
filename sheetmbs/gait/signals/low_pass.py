"""The zero-lag Butterworth low-pass filter."""

from __future__ import annotations

from functools import lru_cache
from math import atan, ceil, pi, sqrt, tan
from typing import Literal

import numpy as np
from scipy.signal import butter, sosfilt, sosfilt_zi

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.signals.gaps import runs

Order = Literal[2, 4, 8]
Meaning = Literal["effective", "single pass"]
Padding = Literal["odd", "even", "constant", "none"]


def low_pass(
    values: Vector,
    rate: float,
    cutoff: float | Vector,
    *,
    order: Order = 4,
    meaning: Meaning = "effective",
    padding: Padding = "odd",
) -> Vector:
    """Values (.., n) filtered forward and backward, each run without gaps by itself.

    values: NaN is missing. rate: in Hz. cutoff: in Hz below rate / 2, one or (..); inf leaves a series as it is.
    order: of both passes together. meaning: whether the gain at the cut-off is 1 / sqrt 2 after both passes (effective) or
    after one. padding: of ceil(rate / cutoff) samples at both ends of a run, of those it has where it is shorter; each pass
    starts in its steady state at the first padded value.
    Raises ValueError for a cut-off that is not between 0 and rate / 2.
    Source: Robertson and Dowling, J. Electromyogr. Kinesiol. 13 (2003); Winter, Biomechanics, 4th ed., 2.2.4.4.
    """
    flat = values.reshape(-1, values.shape[-1])
    cutoffs = np.broadcast_to(np.asarray(cutoff, dtype=float), values.shape[:-1]).ravel()
    filtered = flat.copy()
    for one in np.unique(cutoffs[np.isfinite(cutoffs)]):
        sections = _sections(single_pass(float(one), rate, order, meaning), rate, order)
        pad = ceil(rate / one * (1.0 - 1e-12)) if padding != "none" else 0
        chosen = np.flatnonzero(cutoffs == one)
        for series, run in runs(flat[chosen]):
            filtered[chosen[series], run] = _both_ways(sections, flat[chosen[series], run], pad, padding)
    return filtered.reshape(values.shape)


def single_pass(cutoff: float, rate: float, order: Order, meaning: Meaning) -> float:
    """The cut-off in Hz of each pass, for one that is meant so."""
    if not 0.0 < cutoff < 0.5 * rate:
        raise ValueError(f"a cut-off of {cutoff:g} Hz is not between 0 and half the rate of {rate:g} Hz")
    return rate / pi * atan(tan(pi * cutoff / rate) / (_correction(order) if meaning == "effective" else 1.0))


def both_passes(cutoff: float, rate: float, order: Order, meaning: Meaning) -> float:
    """The cut-off in Hz of both passes together, for one that is meant so."""
    single = single_pass(cutoff, rate, order, meaning)
    return rate / pi * atan(tan(pi * single / rate) * _correction(order))


def gain(frequency: Vector, rate: float, cutoff: float, *, order: Order, meaning: Meaning) -> Vector:
    """The gain of both passes on endless sinusoids of frequencies (n,) in Hz up to rate / 2."""
    single = single_pass(cutoff, rate, order, meaning)
    tangent: Vector = np.tan(np.minimum(pi * frequency / rate, 0.5 * pi)) / tan(pi * single / rate)
    return 1.0 / (1.0 + tangent**order)


def _correction(order: Order) -> float:
    """By which two passes of half the order lower the tangent of the cut-off."""
    return float((sqrt(2.0) - 1.0) ** (1.0 / order))


@lru_cache(maxsize=256)
def _sections(single: float, rate: float, order: Order) -> tuple[Vector, Vector]:
    """Second-order sections of a pass, and their state after an endless 1: many series have the same filter."""
    sections = butter(order // 2, single, fs=rate, output="sos")
    return sections, sosfilt_zi(sections)


def _both_ways(sections: tuple[Vector, Vector], values: Vector, pad: int, padding: Padding) -> Vector:
    """Values (series, n) without gaps, padded and filtered forward and backward."""
    count = values.shape[-1]
    pad = min(pad, count - 1)
    passed = _padded(values, pad, padding)
    coefficients, steady = sections
    for _ in range(2):
        passed, _state = sosfilt(coefficients, passed, axis=-1, zi=steady[:, None, :] * passed[None, :, :1])
        passed = passed[:, ::-1]
    return passed[:, pad : pad + count]


def _padded(values: Vector, pad: int, padding: Padding) -> Vector:
    """Values (series, n) with so many samples more at either end."""
    if pad == 0:
        return values
    first, last = values[:, :1], values[:, -1:]
    before, after = values[:, pad:0:-1], values[:, -2 : -pad - 2 : -1]
    if padding == "odd":
        before, after = 2.0 * first - before, 2.0 * last - after
    elif padding == "constant":
        before, after = np.repeat(first, pad, axis=1), np.repeat(last, pad, axis=1)
    return np.concatenate((before, values, after), axis=1)
