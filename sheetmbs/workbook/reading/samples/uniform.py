"""Times that are uniform but for the digits they were printed with: rounded ones would shake every acceleration."""

from __future__ import annotations

from math import floor, log10

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

FEWEST = 10
"""times: fewer may be near to uniform by chance, or as somebody typed them"""
EXACT = 1e-12
"""part of the largest time by which computed times differ anyway"""
MOST_DECIMALS = 12
SIGNIFICANT = range(6, 13)
"""digits that a program prints of every number, whatever its size"""
SINGLE = 2.0**-23
RARE = 0.1
"""part of the steps that are two printed units long where others are one: so few may be rows that are missing"""


def uniform_times(times: Vector) -> tuple[Vector, float] | None:
    """The uniform times (n,) that rounded ones stand for, and the unit they were rounded to; None where they are not such.

    times: (n,) increasing, in the unit of their column. The first and the last are kept.
    """
    count, largest = len(times), float(np.max(np.abs(times)))
    if count < FEWEST:
        return None
    even = np.linspace(times[0], times[-1], count)
    off = float(np.max(np.abs(times - even)))
    unit = _printed_unit(times, largest)
    if off <= EXACT * largest or off > unit * (1.0 + SIGNIFICANT.start * EXACT):
        return None
    shortest = np.rint(np.diff(times) / unit).min()
    if shortest < 1.0 or (shortest == 1.0 and _may_lack_rows(times, unit)):
        return None
    return (even, unit) if _least_range(times, unit) <= unit * (1.0 + 1e-6) else None


def _printed_unit(times: Vector, largest: float) -> float:
    """The last digit that was printed: after a fixed number of decimals, of digits, or as single precision keeps them."""
    units = [unit for unit in (10.0**-each for each in range(MOST_DECIMALS)) if _are_multiples(times, unit)][:1]
    nonzero = np.abs(times[times != 0.0])
    sizes = 10.0 ** np.floor(np.log10(nonzero))
    for digits in SIGNIFICANT:
        if _are_multiples(nonzero / sizes, 10.0 ** (1 - digits)):
            units.append(10.0 ** (floor(log10(largest)) + 1 - digits))
            break
    if np.array_equal(times.astype(np.float32).astype(np.float64), times):
        units.append(SINGLE * largest)
    return max(units, default=0.0)


def _are_multiples(numbers: Vector, unit: float) -> bool:
    scaled = numbers / unit
    slack = 1e-9 + 4e-16 * np.abs(scaled)
    return bool(np.all(np.abs(scaled - np.rint(scaled)) <= slack))


def _may_lack_rows(times: Vector, unit: float) -> bool:
    steps = np.rint(np.diff(times) / unit)
    return min(int(np.count_nonzero(steps == each)) for each in (1.0, 2.0)) < max(RARE * len(steps), 3.0)


def _least_range(times: Vector, unit: float) -> float:
    """How far times stray from the uniform ones nearest to them, from one side to the other.

    Rounding strays by one unit at most, a missing row by nearly a step. The range is convex in the step.
    """
    index = np.arange(len(times))
    step, reach = (times[-1] - times[0]) / (len(times) - 1), 2.0 * unit / (len(times) - 1)
    low, high = step - reach, step + reach
    while high - low > 1e-6 * reach:
        thirds = low + (high - low) / 3.0, high - (high - low) / 3.0
        first, second = (float(np.ptp(times - index * each)) for each in thirds)
        low, high = (low, thirds[1]) if first < second else (thirds[0], high)
    return float(np.ptp(times - index * 0.5 * (low + high)))
