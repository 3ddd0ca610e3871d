"""What a sample says: its spread, a histogram, the share that keeps a limit, and percentiles.

Percentiles have intervals that hold for any distribution: the number of samples below one has a binomial distribution, so
that two of the sorted samples enclose it with a known probability (David and Nagaraja, Order Statistics, 2003, 7.1).
"""

from __future__ import annotations

from dataclasses import dataclass
from math import ceil, log

import numpy as np

from sheetmbs.studies.study_book import Flags, Floats
from sheetmbs.workbook.charts.axes import round_tick

USUAL_BINS = 20
"""approximate number of bins of a histogram"""
PERCENTILES = (0.1, 1.0, 5.0, 50.0, 95.0, 99.0, 99.9)
TAIL_PROBABILITY = 0.025
"""probability that a percentile lies beyond either end of its interval, at most"""


@dataclass(frozen=True)
class Spread:
    """Spread of numbers of which some are not known. at_smallest, at_largest: where they stand. deviation: of a sample (n - 1).

    known: how many there are; without any of them all else is NaN and -1.
    """

    known: int
    smallest: float = np.nan
    largest: float = np.nan
    mean: float = np.nan
    deviation: float = np.nan
    at_smallest: int = -1
    at_largest: int = -1


def spread(values: Floats) -> Spread:
    """Spread of values (n,), NaN where not known. The first of several smallest or largest ones counts."""
    known = int(np.isfinite(values).sum())
    if not known:
        return Spread(0)
    held = values[np.isfinite(values)]
    low, high = int(np.nanargmin(values)), int(np.nanargmax(values))
    deviation = float(held.std(ddof=1)) if known > 1 else np.nan
    return Spread(known, float(values[low]), float(values[high]), float(held.mean()), deviation, low, high)


@dataclass(frozen=True)
class CountedBins:
    """middles: (bins,). inside, outside: (bins,) counts of samples that hold a limit and of those that do not."""

    middles: Floats
    inside: Floats
    outside: Floats


def counted_bins(values: Floats, is_inside: Flags, anchor: float | None) -> CountedBins | None:
    """Histogram of values (n,), NaN where not known. anchor: a limit, at which a bin ends. None where values do not vary."""
    known = np.isfinite(values)
    held, inside = values[known], is_inside[known]
    if len(held) < 2 or np.ptp(held) <= 1e-12 * np.abs(held).max():
        return None
    width = round_tick(float(np.ptp(held)) / USUAL_BINS)
    start = 0.0 if anchor is None else anchor
    first, last = np.floor((held.min() - start) / width), np.ceil((held.max() - start) / width)
    edges = start + width * np.arange(first, max(last, first + 1) + 1)
    edges[-1] = max(edges[-1], held.max())
    counts = [np.histogram(held[which], edges)[0].astype(np.float64) for which in (inside, ~inside)]
    return CountedBins(0.5 * (edges[:-1] + edges[1:]), *counts)


@dataclass(frozen=True)
class Share:
    """held of count. low, high: its 95 % interval by Wilson (1927)."""

    held: int
    count: int
    share: float
    low: float
    high: float


def share_of(held: int, count: int) -> Share:
    """A share and its interval; NaN without samples."""
    from scipy.stats import binomtest

    if not count:
        return Share(0, 0, np.nan, np.nan, np.nan)
    ends = binomtest(held, count).proportion_ci(0.95, method="wilson")
    return Share(held, count, held / count, float(ends.low), float(ends.high))


@dataclass(frozen=True)
class SamplePercentile:
    """A percentile with its 95 % interval.

    value: NaN where there are fewer samples than ``needed``, for then none of them need lie beyond it.
    """

    percent: float
    value: float
    low: float
    high: float
    needed: int


def samples_needed(percent: float) -> int:
    """The fewest samples of which, with 97.5 % probability, at least one lies beyond a percentile on either side."""
    share = percent / 100.0
    return ceil(log(TAIL_PROBABILITY) / log(max(share, 1.0 - share)))


def sample_percentiles(values: Floats, percents: tuple[float, ...] = PERCENTILES) -> tuple[SamplePercentile, ...]:
    """Percentiles of values (n,), NaN where not known."""
    from scipy.stats import binom

    held = np.sort(values[np.isfinite(values)])
    found = []
    for percent in percents:
        needed, count = samples_needed(percent), len(held)
        if count < needed:
            found.append(SamplePercentile(percent, np.nan, np.nan, np.nan, needed))
            continue
        low, high = (
            int(binom.ppf(tail, count, percent / 100.0)) for tail in (TAIL_PROBABILITY, 1.0 - TAIL_PROBABILITY)
        )
        ends = float(held[max(low - 1, 0)]), float(held[min(high, count - 1)])
        found.append(SamplePercentile(percent, float(np.percentile(held, percent)), *ends, needed))
    return tuple(found)
