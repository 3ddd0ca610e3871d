"""Which stride of a side is the most representative one, and which lie far from the others (Sangeux and Polak 2015).

The distance of a stride is the root mean square, over points and variables, of its curves less the median curves of the strides
of its side. The representative stride is the one with the smallest distance. Strides whose distance is more than three median
absolute deviations above the median distance are named; nothing is dropped for that.

Source: Sangeux and Polak, Gait Posture 41 (2015) 726.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np

from sheetmbs.gait.arrays import Mask, Vector
from sheetmbs.gait.strides.strides import KINEMATIC, Stride, stride_curves, strides_of
from sheetmbs.gait.trial.gait_book import SIDES, Side
from sheetmbs.gait.trial.trial_courses import TrialCourses

MAX_DEVIATIONS = 3.0
"""median absolute deviations"""
TO_SD = 1.4826
"""makes a median absolute deviation the standard deviation of normal values"""
LEAST_DISTANCE = np.radians(0.5)
"""rad, which markers on skin do not repeat: strides that are nearer are never far from the others"""
LEAST_STRIDES = 3
"""from which on a median absolute deviation tells anything"""
VARIABLES = KINEMATIC - {"rate", "flexion"}
"""angles: flexion is angle once more, and rates follow from angles"""


@dataclass(frozen=True)
class StrideDistance:
    """A stride with its distance from the median curves in rad. is_nearest: of those of its side. is_far: from the others."""

    stride: Stride
    distance: float
    is_nearest: bool
    is_far: bool


def stride_distances(trials: Sequence[TrialCourses], points: int) -> list[StrideDistance]:
    """The distances of all strides that may enter means and whose angles are known throughout, by side and in their order."""
    strides = [each for each in strides_of(trials) if each.counts]
    curves = stride_curves(trials, strides, points)
    found: list[StrideDistance] = []
    for side in SIDES:
        own = [each for each in strides if each.side == side]
        labels = {label for trial in trials for label in trial.joints}
        values = [
            each.values
            for (label, name), each in curves.items()
            if each.side == side and name in VARIABLES and label in labels
        ]
        if own and values:
            found += _of_side(own, np.array(values))
    return found


def _of_side(strides: Sequence[Stride], values: Vector) -> list[StrideDistance]:
    """values: (variables, strides, points)."""
    known: Mask = np.all(np.isfinite(values), axis=2)
    used: Mask = np.any(known, axis=1)
    whole = np.flatnonzero(np.all(known[used], axis=0)).tolist()
    if not whole or not used.any():
        return []
    kept = values[used][:, whole]
    apart = kept - np.median(kept, axis=1, keepdims=True)
    distances = np.sqrt(np.mean(apart**2, axis=(0, 2)))
    middle = float(np.median(distances))
    spread = TO_SD * float(np.median(np.abs(distances - middle)))
    can_tell = len(whole) >= LEAST_STRIDES and spread > 0.0
    nearest = int(np.argmin(distances))
    is_far = can_tell & (distances - middle > MAX_DEVIATIONS * spread) & (distances > LEAST_DISTANCE)
    return [
        StrideDistance(strides[place], float(each), number == nearest, bool(is_far[number]))
        for number, (place, each) in enumerate(zip(whole, distances, strict=True))
    ]


def with_representative(trials: Sequence[TrialCourses], points: int) -> tuple[TrialCourses, ...]:
    """The trials with all strides but the most representative one of each side kept out of means."""
    chosen = {
        (each.stride.trial, each.stride.side, each.stride.start)
        for each in stride_distances(trials, points)
        if each.is_nearest
    }
    with_choice = {side for _trial, side, _start in chosen}
    out: dict[int, list[tuple[Side, float]]] = {}
    for each in strides_of(trials):
        if each.side in with_choice and (each.trial, each.side, each.start) not in chosen:
            out.setdefault(each.trial, []).append((each.side, each.start))
    return tuple(replace(trial, left_out=tuple(out.get(number, ()))) for number, trial in enumerate(trials))
