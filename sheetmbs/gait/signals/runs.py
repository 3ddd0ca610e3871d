"""Runs without gaps: their first and last samples, and series that have the same ones."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]
Mask = NDArray[np.bool_]
Integers = NDArray[np.int64]


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
