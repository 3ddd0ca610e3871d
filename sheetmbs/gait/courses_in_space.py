"""Courses of joints in space: angles after Grood and Suntay, moments in the axes that the workbook asks for, power."""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from sheetmbs.gait.joint_courses import sense
from sheetmbs.gait.kinematics.clustered_segments import SegmentsInSpace
from sheetmbs.gait.kinematics.joint_rotations import Vector, joint_angles, moment_in
from sheetmbs.gait.kinetics.spatial_loads import SpatialLoads, spatial_power
from sheetmbs.gait.trial.gait_book import GaitBook, JointRow
from sheetmbs.gait.trial.trial_courses import Course, Mask

ANGLES = ("flexion", "adduction", "rotation")
VERTICAL = np.eye(3)[None]
"""axes of the laboratory, of a joint whose proximal segment is the ground"""


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
