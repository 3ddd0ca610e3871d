"""Runs without gaps, and the gaps between them: short ones are filled, long ones stay, and short runs between are dropped."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Literal

import numpy as np
from scipy.interpolate import CubicSpline

from sheetmbs.gait.arrays import Integers, Mask, Vector

GOOD_SAMPLES = 5
"""on each side of a gap, through which the spline runs"""
MIN_RUN_PERIODS = 3.0
"""of the cut-off: runs between gaps that are shorter tell more of their ends than of the motion"""


def bounds(mask: Mask) -> list[tuple[int, int]]:
    """The first and the last sample of each run of True in a mask (n,)."""
    edges = np.flatnonzero(np.diff(np.concatenate(([False], mask, [False]))))
    return [(int(first), int(after) - 1) for first, after in zip(edges[::2], edges[1::2], strict=True)]


def alike(masks: Mask) -> Iterator[tuple[Integers, Mask]]:
    """Series whose masks (series, n) are the same: their indices, and the mask (n,) of them."""
    if len(masks) == 0:
        return
    if (masks == masks[0]).all():
        yield np.arange(len(masks)), masks[0]
        return
    _, first, group = np.unique(np.packbits(masks, axis=1), axis=0, return_index=True, return_inverse=True)
    for each, index in enumerate(first):
        yield np.flatnonzero(group.ravel() == each), masks[index]


def runs(values: Vector) -> Iterator[tuple[Integers, slice]]:
    """Runs without gaps in values (series, n): the indices of the series that have the same gaps, and the run."""
    for series, mask in alike(np.isfinite(values)):
        for first, last in bounds(mask):
            yield series, slice(first, last + 1)


@dataclass(frozen=True)
class FilledGaps:
    """values: (.., n), NaN where a gap stayed. filled: (.., n) where a gap was filled. left: (.., n) where one stayed."""

    values: Vector
    filled: Mask
    left: Mask


def fill_gaps(
    values: Vector, rate: float, *, limit: float = 0.1, kind: Literal["cubic", "linear", "none"] = "cubic"
) -> FilledGaps:
    """Fill gaps of at most so many seconds between good samples; nothing is extrapolated.

    values: (.., n), NaN is missing. rate: in Hz. limit: k missing samples last k / rate seconds.
    kind: ``cubic`` is a C2 spline, not-a-knot, through the five good samples nearest on each side, or as many as stand
    between this gap and the next that stays.
    """
    flat = values.reshape(-1, values.shape[-1]).copy()
    missing = np.isnan(flat)
    most = 0 if kind == "none" else int(np.floor(limit * rate * (1.0 + 1e-9)))
    for series, gone in alike(missing):
        stays, short = _sorted_gaps(gone, most)
        fillings = [(first, last, _good(gone, stays, first, last, kind)) for first, last in short]
        recorded = flat[series]
        for first, last, good in fillings:
            inside = np.arange(first, last + 1)
            flat[np.ix_(series, inside)] = _between(inside, good, recorded[:, good], kind)
    left = np.isnan(flat)
    shape = values.shape
    return FilledGaps(flat.reshape(shape), (missing & ~left).reshape(shape), left.reshape(shape))


def drop_short_runs(values: Vector, rate: float, cutoff: float | Vector) -> tuple[Vector, Mask]:
    """Leave out runs between gaps that are shorter than three periods of the cut-off.

    values: (.., n) with its gaps filled. rate: in Hz. cutoff: in Hz, one or (..); inf drops nothing.
    Returns values (.., n) with NaN there, and where that is, (.., n). Samples missing at either end are a gap too.
    """
    flat = values.reshape(-1, values.shape[-1]).copy()
    dropped = np.zeros(flat.shape, dtype=bool)
    least = MIN_RUN_PERIODS * rate / np.broadcast_to(cutoff, values.shape[:-1]).ravel()
    for series, good in alike(np.isfinite(flat)):
        for first, last in bounds(good):
            if first > 0 and last < len(good) - 1:
                short = series[last - first + 1 < least[series] * (1.0 - 1e-9)]
                dropped[short, first : last + 1] = True
    flat[dropped] = np.nan
    return flat.reshape(values.shape), dropped.reshape(values.shape)


def _sorted_gaps(gone: Mask, most: int) -> tuple[Mask, list[tuple[int, int]]]:
    """Where gaps stay, (n,), and the first and last sample of each that is filled."""
    stays, short = gone.copy(), []
    for first, last in bounds(gone):
        if first > 0 and last < len(gone) - 1 and last - first < most:
            short.append((first, last))
            stays[first : last + 1] = False
    return stays, short


def _good(gone: Mask, stays: Mask, first: int, last: int, kind: str) -> Integers:
    """The samples (k,) through which a gap is filled."""
    count = GOOD_SAMPLES if kind == "cubic" else 1
    walls_before, walls_after = np.flatnonzero(stays[:first]), np.flatnonzero(stays[last:])
    start = walls_before[-1] + 1 if len(walls_before) else 0
    stop = last + walls_after[0] if len(walls_after) else len(gone)
    good = ~gone
    before = start + np.flatnonzero(good[start:first])[-count:]
    after = last + 1 + np.flatnonzero(good[last + 1 : stop])[:count]
    return np.concatenate((before, after))


def _between(inside: Integers, good: Integers, recorded: Vector, kind: str) -> Vector:
    """Values (series, inside) from those recorded at good samples, (series, good)."""
    if kind == "linear":
        part = (inside - good[0]) / (good[1] - good[0])
        straight: Vector = recorded[:, :1] * (1.0 - part) + recorded[:, 1:] * part
        return straight
    curved: Vector = CubicSpline(good, recorded, axis=-1)(inside)
    return curved
