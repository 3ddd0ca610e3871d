"""Courses of joints, feet and the whole body, from the motion and loads of segments, in the plane and in space.

In space angles are those of Grood and Suntay, and moments stand in the axes that the workbook asks for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import nan

import numpy as np

from sheetmbs.gait.arrays import Mask, Vector
from sheetmbs.gait.body.body_segments import BodySegment, Derivatives, Points, SegmentMotions, StandingTrial, mean_seen
from sheetmbs.gait.conventional.followed_body import angles_of_ankle, courses_in_laboratory, follow_conventional
from sheetmbs.gait.feet import foot_segment
from sheetmbs.gait.force_plate_assignment import FootWrench
from sheetmbs.gait.kinematics.clustered_segments import FollowedBefore, SegmentsInSpace, follow_clusters, standing_axes
from sheetmbs.gait.kinematics.rotations import joint_angles, mirrored, moment_in
from sheetmbs.gait.kinematics.spatial_chain import JointInSpace, follow_chain_in_space
from sheetmbs.gait.kinetics.joint_loads import JointLoads, SpatialLoads, joint_power, spatial_loads, spatial_power
from sheetmbs.gait.prepare_trial import PreparedTrial
from sheetmbs.gait.signals.derivatives import at_rest
from sheetmbs.gait.trial.gait_book import GaitBook, JointRow, Side
from sheetmbs.gait.trial.trial_courses import Course
from sheetmbs.schema.gait_inputs import JointKind, SegmentMethod

FASTEST_PERIOD = 1.0 / 6.0
"""s: the edge where nothing is filtered and the workbook asks for one"""
REVERSED = ("extension", "plantarflexion")
ANKLE = "ankle"
SPATIAL_ANGLES = ("flexion", "adduction", "rotation")
KIND_OF_TABLE = {"thigh": JointKind.BALL, "shank": JointKind.HINGE, "foot": JointKind.TWO_HINGES}
"""row of the anthropometry -> how such a segment hangs on the one above, where Gait joints does not say"""
GROUND_AXES = np.eye(3)[None]
"""axes of the laboratory, of a joint whose proximal segment is the ground"""


SPATIAL_RESIDUAL = ("fx", "fy", "fz", "mx", "my", "mz")


def joint_angle(joint: JointRow, motion: SegmentMotions, book: GaitBook) -> Vector:
    """(n,) of a joint in rad in its positive sense, without its neutral; between -pi and pi in the mean."""
    upper = motion.lines.get(joint.proximal)
    angle = motion.lines[joint.distal] - (0.5 * np.pi if upper is None else upper)
    angle = angle - 2.0 * np.pi * np.round(mean_seen(angle) / (2.0 * np.pi))
    return np.asarray(sense(joint, book) * angle)


def sense(joint: JointRow, book: GaitBook) -> float:
    """+1 where the joint's positive sense is that of the distal segment counter-clockwise.

    The knee flexes as the shank turns backward, hip and ankle as thigh and foot turn forward and up.
    """
    table = next((row.table for row in book.segments if row.name == joint.distal), None)
    sign = -1.0 if table == "shank" else 1.0
    return -sign if joint.positive in REVERSED else sign


def joint_course(
    joint: JointRow,
    motion: SegmentMotions,
    loads: JointLoads | None,
    known: Mapping[Side, Mask],
    standing: StandingTrial,
    book: GaitBook,
    rates: Derivatives,
) -> Course:
    """Angle and rate of a joint in its positive sense; moment, power and force where the ground is known."""
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


def foot_course(wrench: FootWrench, known: Mask, book: GaitBook) -> Course:
    """What the ground does to a foot, where it is known."""
    of_ground = {"fx": wrench.force[:, 0], "fy": wrench.force[:, 1], "m": wrench.moment[:, 2]}
    pressure = {"px": wrench.pressure[:, 0]}
    if book.dimension == "3D":
        of_ground |= {"fz": wrench.force[:, 2], "mx": wrench.moment[:, 0], "my": wrench.moment[:, 1]}
        pressure["pz"] = wrench.pressure[:, 2]
    return {name: np.where(known, values, nan) for name, values in of_ground.items()} | pressure


def is_whole_body(book: GaitBook) -> bool:
    """Whether both legs and a trunk are there, so that nobody else can carry anything."""
    tables = [row.table for row in book.segments]
    return "hat" in tables and all(tables.count(name) == 2 for name in ("foot", "shank", "thigh"))


def residual_course(loads: JointLoads | None, known: Mapping[Side, Mask], book: GaitBook) -> Course | None:
    """What nobody applies to the whole body, where both feet are known; None without a whole body."""
    if loads is None or not is_whole_body(book):
        return None
    both = known["right"] & known["left"]
    names = ("fx", "fy", "m")
    return {name: np.where(both, loads.residual[:, index], nan) for index, name in enumerate(names)}


def com_course(motion: SegmentMotions, book: GaitBook) -> Vector:
    """(n, 3) of the whole body; NaN where it is not all there."""
    segments = list(motion.segments.values())
    planar = np.asarray(sum(each.mass * each.com for each in segments) / sum(each.mass for each in segments))
    missing = np.full((len(planar), 1), nan)
    return np.hstack((planar if is_whole_body(book) else np.full(planar.shape, nan), missing))


def cutoff_period(cutoffs: Vector) -> float:
    """In s, of the median of the cut-offs (markers,) in Hz; 0 where nothing is filtered."""
    finite = cutoffs[np.isfinite(cutoffs)]
    return 1.0 / float(np.median(finite)) if len(finite) else 0.0


def edge_frames(prepared: PreparedTrial, book: GaitBook, cutoffs: Vector) -> Mask:
    """(n,) within so many cut-off periods of either end."""
    period = cutoff_period(cutoffs) or FASTEST_PERIOD
    time, width = prepared.time.time, book.processing.edge * period * (1.0 - 1e-9)
    return np.asarray((time - time[0] < width) | (time[-1] - time < width))


def filled_frames(prepared: PreparedTrial, book: GaitBook) -> Mask:
    """(n,) where a gap was filled in what segments need."""
    wanted = book.made_of(name for row in book.segments for name in row.points)
    rows = [index for index, label in enumerate(prepared.labels) if label in wanted]
    return np.asarray(prepared.filled[rows].any(axis=(0, 1)))


@dataclass(frozen=True)
class SolvedInSpace:
    """A trial in space. joints: courses by label. loads: None without plates. residual: None without a whole body.

    com: (n, 3) of the whole body, NaN where it is not all there.
    """

    motion: SegmentsInSpace
    loads: SpatialLoads | None
    joints: Mapping[str, Course]
    residual: Course | None
    com: Vector


def solve_in_space(
    segments: Sequence[BodySegment],
    points: Points,
    standing: StandingTrial,
    ground: Mapping[Side, FootWrench],
    known: Mapping[Side, Mask],
    book: GaitBook,
    rates: Derivatives,
    motion: SegmentsInSpace | None = None,
) -> SolvedInSpace:
    """A trial in space; its joints have flexion as ``angle`` too, and the moment about its axis as ``moment``.

    ground: on each foot, empty without plates. known: by side, (n,) where it is. motion: where it was found before.
    """
    if motion is None:
        motion = follow_in_space(points, standing, segments, book, rates)
    still = still_segments(standing, segments, book)
    loads = None
    if ground:
        loads = spatial_loads(list(motion.segments.values()), wrenches_in_space(ground, book), book.gravity)
    courses: dict[str, Course] = {}
    for joint in book.joints:
        is_known = known[joint.side] if joint.side else known["right"] & known["left"]
        course = joint_in_space(joint, motion, loads, is_known, neutral_angles(joint, still, book), book)
        about = course.get("moment_flexion", course.get("mz"))
        planar = {"angle": course["flexion"], "rate": rates(course["flexion"][None])[0][0]}
        courses[joint.label] = {**course, **planar, **({} if about is None else {"moment": about})}
    if book.conventional is not None:
        courses |= courses_in_laboratory(motion, book.subject.sides)
    return SolvedInSpace(motion, loads, courses, _residual(loads, known, book), _com(motion, book))


def still_segments(
    standing: StandingTrial, segments: Sequence[BodySegment], book: GaitBook, before: FollowedBefore | None = None
) -> SegmentsInSpace | None:
    """Segments of the standing trial, from which angles count; None where no joint asks for that. before: as they stood."""
    if all(joint.neutral != "static" for joint in book.joints):
        return None
    return follow_in_space(standing.points, standing, segments, book, at_rest, before)


def follow_in_space(
    points: Points,
    standing: StandingTrial,
    segments: Sequence[BodySegment],
    book: GaitBook,
    rates: Derivatives,
    before: FollowedBefore | None = None,
) -> SegmentsInSpace:
    """The motion of segments, by their clusters or as the conventional gait model has them.

    before: segments that were followed, of which clusters take over those that are made of the same.
    """
    if book.conventional is not None:
        return follow_conventional(points, segments, book, rates)
    free = follow_clusters(points, standing.points, segments, book.frames, rates, before)
    if book.processing.kinematics != SegmentMethod.LEAST_SQUARES:
        return free
    axes = standing_axes(standing.points, book.frames)
    return follow_chain_in_space(points, standing.points, segments, joints_in_space(book), free, axes, rates)


def joints_in_space(book: GaitBook) -> dict[str, JointInSpace]:
    """How segments hang on those above them, by the segment below; what has no row of its own hangs by a ball."""
    rows = {joint.distal: joint for joint in book.joints}
    found: dict[str, JointInSpace] = {}
    for segment in book.segments:
        joint = rows.get(segment.name)
        if segment.parent is None:
            continue
        if joint is None:
            found[segment.name] = JointInSpace(JointKind.BALL)
            continue
        kind = joint.kind or KIND_OF_TABLE.get(segment.table or "", JointKind.BALL)
        ends = (-np.inf if joint.low is None else joint.low, np.inf if joint.high is None else joint.high)
        low, high = ends if sense(joint, book) > 0.0 else (-ends[1], -ends[0])
        found[segment.name] = JointInSpace(kind, low, high)
    return found


def wrenches_in_space(ground: Mapping[Side, FootWrench], book: GaitBook) -> dict[str, Vector]:
    """What the ground does to the segment of each foot: (n, 6) force and moment about the origin; 0 where unknown."""
    feet = {side: foot_segment(book, side) for side in book.subject.sides}
    return {
        foot.name: np.nan_to_num(np.hstack((ground[side].force, ground[side].moment)))
        for side, foot in feet.items()
        if foot is not None
    }


def _residual(loads: SpatialLoads | None, known: Mapping[Side, Mask], book: GaitBook) -> Course | None:
    """What nobody applies to the whole body, where both feet are known; the moment is about its centre of mass."""
    if loads is None or not is_whole_body(book):
        return None
    both = known["right"] & known["left"]
    return {
        name: np.where(both, values, np.nan) for name, values in zip(SPATIAL_RESIDUAL, loads.residual.T, strict=True)
    }


def _com(motion: SegmentsInSpace, book: GaitBook) -> Vector:
    segments = list(motion.segments.values())
    com = np.asarray(sum(each.mass * each.com for each in segments) / sum(each.mass for each in segments))
    return com if is_whole_body(book) else np.full(com.shape, np.nan)


def neutral_angles(joint: JointRow, still: SegmentsInSpace | None, book: GaitBook) -> dict[str, float]:
    """Angles in rad that are taken off: those of the standing trial, or a flexion that the workbook gives."""
    if joint.neutral == "static" and still is not None:
        return {name: float(np.nanmean(angle)) for name, angle in angles_in_space(joint, still, book).items()}
    return {"flexion": joint.neutral} if isinstance(joint.neutral, float) else {}


def angles_in_space(joint: JointRow, motion: SegmentsInSpace, book: GaitBook) -> dict[str, Vector]:
    """(n,) each in rad without the neutral: flexion in the joint's positive sense, adduction and internal rotation +."""
    if book.conventional is not None and joint.name == ANKLE:
        return dict(zip(SPATIAL_ANGLES, angles_of_ankle(joint, motion).T, strict=True))
    distal = motion.segments[joint.distal]
    angles = joint_angles(proximal_axes(joint, motion), distal.rotation, joint.side)
    angles[:, 0] *= sense(joint, book)
    return dict(zip(SPATIAL_ANGLES, angles.T, strict=True))


def joint_in_space(
    joint: JointRow,
    motion: SegmentsInSpace,
    loads: SpatialLoads | None,
    known: Mask,
    neutral: Mapping[str, float],
    book: GaitBook,
) -> Course:
    """Courses of one joint; loads act on the distal segment at its proximal joint.

    known: (n,) where the force of the ground is; elsewhere there are no loads. neutral: of each angle in rad, as it is
    without a neutral. Moments about axes of the joint or of a segment have the names and signs of the angles; ``mx``, ``my``,
    ``mz`` are components along axes of a segment or of the laboratory, of both sides alike.
    """
    course = {name: angle - neutral.get(name, 0.0) for name, angle in angles_in_space(joint, motion, book).items()}
    if loads is None:
        return course
    distal, axes = motion.segments[joint.distal], book.processing.moment_axes
    moment = moment_in(axes, loads.moment[joint.distal], proximal_axes(joint, motion), distal.rotation, joint.side)
    force = dict(zip(("fx", "fy", "fz"), loads.force[joint.distal].T, strict=True))
    power = spatial_power(loads, distal, motion.body(joint.proximal))
    kinetic = named_moments(moment, joint, axes) | force | {"power": power}
    return course | {name: np.where(known, values, np.nan) for name, values in kinetic.items()}


def named_moments(moment: Vector, joint: JointRow, axes: str) -> dict[str, Vector]:
    """Components (n, 3) under their names: about z, x and y of a segment a moment is one of flexion, adduction, rotation."""
    clinical = [f"moment_{name}" for name in SPATIAL_ANGLES]
    if axes == "jcs":
        return dict(zip(clinical, moment.T, strict=True))
    found = dict(zip(("mx", "my", "mz"), moment.T, strict=True))
    if axes == "global":
        return found
    return found | dict(zip(clinical, (moment[:, [2, 0, 1]] * mirrored(joint.side)).T, strict=True))


def proximal_axes(joint: JointRow, motion: SegmentsInSpace) -> Vector:
    """(n, 3, 3) of the segment above a joint, or of the laboratory."""
    above = motion.body(joint.proximal)
    count = len(motion.segments[joint.distal].com)
    return np.tile(GROUND_AXES, (count, 1, 1)) if above is None else above.rotation
