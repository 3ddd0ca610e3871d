"""Times that are uniform but for the digits they were printed with: rounded ones would shake every acceleration."""

from __future__ import annotations

from math import floor, log10

import numpy as np
from numpy.typing import NDArray

Vector = NDArray[np.float64]

MIN_UNIFORM_TIMES = 10
"""times: fewer may be near to uniform by chance, or as somebody typed them"""
TIME_TOLERANCE = 1e-12
"""part of the largest time by which computed times differ anyway"""
MAX_DECIMALS = 12
SIGNIFICANT = range(6, 13)
"""digits that a program prints of every number, whatever its size"""
SINGLE_PRECISION = 2.0**-23
MAX_MISSING_SHARE = 0.1
"""part of the steps that are two printed units long where others are one: so few may be rows that are missing"""


def uniform_times(times: Vector, index: Vector | None = None) -> tuple[Vector, float] | None:
    """The uniform times (n,) that rounded ones stand for, and the unit they were rounded to; None where they are not such.

    times: (n,) increasing, in the unit of their column; the first and the last are kept. index: (n,) of whole numbers, of each
    among the uniform ones, where these are more.
    """
    count, largest = len(times), float(np.max(np.abs(times)))
    if count < MIN_UNIFORM_TIMES:
        return None
    place = np.arange(float(count)) if index is None else index - index[0]
    even = times[0] + place * ((times[-1] - times[0]) / place[-1])
    even[-1] = times[-1]
    off = float(np.max(np.abs(times - even)))
    unit = printed_unit(times)
    if off <= TIME_TOLERANCE * largest or off > unit * (1.0 + SIGNIFICANT.start * TIME_TOLERANCE):
        return None
    steps = np.rint(np.diff(times)[np.diff(place) == 1] / unit)
    shortest = steps.min(initial=np.inf)
    if shortest < 1.0 or (shortest == 1.0 and _may_lack_rows(steps)):
        return None
    return (even, unit) if _least_range(times, place, unit) <= unit * (1.0 + 1e-6) else None


def printed_unit(times: Vector) -> float:
    """The last digit that was printed: after a fixed number of decimals, of digits, or as single precision keeps them.

    0 where there is no such digit.
    """
    nonzero = np.abs(times[times != 0.0])
    if not len(nonzero):
        return 0.0
    largest = float(nonzero.max())
    units = [unit for unit in (10.0**-each for each in range(MAX_DECIMALS)) if _are_multiples(times, unit)][:1]
    sizes = 10.0 ** np.floor(np.log10(nonzero))
    for digits in SIGNIFICANT:
        if _are_multiples(nonzero / sizes, 10.0 ** (1 - digits)):
            units.append(10.0 ** (floor(log10(largest)) + 1 - digits))
            break
    if np.array_equal(times.astype(np.float32).astype(np.float64), times):
        units.append(SINGLE_PRECISION * largest)
    return max(units, default=0.0)


def _are_multiples(numbers: Vector, unit: float) -> bool:
    scaled = numbers / unit
    slack = 1e-9 + 4e-16 * np.abs(scaled)
    return bool(np.all(np.abs(scaled - np.rint(scaled)) <= slack))


def _may_lack_rows(steps: Vector) -> bool:
    """Of steps (n,) counted in printed units."""
    return min(int(np.count_nonzero(steps == each)) for each in (1.0, 2.0)) < max(MAX_MISSING_SHARE * len(steps), 3.0)


def _least_range(times: Vector, index: Vector, unit: float) -> float:
    """How far times (n,) stray from the uniform ones nearest to them, from one side to the other. index: (n,) among those.

    Rounding strays by one unit at most, a missing row by nearly a step. The range is convex in the step.
    """
    step, reach = (times[-1] - times[0]) / index[-1], 2.0 * unit / index[-1]
    low, high = step - reach, step + reach
    while high - low > 1e-6 * reach:
        thirds = low + (high - low) / 3.0, high - (high - low) / 3.0
        first, second = (float(np.ptp(times - index * each)) for each in thirds)
        low, high = (low, thirds[1]) if first < second else (thirds[0], high)
    return float(np.ptp(times - index * 0.5 * (low + high)))
