"""Faults of measured samples that their numbers tell: angles that wrap, samples that were lost, samples far off.

All take the samples of one column, (n,), and know nothing of cells. What they find must stand out of everything beside it, so
that neither smooth motion nor noise nor what somebody typed by hand is taken for a fault.
"""

from __future__ import annotations

from dataclasses import dataclass
from math import floor, log10

import numpy as np

from sheetmbs.elements.marker import Vector

MIN_SAMPLES = 12
WINDOW = 8
"""samples on either side to which one is compared"""
MIN_JUMP_RATIO = 5.0
"""times the largest step beside it: a step into and out of samples that are 0"""
SPIKE_RATIO, WIDE_SPIKE_RATIO, SPIKE_STEP_RATIO = 8.0, 20.0, 3.0
"""times the largest departure from a cubic beside it; so many if it is less than so many of the steps beside it"""
TURNS = (2.0 * np.pi, np.pi)
"""what angles of atan2 and of atan lose"""
STEP_TOLERANCE = 1e-9

MIN_UNIFORM_TIMES = 10
"""times: fewer may be near to uniform by chance, or as somebody typed them"""
TIME_TOLERANCE = 1e-12
"""part of the largest time by which computed times differ anyway"""
MAX_DECIMALS = 12
SIGNIFICANT_DIGITS = range(6, 13)
"""digits that a program prints of every number, whatever its size"""
SINGLE_PRECISION = 2.0**-23
MAX_MISSING_SHARE = 0.1
"""part of the steps that are two printed units long where others are one: so few may be rows that are missing"""


@dataclass(frozen=True)
class Wrap:
    """An angle jumps from the sample before ``index`` to it. turn: what is to be added from there on, rad."""

    index: int
    turn: float


@dataclass(frozen=True)
class Lost:
    """Samples from ``first`` to ``last`` that are 0 between others that are not."""

    first: int
    last: int


def lost(values: Vector, *, longest: int | None = None) -> list[Lost]:
    """Runs of zeros into which and out of which samples jump. longest: a longer run is none, one at an end neither."""
    if len(values) < MIN_SAMPLES or not np.any(values):
        return []
    edges = np.flatnonzero(np.diff(np.concatenate(([0], values == 0.0, [0]))))
    steps = np.abs(np.diff(values))
    found = []
    for first, after in zip(edges[::2].tolist(), edges[1::2].tolist(), strict=True):
        is_inside = first > 0 and after < len(values)
        if longest is not None and (after - first > longest or not is_inside):
            continue
        sides = [float(values[k]) for k in (first - 1, after) if 0 <= k < len(values)]
        beside = np.concatenate((steps[max(first - 1 - WINDOW, 0) : max(first - 1, 0)], steps[after : after + WINDOW]))
        usual = float(np.max(beside, initial=0.0))
        is_one_side = is_inside and sides[0] * sides[1] < 0.0
        if usual > 0.0 and not is_one_side and min(map(abs, sides)) > MIN_JUMP_RATIO * usual:
            found.append(Lost(first, after - 1))
    return found


def wraps(angles: Vector) -> list[Wrap]:
    """The samples at which an angle (rad) jumps by a whole turn: with that turn added, its motion is continuous."""
    steps = np.diff(angles)
    if len(steps) < 4:
        return []
    is_jump = np.abs(steps - np.median(steps)) > 0.5 * np.pi
    if not is_jump.any():
        return []
    is_plain = ~(is_jump[1:] | is_jump[:-1])
    if np.count_nonzero(is_plain) < 2:
        return []
    reach = 2.0 * float(np.max(np.abs(np.diff(steps))[is_plain])) + STEP_TOLERANCE
    found = []
    unwrapped = steps.copy()
    for k in np.flatnonzero(is_jump).tolist():
        beside = [float(unwrapped[k - 1])] if k > 0 else []
        if k + 1 < len(steps) and not is_jump[k + 1]:
            beside.append(float(steps[k + 1]))
        if not beside:
            continue
        usual = sum(beside) / len(beside)
        turn = min(
            (np.copysign(each, usual - steps[k]) for each in TURNS), key=lambda each: abs(steps[k] + each - usual)
        )
        step = steps[k] + turn
        is_smooth = reach <= abs(turn) / 4.0 and all(abs(step - each) <= reach for each in beside)
        if is_smooth and abs(step) > STEP_TOLERANCE:
            unwrapped[k] = step
            found.append(Wrap(k + 1, float(turn)))
    return found


def spikes(values: Vector) -> list[int]:
    """Single samples far off the cubic through the two before and the two after."""
    count = len(values)
    if count < MIN_SAMPLES:
        return []
    off = np.zeros(count)
    off[2:-2] = (values[:-4] - 4.0 * values[1:-3] + 6.0 * values[2:-2] - 4.0 * values[3:-1] + values[4:]) / 6.0
    size = np.abs(off)
    doubtful = size[2:-2] > SPIKE_RATIO * np.maximum(
        np.maximum(np.abs(off[1:-3] + off[2:-2] / 1.5), np.abs(off[3:-1] + off[2:-2] / 1.5)),
        np.maximum(np.abs(off[:-4] - off[2:-2] / 6.0), np.abs(off[4:] - off[2:-2] / 6.0)),
    )
    return [k for k in (np.flatnonzero(doubtful) + 2).tolist() if _stands_out(k, values, size)]


def _stands_out(k: int, values: Vector, size: Vector) -> bool:
    """Whether nothing else within the window is anything like the departure at sample ``k``."""
    first, last = max(k - WINDOW, 0), min(k + WINDOW, len(values) - 1)
    others = float(max(np.max(size[first : k - 2], initial=0.0), np.max(size[k + 3 : last + 1], initial=0.0)))
    steps = np.abs(np.diff(values[first : last + 1]))
    usual = float(np.max(np.delete(steps, (k - first - 1, k - first))))
    if usual == 0.0 or size[k] <= SPIKE_RATIO * others:
        return False
    return bool(size[k] > SPIKE_STEP_RATIO * usual or size[k] > WIDE_SPIKE_RATIO * others)


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
    if off <= TIME_TOLERANCE * largest or off > unit * (1.0 + SIGNIFICANT_DIGITS.start * TIME_TOLERANCE):
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
    for digits in SIGNIFICANT_DIGITS:
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
    """Whether rows may be missing between times. steps: (n,), in printed units."""
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
