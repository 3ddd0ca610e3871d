"""When a plate carries a foot, and how contacts on several plates are one contact of a foot."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.trial.gait_book import Side
from sheetmbs.gait.trial.trial_courses import Contact

LASTING = 0.1
"""s that a crossing of the threshold must last"""


@dataclass(frozen=True)
class PlateContact:
    """A time in s in which a plate carries a foot. whole: nothing else stood on it, and the foot nowhere else."""

    plate: str
    side: Side
    start: float
    end: float
    whole: bool


def loaded_times(vertical: Vector, times: Vector, threshold: float) -> list[tuple[float, float]]:
    """The start and end in s of each time in which a plate is loaded.

    vertical: (n,) raw force up in N, blank where unloaded. times: (n,) in s. threshold: in N. A crossing, up or down, stands
    between samples on a straight line and counts where it lasts 0.1 s; downward also to the end of the recording. What is
    loaded already, or still, starts with the first sample or ends with the last: of less than 0.1 s of a stance nobody can
    tell whose it is.
    """
    force = np.nan_to_num(vertical)
    loaded = force >= threshold
    after = np.flatnonzero(np.diff(loaded)) + 1
    crossings = [_crossing(force, times, int(sample), threshold) for sample in after]
    until = [*crossings[1:], np.inf][: len(crossings)]
    turns = [(float(times[0]), bool(loaded[0]))]
    for sample, time, end in zip(after, crossings, until, strict=True):
        if end - time >= LASTING and bool(loaded[sample]) != turns[-1][1]:
            turns.append((time, bool(loaded[sample])))
    ends = [*(time for time, _ in turns[1:]), float(times[-1])]
    loads = [(start, end) for (start, turned), end in zip(turns, ends, strict=True) if turned]
    return [(start, end) for start, end in loads if end - start >= LASTING]


def foot_contacts(parts: Iterable[PlateContact]) -> list[Contact]:
    """The contacts of feet, in order: what overlaps on several plates is one, whole where all its parts are.

    A foot that rolls from one plate onto the next is carried by both.
    """
    contacts: list[Contact] = []
    for part in sorted(parts, key=lambda each: (each.side, each.start)):
        last = contacts[-1] if contacts else None
        if last and last.side == part.side and part.start <= last.end:
            plates = last.plates if part.plate in last.plates else (*last.plates, part.plate)
            end, whole = max(last.end, part.end), last.whole and part.whole
            contacts[-1] = Contact(last.side, last.start, end, plates, whole)
        else:
            contacts.append(Contact(part.side, part.start, part.end, (part.plate,), part.whole))
    return sorted(contacts, key=lambda each: each.start)


def _crossing(force: Vector, times: Vector, sample: int, threshold: float) -> float:
    """When the force passes the threshold between a sample and the one before."""
    before, after = force[sample - 1], force[sample]
    part = (threshold - before) / (after - before)
    return float(times[sample - 1] + part * (times[sample] - times[sample - 1]))
