"""Loads of joints in space: SI, x forward, y up, z to the right of the subject, all vectors global."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.analysis.inverse_at import inverse_at
from sheetmbs.gait.arrays import Vector
from sheetmbs.gait.kinetics.joint_loads import handed_on
from sheetmbs.model.model import Body, Model
from sheetmbs.model.settings import Settings


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
