"""How the bodies of the conventional gait model move: axes of every segment in each frame, from markers and joint centres."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.body.body_segments import BodySegment, Derivatives, Points
from sheetmbs.gait.conventional.body_rows import PELVIS, TRUNK, sign_of
from sheetmbs.gait.conventional.model_angles import ankle_angles, axial_angles, foot_from_toe, progression
from sheetmbs.gait.conventional.model_frames import (
    bone_frame,
    foot_frame,
    pelvis_frame,
    thorax_frame,
    turned_about_y,
)
from sheetmbs.gait.kinematics.clustered_segments import SegmentsInSpace, moving_segment
from sheetmbs.gait.kinematics.rotations import turning
from sheetmbs.gait.kinetics.joint_loads import SpatialMotion
from sheetmbs.gait.trial.gait_book import THORAX, ConventionalModel, GaitBook, JointRow, Side
from sheetmbs.gait.trial.trial_courses import Course

AXIAL = ("tilt", "obliquity", "rotation")
"""angles of pelvis and trunk in the laboratory"""


@dataclass(frozen=True)
class LegFrames:
    """Axes (n, 3, 3) of a leg. ankle: with z along its own chord. behind_ankle: of the foot, x from the ankle's centre."""

    thigh: Vector
    ankle: Vector
    shank: Vector
    behind_ankle: Vector


def frames_of_leg(model: ConventionalModel, points: Points, side: Side) -> LegFrames:
    """Axes of a leg. points: markers and joint centres (n, 3)."""
    sign = sign_of(side)
    hip, knee, ankle = (points[f"{side} {joint} centre"] for joint in ("hip", "knee", "ankle"))
    thigh = bone_frame(hip, knee, points[model.of(f"{side} knee")], sign)
    of_ankle = bone_frame(knee, ankle, points[model.of(f"{side} ankle")], sign)
    shank = turned_about_y(of_ankle, sign * model.measures.legs[side].torsion)
    return LegFrames(thigh, of_ankle, shank, foot_frame(ankle, points[model.of(f"{side} toe")], of_ankle))


def axes_of_pelvis(model: ConventionalModel, points: Points) -> tuple[Vector, Vector]:
    """Origin (n, 3) and axes (n, 3, 3) of the pelvis."""
    back = np.mean([points[name] for name in model.backs], axis=0)
    return pelvis_frame(points[model.of("right asis")], points[model.of("left asis")], back)


def follow_conventional(
    points: Points, segments: Sequence[BodySegment], book: GaitBook, derivatives: Derivatives
) -> SegmentsInSpace:
    """The motion of all segments, and of the pelvis, which has no mass here.

    points: markers and joint centres (n, 3) in x forward, y up, z to the right.
    """
    model = book.conventional
    if model is None:
        raise ValueError("the workbook has another model")
    axes: dict[str, Vector] = {}
    for side in book.subject.sides:
        frames, standing = frames_of_leg(model, points, side), model.standing[side]
        axes |= {f"{side} thigh": frames.thigh, f"{side} shank": frames.shank, f"{side} ankle": frames.ankle}
        axes[f"{side} foot"] = foot_from_toe(frames.behind_ankle, standing.alpha, standing.beta)
    if model.has_thorax:
        axes[TRUNK] = thorax_frame(*(points[model.of(name)] for name in THORAX))
    moving = {
        each.row.name: moving_segment(
            each, points[each.row.proximal], points[each.row.distal], axes[each.row.name], derivatives
        )
        for each in segments
    }
    origin, pelvis = axes_of_pelvis(model, points)
    return SegmentsInSpace(moving, {}, {PELVIS: _massless(PELVIS, origin, pelvis, derivatives)}, axes)


def _massless(name: str, origin: Vector, axes: Vector, derivatives: Derivatives) -> SpatialMotion:
    first, second = derivatives(origin.T)
    omega, alpha = turning(axes, derivatives)
    nothing = np.zeros((3, 3))
    return SpatialMotion(name, None, 0.0, nothing, origin, first.T, second.T, axes, omega, alpha, origin)


def angles_of_ankle(joint: JointRow, motion: SegmentsInSpace) -> Vector:
    """(n, 3) dorsiflexion, inversion and internal rotation in rad of the foot behind the axes of its ankle."""
    side: Side = joint.side or "right"
    return ankle_angles(motion.axes[f"{side} ankle"], motion.segments[joint.distal].rotation, side)


def courses_in_laboratory(motion: SegmentsInSpace, sides: Sequence[Side]) -> dict[str, Course]:
    """Angles in rad of pelvis and trunk, and the progression of the feet, each by the side whose signs it has."""
    found: dict[str, Course] = {}
    axial = {PELVIS: motion.massless[PELVIS].rotation}
    if TRUNK in motion.axes:
        axial[TRUNK] = motion.axes[TRUNK]
    for side in sides:
        for name, axes in axial.items():
            found[f"{side} {name}"] = dict(zip(AXIAL, axial_angles(axes, side).T, strict=True))
        found[f"{side} foot"] = {"progression": progression(motion.segments[f"{side} foot"].rotation, side)}
    return found
