"""How many samples lie where: bins of equal width, of which some end at the limits."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheetmbs.workbook.charts.axes import round_tick

Floats = NDArray[np.float64]
BINS = 20
"""about so many"""


@dataclass(frozen=True)
class CountedBins:
    """middles: (bins,). inside, outside: (bins,) counts of samples that hold a limit and of those that do not."""

    middles: Floats
    inside: Floats
    outside: Floats


def counted_bins(values: Floats, is_inside: NDArray[np.bool_], anchor: float | None) -> CountedBins | None:
    """Histogram of values (n,), NaN where not known. anchor: a limit, at which a bin ends. None where values do not vary."""
    known = np.isfinite(values)
    held, inside = values[known], is_inside[known]
    if len(held) < 2 or np.ptp(held) <= 1e-12 * np.abs(held).max():
        return None
    width = round_tick(float(np.ptp(held)) / BINS)
    start = 0.0 if anchor is None else anchor
    first, last = np.floor((held.min() - start) / width), np.ceil((held.max() - start) / width)
    edges = start + width * np.arange(first, max(last, first + 1) + 1)
    edges[-1] = max(edges[-1], held.max())
    counts = [np.histogram(held[which], edges)[0].astype(np.float64) for which in (inside, ~inside)]
    return CountedBins(0.5 * (edges[:-1] + edges[1:]), *counts)
