"""A prepared trial solved: filtered, its joint centres and segments, events, wrenches, and the loads of its joints."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf

import numpy as np

from sheetmbs.gait.arrays import Mask, Vector
from sheetmbs.gait.body.body_segments import (
    NOT_STANDING,
    BodySegment,
    Derivatives,
    Points,
    SegmentMotions,
    StandingTrial,
    body_segments,
)
from sheetmbs.gait.events.trial_events import timed, trial_events
from sheetmbs.gait.feet import courses_of_feet, feet_of, foot_segment
from sheetmbs.gait.force_plate_assignment import FootWrench, Ground, find_ground
from sheetmbs.gait.joint_centres import with_centres
from sheetmbs.gait.joint_courses import (
    com_course,
    cutoff_period,
    edge_frames,
    filled_frames,
    foot_course,
    joint_angle,
    joint_course,
    residual_course,
    solve_in_space,
)
from sheetmbs.gait.kinematics.chain import follow_chain
from sheetmbs.gait.kinematics.clustered_segments import SegmentsInSpace
from sheetmbs.gait.kinematics.least_squares import follow_least_squares
from sheetmbs.gait.kinematics.segments import follow_segments
from sheetmbs.gait.kinetics.joint_loads import JointLoads, SpatialLoads, joint_loads
from sheetmbs.gait.prepare_trial import PreparedTrial
from sheetmbs.gait.signals.derivatives import derivatives
from sheetmbs.gait.signals.low_pass import low_pass
from sheetmbs.gait.trial.gait_book import SIDES, GaitBook, Side
from sheetmbs.gait.trial.trial_courses import Contact, Course, TrialCourses
from sheetmbs.schema.gait_inputs import SegmentMethod

METHODS: dict[str, Callable[[Points, Sequence[BodySegment], Derivatives], SegmentMotions]] = {
    SegmentMethod.SEGMENTS: follow_segments,
    SegmentMethod.CHAIN: follow_chain,
    SegmentMethod.LEAST_SQUARES: follow_least_squares,
}
"""kinematics -> how segments follow points"""


@dataclass(frozen=True)
class Choices:
    """What may be varied without preparing a trial anew. cutoff: Hz added to all that are finite.

    force_cutoff: as on Processing. delay: s added to the times of forces. pressure: m by which centres of pressure shift.
    """

    force_cutoff: float | str = "same"
    cutoff: float = 0.0
    delay: float = 0.0
    pressure: float = 0.0


@dataclass(frozen=True)
class SolvedTrial:
    """A solved trial with what its quality is judged by.

    cutoffs: (markers,) in Hz. force_cutoff: in Hz, inf none. ground: None without plates. loads: None likewise.
    in_space: the segments there, None in the plane.
    """

    prepared: PreparedTrial
    courses: TrialCourses
    segments: tuple[BodySegment, ...]
    motion: SegmentMotions
    ground: Ground | None
    loads: JointLoads | SpatialLoads | None
    cutoffs: Vector
    force_cutoff: float
    in_space: SegmentsInSpace | None = None


def solve_trial(
    prepared: PreparedTrial, book: GaitBook, standing: StandingTrial = NOT_STANDING, choices: Choices | None = None
) -> SolvedTrial:
    """Solve a trial. choices: where they differ from those of the workbook."""
    choices = choices or Choices(book.processing.force_cutoff, delay=book.processing.force_delay)
    cutoffs = prepared.cutoffs + choices.cutoff
    points = _filtered_points(prepared, book, cutoffs)
    segments = body_segments(points, book, standing)
    rate = prepared.time.rate
    motion = METHODS[book.processing.kinematics](points, segments, _rates(rate, book))
    feet = feet_of(points, book)
    force_cutoff = _force_cutoff(choices.force_cutoff, cutoffs)
    ground = find_ground(prepared, book, feet, _force_filter(prepared, book, force_cutoff), choices.delay)
    events = trial_events(
        prepared.trial.name,
        prepared.time.time,
        prepared.time.frames,
        courses_of_feet(feet, points, book, cutoff_period(cutoffs)),
        () if ground is None else ground.contacts,
        None if ground is None else ground.recorded,
        [timed(event, prepared) for event in book.events if event.trial == prepared.trial.name],
        book.processing.events,
    )
    known = _known(prepared, ground, events.contacts)
    wrenches = {} if ground is None else {side: _shifted(ground.feet[side], choices.pressure) for side in SIDES}
    joints, loads, residual, com, in_space = _joints(
        segments, points, (motion, None), standing, wrenches, known, book, rate
    )
    courses = TrialCourses(
        prepared.trial.name,
        prepared.time.time,
        prepared.time.frames,
        rate,
        joints,
        {name: {"angle": angle} for name, angle in motion.lines.items()},
        {side: foot_course(wrenches[side], known[side], book) for side in book.subject.sides} if wrenches else {},
        residual,
        com,
        points,
        edge_frames(prepared, book, cutoffs),
        filled_frames(prepared, book),
        events.events,
        events.contacts,
    )
    return SolvedTrial(prepared, courses, segments, motion, ground, loads, cutoffs, force_cutoff, in_space)


def vary_joints(solved: SolvedTrial, book: GaitBook, standing: StandingTrial, choices: Choices) -> TrialCourses:
    """Courses of the joints of a solved trial under other choices, with its events, contacts and edges as they were."""
    prepared, points, segments, motion = solved.prepared, solved.courses.points, solved.segments, solved.motion
    rate, cutoffs = prepared.time.rate, prepared.cutoffs + choices.cutoff
    if choices.cutoff:
        points = _filtered_points(prepared, book, cutoffs)
        segments = body_segments(points, book, standing)
        motion = METHODS[book.processing.kinematics](points, segments, _rates(rate, book))
    ground, force_cutoff = solved.ground, _force_cutoff(choices.force_cutoff, cutoffs)
    if ground is not None and (force_cutoff != solved.force_cutoff or choices.delay != book.processing.force_delay):
        filtered = _force_filter(prepared, book, force_cutoff)
        ground = find_ground(prepared, book, feet_of(points, book), filtered, choices.delay)
    wrenches = {} if ground is None else {side: _shifted(ground.feet[side], choices.pressure) for side in SIDES}
    known = _known(prepared, ground, solved.courses.contacts)
    in_space = None if choices.cutoff else solved.in_space
    joints, *_rest = _joints(segments, points, (motion, in_space), standing, wrenches, known, book, rate)
    return replace(solved.courses, joints=joints)


def _rates(rate: float, book: GaitBook) -> Derivatives:
    """How courses are differentiated."""

    def rates(values: Vector) -> tuple[Vector, Vector]:
        return derivatives(values, rate, book.processing.derivative)

    return rates


def _joints(
    segments: Sequence[BodySegment],
    points: Points,
    motions: tuple[SegmentMotions, SegmentsInSpace | None],
    standing: StandingTrial,
    wrenches: Mapping[Side, FootWrench],
    known: Mapping[Side, Mask],
    book: GaitBook,
    rate: float,
) -> tuple[Mapping[str, Course], JointLoads | SpatialLoads | None, Course | None, Vector, SegmentsInSpace | None]:
    """Courses of all joints by label, what they carry, what nobody applies to the whole body, its centre of mass, segments.

    motions: in the plane, and in space where that was found before. wrenches: on each foot, empty without plates.
    """
    rates = _rates(rate, book)
    motion, in_space = motions
    if book.dimension == "3D":
        solved = solve_in_space(segments, points, standing, wrenches, known, book, rates, in_space)
        return solved.joints, solved.loads, solved.residual, solved.com, solved.motion
    loads = None
    if wrenches:
        moving = [motion.segments[each.row.name] for each in segments]
        loads = joint_loads(moving, _on_segments(wrenches, book), book.gravity)
    joints = {each.label: joint_course(each, motion, loads, known, standing, book, rates) for each in book.joints}
    return joints, loads, residual_course(loads, known, book), com_course(motion, book), None


def stand(prepared: PreparedTrial, book: GaitBook) -> StandingTrial:
    """What a standing trial gives."""
    points = _filtered_points(prepared, book, prepared.cutoffs)
    segments = body_segments(
        points, replace(book, segments=tuple(replace(row, length="mean") for row in book.segments)), NOT_STANDING
    )
    motion = METHODS[SegmentMethod.SEGMENTS](points, segments, lambda values: derivatives(values, prepared.time.rate))
    angles = {joint.label: float(np.nanmean(joint_angle(joint, motion, book))) for joint in book.joints}
    return StandingTrial({each.row.name: each.length for each in segments}, angles, points)


def _filtered_points(prepared: PreparedTrial, book: GaitBook, cutoffs: Vector) -> dict[str, Vector]:
    """Markers and joint centres, (n, 3) each."""
    how = book.processing
    filtered = low_pass(
        prepared.values,
        prepared.time.rate,
        np.broadcast_to(cutoffs[:, None], prepared.values.shape[:2]),
        order=how.filter_order,
        meaning=how.cutoff_meaning,
        padding=how.padding,
    )
    markers = {name: filtered[index].T for index, name in enumerate(prepared.labels)}
    return with_centres(markers, book.centres, book.segments, book.dimension)


def _force_cutoff(asked: float | str, cutoffs: Vector) -> float:
    if isinstance(asked, float):
        return asked
    finite = cutoffs[np.isfinite(cutoffs)]
    return float(np.median(finite)) if asked == "same" and len(finite) else inf


def _force_filter(prepared: PreparedTrial, book: GaitBook, cutoff: float) -> Callable[[Vector], Vector]:
    how, time = book.processing, prepared.force_time
    rate = 1.0 if time is None else time.rate
    cutoff = min(cutoff, 0.49 * rate) if np.isfinite(cutoff) else cutoff

    def filtered(series: Vector) -> Vector:
        return low_pass(series, rate, cutoff, order=how.filter_order, meaning=how.cutoff_meaning, padding=how.padding)

    return filtered


def _known(prepared: PreparedTrial, ground: Ground | None, contacts: Sequence[Contact]) -> dict[Side, Mask]:
    """(n,) where the force on each foot is known: it swings, or stands wholly on plates.

    The first frame after a strike beside the plates still counts, so that the stride which ends there is whole; where the
    trial begins with the foot on the ground there is no such stride.
    """
    time, step = prepared.time.time, 1.0 / prepared.time.rate
    known: dict[Side, Mask] = {}
    for side in SIDES:
        if ground is None:
            known[side] = np.zeros(len(time), np.bool_)
            continue
        slack = 1e-9 + (0.0 if prepared.force_time is None else 1.0 / prepared.force_time.rate)
        there = (time >= ground.recorded[0] - slack) & (time <= ground.recorded[1] + slack)
        for each in contacts:
            if each.side == side and not (each.plates and each.whole):
                begun = each.start + step if each.start > time[0] else each.start
                there &= (time < begun) | (time > each.end)
        for part in ground.of_contacts:
            if part.side is None:
                there &= (time < part.start) | (time > part.end)
        known[side] = there & np.isfinite(ground.feet[side].force).all(axis=1)
    return known


def _shifted(wrench: FootWrench, by: float) -> FootWrench:
    """A wrench whose centre of pressure is farther forward."""
    moment = wrench.moment.copy()
    moment[:, 2] += by * wrench.force[:, 1]
    return replace(wrench, moment=moment)


def foot_wrenches(trial: SolvedTrial, book: GaitBook) -> dict[str, Vector]:
    """What the ground does to the segment of each foot: (n, 3) fx, fy and the moment about the origin; 0 where unknown."""
    return {} if trial.ground is None else _on_segments(trial.ground.feet, book)


def _on_segments(feet: Mapping[Side, FootWrench], book: GaitBook) -> dict[str, Vector]:
    found = {}
    for side in book.subject.sides:
        foot = foot_segment(book, side)
        if foot is not None:
            found[foot.name] = np.nan_to_num(np.column_stack((feet[side].force[:, :2], feet[side].moment[:, 2])))
    return found
