"""The events and contacts of a trial: as given, else by force, else by the motion of the feet.

From markers alone events are where heel and toes are farthest before and behind the pelvis (Zeni 2008), or by the vertical
speed of the foot (O'Connor 2007). Events of the file of a trial take the place of such estimates.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import combinations, pairwise
from typing import Literal, cast

import numpy as np
from scipy.signal import find_peaks

from sheetmbs.gait.arrays import Integers, Vector
from sheetmbs.gait.events.event_offsets import PLAIN, Estimation
from sheetmbs.gait.events.foot_contacts_by_motion import (
    MIN_EVENT_INTERVAL,
    first_to_stand,
    is_dragged,
    middle_of_foot,
    speed_strikes,
    speed_toe_offs,
)
from sheetmbs.gait.prepare_trial import PreparedTrial
from sheetmbs.gait.signals.gaps import bounds
from sheetmbs.gait.trial.gait_book import SIDES, GaitBook, GivenEvent, Side
from sheetmbs.gait.trial.trial_courses import Contact, GaitEvent
from sheetmbs.schema.problem_list import ProblemList, place_of

Kind = Literal["heel strike", "toe off"]
Source = Literal["force", "kinematic", "given", "file"]

MAX_EVENT_DIFFERENCE = 0.2
"""s between the estimate and the force of one event: less than half of any stride"""
MIN_LOADED_TIME = 0.1
"""s that a crossing of the threshold must last"""


def kinematic_strikes(heel: Vector, pelvis: Vector, time: Vector) -> list[float]:
    """Heel strikes in s: the heel is farthest before the sacrum or hip.

    heel, pelvis: (n,) forward positions in m, filtered, NaN missing. time: (n,) uniform, in s.
    Source: Zeni, Richards and Higginson, Gait Posture 27 (2008) 710.
    """
    return _maxima(heel - pelvis, time)


def kinematic_toe_offs(toe: Vector, pelvis: Vector, time: Vector) -> list[float]:
    """Toe offs in s: the toes are farthest behind the sacrum or hip. Arguments as of heel strikes."""
    return _maxima(pelvis - toe, time)


def _maxima(ahead: Vector, time: Vector) -> list[float]:
    """The times of maxima in the upper half of a course (n,), between samples on a parabola."""
    step = float(time[1] - time[0])
    found: list[float] = []
    seen = np.isfinite(ahead)
    if not seen.any():
        return found
    middle = 0.5 * (np.nanmin(ahead) + np.nanmax(ahead))
    for first, last in bounds(seen):
        course = ahead[first : last + 1]
        peaks, _ = find_peaks(course, height=middle, distance=max(MIN_EVENT_INTERVAL / step, 1.0))
        for peak in peaks:
            before, at, after = course[peak - 1 : peak + 2]
            bend = before - 2.0 * at + after
            shift = 0.5 * (before - after) / bend if bend < 0.0 else 0.0
            found.append(float(time[first + peak] + shift * step))
    return found


@dataclass(frozen=True)
class FootCourse:
    """Forward positions (n,) in m of heel, toe and what they are compared with: the sacrum, else the hip. NaN is missing.

    settling: in s from either end, within which the filter bends them, so that no event is estimated there.
    points: heel, mt5 and toe as far as they are there, (n, 2) forward and up.
    """

    heel: Vector
    toe: Vector
    pelvis: Vector
    settling: float = 0.0
    points: Mapping[str, Vector] = field(default_factory=dict)


@dataclass(frozen=True)
class TrialEvents:
    """In order of time. contacts: those on plates as they were, and those on none. dragged: feet whose toes do not leave."""

    events: tuple[GaitEvent, ...]
    contacts: tuple[Contact, ...]
    dragged: tuple[tuple[Side, float], ...] = ()


@dataclass(frozen=True)
class _Mark:
    kind: Kind
    side: Side
    time: float
    source: Source
    plate: str = ""
    offset: float | None = None
    is_near_end: bool = False
    other: float | None = None
    first: str = ""


def trial_events(  # noqa: PLR0913 - all that tells events of a trial
    trial: str,
    time: Vector,
    frames: Integers,
    feet: Mapping[Side, FootCourse],
    contacts: Sequence[Contact] = (),
    recorded: tuple[float, float] | None = None,
    given: Sequence[GivenEvent] = (),
    chosen: Literal["force", "kinematic", "speed", "given"] = "force",
    how: Estimation = PLAIN,
) -> TrialEvents:
    """Events and contacts of a trial.

    time: (n,) uniform, in s; frames: (n,) as the file numbers them. contacts: of feet on plates, and recorded: the first and
    last time of the plates; a contact that starts or ends there was cut, and tells no event. given: rows of Events; those of
    this trial and a side are all events of that side, but those of the file, which take the place of estimates. chosen: how
    others are found: force is by plates, and by the motion for contacts on no plate. how: events are estimated.
    Events before the first frame and after the last are none, and so are estimates near an end of what was seen of the foot.
    When a foot stands beside the plates such estimates tell nevertheless.
    """
    marks: list[_Mark] = []
    dragged: list[tuple[Side, float]] = []
    for side in SIDES:
        rows = [each for each in given if (each.trial, each.side) == (trial, side)]
        typed, filed = (
            [_Mark(e.kind, side, e.time, e.source) for e in rows if e.source == s] for s in ("given", "file")
        )
        loads = [each for each in contacts if each.side == side]
        if typed or chosen == "given":
            alone = [each for each in filed if _same(each, typed) is None]
            marks += _with_plates([*typed, *alone], loads)
            continue
        seen = _of_motion(feet[side], side, time, how) if side in feet else []
        found = _joined(_of_force(loads, recorded), seen, filed, loads, by_force=chosen == "force")
        if side in feet:
            lost = [each for each in found if _is_dragged(each, feet[side], time)]
            dragged += [(side, each.time) for each in lost]
            found = [_corrected(each, feet[side], time, how) for each in found if each not in lost]
        marks += found
    inside = [each for each in marks if time[0] <= each.time <= time[-1]]
    inside.sort(key=lambda each: each.time)
    events = tuple(_event(each, trial, time, frames, how) for each in inside if not each.is_near_end)
    return TrialEvents(events, _contacts(inside, contacts, (float(time[0]), float(time[-1]))), tuple(dragged))


def _of_force(loads: Sequence[Contact], recorded: tuple[float, float] | None) -> list[_Mark]:
    first, last = recorded or (-np.inf, np.inf)
    marks: list[_Mark] = []
    for each in loads:
        if each.start > first:
            marks.append(_Mark("heel strike", each.side, each.start, "force", each.plates[0]))
        if each.end < last:
            marks.append(_Mark("toe off", each.side, each.end, "force", each.plates[-1]))
    return marks


def _of_motion(foot: FootCourse, side: Side, time: Vector, how: Estimation) -> list[_Mark]:
    """Estimates, each with what the other method says of it."""
    by_place = [
        *(("heel strike", each) for each in kinematic_strikes(foot.heel, foot.pelvis, time)),
        *(("toe off", each) for each in kinematic_toe_offs(foot.toe, foot.pelvis, time)),
    ]
    middle = middle_of_foot(foot.points)
    by_speed = [] if middle is None else [("heel strike", each) for each in speed_strikes(middle, time)]
    by_speed += [] if middle is None else [("toe off", each) for each in speed_toe_offs(middle, time)]
    chosen, others = (by_speed, by_place) if how.by_speed else (by_place, by_speed)
    beside = [_Mark(cast("Kind", kind), side, when, "kinematic") for kind, when in others]
    marks = []
    for kind, when in chosen:
        mark = _Mark(cast("Kind", kind), side, when, "kinematic")
        other = _same(mark, beside)
        is_near_end = _is_near_end(kind, when, foot, time)
        marks.append(replace(mark, is_near_end=is_near_end, other=None if other is None else other.time))
    return marks


def _is_near_end(kind: str, when: float, foot: FootCourse, time: Vector) -> bool:
    """Whether a time is too near to an end of what was seen of the foot for an estimate."""
    seen = time[np.isfinite((foot.heel if kind == "heel strike" else foot.toe) - foot.pelvis)]
    return not len(seen) or not seen[0] + foot.settling <= when <= seen[-1] - foot.settling


def _joined(
    forces: list[_Mark], motions: list[_Mark], filed: list[_Mark], loads: Sequence[Contact], *, by_force: bool
) -> list[_Mark]:
    """Events by force with what the motion says of them, and those of contacts on no plate; or those of the motion.

    filed: of the file, which take the place of estimates.
    """
    left = [each for each in motions if _same(each, filed) is None]
    if not by_force:
        return [_compared(each, _same(each, forces), -1.0) for each in left] + filed
    alone = [each for each in (*left, *filed) if _same(each, forces) is None and not _is_of(each, loads)]
    known = [each for each in motions if not each.is_near_end]
    return [_compared(each, _same(each, known), 1.0) for each in forces] + alone


def _is_dragged(mark: _Mark, foot: FootCourse, time: Vector) -> bool:
    return (mark.kind, mark.source) == ("toe off", "kinematic") and is_dragged(foot.points, time, mark.time)


def _corrected(mark: _Mark, foot: FootCourse, time: Vector, how: Estimation) -> _Mark:
    """An estimate with its offset taken away, a strike also with what strikes first; where the toes do, they tell it.

    An estimate that comes to lie near an end of what was seen of the foot is none either.
    """
    first, when = first_to_stand(foot.points, time, mark.time) if mark.kind == "heel strike" else ("", None)
    if mark.source != "kinematic":
        return replace(mark, first=first)
    moved = mark.time - how.shift(mark.kind) if when is None else when
    other = mark.other if mark.kind not in how.offsets else None
    is_near_end = mark.is_near_end or _is_near_end(mark.kind, moved, foot, time)
    return replace(mark, time=moved, first=first, other=other, is_near_end=is_near_end)


def _same(mark: _Mark, others: Sequence[_Mark]) -> _Mark | None:
    """The nearest event of the same kind by the other method."""
    near = [each for each in others if each.kind == mark.kind and abs(each.time - mark.time) <= MAX_EVENT_DIFFERENCE]
    return min(near, key=lambda each: abs(each.time - mark.time), default=None)


def _compared(mark: _Mark, other: _Mark | None, sign: float) -> _Mark:
    if other is None:
        return mark
    return replace(mark, plate=mark.plate or other.plate, offset=sign * (other.time - mark.time))


def _is_of(mark: _Mark, loads: Sequence[Contact]) -> bool:
    """Whether an event belongs to a contact on plates: no foot strikes as soon as it has left, or leaves before it strikes.

    Of somebody who walks backward the heel is foremost as the foot leaves, and the toes are hindmost as it strikes.
    """
    before, after = (0.0, MAX_EVENT_DIFFERENCE) if mark.kind == "heel strike" else (MAX_EVENT_DIFFERENCE, 0.0)
    return any(each.start - before <= mark.time <= each.end + after for each in loads)


def _with_plates(marks: Sequence[_Mark], loads: Sequence[Contact]) -> list[_Mark]:
    """Events that are given, with the plate that carries the foot."""
    found: list[_Mark] = []
    for each in marks:
        on = [
            load for load in loads if load.start - MAX_EVENT_DIFFERENCE <= each.time <= load.end + MAX_EVENT_DIFFERENCE
        ]
        plate = "" if not on else on[0].plates[0] if each.kind == "heel strike" else on[0].plates[-1]
        found.append(_Mark(each.kind, each.side, each.time, each.source, plate))
    return found


def _event(mark: _Mark, trial: str, time: Vector, frames: Integers, how: Estimation) -> GaitEvent:
    nearest = int(np.argmin(np.abs(time - mark.time)))
    return GaitEvent(
        kind=mark.kind,
        side=mark.side,
        time=mark.time,
        frame=int(frames[nearest]),
        trial=trial,
        source=how.source(mark.kind) if mark.source == "kinematic" else mark.source,
        plate=mark.plate,
        offset=mark.offset,
        u=how.u(mark.kind, mark.source),
        is_shared=how.is_shared(mark.kind, mark.source),
        other=mark.other,
        first=mark.first,
    )


def _contacts(marks: Sequence[_Mark], loads: Sequence[Contact], ends: tuple[float, float]) -> tuple[Contact, ...]:
    """Contacts on plates, and all others between a strike and the next toe off, or the end of the trial."""
    contacts = list(loads)
    for side in SIDES:
        own = [each for each in marks if each.side == side]
        stands = [(a.time, b.time) for a, b in pairwise(own) if (a.kind, b.kind) == ("heel strike", "toe off")]
        if own and own[0].kind == "toe off":
            stands.append((ends[0], own[0].time))
        if own and own[-1].kind == "heel strike":
            stands.append((own[-1].time, ends[1]))
        of_side = [each for each in loads if each.side == side]
        contacts += [
            Contact(side, start, end, (), whole=False)
            for start, end in stands
            if not any(each.start < end and start < each.end for each in of_side)
        ]
    return tuple(sorted(contacts, key=lambda each: each.start))


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
        if end - time >= MIN_LOADED_TIME and bool(loaded[sample]) != turns[-1][1]:
            turns.append((time, bool(loaded[sample])))
    ends = [*(time for time, _ in turns[1:]), float(times[-1])]
    loads = [(start, end) for (start, turned), end in zip(turns, ends, strict=True) if turned]
    return [(start, end) for start, end in loads if end - start >= MIN_LOADED_TIME]


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


def timed(event: GivenEvent, trial: PreparedTrial) -> GivenEvent:
    """An event of this trial with its time: half a frame beyond an end is rounding, and stands at the end."""
    time = trial.time.time
    when = time[trial.time.frames == event.frame][0] if np.isnan(event.time) else event.time
    return replace(event, time=float(np.clip(when, time[0], time[-1])))


def refuse_lost_events(events: Sequence[GivenEvent], trials: Sequence[PreparedTrial], report: ProblemList) -> None:
    """Report events that stand outside their trial, or whose time is not that of the frame beside it."""
    by_name = {trial.trial.name: trial for trial in trials}
    for event in events:
        if event.trial in by_name:
            _refuse_event(event, by_name[event.trial], report)
    if not report.has_errors:
        known = [(timed(event, by_name[event.trial]), event.cell) for event in events if event.trial in by_name]
        for (one, cell), (other, other_cell) in combinations(known, 2):
            same = (one.kind, one.side, one.trial) == (other.kind, other.side, other.trial)
            if same and abs(one.time - other.time) * by_name[one.trial].time.rate < 1.0:
                found, problem = f"{other.kind} {other.side} at {other.time:.6g} s", f"it stands at {cell} already"
                report.error("event-twice", place_of(other_cell), found, problem, "take one of the two away")


def refuse_no_events(book: GaitBook, report: ProblemList) -> None:
    """Report trials whose events are to be given, and are not."""
    for trial in book.trials if book.processing.events == "given" else ():
        if not any(event.trial == trial.name for event in book.events):
            found, problem = "events: given", f"the sheet Events has none of {trial.sheets[0]}"
            mend = "add its heel strikes and toe offs there, or write force or kinematic"
            report.error("no-events", place_of(book.processing.places["events"]), found, problem, mend)


def _refuse_event(event: GivenEvent, trial: PreparedTrial, report: ProblemList) -> None:
    time, frames, place = trial.time.time, trial.time.frames, place_of(event.cell)
    which = trial.trial.sheets[0]
    half = 0.5 / trial.time.rate + 1e-9
    if np.isfinite(event.time) and not time[0] - half <= event.time <= time[-1] + half:
        problem = f"{which} lasts from {time[0]:.6g} to {time[-1]:.6g} s"
        mend = "write the time that the markers have there, or name another trial"
        report.error("event-outside", place, f"{event.time:.6g} s", problem, mend)
        return
    if np.isnan(event.frame):
        return
    at = time[frames == event.frame]
    if not len(at):
        problem = f"{which} has frames {frames[0]} to {frames[-1]}"
        mend = "write a frame as the file numbers them, or name another trial"
        report.error("event-outside", place, f"frame {event.frame:.10g}", problem, mend)
    elif np.isfinite(event.time) and abs(float(at[0]) - event.time) > 2.0 * half:
        problem = f"frame {event.frame:.10g} of {which} is at {at[0]:.6g} s"
        report.error("event-twice", place, f"{event.time:.6g} s", problem, "clear the time or the frame")
