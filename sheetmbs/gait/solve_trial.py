"""A prepared trial solved: filtered, its joint centres and segments, events, wrenches, and the loads of its joints."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial
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
from sheetmbs.gait.events.event_offsets import Estimation, EventOffset, own_offsets
from sheetmbs.gait.events.trial_events import TrialEvents, timed, trial_events
from sheetmbs.gait.feet import courses_of_feet, feet_of, foot_segment
from sheetmbs.gait.force_plate_assignment import FootWrench, Ground, disturbed_feet, find_ground, held_ground
from sheetmbs.gait.joint_centres import with_centres
from sheetmbs.gait.joint_courses import (
    com_course,
    cutoff_period,
    edge_frames,
    filled_frames,
    follow_in_space,
    foot_course,
    joint_angle,
    joint_course,
    residual_course,
    solve_in_space,
)
from sheetmbs.gait.kinematics.chain import follow_chain
from sheetmbs.gait.kinematics.clustered_segments import FollowedBefore, SegmentsInSpace
from sheetmbs.gait.kinematics.least_squares import follow_least_squares
from sheetmbs.gait.kinematics.segments import follow_segments
from sheetmbs.gait.kinetics.foot_of_contact import Foot
from sheetmbs.gait.kinetics.joint_loads import JointLoads, SpatialLoads, cross, joint_loads
from sheetmbs.gait.prepare_trial import PreparedTrial
from sheetmbs.gait.signals.derivatives import at_rest, derivatives
from sheetmbs.gait.signals.low_pass import low_pass
from sheetmbs.gait.trial.disturbance import OF_POINTS, OF_SEGMENTS, UNDISTURBED, Disturbance, Disturbed
from sheetmbs.gait.trial.gait_book import SIDES, GaitBook, Side
from sheetmbs.gait.trial.trial_courses import Contact, Course, TrialCourses
from sheetmbs.schema.gait_inputs import EVENT_KINDS, SegmentMethod

METHODS: dict[str, Callable[[Points, Sequence[BodySegment], Derivatives], SegmentMotions]] = {
    SegmentMethod.SEGMENTS: follow_segments,
    SegmentMethod.CHAIN: follow_chain,
    SegmentMethod.LEAST_SQUARES: follow_least_squares,
}
"""kinematics -> how segments follow points"""


@dataclass(frozen=True)
class Choices:
    """What may be varied without preparing a trial again. cutoff: Hz added to all that are finite.

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
    standing: Points = field(default_factory=dict)
    """points of the standing trial with which it was solved"""


@dataclass(frozen=True)
class FilteredTrial:
    """A trial with its points and what its plates gave, before its events. cutoffs, force_cutoff, ground: of `SolvedTrial`."""

    prepared: PreparedTrial
    choices: Choices
    points: Points
    feet: Mapping[Side, Foot]
    ground: Ground | None
    cutoffs: Vector
    force_cutoff: float

    def events(self, book: GaitBook, offsets: Mapping[str, EventOffset]) -> TrialEvents:
        """Events and contacts. offsets: that are taken from estimates."""
        prepared, ground = self.prepared, self.ground
        sample = 0.0 if prepared.force_time is None else 1.0 / prepared.force_time.rate
        return trial_events(
            prepared.trial.name,
            prepared.time.time,
            prepared.time.frames,
            courses_of_feet(self.feet, self.points, book, cutoff_period(self.cutoffs)),
            () if ground is None else ground.contacts,
            None if ground is None else ground.recorded,
            [timed(event, prepared) for event in book.events if event.trial == prepared.trial.name],
            book.processing.events,
            Estimation(offsets, book.processing.events == "speed", sample),
        )


def filter_trial(prepared: PreparedTrial, book: GaitBook, choices: Choices | None = None) -> FilteredTrial:
    """The points of a trial and what its plates gave. choices: where they differ from those of the workbook."""
    choices = choices or Choices(book.processing.force_cutoff, delay=book.processing.force_delay)
    cutoffs = prepared.cutoffs + choices.cutoff
    points = _filtered_points(prepared, book, cutoffs)
    feet = feet_of(points, book)
    force_cutoff = _force_cutoff(choices.force_cutoff, cutoffs)
    ground = find_ground(prepared, book, feet, _force_filter(prepared, book, force_cutoff), choices.delay)
    return FilteredTrial(prepared, choices, points, feet, ground, cutoffs, force_cutoff)


def event_offsets(trials: Sequence[FilteredTrial], book: GaitBook) -> Mapping[str, EventOffset]:
    """What is taken from estimates, as Processing says: the own offsets come from all trials together."""
    asked = book.processing.event_offset
    if isinstance(asked, str):
        return {} if asked == "none" else own_offsets(e for each in trials for e in each.events(book, {}).events)
    return {kind: EventOffset(value) for kind, value in zip(EVENT_KINDS, asked, strict=True)}


def solve_trial(
    prepared: PreparedTrial, book: GaitBook, standing: StandingTrial = NOT_STANDING, choices: Choices | None = None
) -> SolvedTrial:
    """Solve a trial by itself. choices: where they differ from those of the workbook."""
    filtered = filter_trial(prepared, book, choices)
    return solve_filtered(filtered, book, standing, event_offsets([filtered], book))


def solve_filtered(
    trial: FilteredTrial, book: GaitBook, standing: StandingTrial, offsets: Mapping[str, EventOffset]
) -> SolvedTrial:
    """Solve a trial. offsets: that are taken from its estimated events."""
    prepared, choices, points, ground, cutoffs = (
        trial.prepared,
        trial.choices,
        trial.points,
        trial.ground,
        trial.cutoffs,
    )
    segments = body_segments(points, book, standing)
    rate = prepared.time.rate
    motion = _planar(book)(points, segments, _rates(rate, book))
    events = trial.events(book, offsets)
    known = _known(prepared, ground, events.contacts)
    wrenches = {} if ground is None else {side: _shifted(ground.feet[side], choices.pressure) for side in SIDES}
    joints, loads, residual, com, in_space = _joints(
        segments, points, (motion, None), standing, wrenches, known, book, _rates(rate, book)
    )
    residual = _less_hands(residual, ground, com)
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
        events.dragged,
        dict(zip(prepared.labels, map(float, prepared.advice.noise), strict=True)),
        placement={label: book.placement(label) for label in prepared.labels},
    )
    return SolvedTrial(
        prepared, courses, segments, motion, ground, loads, cutoffs, trial.force_cutoff, in_space, standing.points
    )


def vary_joints(
    solved: SolvedTrial,
    book: GaitBook,
    standing: StandingTrial,
    choices: Choices,
    disturbance: Disturbance = UNDISTURBED,
    rates: Derivatives | None = None,
) -> TrialCourses:
    """Courses of the joints of a solved trial under other choices, with its events, contacts and edges as they were.

    disturbance: small changes of what it is solved from, besides. rates: how its courses are differentiated, None as it was.
    """
    inputs = disturbed_inputs(solved, book, standing, choices, disturbance)
    return solve_again(solved, book, standing, inputs, rates).courses


@dataclass(frozen=True)
class SolvedAgain:
    """A trial solved from other inputs. legs: in the plane, by side, (n, 3) of what its segments need about the origin."""

    courses: TrialCourses
    legs: Mapping[Side, Vector]


def solve_again(
    solved: SolvedTrial,
    book: GaitBook,
    standing: StandingTrial,
    inputs: DisturbedInputs,
    rates: Derivatives | None = None,
) -> SolvedAgain:
    """Courses of the joints of a solved trial, and what nobody applies to the whole body, from other inputs."""
    rates = rates or _rates(solved.courses.rate, book)
    points, segments, motion, in_space = inputs.points, inputs.segments, solved.motion, solved.in_space
    if points is not solved.courses.points or segments is not solved.segments:
        if in_space is None:
            motion = _planar(book)(points, segments, rates)
        else:
            before = FollowedBefore(solved.courses.points, solved.standing, solved.segments, in_space)
            in_space = follow_in_space(points, standing, segments, book, rates, before)
    known = _known(solved.prepared, inputs.ground, solved.courses.contacts)
    joints, loads, residual, com, _space = _joints(
        segments, points, (motion, in_space), standing, inputs.wrenches, known, book, rates
    )
    residual = _less_hands(residual, inputs.ground, com)
    legs = loads_of_legs(loads, motion, book) if isinstance(loads, JointLoads) else {}
    return SolvedAgain(replace(solved.courses, joints=joints, residual=residual), legs)


@dataclass(frozen=True)
class DisturbedInputs:
    """What the joints of a trial are solved from. Points, segments and ground are those of before where they stay."""

    points: Points
    segments: tuple[BodySegment, ...]
    ground: Ground | None
    wrenches: Mapping[Side, FootWrench]


def disturbed_inputs(
    solved: SolvedTrial, book: GaitBook, standing: StandingTrial, choices: Choices, disturbance: Disturbance
) -> DisturbedInputs:
    """What a solved trial is solved from under other choices, with small changes, and events and contacts as they were."""
    prepared, points, segments = solved.prepared, solved.courses.points, solved.segments
    cutoffs = prepared.cutoffs + choices.cutoff + disturbance.number(Disturbed.CUTOFF)
    is_moved, is_added = disturbance.changes(OF_POINTS), disturbance.changes({Disturbed.FILTERED_MARKER})
    if choices.cutoff or is_moved or is_added:
        points = _moved_points(solved, book, cutoffs, disturbance)
    if choices.cutoff or is_moved or disturbance.changes(OF_SEGMENTS):
        segments = _changed(body_segments(points, book, standing), disturbance)
    ground, force_cutoff = solved.ground, _force_cutoff(choices.force_cutoff, cutoffs)
    delay = choices.delay + disturbance.number(Disturbed.DELAY)
    if ground is not None and (force_cutoff != solved.force_cutoff or delay != book.processing.force_delay):
        filtered = _force_filter(prepared, book, force_cutoff)
        if disturbance.parts:
            ground = held_ground(ground, prepared, book, filtered, delay)
        else:
            ground = find_ground(prepared, book, feet_of(points, book), filtered, delay)
    feet = {} if ground is None else disturbed_feet(ground, prepared, book.processing.threshold, disturbance)
    shifts = disturbance.of(Disturbed.FOOT_SHIFT)
    wrenches = {side: _shifted(foot, choices.pressure + float(shifts.get(side, 0.0))) for side, foot in feet.items()}
    return DisturbedInputs(points, segments, ground, wrenches)


def loads_of_legs(loads: JointLoads, motion: SegmentMotions, book: GaitBook) -> dict[Side, Vector]:
    """Find what each leg hands on to segments of no side: (n, 3) force and moment about the origin, by side."""
    found: dict[Side, Vector] = {}
    middle = {row.name for row in book.segments if row.side is None}
    for row in book.segments:
        if row.side is not None and (row.parent is None or row.parent in middle):
            force = loads.force[row.name]
            moment = loads.moment[row.name] + cross(motion.segments[row.name].proximal, force)
            found[row.side] = found.get(row.side, 0.0) + np.column_stack((force, moment))
    return found


def _moved_points(
    solved: SolvedTrial, book: GaitBook, cutoffs: Vector, disturbance: Disturbance
) -> Mapping[str, Vector]:
    """Markers and joint centres of a solved trial that is disturbed; markers that stay are not filtered again."""
    prepared, filtered = solved.prepared, solved.courses.points
    if not np.array_equal(cutoffs, solved.cutoffs):
        return _filtered_points(prepared, book, cutoffs, disturbance)
    centres = {row.name for row in book.centres}
    moved, added = disturbance.of(Disturbed.MARKER), disturbance.of(Disturbed.FILTERED_MARKER)
    again = [index for index, label in enumerate(prepared.labels) if label in moved or label in centres]
    values = prepared.values[again]
    for place, index in enumerate(again):
        if prepared.labels[index] in moved:
            values[place] += moved[prepared.labels[index]].T
    new = dict(
        zip((prepared.labels[index] for index in again), _filtered(values, cutoffs[again], prepared, book), strict=True)
    )
    markers = {label: new[label].T if label in new else filtered[label] for label in prepared.labels}
    centred = partial(
        with_centres,
        rows=book.centres,
        segments=book.segments,
        dimension=book.dimension,
        moved=disturbance.of(Disturbed.CENTRE),
    )
    if not added:
        return centred(markers)
    # followed by its mirror image, so that means over all frames, such as the width of the pelvis, stay as they were
    both = {label: np.vstack((course, course)) for label, course in markers.items()}
    both |= {label: np.vstack((markers[label] + course, markers[label] - course)) for label, course in added.items()}
    return {name: course[: len(course) // 2] for name, course in centred(both).items()}


def _changed(segments: Sequence[BodySegment], disturbance: Disturbance) -> tuple[BodySegment, ...]:
    """Segments with other masses, centres of mass and radii of gyration. An inertia that is given stays."""
    masses, coms, gyrations = (disturbance.of(what) for what in (Disturbed.MASS, Disturbed.COM, Disturbed.GYRATION))
    found = []
    for each in segments:
        name, mass, inertia = each.row.name, each.mass, each.inertia
        heavier, wider = 1.0 + float(masses.get(name, 0.0)), 1.0 + float(gyrations.get(name, 0.0))
        if mass.inertia is None:
            inertia *= heavier * wider**2
        own = replace(mass, mass=heavier * mass.mass, com=mass.com + float(coms.get(name, 0.0)))
        found.append(replace(each, mass=own, inertia=inertia))
    return tuple(found)


def _planar(book: GaitBook) -> Callable[[Points, Sequence[BodySegment], Derivatives], SegmentMotions]:
    """How segments follow points in the plane; in space the plane only tells the lines of segments."""
    return METHODS[book.processing.kinematics if book.dimension == "2D" else SegmentMethod.SEGMENTS]


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
    rates: Derivatives,
) -> tuple[Mapping[str, Course], JointLoads | SpatialLoads | None, Course | None, Vector, SegmentsInSpace | None]:
    """Courses of all joints by label, what they carry, what nobody applies to the whole body, its centre of mass, segments.

    motions: in the plane, and in space where that was found before. wrenches: on each foot, empty without plates.
    """
    motion, in_space = motions
    if book.dimension == "3D":
        solved = solve_in_space(segments, points, standing, wrenches, known, book, rates, in_space)
        return solved.joints, solved.loads, solved.residual, solved.com, solved.motion
    loads = None
    if wrenches:
        moving = [motion.segments[each.row.name] for each in segments]
        loads = joint_loads(moving, wrenches_on_segments(wrenches, book), book.gravity)
    joints = {each.label: joint_course(each, motion, loads, known, standing, book, rates) for each in book.joints}
    return joints, loads, residual_course(loads, known, book), com_course(motion, book), None


def stand(prepared: PreparedTrial, book: GaitBook, disturbance: Disturbance = UNDISTURBED) -> StandingTrial:
    """What a standing trial gives. disturbance: of its markers and joint centres."""
    points = _filtered_points(prepared, book, prepared.cutoffs, disturbance)
    segments = body_segments(
        points, replace(book, segments=tuple(replace(row, length="mean") for row in book.segments)), NOT_STANDING
    )
    angles = {}
    if book.dimension == "2D":
        motion = METHODS[SegmentMethod.SEGMENTS](points, segments, at_rest)
        angles = {joint.label: float(np.nanmean(joint_angle(joint, motion, book))) for joint in book.joints}
    return StandingTrial({each.row.name: each.length for each in segments}, angles, points)


def _filtered_points(
    prepared: PreparedTrial, book: GaitBook, cutoffs: Vector, disturbance: Disturbance = UNDISTURBED
) -> dict[str, Vector]:
    """Markers and joint centres, (n, 3) each."""
    values, moved = prepared.values, disturbance.of(Disturbed.MARKER)
    if moved:
        values = values.copy()
        for index, label in enumerate(prepared.labels):
            if label in moved:
                values[index] += moved[label].T
    filtered = _filtered(values, cutoffs, prepared, book)
    markers = {name: filtered[index].T for index, name in enumerate(prepared.labels)}
    return with_centres(markers, book.centres, book.segments, book.dimension, moved=disturbance.of(Disturbed.CENTRE))


def _filtered(values: Vector, cutoffs: Vector, prepared: PreparedTrial, book: GaitBook) -> Vector:
    """Markers (markers, 3, n), each filtered at its cut-off (markers,)."""
    how = book.processing
    return low_pass(
        values,
        prepared.time.rate,
        np.broadcast_to(cutoffs[:, None], values.shape[:2]),
        order=how.filter_order,
        meaning=how.cutoff_meaning,
        padding=how.padding,
    )


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


def _less_hands(residual: Course | None, ground: Ground | None, com: Vector) -> Course | None:
    """What nobody applies to the whole body, less what rails and crutches apply to its hands. com: (n, 3)."""
    if residual is None or ground is None or ground.hands is None:
        return residual
    force, about_origin = ground.hands[:, :3], ground.hands[:, 3:]
    moment = about_origin - np.cross(np.nan_to_num(com), force)
    applied = dict(zip(("fx", "fy", "fz", "mx", "my", "mz"), np.hstack((force, moment)).T, strict=True))
    applied["m"] = applied["mz"]
    return {name: values - applied[name] for name, values in residual.items()}


def _shifted(wrench: FootWrench, by: float) -> FootWrench:
    """A wrench whose centre of pressure is farther forward."""
    moment = wrench.moment.copy()
    moment[:, 2] += by * wrench.force[:, 1]
    return replace(wrench, moment=moment)


def foot_wrenches(trial: SolvedTrial, book: GaitBook) -> dict[str, Vector]:
    """What the ground does to the segment of each foot: (n, 3) fx, fy and the moment about the origin; 0 where unknown."""
    return {} if trial.ground is None else wrenches_on_segments(trial.ground.feet, book)


def wrenches_on_segments(feet: Mapping[Side, FootWrench], book: GaitBook) -> dict[str, Vector]:
    """What the ground does to the segment of each foot in the plane: (n, 3) fx, fy and the moment about the origin."""
    found = {}
    for side in book.subject.sides:
        foot = foot_segment(book, side)
        if foot is not None:
            found[foot.name] = np.nan_to_num(np.column_stack((feet[side].force[:, :2], feet[side].moment[:, 2])))
    return found
