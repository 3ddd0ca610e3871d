"""Sensitivity of peaks to choices: the same trials under other choices, with the same events and strides."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

import numpy as np

from sheetmbs.gait.body.body_segments import StandingTrial
from sheetmbs.gait.joint_courses import sense
from sheetmbs.gait.solve_trial import Choices, SolvedTrial, vary_joints
from sheetmbs.gait.strides.strides import Stride
from sheetmbs.gait.strides.summary_items import OF_CENTRE, SummaryItem, Variant, peak_items
from sheetmbs.gait.trial.gait_book import GaitBook
from sheetmbs.gait.trial.trial_courses import Course, TrialCourses

CUTOFF_CHANGE, PRESSURE_SHIFT, CENTRE_SHIFT = 1.0, 0.005, 0.010
"""Hz, m, m"""
OTHER_FILTERS = AS_MARKERS, RAW = "forces as markers", "forces raw"
"""the filter of forces that the workbook did not choose"""
OF_CUTOFF, OF_FILTER, OF_DELAY, OF_PRESSURE = "cut-off", "filter of forces", "delay", "pressure"
"""what is chosen otherwise"""
EARLY, OTHER_FILTER = "first 30 %", "other force filter"


def variants(
    trials: Sequence[SolvedTrial], strides: Sequence[Stride], book: GaitBook, standing: StandingTrial
) -> Iterator[Variant]:
    """All variants that the workbook allows. strides: of the trials as they were solved."""
    if not trials:
        return
    for name, about, size, choices in _choices(trials, book):
        courses = [vary_joints(each, book, standing, choices) for each in trials]
        yield Variant(name, about, size, peak_items(courses, strides))
    if book.dimension == "2D" and _has_plates(trials):
        for way, shift in (("forward", (CENTRE_SHIFT, 0.0)), ("up", (0.0, CENTRE_SHIFT))):
            courses = [_with_centres_at(each.courses, shift, book) for each in trials]
            name, size = f"its centre {1e3 * CENTRE_SHIFT:.0f} mm {way}", f"{1e3 * CENTRE_SHIFT:.0f} mm"
            yield Variant(name, f"{OF_CENTRE} {way}", size, peak_items(courses, strides))


def _has_plates(trials: Sequence[SolvedTrial]) -> bool:
    return any(each.ground is not None for each in trials)


def _choices(trials: Sequence[SolvedTrial], book: GaitBook) -> Iterator[tuple[str, str, str, Choices]]:
    """Its name, what it is about, by how much, and the choice."""
    processing = book.processing
    now = Choices(processing.force_cutoff, delay=processing.force_delay)
    finite = [each.cutoffs[np.isfinite(each.cutoffs)] for each in trials]
    if all(len(each) and each.min() > CUTOFF_CHANGE for each in finite):
        for sign in (1.0, -1.0):
            size = f"{CUTOFF_CHANGE:g} Hz"
            yield f"cut-off {sign * CUTOFF_CHANGE:+g} Hz", OF_CUTOFF, size, replace(now, cutoff=sign * CUTOFF_CHANGE)
    if not _has_plates(trials):
        return
    if processing.force_cutoff == "none":
        yield AS_MARKERS, OF_FILTER, "filt.", replace(now, force_cutoff="same")
    else:
        yield RAW, OF_FILTER, "raw", replace(now, force_cutoff="none")
    frame = 1.0 / trials[0].courses.rate
    for sign in (1.0, -1.0):
        size = f"{1e3 * frame:.0f} ms"
        yield f"forces {sign * 1e3 * frame:+.3g} ms", OF_DELAY, size, replace(now, delay=now.delay + sign * frame)
    for sign in (1.0, -1.0):
        size = f"{1e3 * PRESSURE_SHIFT:g} mm"
        yield (
            f"pressure {sign * 1e3 * PRESSURE_SHIFT:+g} mm",
            OF_PRESSURE,
            size,
            replace(now, pressure=sign * PRESSURE_SHIFT),
        )


def _with_centres_at(courses: TrialCourses, shift: tuple[float, float], book: GaitBook) -> TrialCourses:
    """Each joint's own load about a point beside its centre, segments as they were: M' = M - d x F, in the plane."""
    joints: dict[str, Course] = {}
    for joint in book.joints:
        course = courses.joints[joint.label]
        joints[joint.label] = course
        if "moment" in course:
            less = shift[0] * course["fy"] - shift[1] * course["fx"]
            power = course["power"] - less * sense(joint, book) * course["rate"]
            joints[joint.label] = {**course, "moment": course["moment"] - less, "power": power}
    return replace(courses, joints=joints)


def with_other_filter(items: Sequence[SummaryItem], variants: Iterable[Variant]) -> list[SummaryItem]:
    """The items, each early peak followed by what it would be with forces raw, or filtered where they are raw."""
    varied = next((each.items for each in variants if each.name in OTHER_FILTERS), ())
    others = {(each.item, each.side, each.joint): each for each in varied if each.item.endswith(EARLY)}
    found: list[SummaryItem] = []
    for item in items:
        found.append(item)
        other = others.get((item.item, item.side, item.joint))
        if other is not None:
            found.append(replace(other, item=f"{other.item}, {OTHER_FILTER}"))
    return found
