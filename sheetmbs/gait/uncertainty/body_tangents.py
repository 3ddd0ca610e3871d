"""How bodies in space move with an error, to first order, before anything is differentiated in time.

Poses follow markers frame by frame, so that a tangent of them needs no derivative, and only the bodies that an error touches
are placed again. What follows from their motion is `load_tangents`.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.body.body_segments import StandingTrial
from sheetmbs.gait.conventional.followed_body import courses_in_laboratory
from sheetmbs.gait.force_plate_assignment import FootWrench
from sheetmbs.gait.joint_courses import (
    SPATIAL_ANGLES,
    follow_in_space,
    joint_in_space,
    neutral_angles,
    still_segments,
    wrenches_in_space,
)
from sheetmbs.gait.kinematics.clustered_segments import FollowedBefore, SegmentsInSpace
from sheetmbs.gait.kinetics.joint_loads import SpatialLoads, SpatialMotion
from sheetmbs.gait.signals.derivatives import at_rest
from sheetmbs.gait.solve_trial import Choices, DisturbedInputs, SolvedTrial, disturbed_inputs, wrenches_on_segments
from sheetmbs.gait.strides.strides import side_of
from sheetmbs.gait.trial.disturbance import Disturbance
from sheetmbs.gait.trial.gait_book import GaitBook, Side
from sheetmbs.gait.trial.trial_courses import Course
from sheetmbs.gait.uncertainty.error_directions import everywhere

STEP = 1e-3
"""part of a standard deviation by which inputs are changed: so little that poses change in proportion"""
ANGLES = {*SPATIAL_ANGLES, "tilt", "obliquity", "progression"}
MOMENTS = {"moment_flexion", "moment_adduction", "moment_rotation", "mx", "my", "mz"}


@dataclass(frozen=True, eq=False)
class BodyTangent:
    """How a body changes with an error.

    turn: (n, 3) rad, global. com, proximal: (n, 3) m. mass: kg. inertia: (3, 3) in its axes, kg m^2.
    """

    turn: Vector
    com: Vector
    proximal: Vector
    mass: float
    inertia: Vector


@dataclass(frozen=True, eq=False)
class TrialTangent:
    """How a trial changes with an error. bodies: by name, those that change. wrenches: (n, 6) on the segments of feet.

    courses: by joint, angles, and components of moments as far as their axes turn; those that change.
    shifts: (n, 3) m of filtered markers that move.
    """

    bodies: Mapping[str, BodyTangent]
    wrenches: Mapping[str, Vector]
    courses: Mapping[str, Course]
    shifts: Mapping[str, Vector]

    @property
    def touched(self) -> frozenset[str]:
        """What an error changes: errors that touch the same are carried on together."""
        return frozenset((*self.bodies, *(f"ground {name}" for name in self.wrenches)))

    def of_side(self, side: Side | None, bodies: Mapping[str, Side | None], labels: Iterable[str]) -> TrialTangent:
        """What one side feels, of errors of both sides that were tried at once. bodies: their sides. labels: of its markers."""
        if side is None:
            return self
        return TrialTangent(
            {name: each for name, each in self.bodies.items() if bodies.get(name) == side},
            {name: each for name, each in self.wrenches.items() if bodies.get(name) == side},
            {label: each for label, each in self.courses.items() if side_of(label) == side},
            {label: self.shifts[label] for label in labels if label in self.shifts},
        )


class SpatialTangents:
    """Tangents of one solved trial in space with plates or without."""

    def __init__(self, solved: SolvedTrial, book: GaitBook, standing: StandingTrial, choices: Choices) -> None:
        if solved.in_space is None:
            raise ValueError("the trial is not in space")
        self._solved, self._book, self._choices = solved, book, choices
        self.standing = standing
        self.motion: SegmentsInSpace = solved.in_space
        self.loads = solved.loads if isinstance(solved.loads, SpatialLoads) else None
        self._still = still_segments(standing, solved.segments, book)
        self._wrenches = {} if solved.ground is None else wrenches_in_space(solved.ground.feet, book)
        feet = () if solved.ground is None else solved.ground.feet.values()
        self._is_loaded = np.all([np.isfinite(each.force).all(axis=1) for each in feet], axis=0)
        self._base = self._courses(self.motion, None)

    def of(self, disturbance: Disturbance, standing: StandingTrial) -> TrialTangent:
        """The tangent of an error. disturbance: one standard deviation of it. standing: as `STEP` of it has that."""
        solved, book = self._solved, self._book
        inputs = disturbed_inputs(solved, book, standing, self._choices, disturbance.times(STEP))
        motion, still = self.motion, None
        if inputs.points is not solved.courses.points or inputs.segments is not solved.segments:
            followed = FollowedBefore(solved.courses.points, solved.standing, solved.segments, self.motion)
            motion = follow_in_space(inputs.points, standing, inputs.segments, book, at_rest, followed)
            if standing is not self.standing and self._still is not None:
                known = FollowedBefore(self.standing.points, self.standing.points, solved.segments, self._still)
                still = still_segments(standing, inputs.segments, book, known)
        old = {**self.motion.segments, **self.motion.massless}
        bodies = {
            name: _tangent(old[name], each)
            for name, each in {**motion.segments, **motion.massless}.items()
            if each is not old[name] and not _is_same(each, old[name])
        }
        shifts = _shifts(solved, inputs)
        return TrialTangent(
            bodies, self._changed_wrenches(inputs.wrenches), self._changed_courses(motion, still, set(bodies)), shifts
        )

    def _changed_wrenches(self, feet: Mapping[Side, FootWrench]) -> dict[str, Vector]:
        """Of each foot that feels the error. A frame that a delay moves beyond the recording changes as the one beside it."""
        if not feet:
            return {}
        known = np.isfinite([each.force for each in feet.values()]).all(axis=(0, 2))
        changes = {
            name: (each - self._wrenches[name]) / STEP for name, each in wrenches_in_space(feet, self._book).items()
        }
        return {
            name: everywhere(np.where((known | ~self._is_loaded)[:, None], each, np.nan))
            for name, each in changes.items()
            if each.any()
        }

    def _changed_courses(
        self, motion: SegmentsInSpace, still: SegmentsInSpace | None, bodies: set[str]
    ) -> dict[str, Course]:
        if motion is self.motion:
            return {}
        touched = None if still is not None else bodies
        changed = self._courses(motion, still, touched)
        return {
            label: {name: (values - self._base[label][name]) / STEP for name, values in course.items()}
            for label, course in changed.items()
        }

    def _courses(
        self, motion: SegmentsInSpace, still: SegmentsInSpace | None, touched: set[str] | None = None
    ) -> dict[str, Course]:
        """Angles, and components of the moments as they were solved, about axes of a motion. touched: bodies, None all."""
        book, found = self._book, dict[str, Course]()
        everywhere = np.ones(len(self._solved.courses.time), np.bool_)
        for joint in book.joints:
            if touched is None or joint.distal in touched or joint.proximal in touched:
                neutral = neutral_angles(joint, still or self._still, book)
                course = joint_in_space(joint, motion, self.loads, everywhere, neutral, book)
                found[joint.label] = {name: each for name, each in course.items() if name in ANGLES | MOMENTS}
        if book.conventional is not None:
            found |= courses_in_laboratory(motion, book.subject.sides)
        return found


def planar_tangent(solved: SolvedTrial, book: GaitBook, inputs: DisturbedInputs) -> TrialTangent:
    """Difference markers and forces of a trial in the plane, from inputs with `STEP` of an error."""
    before = {} if solved.ground is None else wrenches_on_segments(solved.ground.feet, book)
    after = wrenches_on_segments(inputs.wrenches, book) if inputs.wrenches else {}
    wrenches = {name: (each - before[name]) / STEP for name, each in after.items()}
    return TrialTangent({}, wrenches, {}, _shifts(solved, inputs))


def _shifts(solved: SolvedTrial, inputs: DisturbedInputs) -> dict[str, Vector]:
    before = solved.courses.points
    return {
        label: (inputs.points[label] - before[label]) / STEP
        for label in solved.prepared.labels
        if inputs.points[label] is not before[label]
    }


def _is_same(one: SpatialMotion, other: SpatialMotion) -> bool:
    return (
        one.mass == other.mass
        and np.array_equal(one.inertia, other.inertia)
        and all(
            np.array_equal(a, b, equal_nan=True)
            for a, b in ((one.com, other.com), (one.proximal, other.proximal), (one.rotation, other.rotation))
        )
    )


def _tangent(base: SpatialMotion, changed: SpatialMotion) -> BodyTangent:
    turned = (changed.rotation - base.rotation) @ np.swapaxes(base.rotation, 1, 2) / STEP
    turn = 0.5 * np.stack([turned[:, k, j] - turned[:, j, k] for j, k in ((1, 2), (2, 0), (0, 1))], axis=1)
    return BodyTangent(
        turn,
        (changed.com - base.com) / STEP,
        (changed.proximal - base.proximal) / STEP,
        (changed.mass - base.mass) / STEP,
        (changed.inertia - base.inertia) / STEP,
    )
