"""Faults of measured samples that their numbers tell: angles that wrap, samples that were lost, samples far off.

All take the samples of one column, (n,), and know nothing of cells. What they find must stand out of everything beside it, so
that neither smooth motion nor noise nor what somebody typed by hand is taken for a fault.
"""

from __future__ import annotations

from dataclasses import dataclass

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
