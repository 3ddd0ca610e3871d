"""Axes of charts: what they say, how far they reach, and how their numbers are written."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import takewhile
from math import ceil, floor, log10

import numpy as np
from numpy.typing import NDArray

QUANTITIES = {
    **dict.fromkeys(("m", "mm"), "position"),
    **dict.fromkeys(("m/s", "mm/s"), "velocity"),
    **dict.fromkeys(("m/s^2", "mm/s^2"), "acceleration"),
    **dict.fromkeys(("rad", "deg"), "angle"),
    **dict.fromkeys(("rad/s", "deg/s"), "angular velocity"),
    **dict.fromkeys(("rad/s^2", "deg/s^2"), "angular acceleration"),
    "N": "force",
    "N*m": "moment",
    "J": "energy",
    "W": "power",
}
"""what an axis is called whose columns have no word in common, by unit"""
SUPERSCRIPTS = str.maketrans("0123456789-", "⁰¹²³⁴⁵⁶⁷⁸⁹⁻")
MAX_PLAIN, MIN_PLAIN = 1e6, 1e-3
TICKS, PATH_TICKS = 6, 9
PATH_MARGIN = 1.04
"""room around a path, as a multiple of its size"""
MIN_FILLED_SHARE = 0.6
"""share of the area, along the side that limits it, below which a path is drawn over finer ticks, and so larger"""
MAX_TICKS_ACROSS = 14
"""ticks across whose numbers do not run into each other"""
TURN_TICKS, MIN_TURN_TICK = (15.0, 30.0, 45.0, 60.0, 90.0, 180.0, 360.0, 720.0, 1440.0), 5.0
"""ticks of degrees, and from which tick on they are taken"""
TICK_ROUNDING = 1e-9
"""of a tick, by which a range may lie beyond it"""
MAX_OVERREACH = 0.4
"""of a tick by which a scale may reach too far: all ticks then come a little closer"""
MAX_SCALED_VALUE = 1e290
"""beyond it, and below its inverse, ticks may not be numbers: programs choose scales"""


@dataclass(frozen=True)
class Scale:
    """A range that begins and ends on a tick."""

    first: float
    last: float
    tick: float

    @property
    def ticks(self) -> int:
        """Number of ticks in the range."""
        return round((self.last - self.first) / self.tick)


def pretty_unit(unit: str) -> str:
    """A unit as it is set in print: ``N·m``, ``m/s²``."""
    head, *powers = unit.replace("*", "·").split("^")
    for power in powers:
        digits = len(power) - len(power.lstrip("-0123456789"))
        head += power[:digits].translate(SUPERSCRIPTS) + power[digits:]
    return head


def axis_title(columns: list[str], unit: str) -> str:
    """The common part of the columns' names, and their unit: ``crank [mm]``, ``phi [rad]``, ``force [N]``."""
    word = columns[0] if len(columns) == 1 else _shared(columns) or QUANTITIES.get(unit, "")
    if not word and not unit:
        return "value"
    return f"{word} [{pretty_unit(unit)}]".strip() if unit else word


def _shared(columns: list[str]) -> str:
    """``A.i`` of A.i.fx and A.i.fy, ``phi`` of crank.phi and rod.phi, ``energy`` of kinetic_energy and total_energy."""
    parts = [column.split(".") for column in columns]
    words = [re.split("[._]", column)[::-1] for column in columns]
    backwards = _shared_start([part[::-1] for part in parts]) or _shared_start(words)
    return ".".join(_shared_start(parts) or backwards[::-1])


def _shared_start(parts: list[list[str]]) -> list[str]:
    return [words[0] for words in takewhile(lambda words: len(set(words)) == 1, zip(*parts, strict=False))]


def number_format(values: NDArray[np.float64], tick: float | None = None) -> str:
    """A number format for an axis over these values: as many decimals as its ticks need, no more.

    tick: where the axis has a fixed one; else about as many ticks are expected as programs choose.
    """
    known = values[np.isfinite(values)]
    if not known.size:
        return "General"
    span, largest = float(known.max()) - float(known.min()), float(np.abs(known).max())
    if tick is None and span <= 1e-9 * largest:
        return "General"
    if not MIN_PLAIN <= largest < MAX_PLAIN:
        return "0.0E+00"
    decimals = _decimals(tick or span / TICKS)
    return "#,##0" + ("." + "0" * decimals if decimals else "")


def number_format_of_ticks(scale: Scale) -> str:
    """A number format for the ticks of a scale."""
    decimals = _decimals(scale.tick)
    return "#,##0" + ("." + "0" * decimals if decimals else "")


def number_format_of_bars(values: NDArray[np.float64]) -> str:
    """A number format for the numbers at bars: four digits of the largest."""
    largest = float(np.abs(values[np.isfinite(values)]).max(initial=0.0))
    if not MIN_PLAIN <= largest < MAX_PLAIN:
        return "General" if largest == 0.0 else "0.0E+00"
    decimals = max(3 - floor(log10(largest)), 0)
    return "#,##0" + ("." + "0" * decimals if decimals else "")


def _decimals(tick: float) -> int:
    return min(max(0, -floor(log10(tick))), 9)


def round_tick(length: float) -> float:
    """The smallest of 1, 2, 5 times a power of ten that is at least ``length``."""
    power = 10.0 ** floor(log10(length))
    return next(_snap(power * factor) for factor in (1, 2, 5, 10) if power * factor >= length * (1 - 1e-9))


def x_scale(values: NDArray[np.float64], *, is_time: bool, unit: str = "") -> Scale | None:
    """A scale over all values that begins on a tick; over time it ends with the last value. None = leave it open.

    Degrees over a large part of a turn get ticks that divide a turn.
    """
    known = values[np.isfinite(values)]
    if not known.size or not _has_ticks(float(known.min()), float(known.max())):
        return None
    first, last = float(known.min()), float(known.max())
    least = (last - first) / (2 * TICKS)
    tick = next((each for each in TURN_TICKS if each >= least * (1 - TICK_ROUNDING)), round_tick(least))
    tick = tick if unit == "deg" and least > MIN_TURN_TICK else round_tick(least)
    return Scale(
        _snap(floor(first / tick + 1e-9) * tick),
        last if is_time else _snap(ceil(last / tick - TICK_ROUNDING) * tick),
        tick,
    )


def scale_over(values: NDArray[np.float64], ticks: int, reach: Sequence[float], span: float) -> Scale | None:
    """A scale over values in about so many ticks. reach: what it covers besides. span: it is at least so long."""
    known = np.concatenate((values[np.isfinite(values)], np.asarray(reach, dtype=np.float64)))
    if not known.size:
        return None
    first, last = float(known.min()), float(known.max())
    if last - first < span:
        middle = 0.5 * (first + last)
        first, last = middle - 0.5 * span, middle + 0.5 * span
    if not _has_ticks(first, last):
        return None
    tick = round_tick((last - first) / ticks)
    return Scale(
        _snap(floor(first / tick + TICK_ROUNDING) * tick), _snap(ceil(last / tick - TICK_ROUNDING) * tick), tick
    )


def _has_ticks(*ends: float, span: float | None = None) -> bool:
    """Whether ticks can tell these numbers apart. span: from the least to the largest unless given."""
    largest = max(abs(end) for end in ends)
    span = max(ends) - min(ends) if span is None else span
    return largest < MAX_SCALED_VALUE and span > max(1e-9 * largest, 1 / MAX_SCALED_VALUE)


def equal_scales(
    x: NDArray[np.float64], y: NDArray[np.float64], width: float, height: float
) -> tuple[Scale, Scale] | None:
    """Scales with the same tick for both axes, so that a path looks as it runs; None where there is no path.

    width, height: of the area to draw in, in any unit; the scales reach as far as whole ticks fill it.
    """
    if not (np.isfinite(x).any() and np.isfinite(y).any()):
        return None
    extents = [(float(v[np.isfinite(v)].min()), float(v[np.isfinite(v)].max())) for v in (x, y)]
    wide, high = (last - first for first, last in extents)
    if not _has_ticks(*(end for extent in extents for end in extent), span=max(wide, high)):
        return None
    tick = round_tick(max(wide / width, high / height) * PATH_MARGIN * max(width, height) / PATH_TICKS)
    length = _length_of_tick(extents, tick, width, height)
    finer = round_tick(0.4 * tick)
    of_finer = _length_of_tick(extents, finer, width, height)
    if max(wide / width, high / height) * length < MIN_FILLED_SHARE * tick and width <= MAX_TICKS_ACROSS * of_finer:
        tick, length = finer, of_finer
    (left, right), (low, high_end) = (_ticks(first, last, tick) for first, last in extents)
    left, right = _widened(left, right, int(width / length + MAX_OVERREACH), evenly=wide <= TICK_ROUNDING * tick)
    low, high_end = _widened(low, high_end, int(height / length + MAX_OVERREACH), evenly=high <= TICK_ROUNDING * tick)
    return Scale(_snap(left * tick), _snap(right * tick), tick), Scale(_snap(low * tick), _snap(high_end * tick), tick)


def _length_of_tick(extents: Sequence[tuple[float, float]], tick: float, width: float, height: float) -> float:
    """How far ticks stand apart where a path is drawn as large as goes."""
    (left, right), (low, high) = (_ticks(first, last, tick) for first, last in extents)
    return min(width / (right - left), height / (high - low))


def _ticks(first: float, last: float, tick: float) -> tuple[int, int]:
    """The ticks below and above a range, in numbers of ticks, with a little air at both ends."""
    air = (last - first) * (PATH_MARGIN - 1) / 2
    low, high = floor((first - air) / tick + TICK_ROUNDING), ceil((last + air) / tick - TICK_ROUNDING)
    return (low, high) if high > low else (low - 1, high + 1)


def _widened(low: int, high: int, count: int, *, evenly: bool) -> tuple[int, int]:
    """A range of ``count`` ticks, or one less where it must grow evenly: a straight line stays in the middle."""
    missing = max(count - (high - low), 0)
    missing -= missing % 2 if evenly else 0
    return low - missing // 2, high + missing - missing // 2


def _snap(value: float) -> float:
    """A multiple of a tick without the last digits that the multiplication left."""
    return float(f"{value:.12g}")
