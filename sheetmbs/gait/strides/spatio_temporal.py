"""Times and lengths of strides and steps."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
from itertools import pairwise
from math import hypot

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.strides.strides import Stride, is_mixed
from sheetmbs.gait.trial.gait_book import SIDES, Side
from sheetmbs.gait.trial.trial_courses import Contact, GaitEvent, TrialCourses
from sheetmbs.schema.names import fold

MOVING = 0.3
"""m/s: a foot that stands on the floor is slower, and one on a belt faster"""
FLAT = (0.2, 0.5)
"""part of a contact in which the foot is flat"""
LANDMARKS = ("heel", "ankle", "mt5", "toe")
"""of a foot, the first of which is there tells how far it steps"""
MOMENT = 0.01
"""s around an event over which the speed of a foot is taken"""
LONGEST_STEP = 1.5
"""s: between strikes farther apart one is missing"""
MEASURED, PART_OF_ESTIMATED, ESTIMATED_PART = range(3)
"""doubt in a part of a stride: none; no measured strike ends the stride; the part itself begins or ends with an estimate"""


@dataclass(frozen=True)
class StrideMeasures:
    """Measures of one stride. time: in s. length: in m. None where it is not known.

    stance, swing, double_support: as parts of the stride in which they lie, which begins and ends with strikes of one kind of
    source where the trial has such a stride. stance_doubt, support_doubt: which events of stance and swing, or of double
    support, are estimated. u_of_time .. u_of_length: standard uncertainties, in the same units.
    """

    stride: Stride
    time: float
    stance: float | None
    swing: float | None
    double_support: float | None
    length: float | None
    stance_doubt: int
    support_doubt: int
    u_of_time: float = 0.0
    u_of_stance: float = 0.0
    u_of_support: float = 0.0
    u_of_length: float = 0.0

    @property
    def cadence(self) -> float:
        """Number of steps per second."""
        return 2.0 / self.time

    @property
    def speed(self) -> float | None:
        """Walking speed over the stride, m/s."""
        return None if self.length is None else self.length / self.time

    @property
    def u_of_cadence(self) -> float:
        """Standard uncertainty of the cadence, steps per second."""
        return 2.0 * self.u_of_time / self.time**2

    @property
    def u_of_speed(self) -> float:
        """Standard uncertainty of the speed, m/s."""
        return hypot(self.u_of_length, (self.speed or 0.0) * self.u_of_time) / self.time


@dataclass(frozen=True)
class Step:
    """From the strike of the other side to that of this side. time: in s. length: in m, None where it is not known.

    is_mixed: one of the strikes is estimated and the other is not. u_of_markers: of the length, by how the markers of both
    feet were put on; it is the same for all steps, with the other sign for those of the other side.
    """

    side: Side
    time: float
    length: float | None
    is_mixed: bool
    u_of_time: float = 0.0
    u_of_length: float = 0.0
    u_of_markers: float = 0.0
    is_shared: bool = False
    is_estimated: bool = False


@dataclass(frozen=True)
class DoubleSupport:
    """From the strike of this side to the toe off of the other, as part of the stride in which it lies."""

    side: Side
    part: float
    doubt: int
    u: float = 0.0
    is_shared: bool = False


@dataclass(frozen=True)
class _Ground:
    """What a trial tells of feet on the ground. feet: the same point (n, 3) of each. belt: backward speed of it in m/s.

    noise, placement: of these points in m, a standard deviation.
    """

    trial: TrialCourses
    feet: Mapping[Side, Vector]
    belt: float = 0.0
    noise: float = 0.0
    placement: Mapping[Side, float] = field(default_factory=dict)

    def u_of_place(self, side: Side, time: float, u: float) -> float:
        """Standard uncertainty in m of where a foot is at a time that is known to u s: of the marker and by its speed."""
        around = [self.at(side, time + part) for part in (-MOMENT, MOMENT)]
        speed = (around[1] - around[0]) / (2.0 * MOMENT) + self.belt
        return hypot(self.noise, 0.0 if not np.isfinite(speed) else speed * u)

    def at(self, side: Side, time: float) -> float:
        """Forward position in m of a foot, NaN where it is not seen."""
        foot = self.feet.get(side)
        return np.nan if foot is None else float(np.interp(time, self.trial.time, foot[:, 0]))

    def travel(self, start: tuple[Side, float], end: tuple[Side, float]) -> float | None:
        """How far forward on the ground of one foot at a time another, or the same, is later."""
        way = self.at(*end) - self.at(*start) + self.belt * (end[1] - start[1])
        return float(way) if np.isfinite(way) else None


def stride_measures(trials: Sequence[TrialCourses], strides: Sequence[Stride]) -> list[StrideMeasures]:
    """Times, parts and lengths of strides of these trials."""
    grounds = [_ground(each) for each in trials]
    return [_measures(grounds[each.trial], each, strides) for each in strides]


def steps_of(trials: Sequence[TrialCourses]) -> list[Step]:
    """All steps: strikes of one side and then of the other, with none between."""
    found: list[Step] = []
    for trial in trials:
        ground = _ground(trial)
        strikes = sorted((each for each in trial.events if each.kind == "heel strike"), key=lambda each: each.time)
        for first, second in pairwise(strikes):
            time = second.time - first.time
            if first.side != second.side and 0.0 < time <= LONGEST_STEP:
                travel = ground.travel((first.side, first.time), (second.side, second.time))
                places = [ground.u_of_place(each.side, each.time, each.u) for each in (first, second)]
                found.append(
                    Step(
                        second.side,
                        time,
                        travel,
                        is_mixed(first, second),
                        u_of_time=hypot(first.u, second.u),
                        u_of_length=hypot(*places),
                        u_of_markers=hypot(*(ground.placement.get(each.side, 0.0) for each in (first, second))),
                        is_shared=first.is_shared or second.is_shared,
                        is_estimated=first.is_estimated or second.is_estimated,
                    )
                )
    return found


def last_supports(trials: Sequence[TrialCourses], strides: Sequence[Stride]) -> list[DoubleSupport]:
    """Double supports after strikes with which no stride begins, where a stride of the other side is around them."""
    found: list[DoubleSupport] = []
    begun = {(each.trial, each.side, each.start) for each in strides}
    for number, trial in enumerate(trials):
        events = sorted(trial.events, key=lambda each: each.time)
        for strike in (each for each in events if each.kind == "heel strike"):
            later = next((each for each in events if each.side != strike.side and each.time > strike.time), None)
            around = [
                each
                for each in strides
                if (each.trial, each.is_mixed) == (number, False)
                and later is not None
                and each.side == later.side
                and each.start <= strike.time < later.time <= each.end
            ]
            if (number, strike.side, strike.time) in begun or later is None or later.kind != "toe off" or not around:
                continue
            is_estimated = strike.is_estimated or later.is_estimated
            part = (later.time - strike.time) / around[0].duration
            doubt = ESTIMATED_PART if is_estimated else PART_OF_ESTIMATED
            u = _u_of_part(part, (strike.u, later.u, around[0].u_of_end), around[0].duration)
            is_shared = strike.is_shared or later.is_shared
            found.append(DoubleSupport(strike.side, part, doubt, u, is_shared=is_shared))
    return found


def belt_speed(trial: TrialCourses) -> float:
    """How fast in m/s the ground moves backward under standing feet; 0 on the floor."""
    return _ground(trial).belt


def _ground(trial: TrialCourses) -> _Ground:
    names = _landmarks(trial)
    points = {fold(name): each for name, each in trial.points.items()}
    noise, placement = ({fold(name): each for name, each in found.items()} for found in (trial.noise, trial.placement))
    known = [each for name in names.values() if np.isfinite(each := noise.get(name, 0.0))]
    placed = {side: placement.get(name, 0.0) for side, name in names.items()}
    still = _Ground(trial, {side: points[name] for side, name in names.items()}, 0.0, max(known, default=0.0), placed)
    speeds = [_standing_speed(still, each) for each in trial.contacts]
    moving = [each for each in speeds if np.isfinite(each)]
    belt = -float(np.median(moving)) if moving else 0.0
    return replace(still, belt=belt) if belt > MOVING else still


def _measures(ground: _Ground, stride: Stride, strides: Sequence[Stride]) -> StrideMeasures:
    stance = None if stride.toe_off is None else _part(stride, stride.toe_off, strides)
    other_off, other_estimated, u_of_other = _other_toe_off(ground.trial.events, stride)
    support = None if other_off is None else _part(stride, other_off, strides)
    ends = ((stride.start, stride.u_of_start), (stride.end, stride.u_of_end))
    of_part = partial(_u_of_part, duration=stride.duration)
    return StrideMeasures(
        stride=stride,
        time=stride.duration,
        stance=stance,
        swing=None if stance is None else 1.0 - stance,
        double_support=support,
        length=ground.travel((stride.side, stride.start), (stride.side, stride.end)),
        stance_doubt=_doubt(stride, ends_estimated=stride.toe_off_estimated),
        support_doubt=_doubt(stride, ends_estimated=other_estimated),
        u_of_time=hypot(stride.u_of_start, stride.u_of_end),
        u_of_stance=of_part(stance or 0.0, (stride.u_of_start, stride.u_of_toe_off, stride.u_of_end)),
        u_of_support=of_part(support or 0.0, (stride.u_of_start, u_of_other, stride.u_of_end)),
        u_of_length=hypot(*(ground.u_of_place(stride.side, *end) for end in ends)),
    )


def _u_of_part(part: float, us: tuple[float, float, float], duration: float) -> float:
    """Standard uncertainty of (event - strike)/(next strike - strike). us: of strike, event and next strike, in s."""
    strike, event, following = us
    return hypot((1.0 - part) * strike, event, part * following) / duration


def _doubt(stride: Stride, *, ends_estimated: bool) -> int:
    """Of a part that begins with the stride."""
    if stride.starts_estimated or ends_estimated:
        return ESTIMATED_PART
    return PART_OF_ESTIMATED if stride.is_estimated else MEASURED


def _part(stride: Stride, until: float, strides: Sequence[Stride]) -> float:
    """The time from the strike of a stride to a time in s, as part of the stride in which it lies.

    A stride between a measured and an estimated strike is too long or too short. The same time then lies in a stride of the
    other side, or is compared with the mean of the strides of this side, or else of the other, in the trial: in steady gait
    they last equally long. Only where the trial has no stride between strikes of one kind of source, it is its own.
    """
    whole = [each for each in strides if each.trial == stride.trial and not each.is_mixed]
    around = [each for each in whole if each.start <= stride.start and until <= each.end]
    of_side = [each for each in whole if each.side == stride.side]
    chosen = ([stride] if not stride.is_mixed else around or of_side or whole) or [stride]
    return (until - stride.start) / float(np.mean([each.duration for each in chosen]))


def _other_toe_off(events: Sequence[GaitEvent], stride: Stride) -> tuple[float | None, bool, float]:
    """When the other foot leaves after the strike, the strike itself where it is off the ground.

    With it whether that is estimated, and its standard uncertainty in s.
    """
    other = sorted((each for each in events if each.side != stride.side), key=lambda each: each.time)
    later = [each for each in other if stride.start < each.time < stride.end]
    if later and later[0].kind == "toe off":
        return later[0].time, later[0].is_estimated, later[0].u
    before = [each for each in other if each.time <= stride.start]
    is_off = bool(later and before) and before[-1].kind == "toe off"
    return (stride.start, before[-1].is_estimated, stride.u_of_start) if is_off else (None, False, 0.0)


def _landmarks(trial: TrialCourses) -> Mapping[Side, str]:
    """The folded name of the same point of each foot that strikes; plain names where one foot alone does."""
    sides: list[Side] = [side for side in SIDES if any(each.side == side for each in trial.events)]
    points = {fold(name) for name in trial.points}
    for name in LANDMARKS:
        names = {side: f"{side} {name}" for side in sides}
        if len(sides) == 1 and names[sides[0]] not in points:
            names = {sides[0]: name}
        if sides and all(each in points for each in names.values()):
            return names
    return {}


def _standing_speed(ground: _Ground, contact: Contact) -> float:
    """Mean forward speed in m/s of a foot while it is flat, NaN where it is not seen."""
    start, end = (contact.start + part * (contact.end - contact.start) for part in FLAT)
    time, rate = ground.trial.time, ground.trial.rate
    if end - start < 2.0 / rate or start < time[0] or end > time[-1]:
        return np.nan
    return (ground.at(contact.side, end) - ground.at(contact.side, start)) / (end - start)
