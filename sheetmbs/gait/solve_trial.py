"""A prepared trial solved: filtered, its joint centres and segments, events, wrenches, and the loads of its joints."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from math import inf, nan

import numpy as np
from numpy.typing import NDArray

from sheetmbs.gait.anthropometry import segment_mass
from sheetmbs.gait.events.trial_events import FootCourse, trial_events
from sheetmbs.gait.ground import SIDES, FootWrench, Ground, find_ground
from sheetmbs.gait.joint_centres.all_centres import with_centres
from sheetmbs.gait.kinematics.body_segments import BodyMotion, BodySegment, Derivatives, Points
from sheetmbs.gait.kinematics.segments import follow_segments
from sheetmbs.gait.kinetics.foot_of_contact import Foot
from sheetmbs.gait.kinetics.joint_loads import JointLoads, joint_loads, joint_power
from sheetmbs.gait.prepare_trial import PreparedTrial
from sheetmbs.gait.signals.derivatives import derivatives
from sheetmbs.gait.signals.low_pass import low_pass
from sheetmbs.gait.trial.gait_book import GaitBook, GivenEvent, JointRow, SegmentRow, Side
from sheetmbs.gait.trial.trial_courses import Contact, Course, TrialCourses
from sheetmbs.schema.names import fold

Vector = NDArray[np.float64]
Mask = NDArray[np.bool_]
FASTEST_PERIOD = 1.0 / 6.0
"""s: the edge where nothing is filtered and the workbook asks for one"""
REVERSED = ("extension", "plantarflexion")
METHODS: dict[str, Callable[[Points, Sequence[BodySegment], Derivatives], BodyMotion]] = {
    "segments": follow_segments,
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
    """

    prepared: PreparedTrial
    courses: TrialCourses
    segments: tuple[BodySegment, ...]
    motion: BodyMotion
    ground: Ground | None
    loads: JointLoads | None
    cutoffs: Vector
    force_cutoff: float


@dataclass(frozen=True)
class Standing:
    """What the standing trial gives: lengths of segments in m, and angles of joints in rad without their neutral."""

    lengths: Mapping[str, float]
    angles: Mapping[str, float]


NOT_STANDING = Standing({}, {})


def solve_trial(
    prepared: PreparedTrial, book: GaitBook, standing: Standing = NOT_STANDING, choices: Choices | None = None
) -> SolvedTrial:
    """Solve a trial. choices: where they differ from those of the workbook."""
    choices = choices or Choices(book.processing.force_cutoff, delay=book.processing.force_delay)
    cutoffs = prepared.cutoffs + choices.cutoff
    points = _filtered_points(prepared, book, cutoffs)
    segments = body_segments(points, book, standing)
    rate = prepared.time.rate

    def rates(values: Vector) -> tuple[Vector, Vector]:
        return derivatives(values, rate, book.processing.derivative)

    motion = METHODS[book.processing.kinematics](points, segments, rates)
    feet = _feet(points, book)
    force_cutoff = _force_cutoff(choices.force_cutoff, cutoffs)
    ground = find_ground(prepared, book, feet, _force_filter(prepared, book, force_cutoff), choices.delay)
    events = trial_events(
        prepared.trial.name,
        prepared.time.time,
        prepared.time.frames,
        _courses_of_feet(feet, points, book),
        () if ground is None else ground.contacts,
        None if ground is None else ground.recorded,
        [_timed(event, prepared) for event in book.events],
        book.processing.events,
    )
    known = _known(prepared, ground, events.contacts)
    wrenches = {} if ground is None else {side: _shifted(ground.feet[side], choices.pressure) for side in SIDES}
    loads = _loads(segments, motion, wrenches, book) if ground is not None else None
    courses = TrialCourses(
        prepared.trial.name,
        prepared.time.time,
        prepared.time.frames,
        rate,
        {joint.label: _joint(joint, motion, loads, known, standing, book, rates) for joint in book.joints},
        {name: {"angle": angle} for name, angle in motion.lines.items()},
        {side: _foot_course(wrenches[side], known[side]) for side in book.subject.sides} if wrenches else {},
        _residual(loads, known, book),
        _com(motion, book),
        points,
        _edge(prepared, book, cutoffs),
        _filled(prepared, book),
        events.events,
        events.contacts,
    )
    return SolvedTrial(prepared, courses, segments, motion, ground, loads, cutoffs, force_cutoff)


def stand(prepared: PreparedTrial, book: GaitBook) -> Standing:
    """What a standing trial gives."""
    points = _filtered_points(prepared, book, prepared.cutoffs)
    segments = body_segments(
        points, replace(book, segments=tuple(_by_mean(row) for row in book.segments)), NOT_STANDING
    )
    motion = METHODS["segments"](points, segments, lambda values: derivatives(values, prepared.time.rate))
    angles = {joint.label: float(np.nanmean(joint_angle(joint, motion, book))) for joint in book.joints}
    return Standing({each.row.name: each.length for each in segments}, angles)


def _by_mean(row: SegmentRow) -> SegmentRow:
    return replace(row, length="mean")


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


def body_segments(points: Points, book: GaitBook, standing: Standing) -> tuple[BodySegment, ...]:
    """The segments of the body with masses and lengths."""
    return tuple(_body_segment(row, points, book, standing) for row in book.segments)


def _body_segment(row: SegmentRow, points: Points, book: GaitBook, standing: Standing) -> BodySegment:
    ends = points[row.proximal][:, :2], points[row.distal][:, :2]
    is_upper = np.nanmean(ends[0][:, 1]) >= np.nanmean(ends[1][:, 1])
    # of the trunk the table counts from the hip, of all others from the upper end
    mass = segment_mass(row, book.subject, is_proximal_first=bool(is_upper) != (row.table == "hat"))
    if mass is None:
        raise ValueError(f"no mass of {row.name}")
    if isinstance(row.length, float):
        length = row.length
    elif row.length == "static" and row.name in standing.lengths:
        length = standing.lengths[row.name]
    else:
        length = float(np.nanmean(np.linalg.norm(ends[0] - ends[1], axis=1)))
    inertia = mass.inertia if mass.inertia is not None else mass.mass * ((mass.gyration or 0.0) * length) ** 2
    return BodySegment(row, mass, length, inertia)


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
        return low_pass(
            series.T, rate, cutoff, order=how.filter_order, meaning=how.cutoff_meaning, padding=how.padding
        ).T

    return filtered


def point_of(points: Points, side: Side, name: str, book: GaitBook) -> Vector | None:
    """``right heel``, or plainly ``heel`` where only one leg is analysed; None where there is no such point."""
    names = {fold(each): each for each in points}
    wanted = [f"{side} {name}", *([name] if len(book.subject.sides) == 1 or not _is_sided(book, side) else [])]
    return next((points[names[fold(each)]] for each in wanted if fold(each) in names), None)


def _is_sided(book: GaitBook, side: Side) -> bool:
    return any(row.side == side for row in book.segments)


def foot_segment(book: GaitBook, side: Side) -> SegmentRow | None:
    """The segment on which the ground acts."""
    return next((row for row in book.segments if row.table == "foot" and row.side in (side, None)), None)


def _feet(points: Points, book: GaitBook) -> dict[Side, Foot]:
    """Heel and toe of each foot; the ends of the foot's segment where it has no such markers."""
    feet: dict[Side, Foot] = {}
    for side in book.subject.sides:
        row = foot_segment(book, side)
        heel, toe = point_of(points, side, "heel", book), point_of(points, side, "toe", book)
        metatarsal = point_of(points, side, "mt5", book)
        if row is not None:
            ends = sorted((points[row.proximal], points[row.distal]), key=lambda each: float(np.nanmean(each[:, 0])))
            heel = ends[0] if heel is None else heel
            metatarsal = ends[1] if metatarsal is None else metatarsal
        front = metatarsal if toe is None else toe
        if heel is not None and front is not None:
            feet[side] = Foot(heel, front, toe is not None)
    return feet


def _courses_of_feet(feet: Mapping[Side, Foot], points: Points, book: GaitBook) -> dict[Side, FootCourse]:
    courses: dict[Side, FootCourse] = {}
    for side, foot in feet.items():
        pelvis = _pelvis(side, points, book)
        if pelvis is not None:
            courses[side] = FootCourse(foot.heel[:, 0], foot.toe[:, 0], pelvis[:, 0])
    return courses


def _pelvis(side: Side, points: Points, book: GaitBook) -> Vector | None:
    """The sacrum, else the middle of the posterior spines, else the hip."""
    names = {fold(each): each for each in points}
    if "sacrum" in names:
        return points[names["sacrum"]]
    spines = [points[names[name]] for name in ("right psis", "left psis") if name in names]
    if len(spines) == 2:
        return np.asarray(np.mean(spines, axis=0))
    hip = point_of(points, side, "hip", book)
    thigh = next((row for row in book.segments if row.table == "thigh" and row.side in (side, None)), None)
    return points[thigh.proximal] if hip is None and thigh is not None else hip


def _timed(event: GivenEvent, prepared: PreparedTrial) -> GivenEvent:
    """An event with its time."""
    if np.isfinite(event.time) or event.trial != prepared.trial.name:
        return event
    found = np.flatnonzero(prepared.time.frames == event.frame)
    return replace(event, time=float(prepared.time.time[found[0]]) if len(found) else nan)


def _known(prepared: PreparedTrial, ground: Ground | None, contacts: Sequence[Contact]) -> dict[Side, Mask]:
    """(n,) where the force on each foot is known: it swings, or stands wholly on plates."""
    time = prepared.time.time
    known: dict[Side, Mask] = {}
    for side in SIDES:
        if ground is None:
            known[side] = np.zeros(len(time), np.bool_)
            continue
        slack = 1e-9 + (0.0 if prepared.force_time is None else 1.0 / prepared.force_time.rate)
        there = (time >= ground.recorded[0] - slack) & (time <= ground.recorded[1] + slack)
        for each in contacts:
            if each.side == side and not (each.plates and each.whole):
                there &= (time < each.start) | (time > each.end)
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


def _loads(
    segments: Sequence[BodySegment], motion: BodyMotion, wrenches: Mapping[Side, FootWrench], book: GaitBook
) -> JointLoads:
    on_segments = {}
    for side in book.subject.sides:
        foot = foot_segment(book, side)
        if foot is not None:
            wrench = wrenches[side]
            planar = np.column_stack((wrench.force[:, :2], wrench.moment[:, 2]))
            on_segments[foot.name] = np.nan_to_num(planar)
    return joint_loads([motion.segments[each.row.name] for each in segments], on_segments, book.gravity)


def joint_angle(joint: JointRow, motion: BodyMotion, book: GaitBook) -> Vector:
    """(n,) of a joint in rad in its positive sense, without its neutral; between -pi and pi in the mean."""
    upper = motion.lines.get(joint.proximal)
    angle = motion.lines[joint.distal] - (0.5 * np.pi if upper is None else upper)
    angle = angle - 2.0 * np.pi * np.round(np.nanmean(angle) / (2.0 * np.pi))
    return np.asarray(sense(joint, book) * angle)


def sense(joint: JointRow, book: GaitBook) -> float:
    """+1 where the joint's positive sense is that of the distal segment counter-clockwise.

    The knee flexes as the shank turns backward, hip and ankle as thigh and foot turn forward and up.
    """
    table = next((row.table for row in book.segments if row.name == joint.distal), None)
    sign = -1.0 if table == "shank" else 1.0
    return -sign if joint.positive in REVERSED else sign


def _joint(
    joint: JointRow,
    motion: BodyMotion,
    loads: JointLoads | None,
    known: Mapping[Side, Mask],
    standing: Standing,
    book: GaitBook,
    rates: Derivatives,
) -> Course:
    angle = joint_angle(joint, motion, book)
    turned = -1.0 if joint.positive in REVERSED else 1.0
    neutral = standing.angles.get(joint.label, 0.0) if joint.neutral == "static" else turned * joint.neutral
    course = {"angle": angle - neutral, "rate": rates(angle[None])[0][0]}
    if loads is None:
        return course
    distal = motion.segments[joint.distal]
    above = motion.segments.get(distal.parent or "")
    is_known = known[joint.side] if joint.side else known["right"] & known["left"]
    force, moment = loads.force[joint.distal], loads.moment[joint.distal]
    kinetic = {
        "moment": moment,
        "power": joint_power(loads, distal, above),
        "fx": force[:, 0],
        "fy": force[:, 1],
    }
    return course | {name: np.where(is_known, values, nan) for name, values in kinetic.items()}


def _foot_course(wrench: FootWrench, known: Mask) -> Course:
    of_ground = {"fx": wrench.force[:, 0], "fy": wrench.force[:, 1], "m": wrench.moment[:, 2]}
    return {name: np.where(known, values, nan) for name, values in of_ground.items()} | {"px": wrench.pressure[:, 0]}


def is_whole_body(book: GaitBook) -> bool:
    """Whether both legs and a trunk are there, so that nobody else can carry anything."""
    tables = [row.table for row in book.segments]
    return "hat" in tables and all(tables.count(name) == 2 for name in ("foot", "shank", "thigh"))


def _residual(loads: JointLoads | None, known: Mapping[Side, Mask], book: GaitBook) -> Course | None:
    if loads is None or not is_whole_body(book):
        return None
    both = known["right"] & known["left"]
    names = ("fx", "fy", "m")
    return {name: np.where(both, loads.residual[:, index], nan) for index, name in enumerate(names)}


def _com(motion: BodyMotion, book: GaitBook) -> Vector:
    """(n, 3) of the whole body; NaN where it is not all there."""
    segments = list(motion.segments.values())
    planar = sum(each.mass * each.com for each in segments) / sum(each.mass for each in segments)
    missing = np.full((len(planar), 1), nan)
    return np.hstack((planar if is_whole_body(book) else np.full(planar.shape, nan), missing))


def _edge(prepared: PreparedTrial, book: GaitBook, cutoffs: Vector) -> Mask:
    """(n,) within so many cut-off periods of either end."""
    finite = cutoffs[np.isfinite(cutoffs)]
    period = 1.0 / float(np.median(finite)) if len(finite) else FASTEST_PERIOD
    time, width = prepared.time.time, book.processing.edge * period * (1.0 - 1e-9)
    return np.asarray((time - time[0] < width) | (time[-1] - time < width))


def _filled(prepared: PreparedTrial, book: GaitBook) -> Mask:
    """(n,) where a gap was filled in what segments need."""
    of_centres = {row.name: row.markers for row in book.centres}
    wanted: set[str] = set()
    waiting = [name for row in book.segments for name in (row.proximal, row.distal, *row.line, *row.markers)]
    while waiting:
        name = waiting.pop()
        if name not in wanted:
            wanted.add(name)
            waiting += of_centres.get(name, ())
    rows = [index for index, label in enumerate(prepared.labels) if label in wanted]
    return np.asarray(prepared.filled[rows].any(axis=(0, 1)))
