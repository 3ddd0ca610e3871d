"""The road under a car, in the axes of its body, and what it exerts on a wheel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sheetmbs.elements.rotation import cross
from sheetmbs.engine.records import Floats
from sheetmbs.suspension.layout.car import SIDES, Vector
from sheetmbs.suspension.loads.corner_states import WheelState
from sheetmbs.suspension.loads.wheel_forces import PlaneForces


@dataclass(frozen=True, eq=False)
class Road:
    """up: the normal n; forward, left: in its plane, (.., n, 3) each. height: (.., n) distance from the origin."""

    up: Floats
    forward: Floats
    left: Floats
    height: Floats


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

    contact: the lowest point of the disc. at: where the road touches. force, moment: there. torque: about W, without what
    passes the upright by. passed: that. along, left: unit vectors of the longitudinal and of the side force.
    """

    centre: Floats
    contact: Floats
    at: Floats
    force: Floats
    moment: Floats
    torque: Floats
    passed: Floats
    along: Floats
    left: Floats


def tyre_wrench(
    state: WheelState, travels: Floats, ground: Road, load: Floats, forces: PlaneForces, shift: Vector, *, is_soft: bool
) -> TyreWrench:
    """What the road exerts on a wheel after changes of the travels of both (p, n, 2), under the loads of both (p, n, 2).

    shift: (3,) from the axes of the axle's hardpoints to those of the car. is_soft: the tyre is pressed in, so that the road
    touches it above its disc's lowest point.
    """
    number = SIDES.index(state.wheel.side)
    centre, spin, up = state.centre.at(travels) + shift, state.spin.at(travels), ground.up
    down = up - spin * np.sum(spin * up, axis=-1, keepdims=True)
    contact = centre - state.wheel.radius * down / _norm(down)
    gap = np.sum(up * contact, axis=-1) - ground.height
    at = contact - up * gap[..., None] if is_soft else contact
    heading = state.wheel.s * cross(spin, up)
    heading = heading / _norm(heading)
    left = cross(up, heading)
    along, side = (each[..., number, None] for each in forces.shared(load))
    force = load[..., number, None] * up + along * heading + side * left
    turns = forces.moments[:, number]
    moment = turns[:, :1] * heading + turns[:, 1:2] * left + turns[:, 2:] * up
    torque = cross(at - centre, force) + moment
    passed = spin * np.sum(spin * torque, axis=-1, keepdims=True) * forces.passes[:, number, None]
    return TyreWrench(centre, contact, at, force, moment, torque - passed, passed, heading, left)
