"""Residual analysis: how much noise markers carry, and which cut-off that advises."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from scipy.fft import dst

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.signals.gaps import runs
from sheetmbs.gait.signals.low_pass import Meaning, Order, gain

LOWEST, HIGHEST, STEP = 1.0, 20.0, 0.5
"""cut-offs in Hz that are tried"""
SHORTEST = 10
"""samples of a run that says something about noise"""


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
    cutoffs = np.arange(LOWEST, min(max(HIGHEST, 2.0 * cutoff), 0.25 * rate) + 1e-9, STEP)
    markers, coordinates, count = values.shape
    flat = values.reshape(-1, count)
    squares, samples = np.zeros((len(flat), len(cutoffs))), np.zeros(len(flat))
    for series, run in runs(flat):
        if run.stop - run.start >= SHORTEST:
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
    return float(noise), float(cutoffs[before] + part * STEP)
