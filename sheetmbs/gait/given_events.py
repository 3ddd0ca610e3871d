"""Events that the user gives, on the time of their trial."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import combinations

import numpy as np

from sheetmbs.gait.prepare_trial import PreparedTrial
from sheetmbs.gait.trial.gait_book import GaitBook, GivenEvent
from sheetmbs.schema.problem_list import ProblemList, place_of


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
            _refuse(event, by_name[event.trial], report)
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


def _refuse(event: GivenEvent, trial: PreparedTrial, report: ProblemList) -> None:
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
