"""How far peaks are from linear: whole solutions about each peak alone, of all peaks at once.

Along the steepest direction of its errors a peak is solved one standard uncertainty to either side, and in the middle. A result
needs positions and their derivatives in its own frame alone, so that a window of frames about the peak tells it: outside, a
spline forgets what it runs through by 0.27 a frame. Windows of all peaks stand one behind the other, each with its own
standing trial, masses and forces.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.body.body_segments import BodySegment, Points, StandingTrial
from sheetmbs.gait.conventional.followed_body import courses_in_laboratory, follow_conventional
from sheetmbs.gait.force_plate_assignment import FootWrench
from sheetmbs.gait.joint_centres import with_centres
from sheetmbs.gait.joint_courses import (
    angles_in_space,
    joint_angle,
    joint_course,
    joint_in_space,
    wrenches_in_space,
)
from sheetmbs.gait.kinematics.clustered_segments import SegmentsInSpace, follow_standing_clusters
from sheetmbs.gait.kinematics.segments import follow_segments
from sheetmbs.gait.kinetics.joint_loads import JointLoads, SpatialLoads, cross, handed_on
from sheetmbs.gait.signals.derivatives import at_rest, derivatives
from sheetmbs.gait.solve_trial import SolvedTrial, wrenches_on_segments
from sheetmbs.gait.strides.peaks_and_work import Peak
from sheetmbs.gait.trial.disturbance import Disturbance, Disturbed
from sheetmbs.gait.trial.gait_book import SIDES, GaitBook, Side
from sheetmbs.gait.trial.trial_courses import Course, TrialCourses
from sheetmbs.gait.uncertainty.body_tangents import MOMENTS, TrialTangent
from sheetmbs.schema.gait_inputs import CentreKind, SegmentMethod

HALF = 12
"""frames of a window to either side of a peak: what lies beyond changes derivatives at the peak by 1e-7 of itself"""
SIGNS = (1.0, 0.0, -1.0)
"""how much of the steepest direction each window has"""
KINETIC = {*MOMENTS, "moment", "power"}
"""quantities that do not count turns"""


@dataclass(frozen=True, eq=False)
class WindowedPeak:
    """A peak. key: label and quantity of its course. direction: (errors,) how much of each error is in the steepest one."""

    key: tuple[str, str]
    peak: Peak
    direction: Vector


@dataclass(frozen=True, eq=False)
class TrialErrors:
    """All errors of a trial, by number: their tangents, and what they change of the trial and of the standing trial."""

    tangents: Mapping[int, TrialTangent]
    trial: Mapping[int, Disturbance]
    standing: Mapping[int, Disturbance]


def can_be_windowed(book: GaitBook) -> bool:
    """Whether every pose is determined by its own frame."""
    method, is_flat = book.processing.kinematics, book.dimension == "2D"
    is_alone = method == SegmentMethod.SEGMENTS if is_flat else method != SegmentMethod.LEAST_SQUARES
    is_each_frame = all(row.kind != CentreKind.SPHERE or row.fit is not None for row in book.centres)
    return (is_alone or book.conventional is not None) and is_each_frame


def bends(
    peaks: Sequence[WindowedPeak],
    solved: SolvedTrial,
    markers_at_rest: Points,
    errors: TrialErrors,
    book: GaitBook,
    supported: Callable[[TrialCourses], TrialCourses],
) -> list[float]:
    """Find the second difference y(+) + y(-) - 2 y of each peak at its time, in SI.

    markers_at_rest: (k, 3) markers of the standing trial, none without one. supported: adds support moments.
    """
    windows = _Windows(peaks, solved, errors, book)
    courses = supported(replace(solved.courses, joints=windows.solved_courses(markers_at_rest))).joints
    time, found = solved.courses.time, []
    for number, each in enumerate(peaks):
        label, quantity = each.key
        own = courses[label][quantity].reshape(len(peaks), len(SIGNS), -1)[number]
        if quantity not in KINETIC:
            own = own - 2.0 * np.pi * np.round((own - own[1]) / (2.0 * np.pi))
        series = np.full((len(SIGNS), len(time)), np.nan)
        series[:, windows.frames.reshape(len(peaks), len(SIGNS), -1)[number, 0]] = own
        up, middle, down = each.peak.of(series, time)
        found.append(float(up + down - 2.0 * middle))
    return found


class _Windows:
    """Windows of frames, three for each peak: (windows * frames, ..) one behind the other."""

    def __init__(self, peaks: Sequence[WindowedPeak], solved: SolvedTrial, errors: TrialErrors, book: GaitBook) -> None:
        count = len(solved.courses.time)
        self.width = min(2 * HALF + 1, count)
        starts = np.array([min(max(peak.peak.sample - HALF, 0), count - self.width) for peak in peaks for _ in SIGNS])
        self.frames = (starts[:, None] + np.arange(self.width)).ravel()
        self.sizes = np.array([sign * peak.direction for peak in peaks for sign in SIGNS])
        self._solved, self._errors, self._book = solved, errors, book

    def solved_courses(self, markers_at_rest: Points) -> dict[str, Course]:
        """Courses of all joints in all windows."""
        return (self._in_plane if self._book.dimension == "2D" else self._in_space)(markers_at_rest)

    def _in_plane(self, markers_at_rest: Points) -> dict[str, Course]:
        book, points = self._book, self._points()
        bodies = [self._segment(each) for each in self._solved.segments]
        motion = follow_segments(points, bodies, self._rates)
        needed = {}
        for segment in self._solved.segments:
            body = motion.segments[segment.row.name]
            heavier, wider = (
                1.0 + np.repeat(self._numbers(what, body.name), self.width)
                for what in (Disturbed.MASS, Disturbed.GYRATION)
            )
            force = (heavier * segment.mass.mass)[:, None] * (body.acceleration + np.array([0.0, book.gravity]))
            inertia = segment.inertia * (heavier * wider**2 if segment.mass.inertia is None else 1.0)
            needed[body.name] = np.column_stack((force, cross(body.com, force) + inertia * body.angular_acceleration))
        total = self._handed_on(needed, wrenches_on_segments, {row.name: row.parent for row in book.segments})
        loads = None
        if total:
            force_at = {name: each[:, :2] for name, each in total.items()}
            moment = {n: each[:, 2] - cross(motion.segments[n].proximal, each[:, :2]) for n, each in total.items()}
            nothing = np.zeros((len(self.frames), 3))
            loads = JointLoads(force_at, moment, nothing, nothing, nothing[:, 0], nothing[:, 0])
        known = dict.fromkeys(SIDES, np.ones(len(self.frames), np.bool_))
        standing = StandingTrial({}, self._planar_neutrals(markers_at_rest))  # type: ignore[arg-type]
        return {
            joint.label: joint_course(joint, motion, loads, known, standing, book, self._rates) for joint in book.joints
        }

    def _numbers(self, what: str, name: str) -> Vector:
        """(windows,) of how much a number of a segment is changed."""
        changed = np.zeros(len(self.sizes))
        for number, each in self._errors.trial.items():
            changed += self.sizes[:, number] * float(each.of(what).get(name, 0.0))
        return changed

    def _planar_neutrals(self, markers: Points) -> dict[str, Vector]:
        """By joint, (frames,) of its angle in the standing trial."""
        book = self._book
        if not markers or all(joint.neutral != "static" for joint in book.joints):
            return {}
        stood = follow_segments(self._standing(markers), self._solved.segments, at_rest)
        return {joint.label: np.repeat(joint_angle(joint, stood, book), self.width) for joint in book.joints}

    def _handed_on(
        self,
        needed: dict[str, Vector],
        on_segments: Callable[[Mapping[Side, FootWrench], GaitBook], dict[str, Vector]],
        parents: Mapping[str, str | None],
    ) -> dict[str, Vector]:
        """What each segment and all below it need, less what the ground does; nothing without plates."""
        if self._solved.ground is None:
            return {}
        for name, wrench in on_segments(self._solved.ground.feet, self._book).items():
            changes = {
                number: each.wrenches[name] for number, each in self._errors.tangents.items() if name in each.wrenches
            }
            needed[name] -= self._sum(wrench, changes)
        return handed_on(needed, parents)

    def _in_space(self, markers_at_rest: Points) -> dict[str, Course]:
        book, points = self._book, self._points()
        bodies = [self._segment(each) for each in self._solved.segments]
        still = None
        if book.conventional is None:
            still = self._standing(markers_at_rest)
            spread = {name: np.repeat(each, self.width, axis=0) for name, each in still.items()}
            motion = follow_standing_clusters(points, spread, bodies, book.frames, self._rates)
        else:
            motion = follow_conventional(points, bodies, book, self._rates)
        motion = self._with_masses(motion)
        loads = self._loads(motion)
        everywhere = np.ones(len(self.frames), np.bool_)
        courses: dict[str, Course] = {}
        neutrals = self._neutrals(still, bodies)
        for joint in book.joints:
            course = joint_in_space(joint, motion, loads, everywhere, {}, book)
            own = neutrals.get(joint.label, {})
            course = {name: values - own[name] if name in own else values for name, values in course.items()}
            about = course.get("moment_flexion", course.get("mz"))
            more = {} if about is None else {"moment": about}
            courses[joint.label] = {**course, "angle": course["flexion"], **more}
        if book.conventional is not None:
            courses |= courses_in_laboratory(motion, book.subject.sides)
        return courses

    def _rates(self, values: Vector) -> tuple[Vector, Vector]:
        """Derivatives within each window."""
        shape = values.shape
        rate, kind = self._solved.courses.rate, self._book.processing.derivative
        first, second = derivatives(values.reshape(*shape[:-1], -1, self.width), rate, kind)
        return first.reshape(shape), second.reshape(shape)

    def _sum(self, base: Vector, changes: Mapping[int, Vector]) -> Vector:
        """Courses (n, ..) with so much of each error in each window."""
        total = base[self.frames].astype(np.float64)
        for number, change in changes.items():
            sizes = np.repeat(self.sizes[:, number], self.width)
            if sizes.any():
                total += sizes.reshape(-1, *[1] * (change.ndim - 1)) * change[self.frames]
        return total

    def _points(self) -> dict[str, Vector]:
        solved, errors, book = self._solved, self._errors, self._book
        markers = {
            label: self._sum(
                solved.courses.points[label],
                {number: own.shifts[label] for number, own in errors.tangents.items() if label in own.shifts},
            )
            for label in solved.prepared.labels
        }
        moved = {}
        for row in book.centres:
            own = _of_centre(errors.trial, row.name)
            if own:
                moved[row.name] = self._sum(np.zeros((len(solved.courses.time), 3)), own)
        return with_centres(markers, book.centres, book.segments, book.dimension, moved)

    def _standing(self, markers: Points) -> dict[str, Vector]:
        """(windows, 3) of markers and centres of the standing trial, in the mean over its frames."""
        book, own = self._book, self._errors.standing
        mean = {label: np.nanmean(each, axis=0) for label, each in markers.items()}

        def shifted(name: str, what: str) -> Vector:
            shift = np.zeros((len(self.sizes), 3))
            for number, each in own.items():
                if (what, name) in each.parts:
                    shift += np.outer(self.sizes[:, number], np.nanmean(each.parts[what, name], axis=0))
            return shift

        still = {label: each + shifted(label, Disturbed.MARKER) for label, each in mean.items()}
        moved = {row.name: shifted(row.name, Disturbed.CENTRE) for row in book.centres}
        return with_centres(still, book.centres, book.segments, book.dimension, moved)

    def _segment(self, segment: BodySegment) -> BodySegment:
        """A segment whose centre of mass lies elsewhere in each window."""
        com = segment.mass.com + self._numbers(Disturbed.COM, segment.row.name)
        spread = np.repeat(com, self.width)[:, None]
        return replace(segment, mass=replace(segment.mass, com=spread))  # type: ignore[arg-type]

    def _with_masses(self, motion: SegmentsInSpace) -> SegmentsInSpace:
        """Segments with masses (frames,) and inertias (frames, 3, 3) of each window."""
        solved, found = self._solved.in_space, {}
        if solved is None:
            return motion
        for name, body in motion.segments.items():
            mass, inertia = np.full(len(self.sizes), solved.segments[name].mass), solved.segments[name].inertia[None]
            for number, tangent in self._errors.tangents.items():
                if name in tangent.bodies:
                    mass = mass + self.sizes[:, number] * tangent.bodies[name].mass
                    inertia = inertia + self.sizes[:, number, None, None] * tangent.bodies[name].inertia
            inertia = np.broadcast_to(inertia, (len(self.sizes), 3, 3))
            found[name] = replace(
                body,
                mass=np.repeat(mass, self.width),  # type: ignore[arg-type]
                inertia=np.repeat(inertia, self.width, axis=0),
            )
        return replace(motion, segments=found)

    def _loads(self, motion: SegmentsInSpace) -> SpatialLoads | None:
        if self._solved.ground is None:
            return None
        gravity = np.array([0.0, self._book.gravity, 0.0])
        needed = {}
        for name, body in motion.segments.items():
            force = np.asarray(body.mass)[:, None] * (body.acceleration + gravity)
            inertia = body.rotation @ body.inertia @ np.swapaxes(body.rotation, 1, 2)
            spin = np.einsum("nij,nj->ni", inertia, body.omega)
            turned = np.einsum("nij,nj->ni", inertia, body.alpha) + np.cross(body.omega, spin)
            needed[name] = np.hstack((force, np.cross(body.com, force) + turned))
        total = self._handed_on(
            needed, wrenches_in_space, {name: each.parent for name, each in motion.segments.items()}
        )
        force = {name: each[:, :3] for name, each in total.items()}
        moment = {
            name: each[:, 3:] - np.cross(motion.segments[name].proximal, force[name]) for name, each in total.items()
        }
        nothing = np.zeros((len(self.frames), 6))
        return SpatialLoads(force, moment, nothing[:, :3], nothing)

    def _neutrals(self, still: Points | None, bodies: Sequence[BodySegment]) -> dict[str, dict[str, Vector | float]]:
        """What is taken off each angle of each joint."""
        book = self._book
        found: dict[str, dict[str, Vector | float]] = {
            joint.label: {"flexion": joint.neutral} for joint in book.joints if isinstance(joint.neutral, float)
        }
        if still is not None and any(joint.neutral == "static" for joint in book.joints):
            firsts = [replace(each, mass=replace(each.mass, com=0.5)) for each in bodies]
            stood = follow_standing_clusters(still, still, firsts, book.frames, at_rest)
            for joint in book.joints:
                if joint.neutral == "static":
                    angles = angles_in_space(joint, stood, book)
                    found[joint.label] = {name: np.repeat(each, self.width) for name, each in angles.items()}
        return found


def _of_centre(disturbances: Mapping[int, Disturbance], name: str) -> dict[int, Vector]:
    key = Disturbed.CENTRE, name
    return {number: each.parts[key] for number, each in disturbances.items() if key in each.parts}
