"""Means of strides, point by point."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheetmbs.gait.strides.stride_curves import StrideCurves

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class Ensemble:
    """mean, sd, n: (points,). mean is NaN where n is 0, and sd (of n - 1) where n is below 2."""

    mean: Vector
    sd: Vector
    n: NDArray[np.int64]


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
