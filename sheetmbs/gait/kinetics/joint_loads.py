"""Loads of joints, powers and residual of a tree of segments: SI, x forward, y up, z to the right, counter-clockwise +.

Each segment is a free body; with R_s what its motion asks for beyond weight and ground, about the laboratory's origin, the
load on a segment at its proximal joint is R_s and that of all segments below, moved to the measured joint centre. That is
the recursion of Winter (Biomechanics and Motor Control of Human Movement, ch. 5) without its bookkeeping from end to end.
In space all vectors are global.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.analysis.inverse_at import inverse_at
from sheetmbs.gait.arrays import Vector
from sheetmbs.model.model import Body, Model, Settings

GROUND = "ground"


@dataclass(frozen=True, eq=False)
class SegmentMotion:
    """A rigid segment over n frames; NaN where it is not known.

    parent: the segment above it, None of the root. mass in kg, inertia about the centre of mass in kg m^2.
    com, velocity, acceleration: (n, 2) of the centre of mass. angle, rate, angular_acceleration: (n,) in rad.
    proximal: (n, 2) the joint with its parent.
    """

    name: str
    parent: str | None
    mass: float
    inertia: float
    com: Vector
    velocity: Vector
    acceleration: Vector
    angle: Vector
    rate: Vector
    angular_acceleration: Vector
    proximal: Vector


@dataclass(frozen=True, eq=False)
class JointLoads:
    """What joints carry. Loads act on the segment at its proximal joint.

    force: by segment, (n, 2) in N. moment: by segment, (n,) in N m. Of a root they are what nobody applies.
    com: (n, 2) of all segments together. residual: (n, 3) fx, fy and the moment about ``com`` of what all roots lack.
    energy: (n,) kinetic and potential, in J. external_power: (n,) of the wrenches of the ground.
    """

    force: Mapping[str, Vector]
    moment: Mapping[str, Vector]
    com: Vector
    residual: Vector
    energy: Vector
    external_power: Vector


def cross(arm: Vector, force: Vector) -> Vector:
    """(n,) moment of planar vectors (n, 2)."""
    return np.asarray(arm[:, 0] * force[:, 1] - arm[:, 1] * force[:, 0])


def joint_loads(segments: Sequence[SegmentMotion], wrenches: Mapping[str, Vector], gravity: float) -> JointLoads:
    """Loads of all joints of the segments.

    wrenches: by segment, (n, 3) fx, fy and the moment about the laboratory's origin. gravity: its magnitude in m/s^2.
    """
    found = inverse_at(_model(segments, gravity), *_motion(segments), wrenches).residual
    needed = handed_on(found, {each.name: each.parent for each in segments})
    force = {each.name: needed[each.name][:, :2] for each in segments}
    moment = {each.name: needed[each.name][:, 2] - cross(each.proximal, force[each.name]) for each in segments}
    com = np.asarray(sum(each.mass * each.com for each in segments) / sum(each.mass for each in segments))
    left = np.asarray(sum(needed[each.name] for each in segments if each.parent is None))
    left = np.column_stack((left[:, :2], left[:, 2] - cross(com, left[:, :2])))
    return JointLoads(force, moment, com, left, _energy(segments, gravity), _external_power(segments, wrenches))


def joint_power(loads: JointLoads, distal: SegmentMotion, proximal: SegmentMotion | None) -> Vector:
    """(n,) P = M (w_dist - w_prox) of the joint above a segment; proximal: None where that is the vertical."""
    return loads.moment[distal.name] * (distal.rate - (0.0 if proximal is None else proximal.rate))


def energy_error(segments: Sequence[SegmentMotion], loads: JointLoads, rate_of: Callable[[Vector], Vector]) -> Vector:
    """(n,) power of all joints and of the ground less the rate of the energy, in W: what no joint and no ground does.

    rate_of: the derivative over time of a course (n,), so that energies are differentiated as nothing before them was.
    """
    by_name = {each.name: each for each in segments}
    joints = [joint_power(loads, each, by_name[each.parent]) for each in segments if each.parent is not None]
    return np.asarray(sum(joints) + loads.external_power - rate_of(loads.energy))


def _model(segments: Sequence[SegmentMotion], gravity: float) -> Model:
    """One free body a segment."""
    bodies = tuple(Body(each.name, mass=each.mass, inertia=np.diag([0.0, 0.0, each.inertia])) for each in segments)
    return Model(settings=Settings(dimension="2D", gravity=(0.0, -gravity, 0.0)), bodies=bodies)


def _motion(segments: Sequence[SegmentMotion]) -> tuple[Vector, Vector, Vector]:
    """(n, segments, 3) each: positions, velocities, accelerations with their angular ones."""
    q = [np.column_stack((each.com, each.angle)) for each in segments]
    v = [np.column_stack((each.velocity, each.rate)) for each in segments]
    a = [np.column_stack((each.acceleration, each.angular_acceleration)) for each in segments]
    return np.stack(q, axis=1), np.stack(v, axis=1), np.stack(a, axis=1)


def handed_on(needed: Mapping[str, Vector], parents: Mapping[str, str | None]) -> dict[str, Vector]:
    """What each segment and all below it need (n, columns), from what each needs by itself, about one point.

    Raises ValueError where parents run in a circle or are not there.
    """
    total = {name: wrench.copy() for name, wrench in needed.items()}
    for name in sorted(parents, key=lambda each: -_depth(each, parents)):
        parent = parents[name]
        if parent is not None:
            total[parent] += total[name]
    return total


def _depth(name: str, parents: Mapping[str, str | None]) -> int:
    """By how many segments one hangs on its root."""
    count, at = 0, parents[name]
    while at is not None:
        if at not in parents or count > len(parents):
            raise ValueError(f"segment {name} hangs on {at}, which leads to no root")
        count, at = count + 1, parents[at]
    return count


def _energy(segments: Sequence[SegmentMotion], gravity: float) -> Vector:
    """(n,) kinetic and potential energy."""
    return np.asarray(
        sum(
            0.5 * each.mass * np.sum(each.velocity**2, axis=1)
            + 0.5 * each.inertia * each.rate**2
            + each.mass * gravity * each.com[:, 1]
            for each in segments
        )
    )


def _external_power(segments: Sequence[SegmentMotion], wrenches: Mapping[str, Vector]) -> Vector:
    """(n,) of the wrenches on the segments' motion."""
    power = np.zeros(len(segments[0].com))
    for each in segments:
        if each.name in wrenches:
            wrench = wrenches[each.name]
            force, moment = wrench[:, :2], wrench[:, 2] - cross(each.com, wrench[:, :2])
            power += np.sum(force * each.velocity, axis=1) + moment * each.rate
    return power


@dataclass(frozen=True, eq=False)
class SpatialMotion:
    """A rigid segment in space over n frames; NaN where it is not known.

    parent: the segment above it, None of the root. mass in kg. inertia: (3, 3) about the centre of mass in its axes, kg m^2.
    com, velocity, acceleration: (n, 3) of the centre of mass. rotation: (n, 3, 3) of its axes. omega, alpha: (n, 3) global.
    proximal: (n, 3) the joint with its parent.
    """

    name: str
    parent: str | None
    mass: float
    inertia: Vector
    com: Vector
    velocity: Vector
    acceleration: Vector
    rotation: Vector
    omega: Vector
    alpha: Vector
    proximal: Vector


@dataclass(frozen=True, eq=False)
class SpatialLoads:
    """What joints carry, on the segment at its proximal joint; of a root it is what nobody applies.

    force: by segment, (n, 3) in N. moment: by segment, (n, 3) in N m. com: (n, 3) of all segments together.
    residual: (n, 6) force and moment about ``com`` of what all roots lack.
    """

    force: Mapping[str, Vector]
    moment: Mapping[str, Vector]
    com: Vector
    residual: Vector


def spatial_loads(segments: Sequence[SpatialMotion], wrenches: Mapping[str, Vector], gravity: float) -> SpatialLoads:
    """Loads of all joints of the segments.

    wrenches: by segment, (n, 6) force and moment about the laboratory's origin. gravity: its magnitude in m/s^2.
    """
    bodies = tuple(Body(each.name, mass=each.mass, inertia=each.inertia) for each in segments)
    model = Model(settings=Settings(dimension="3D", gravity=(0.0, -gravity, 0.0)), bodies=bodies)
    q = np.stack([each.com for each in segments], axis=1), np.stack([each.rotation for each in segments], axis=1)
    v = np.stack([np.hstack((each.velocity, each.omega)) for each in segments], axis=1)
    a = np.stack([np.hstack((each.acceleration, each.alpha)) for each in segments], axis=1)
    found = inverse_at(model, q, v, a, wrenches).residual
    needed = handed_on(found, {each.name: each.parent for each in segments})
    force = {each.name: needed[each.name][:, :3] for each in segments}
    moment = {each.name: needed[each.name][:, 3:] - np.cross(each.proximal, force[each.name]) for each in segments}
    com = np.asarray(sum(each.mass * each.com for each in segments) / sum(each.mass for each in segments))
    left = np.asarray(sum(needed[each.name] for each in segments if each.parent is None))
    residual = np.hstack((left[:, :3], left[:, 3:] - np.cross(com, left[:, :3])))
    return SpatialLoads(force, moment, com, residual)


def spatial_power(loads: SpatialLoads, distal: SpatialMotion, proximal: SpatialMotion | None) -> Vector:
    """(n,) P = M . (w_dist - w_prox) of the joint above a segment, the same in all axes; proximal: None of the ground."""
    turning = distal.omega - (0.0 if proximal is None else proximal.omega)
    return np.asarray(np.sum(loads.moment[distal.name] * turning, axis=1))
