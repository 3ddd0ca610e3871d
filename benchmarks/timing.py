"""Timing of both sides in turns: a busy moment of the machine then hits both."""

from __future__ import annotations

import gc
import time
from collections.abc import Callable, Sequence
from statistics import median

BURST = 0.02
"""s; a solve shorter than this is repeated back to back, so that caches are as warm as they are within a long one"""
MOST = 50
"""solves in a burst"""

Solve = Callable[[], float]
"""solves once and returns the seconds that solving alone took"""


Pick = Callable[[Sequence[float]], float]
"""one of many times: their median, or the least where differences of times are asked for, since others' work only adds"""


def burst(solve: Solve, pick: Pick = median) -> float:
    """Median seconds, or what ``pick`` takes, of solves back to back."""
    found = [solve()]
    began = time.perf_counter()
    while found[0] < BURST and len(found) < MOST and time.perf_counter() - began < 10 * BURST:
        found.append(solve())
    return pick(found)


def in_turns(solves: Sequence[Solve], runs: int, pick: Pick = median) -> list[float]:
    """Median seconds, or what ``pick`` takes, of each over ``runs`` rounds.

    A round times each of them once, after one that is not timed.
    """
    for solve in solves:
        solve()
    samples: list[list[float]] = [[] for _ in solves]
    gc.collect()
    gc.disable()
    try:
        for _ in range(runs):
            for solve, sample in zip(solves, samples, strict=True):
                sample.append(burst(solve, pick))
    finally:
        gc.enable()
    return [pick(sample) for sample in samples]
