"""What the standing trial adds to the conventional gait model: the width of the pelvis, and how the feet stand."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.body.body_segments import Points
from sheetmbs.gait.conventional.body_rows import centre_rows
from sheetmbs.gait.conventional.followed_body import frames_of_leg
from sheetmbs.gait.conventional.model_angles import foot_offsets
from sheetmbs.gait.conventional.model_frames import foot_frame
from sheetmbs.gait.kinematics.rotations import joint_angles
from sheetmbs.gait.trial.gait_book import ConventionalModel, GaitBook, Side, StandingLeg


def with_pelvis(book: GaitBook, still: Points) -> GaitBook:
    """A workbook whose hips have their places in the pelvis. still: markers (k, 3) of the standing trial."""
    model = book.conventional
    if model is None:
        return book
    measured = width_of_pelvis(model, still)
    model = replace(model, inter_asis=measured if model.measures.inter_asis is None else model.measures.inter_asis)
    own = [row for row in book.centres if row.name.endswith("hip centre")]
    sides = book.subject.sides
    return replace(book, conventional=model, centres=tuple(centre_rows(model, sides, own if _is_own(model) else [])))


def _is_own(model: ConventionalModel) -> bool:
    return model.hip_rule == "score"


def width_of_pelvis(model: ConventionalModel, still: Points) -> float:
    """The mean distance of the anterior spines in m, over the frames in which both are seen."""
    apart = np.linalg.norm(still[model.of("right asis")] - still[model.of("left asis")], axis=1)
    return float(np.nanmean(apart)) if np.isfinite(apart).any() else float("nan")


def with_standing_legs(book: GaitBook, still: Points) -> GaitBook:
    """A workbook whose model knows how feet stand. still: markers and joint centres (k, 3) of the standing trial."""
    model = book.conventional
    if model is None:
        return book
    legs = {side: standing_leg(model, still, side) for side in book.subject.sides}
    return replace(book, conventional=replace(model, standing=legs))


def standing_leg(model: ConventionalModel, still: Points, side: Side) -> StandingLeg:
    """How the foot and the knee of a side stand."""
    frames = frames_of_leg(model, still, side)
    toe = still[model.of(f"{side} toe")]
    heel = _heel(model, still[model.of(f"{side} heel")], toe, side)
    alpha, beta = foot_offsets(frames.behind_ankle, foot_frame(heel, toe, frames.ankle))
    varus = joint_angles(frames.thigh, frames.shank, side)[:, 1]
    return StandingLeg(alpha, beta, float(np.nanmean(varus)) if np.isfinite(varus).any() else float("nan"))


def _heel(model: ConventionalModel, heel: Vector, toe: Vector, side: Side) -> Vector:
    """The heel as it counts: of a flat foot as high as the toe, and higher by what the sole adds."""
    if not model.is_foot_flat:
        return heel
    level = heel.copy()
    level[:, 1] = toe[:, 1] + model.measures.legs[side].sole_delta
    return level
