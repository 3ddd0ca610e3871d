"""Strides that nobody walks: times, stances, and strikes of one side in succession."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

import numpy as np

from sheetmbs.gait.feet import recorded_feet
from sheetmbs.gait.strides.strides import Stride, strides_of
from sheetmbs.gait.trial.gait_book import SIDES, GaitBook
from sheetmbs.gait.trial.trial_courses import TrialCourses
from sheetmbs.schema.problem_list import ProblemList, place_of

SHORTEST, LONGEST = 0.5, 3.0
"""s of a stride"""
WALKING, RUNNING = (0.50, 0.75), (0.20, 0.50)
"""stance, as part of the stride: with double support and without"""
OFF_GROUND = 0.03
"""m over where it stands, from which heel or toes of a foot are off the ground"""
STANDING = 0.05
"""part of the frames, in which heel and toes of any gait stand: the quantile of their heights is that of the ground"""
STRIKE_EARLY, STRIKE_LATE = 0.13, 0.02
OFF_EARLY, OFF_LATE = 0.06, 0.07
"""s by which estimated strikes and toe offs miss those of plates at most, in walking and in running"""


def check_strides(courses: TrialCourses, book: GaitBook, sheet: str, report: ProblemList) -> None:
    """A warning for each stride that is not plausible, and where there is none. sheet: of the trial's markers."""
    strides = strides_of([courses])
    if courses.edge.all():
        where = place_of(book.processing.places.get("edge") or book.processing.places.get("cutoff", sheet))
        found = f"edge: {book.processing.edge:g} cut-off periods at each end"
        problem = "they cover the whole trial, so that no frame is left for peaks and means"
        report.warning("all-edge", where, found, problem, "write less, or record longer trials")
    is_running = has_flight(courses, book)
    for stride in strides:
        for what in _doubts(stride, courses, book, is_running=is_running):
            found = f"the {stride.side} stride from {stride.start:.3f} to {stride.end:.3f} s"
            mend = "look at mbs Gait events; events of one's own on a sheet Events take their place"
            report.warning("doubtful-stride", place_of(_cell(book, stride, sheet)), found, what, mend)
    strikes = sorted((each for each in courses.events if each.kind == "heel strike"), key=lambda each: each.time)
    if not strides:
        count = " and ".join(f"{sum(each.side == side for each in strikes)} {side}" for side in book.subject.sides)
        problem = "a stride runs from a heel strike to the next of the same side, and there is none: no course over it is shown"
        mend = "record a longer trial, or give the events on a sheet Events; the series hold all frames"
        report.warning("no-stride", place_of(sheet), f"heel strikes found: {count}", problem, mend)
    if set(book.subject.sides) != set(SIDES) or {each.side for each in strikes} != set(SIDES):
        return  # of a leg that is not analysed only plates tell strikes
    for first, second in pairwise(strikes):
        if first.side == second.side:
            other = SIDES[1] if first.side == SIDES[0] else SIDES[0]
            found = f"{first.side} heel strikes at {first.time:.3f} and {second.time:.3f} s in succession"
            problem = f"the {other} foot strikes between them; that strike is missing"
            report.warning("missing-strike", place_of(sheet), found, problem, "give the events on a sheet Events")


def has_flight(courses: TrialCourses, book: GaitBook) -> bool:
    """Whether in any frame no plate carries a foot, and heel and toes of both feet are over the ground: somebody runs.

    Contacts alone do not tell, for estimated strikes come early and estimated toe offs late.
    """
    feet = recorded_feet(courses.points, book)
    if len(feet) < len(SIDES):
        return False
    heights = np.array([points[:, 1] for foot in feet.values() for points in (foot.heel, foot.toe)])
    if not np.isfinite(heights).any(axis=1).all():
        return False
    ground = np.nanquantile(heights, STANDING, axis=1, keepdims=True)
    in_flight = (heights - ground > OFF_GROUND).all(axis=0)
    for each in courses.contacts:
        if each.plates:
            in_flight &= (courses.time < each.start) | (courses.time > each.end)
    return bool(in_flight.any())


def _doubts(stride: Stride, courses: TrialCourses, book: GaitBook, *, is_running: bool) -> Iterator[str]:
    if not SHORTEST <= stride.duration <= LONGEST:
        yield f"it lasts {stride.duration:.3g} s, and strides last {SHORTEST:g} to {LONGEST:g} s"
        return
    if stride.toe_off is None:
        return
    stance = (stride.toe_off - stride.start) / stride.duration
    too_long = STRIKE_EARLY * stride.starts_estimated + OFF_LATE * stride.toe_off_estimated
    too_short = STRIKE_LATE * stride.starts_estimated + OFF_EARLY * stride.toe_off_estimated
    if set(book.subject.sides) != set(SIDES) or {event.side for event in courses.events} != set(SIDES):
        low, high = RUNNING[0], WALKING[1]  # of one side nobody knows whether the other stands too
    else:
        low, high = WALKING if not is_running and _has_double_support(stride, courses) else RUNNING
    if not low - too_short / stride.duration <= stance <= high + too_long / stride.duration:
        kinds = {WALKING: "with double support", RUNNING: "without double support"}
        kind = kinds.get((low, high), "of any gait")
        yield f"the foot stands for {stance:.0%} of it, and {kind} that is {low:.0%} to {high:.0%}"


def _has_double_support(stride: Stride, courses: TrialCourses) -> bool:
    """Whether the other foot stands still when this one strikes, or again when it leaves."""
    return any(
        each.side != stride.side and each.start < time < each.end
        for each in courses.contacts
        for time in (stride.start, stride.toe_off or stride.start)
    )


def _cell(book: GaitBook, stride: Stride, sheet: str) -> str:
    """Of the event where it was given, else the sheet of the markers."""
    given: Sequence[str] = [each.cell for each in book.events if each.trial == stride.name and each.side == stride.side]
    return given[0] if given else sheet
