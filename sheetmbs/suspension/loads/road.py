"""The road under a car, in the axes of its body, and what it exerts on a wheel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements.rotation import cross
from sheetmbs.engine.records import Floats
from sheetmbs.suspension.layout.car import Vector
from sheetmbs.suspension.loads.corner_states import WheelState
from sheetmbs.suspension.loads.wheel_forces import WheelForces


@dataclass(frozen=True, eq=False)
class Road:
    """up: the normal n; forward, left: in its plane, (.., n, 3) each. height: (.., n) distance from the origin."""

    up: Floats
    forward: Floats
    left: Floats
    height: Floats

    @property
    def under_each(self) -> Road:
        """The same under several wheels, which stand side by side behind the cases."""
        return Road(self.up[..., None, :], self.forward[..., None, :], self.left[..., None, :], self.height[..., None])


def road(roll: Floats, pitch: Floats, height: Floats) -> Road:
    """The road turned against the body, rad, at a distance from its origin, m."""
    up = np.stack((-np.sin(pitch), np.sin(roll) * np.cos(pitch), np.cos(roll) * np.cos(pitch)), axis=-1)
    forward = np.array([1.0, 0.0, 0.0]) - up * up[..., :1]
    forward = forward / _norm(forward)
    return Road(up, forward, cross(up, forward), height)


def _norm(of: Floats) -> Floats:
    """(.., 1) length, also of complex vectors."""
    return np.asarray(np.sqrt(np.sum(of * of, axis=-1, keepdims=True)))


@dataclass(frozen=True, eq=False)
class TyreWrench:
    """On a wheel with the middle W, each (.., n, 3).

    contact: the lowest point of the disc, gap: (.., n) its height over the road. at: where the road touches. force, moment:
    there. torque: about W, without what passes the upright by. passed: that. along, left: unit vectors of the longitudinal and
    of the side force.
    """

    centre: Floats
    contact: Floats
    at: Floats
    gap: Floats
    force: Floats
    moment: Floats
    torque: Floats
    passed: Floats
    along: Floats
    left: Floats


def tyre_wrench(
    state: WheelState,
    travels: Floats,
    ground: Road,
    on: WheelForces,
    shift: Vector,
    *,
    is_soft: NDArray[np.bool_] | bool,
) -> TyreWrench:
    """What the road exerts on a wheel after changes of the travels of both (p, n, 2).

    shift: (3,) from the axes of the axle's hardpoints to those of the car. is_soft: the tyre is pressed in, so that the road
    touches it above its disc's lowest point. Of w wheels: travels (p, n, w, 2), shift (w, 3), is_soft (w,), ground of each.
    """
    centre, spin, up = state.centre.at(travels) + shift, state.spin.at(travels), ground.up
    down = up - spin * np.sum(spin * up, axis=-1, keepdims=True)
    contact = centre - state.radius * down / _norm(down)
    gap = np.sum(up * contact, axis=-1) - ground.height
    at = contact - up * (gap * is_soft)[..., None]
    heading = state.s * cross(spin, up)
    heading = heading / _norm(heading)
    left = cross(up, heading)
    force = on.load[..., None] * up + on.along[..., None] * heading + on.side[..., None] * left
    turns = on.moments
    moment = turns[..., :1] * heading + turns[..., 1:2] * left + turns[..., 2:] * up
    torque = cross(at - centre, force) + moment
    passed = spin * np.sum(spin * torque, axis=-1, keepdims=True) * on.passes[..., None]
    return TyreWrench(centre, contact, at, gap, force, moment, torque - passed, passed, heading, left)
