"""Courses of joints in space: angles after Grood and Suntay, moments in the axes that the workbook asks for, power."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.gait.body.body_segments import BodySegment, Derivatives, Points, StandingTrial
from sheetmbs.gait.feet import foot_segment
from sheetmbs.gait.force_plate_assignment import FootWrench
from sheetmbs.gait.joint_courses import is_whole_body, sense
from sheetmbs.gait.kinematics.clustered_segments import SegmentsInSpace, follow_clusters
from sheetmbs.gait.kinematics.joint_rotations import Vector, joint_angles, moment_in
from sheetmbs.gait.kinetics.spatial_loads import SpatialLoads, spatial_loads, spatial_power
from sheetmbs.gait.trial.gait_book import GaitBook, JointRow, Side
from sheetmbs.gait.trial.trial_courses import Course, Mask

ANGLES = ("flexion", "adduction", "rotation")
VERTICAL = np.eye(3)[None]
"""axes of the laboratory, of a joint whose proximal segment is the ground"""


RESIDUAL = ("fx", "fy", "fz", "mx", "my", "mz")


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
        motion = follow_clusters(points, standing.points, segments, book.frames, rates)
    still = follow_clusters(standing.points, standing.points, segments, book.frames, rates)
    loads = None
    if ground:
        loads = spatial_loads(list(motion.segments.values()), wrenches_in_space(ground, book), book.gravity)
    courses: dict[str, Course] = {}
    for joint in book.joints:
        is_known = known[joint.side] if joint.side else known["right"] & known["left"]
        course = joint_in_space(joint, motion, loads, is_known, _neutral(joint, still, book), book)
        about = course.get("moment_flexion", course.get("mz"))
        planar = {"angle": course["flexion"], "rate": rates(course["flexion"][None])[0][0]}
        courses[joint.label] = {**course, **planar, **({} if about is None else {"moment": about})}
    return SolvedInSpace(motion, loads, courses, _residual(loads, known, book), _com(motion, book))


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
    return {name: np.where(both, values, np.nan) for name, values in zip(RESIDUAL, loads.residual.T, strict=True)}


def _com(motion: SegmentsInSpace, book: GaitBook) -> Vector:
    segments = list(motion.segments.values())
    com = np.asarray(sum(each.mass * each.com for each in segments) / sum(each.mass for each in segments))
    return com if is_whole_body(book) else np.full(com.shape, np.nan)


def _neutral(joint: JointRow, still: SegmentsInSpace, book: GaitBook) -> dict[str, float]:
    """Angles in rad that are taken off: those of the standing trial, or a flexion that the workbook gives."""
    if joint.neutral == "static":
        return {name: float(np.nanmean(angle)) for name, angle in angles_in_space(joint, still, book).items()}
    return {"flexion": joint.neutral}


def angles_in_space(joint: JointRow, motion: SegmentsInSpace, book: GaitBook) -> dict[str, Vector]:
    """(n,) each in rad without the neutral: flexion in the joint's positive sense, adduction and internal rotation +."""
    distal = motion.segments[joint.distal]
    angles = joint_angles(_proximal_axes(joint, motion), distal.rotation, joint.side)
    angles[:, 0] *= sense(joint, book)
    return dict(zip(ANGLES, angles.T, strict=True))


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
    without a neutral. Moments of jcs are about e1, e2 and e3 with the signs of their angles; others, ``mx``, ``my``, ``mz``,
    are along axes of a segment or of the laboratory.
    """
    course = {name: angle - neutral.get(name, 0.0) for name, angle in angles_in_space(joint, motion, book).items()}
    if loads is None:
        return course
    distal, axes = motion.segments[joint.distal], book.processing.moment_axes
    moment = moment_in(axes, loads.moment[joint.distal], _proximal_axes(joint, motion), distal.rotation, joint.side)
    names = [f"moment_{name}" for name in ANGLES] if axes == "jcs" else ["mx", "my", "mz"]
    force = dict(zip(("fx", "fy", "fz"), loads.force[joint.distal].T, strict=True))
    power = spatial_power(loads, distal, motion.segments.get(joint.proximal))
    kinetic = dict(zip(names, moment.T, strict=True)) | force | {"power": power}
    return course | {name: np.where(known, values, np.nan) for name, values in kinetic.items()}


def _proximal_axes(joint: JointRow, motion: SegmentsInSpace) -> Vector:
    """(n, 3, 3) of the segment above a joint, or of the laboratory."""
    above = motion.segments.get(joint.proximal)
    count = len(motion.segments[joint.distal].com)
    return np.tile(VERTICAL, (count, 1, 1)) if above is None else above.rotation
