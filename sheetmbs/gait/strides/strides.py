"""Strides of a foot: from one heel strike to the next of the same side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import numpy as np

from sheetmbs.gait.trial.gait_book import SIDES, Side
from sheetmbs.gait.trial.trial_courses import Contact, GaitEvent, TrialCourses

ESTIMATED = "kinematic (estimated)"
BRIEF = 0.1
"""s: a contact that is so short within a stride belongs to the one before or after it"""


@dataclass(frozen=True)
class Stride:
    """From strike to strike of one side, in s. trial: its index among the trials. name: of that trial.

    toe_off: of the same side, None where there is none; toe_off_estimated: from the motion. is_kinetic: every contact of the
    foot within it is wholly on plates, and its force is known throughout.
    starts_estimated: its first strike is from the motion. is_estimated: one of its strikes is. is_mixed: one is, and the other
    is not, so that it is some 3 % too short or too long. counts: whether it enters means, SD, n, peaks and work.
    """

    trial: int
    name: str
    side: Side
    start: float
    end: float
    toe_off: float | None
    toe_off_estimated: bool
    is_kinetic: bool
    starts_estimated: bool
    is_estimated: bool
    is_mixed: bool
    counts: bool

    @property
    def duration(self) -> float:
        """Duration of the stride, s."""
        return self.end - self.start

    def percent(self, time: float) -> float:
        """Where a time in s stands in the stride."""
        return 100.0 * (time - self.start) / self.duration


def strides_of(trials: Sequence[TrialCourses]) -> list[Stride]:
    """All strides, trial by trial, of the right side and then of the left.

    Between two strikes with more than one toe off a strike is missing: that is no stride. An estimated strike comes 7 to 61 ms
    early, which shifts the whole stride against the others. So of a side that has a stride between measured strikes in any
    trial only such strides count; of a side that has none, all do.
    """
    found = [
        _stride(number, each, side, first, second)
        for number, each in enumerate(trials)
        for side in SIDES
        for first, second in pairwise(_of(each.events, "heel strike", side))
        if len(_toe_offs(each, first, second)) < 2
    ]
    measured = {each.side for each in found if not each.is_estimated}
    return [replace(each, counts=not each.is_estimated or each.side not in measured) for each in found]


def is_mixed(first: GaitEvent, second: GaitEvent) -> bool:
    """Whether one of two events is estimated and the other is not."""
    return (first.source == ESTIMATED) != (second.source == ESTIMATED)


def _stride(number: int, trial: TrialCourses, side: Side, first: GaitEvent, second: GaitEvent) -> Stride:
    toe_offs = _toe_offs(trial, first, second)
    return Stride(
        trial=number,
        name=trial.trial,
        side=side,
        start=first.time,
        end=second.time,
        toe_off=toe_offs[0].time if toe_offs else None,
        toe_off_estimated=bool(toe_offs) and toe_offs[0].source == ESTIMATED,
        is_kinetic=_is_on_plates(trial.contacts, side, first.time, second.time)
        and _is_known(trial, side, first.time, second.time),
        starts_estimated=first.source == ESTIMATED,
        is_estimated=ESTIMATED in {first.source, second.source},
        is_mixed=is_mixed(first, second),
        counts=True,
    )


def _of(events: Sequence[GaitEvent], kind: str, side: Side) -> list[GaitEvent]:
    return sorted((each for each in events if each.kind == kind and each.side == side), key=lambda each: each.time)


def _toe_offs(trial: TrialCourses, first: GaitEvent, second: GaitEvent) -> list[GaitEvent]:
    return [each for each in _of(trial.events, "toe off", first.side) if first.time < each.time < second.time]


def _is_on_plates(contacts: Sequence[Contact], side: Side, start: float, end: float) -> bool:
    within = [each for each in contacts if each.side == side and min(each.end, end) - max(each.start, start) > BRIEF]
    return bool(within) and all(each.whole and each.plates for each in within)


def _is_known(trial: TrialCourses, side: Side, start: float, end: float) -> bool:
    """Whether the force on the foot is known throughout; where courses hold none at all, contacts alone tell."""
    force = trial.feet.get(side, {}).get("fy")
    if force is None:
        return True
    during = (trial.time >= start) & (trial.time <= end)
    return bool(np.isfinite(force[during]).all())
