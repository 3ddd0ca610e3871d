"""The zero-lag Butterworth low-pass filter, and the residual analysis that advises its cut-off."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from math import atan, ceil, pi, sqrt, tan
from typing import Literal

import numpy as np
from scipy.fft import dst
from scipy.signal import butter, sosfilt, sosfilt_zi

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.signals.gaps import runs

Order = Literal[2, 4, 8]
Meaning = Literal["effective", "single pass"]
Padding = Literal["odd", "even", "constant", "none"]
MIN_CUTOFF, MAX_CUTOFF, CUTOFF_STEP = 1.0, 20.0, 0.5
"""cut-offs in Hz that are tried"""
MIN_RUN_SAMPLES = 10
"""samples of a run that says something about noise"""


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


@dataclass(frozen=True)
class ResidualAnalysis:
    """Residual analysis of markers.

    residuals: (markers, cutoffs) in the unit of the values. noise: (markers,). advised: (markers,) in Hz.

    cutoffs: (cutoffs,) in Hz that were tried. NaN where a marker has no run to judge by.
    """

    cutoffs: Vector
    residuals: Vector
    noise: Vector
    advised: Vector


def residual_analysis(
    values: Vector, rate: float, *, order: Order = 4, meaning: Meaning = "effective", cutoff: float = 0.0
) -> ResidualAnalysis:
    """How rms(x - filtered x) falls with the cut-off, what its straight upper half leaves at 0 Hz, and where it meets that.

    values: (markers, coordinates, n), NaN is missing; the coordinates of a marker are judged together. rate: in Hz.
    cutoff: in Hz, what is in force: the line begins no lower, for what such a filter is to keep is not noise.
    What a filter takes away is summed over the sines of each run, less the line between its ends: as if the run went on at
    both ends for ever as odd padding begins it.
    Source: Winter, Biomechanics, 4th ed., 2.2.4.3.
    """
    cutoffs = np.arange(MIN_CUTOFF, min(max(MAX_CUTOFF, 2.0 * cutoff), 0.25 * rate) + 1e-9, CUTOFF_STEP)
    markers, coordinates, count = values.shape
    flat = values.reshape(-1, count)
    squares, samples = np.zeros((len(flat), len(cutoffs))), np.zeros(len(flat))
    for series, run in runs(flat):
        if run.stop - run.start >= MIN_RUN_SAMPLES:
            squares[series] += _squares_taken(flat[series, run], rate, cutoffs, order, meaning)
            samples[series] += run.stop - run.start
    taken = squares.reshape(markers, coordinates, -1).sum(axis=1)
    judged = samples.reshape(markers, coordinates).sum(axis=1)
    residuals = np.full(taken.shape, np.nan)
    residuals[judged > 0] = np.sqrt(taken[judged > 0] / judged[judged > 0, None])
    noise, advised = np.full(markers, np.nan), np.full(markers, np.nan)
    for each in np.flatnonzero(judged > 0):
        noise[each], advised[each] = _noise_and_advice(cutoffs, residuals[each])
    return ResidualAnalysis(cutoffs, residuals, noise, advised)


def _squares_taken(values: Vector, rate: float, cutoffs: Vector, order: Order, meaning: Meaning) -> Vector:
    """The sum of squares (series, cutoffs) that filters take away from runs (series, n)."""
    count = values.shape[-1]
    part = np.arange(count) / (count - 1)
    bent = values - values[:, :1] - (values[:, -1:] - values[:, :1]) * part
    sines = dst(bent[:, 1:-1], type=1, norm="ortho")
    frequency = np.arange(1, count - 1) * 0.5 * rate / (count - 1)
    lost = np.array([1.0 - gain(frequency, rate, float(each), order=order, meaning=meaning) for each in cutoffs])
    taken: Vector = sines**2 @ (lost**2).T
    return taken


def _noise_and_advice(cutoffs: Vector, residual: Vector) -> tuple[float, float]:
    """The residual that the line through the upper half leaves at 0 Hz, and the cut-off whose residual it is.

    No cut-off is advised where there is no noise, or none but noise.
    """
    upper = cutoffs >= 0.5 * (cutoffs[0] + cutoffs[-1])
    _, noise = np.polyfit(cutoffs[upper], residual[upper], 1)
    below = np.flatnonzero(residual <= noise)
    if noise <= 0.0 or len(below) == 0 or below[0] == 0:
        return max(float(noise), 0.0), np.nan
    after = below[0]
    before = after - 1
    part = (residual[before] - noise) / (residual[before] - residual[after])
    return float(noise), float(cutoffs[before] + part * CUTOFF_STEP)
