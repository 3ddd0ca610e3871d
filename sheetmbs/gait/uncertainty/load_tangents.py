"""Courses of joints in space to first order in errors: inverse dynamics linearised, many errors at once.

A body that turns by theta, with R -> (1 + [theta]) R, and whose centre of mass c and joint p shift, changes by

    d omega = theta' + theta x omega          d alpha = theta'' + theta' x omega + theta x alpha
    d F = dm (a + g) + m dc''                 F = m (a + g)
    d N = dc x F + c x dF + dJ alpha + J d alpha + d omega x J omega + omega x (dJ omega + J d omega)
    dJ v = theta x J v - J (theta x v) + R dI R^T v

Sums over a joint's distal segments, less what the ground does, give dF and dN there; the moment about the joint changes by
dM = dN - dp x F - p x dF, and the power M . w, with w the angular velocity across the joint, by dM . w + M . dw.

Each error is given as a course (value, rate, second derivative): of a real one these are derivatives in time; those of noise
are distinguished, as its coefficients are.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.body.body_segments import Derivatives
from sheetmbs.gait.joint_courses import named_moments, proximal_axes
from sheetmbs.gait.kinematics.clustered_segments import SegmentsInSpace
from sheetmbs.gait.kinematics.rotations import Axes, moment_in
from sheetmbs.gait.kinetics.joint_loads import SpatialLoads, SpatialMotion, handed_on
from sheetmbs.gait.trial.gait_book import GaitBook, JointRow
from sheetmbs.gait.trial.trial_courses import Course
from sheetmbs.gait.uncertainty.body_tangents import TrialTangent


@dataclass(frozen=True, eq=False)
class MovedBody:
    """How a body changes with many errors. turn, com: (3, errors, n, 3) value, rate, second. proximal: (errors, n, 3).

    mass: (errors,). inertia: (errors, 3, 3).
    """

    turn: Vector
    com: Vector
    proximal: Vector
    mass: Vector
    inertia: Vector


@dataclass(frozen=True, eq=False)
class MovedTrial:
    """How a trial changes with many errors. courses, wrenches: (errors, n) and (errors, n, 6)."""

    bodies: Mapping[str, MovedBody]
    wrenches: Mapping[str, Vector]
    courses: Mapping[str, Course]


def together(tangents: Sequence[TrialTangent], rates: Derivatives) -> MovedTrial:
    """Errors that touch the same. rates: how courses (.., n) are differentiated."""
    bodies = {}
    for name in tangents[0].bodies:
        own = [each.bodies[name] for each in tangents]
        bodies[name] = MovedBody(
            _in_time(np.array([each.turn for each in own]), rates),
            _in_time(np.array([each.com for each in own]), rates),
            np.array([each.proximal for each in own]),
            np.array([each.mass for each in own]),
            np.array([each.inertia for each in own]),
        )
    wrenches = {name: np.array([each.wrenches[name] for each in tangents]) for name in tangents[0].wrenches}
    return MovedTrial(bodies, wrenches, _stacked([each.courses for each in tangents]))


def of_noise(tangents: Sequence[TrialTangent], rates: Derivatives) -> MovedTrial:
    """What results follow of filtered coordinates p and of p' and p'', for `LocalResponse`: three errors of each coordinate.

    With x = J p, x' = J' p + J p' and x'' = J'' p + 2 J' p' + J p''.
    """
    bodies = {}
    for name in tangents[0].bodies:
        own = [each.bodies[name] for each in tangents]
        proximal = np.array([each.proximal for each in own])
        nothing = np.zeros(proximal.shape)
        bodies[name] = MovedBody(
            _apart(_in_time(np.array([each.turn for each in own]), rates)),
            _apart(_in_time(np.array([each.com for each in own]), rates)),
            np.concatenate((proximal, nothing, nothing)),
            np.zeros(3 * len(own)),
            np.zeros((3 * len(own), 3, 3)),
        )
    courses = {
        label: {
            name: np.concatenate((values, np.zeros((2 * len(values), values.shape[1])))) for name, values in c.items()
        }
        for label, c in _stacked([each.courses for each in tangents]).items()
    }
    return MovedTrial(bodies, {}, courses)


def _apart(course: Vector) -> Vector:
    """(3, 3 errors, n, 3) of courses (3, errors, n, 3): by the value, by the rate and by the second derivative."""
    value, rate, second = course
    nothing = np.zeros(value.shape)
    return np.stack(
        (
            np.concatenate((value, nothing, nothing)),
            np.concatenate((rate, value, nothing)),
            np.concatenate((second, 2.0 * rate, value)),
        )
    )


def _stacked(courses: Sequence[Mapping[str, Course]]) -> dict[str, Course]:
    """(errors, n) of each course that any of them changes."""
    keys = {(label, name) for each in courses for label, course in each.items() for name in course}
    found: dict[str, dict[str, Vector]] = {}
    for label, name in sorted(keys):
        some = next(each[label][name] for each in courses if name in each.get(label, {}))
        nothing = np.zeros(some.shape)
        found.setdefault(label, {})[name] = np.array([each.get(label, {}).get(name, nothing) for each in courses])
    return dict(found)


def _in_time(values: Vector, rates: Derivatives) -> Vector:
    """(3, errors, n, 3) of values (errors, n, 3)."""
    first, second = rates(np.swapaxes(values, 1, 2))
    return np.stack((values, np.swapaxes(first, 1, 2), np.swapaxes(second, 1, 2)))


@dataclass(frozen=True, eq=False)
class ChangedCourses:
    """What many errors change: (errors, n) of angles, moments and power of joints, and the residual.

    residual: (errors, n, 6), None without loads.
    """

    joints: Mapping[str, Course]
    residual: Vector | None


def course_changes(
    moved: MovedTrial, motion: SegmentsInSpace, loads: SpatialLoads | None, book: GaitBook, errors: int
) -> ChangedCourses:
    """What errors change of the courses of joints, and of what nobody applies to the whole body."""
    count = len(next(iter(motion.segments.values())).com)
    nothing = np.zeros((errors, count))
    spin = {
        name: each.turn[1] + _cross(each.turn[0], body.omega)
        for name, each in moved.bodies.items()
        if (body := motion.body(name)) is not None
    }
    total = {} if loads is None else _load_changes(moved, spin, motion, book)
    moment = {} if loads is None else _moment_changes(total, moved, motion, loads)
    found: dict[str, Course] = {}
    for joint in book.joints:
        course = dict(moved.courses.get(joint.label, {}))
        if loads is not None:
            course = _with_loads(course, joint, motion, loads, book, moment=moment, spin=spin)
        if "flexion" in course:
            course["angle"] = course["flexion"]
        about = course.get("moment_flexion", course.get("mz"))
        if about is not None:
            course["moment"] = about
        found[joint.label] = {"angle": nothing, "moment": nothing, "power": nothing} | course
    others = {label: course for label, course in moved.courses.items() if label not in found}
    residual = None if loads is None else _residual_changes(total, moved, motion, loads, (errors, count, 6))
    return ChangedCourses(found | others, residual)


def _with_loads(
    course: dict[str, Vector],
    joint: JointRow,
    motion: SegmentsInSpace,
    loads: SpatialLoads,
    book: GaitBook,
    *,
    moment: Mapping[str, Vector],
    spin: Mapping[str, Vector],
) -> dict[str, Vector]:
    distal, above, axes = motion.segments[joint.distal], motion.body(joint.proximal), book.processing.moment_axes
    power: Vector | float = 0.0
    if joint.distal in moment:
        own = moment[joint.distal]
        components = _components(joint, motion, axes)
        along = _times(components, own)
        for name, values in named_moments(along.reshape(-1, 3), joint, axes).items():
            course[name] = course.get(name, 0.0) + values.reshape(along.shape[:2])
        turning = distal.omega - (0.0 if above is None else above.omega)
        power = _dot(own, turning)
    held = loads.moment[joint.distal]
    if joint.distal in spin:
        power = power + _dot(spin[joint.distal], held)
    if joint.proximal in spin:
        power = power - _dot(spin[joint.proximal], held)
    return course if isinstance(power, float) else course | {"power": power}


def _components(joint: JointRow, motion: SegmentsInSpace, axes: Axes) -> Vector:
    """(n, 3, 3) that takes a global moment to its components."""
    proximal, distal = proximal_axes(joint, motion), motion.segments[joint.distal].rotation
    return np.stack(
        [moment_in(axes, np.tile(unit, (len(distal), 1)), proximal, distal, joint.side) for unit in np.eye(3)], axis=2
    )


def _load_changes(
    moved: MovedTrial, spin: Mapping[str, Vector], motion: SegmentsInSpace, book: GaitBook
) -> dict[str, Vector]:
    """(errors, n, 6) of what each segment that any error reaches needs with all below it, about the origin."""
    needed: dict[str, Vector] = {}
    for name, each in moved.bodies.items():
        if name in motion.segments:
            needed[name] = _demand(motion.segments[name], each, spin[name], book.gravity)
    for name, wrench in moved.wrenches.items():
        needed[name] = needed.get(name, 0.0) - wrench
    parents = {name: each.parent for name, each in motion.segments.items()}
    shape = next(iter(needed.values())).shape if needed else (0, 0, 6)
    reached = {name for each in needed for name in _upward(each, parents)}
    return handed_on({name: needed.get(name, np.zeros(shape)) for name in reached}, {n: parents[n] for n in reached})


def _moment_changes(
    total: Mapping[str, Vector], moved: MovedTrial, motion: SegmentsInSpace, loads: SpatialLoads
) -> dict[str, Vector]:
    """(errors, n, 3) of the moment at the proximal joint of each segment that any error reaches."""
    moment = {}
    for name, both in total.items():
        proximal, held = motion.segments[name].proximal, loads.force[name]
        moment[name] = both[..., 3:] - _cross(proximal, both[..., :3])
        if name in moved.bodies:
            moment[name] = moment[name] - _cross(moved.bodies[name].proximal, held)
    return moment


def _residual_changes(
    total: Mapping[str, Vector],
    moved: MovedTrial,
    motion: SegmentsInSpace,
    loads: SpatialLoads,
    shape: tuple[int, int, int],
) -> Vector:
    """(errors, n, 6) of force and moment about the centre of mass of the whole body, which moves too."""
    left = np.zeros(shape)
    for name, both in total.items():
        if motion.segments[name].parent is None:
            left = left + both
    whole = sum(each.mass for each in motion.segments.values())
    shift = np.zeros((*shape[:2], 3))
    for name, each in moved.bodies.items():
        if name in motion.segments:
            body = motion.segments[name]
            shift += (body.mass * each.com[0] + each.mass[:, None, None] * (body.com - loads.com)) / whole
    force = left[..., :3]
    moment = left[..., 3:] - _cross(loads.com, force) - _cross(shift, loads.residual[:, :3])
    return np.concatenate((force, moment), axis=-1)


def _upward(name: str, parents: Mapping[str, str | None]) -> list[str]:
    """A segment and all those above it."""
    found: list[str] = []
    at: str | None = name
    while at is not None:
        found.append(at)
        at = parents.get(at)
    return found


def _demand(body: SpatialMotion, moved: MovedBody, spin: Vector, gravity: float) -> Vector:
    """(errors, n, 6) of the force a body demands, and its moment about the origin."""
    turn, turn_rate, turn_second = moved.turn
    omega, alpha = body.omega, body.alpha
    turned_back = np.swapaxes(body.rotation, 1, 2)
    inertia = body.rotation @ body.inertia @ turned_back
    more = body.rotation @ moved.inertia[:, None] @ turned_back if moved.inertia.any() else None
    free = body.acceleration + np.array([0.0, gravity, 0.0])
    spun = turn_second + _cross(turn_rate, omega) + _cross(turn, alpha)

    def times(vectors: Vector) -> Vector:
        return _times(inertia, vectors)

    def changed(vector: Vector) -> Vector:
        of_turn: Vector = _cross(turn, times(vector)) - times(_cross(turn, vector))
        return of_turn if more is None else of_turn + _times(more, vector)

    force = body.mass * moved.com[2] + moved.mass[:, None, None] * free
    moment = (
        _cross(moved.com[0], body.mass * free)
        + _cross(body.com, force)
        + changed(alpha)
        + times(spun)
        + _cross(spin, times(omega))
        + _cross(omega, changed(omega) + times(spin))
    )
    return np.concatenate((force, moment), axis=-1)


def _cross(a: Vector, b: Vector) -> Vector:
    """Cross product of (.., 3), faster than that of numpy."""
    ax, ay, az = a[..., 0], a[..., 1], a[..., 2]
    bx, by, bz = b[..., 0], b[..., 1], b[..., 2]
    return np.stack((ay * bz - az * by, az * bx - ax * bz, ax * by - ay * bx), axis=-1)


def _times(matrices: Vector, vectors: Vector) -> Vector:
    """(.., 3) of matrices (.., 3, 3) times vectors (.., 3), faster than as a sum over indices."""
    x, y, z = vectors[..., 0], vectors[..., 1], vectors[..., 2]
    rows = (matrices[..., i, :] for i in range(3))
    return np.stack([row[..., 0] * x + row[..., 1] * y + row[..., 2] * z for row in rows], axis=-1)


def _dot(a: Vector, b: Vector) -> Vector:
    """(..) of vectors (.., 3)."""
    return np.asarray(a[..., 0] * b[..., 0] + a[..., 1] * b[..., 1] + a[..., 2] * b[..., 2])
