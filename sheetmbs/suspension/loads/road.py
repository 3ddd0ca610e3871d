"""The road under a car, in the axes of its body, and what it exerts on a wheel, as `engine/car_on_road.py` finds it.

Where travels are given, the road is the one nearest to all contacts by least squares, each tyre pressed in by its load.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields

import numpy as np

from sheetmbs.elements.rotation import cross
from sheetmbs.engine.records import Floats
from sheetmbs.suspension.loads.standing_car import AxleState, StandingCar


@dataclass(frozen=True, eq=False)
class Road:
    """up: the normal n; forward, left: in its plane, (n, 3) each. height: (n,) distance from the origin."""

    up: Floats
    forward: Floats
    left: Floats
    height: Floats


def road(roll: Floats, pitch: Floats, height: Floats) -> Road:
    """The road turned against the body, rad, at a distance from its origin, m."""
    up = np.stack((-np.sin(pitch), np.sin(roll) * np.cos(pitch), np.cos(roll) * np.cos(pitch)), axis=-1)
    forward = np.array([1.0, 0.0, 0.0]) - up * up[..., :1]
    forward = forward / np.linalg.norm(forward, axis=-1, keepdims=True)
    return Road(up, forward, cross(up, forward), height)


@dataclass(frozen=True, eq=False)
class TyreWrench:
    """On a wheel, each (n, 3).

    at: where the road touches it. force, moment: there. torque: about its middle, without what passes the upright by.
    passed: that. along, left: unit vectors of the longitudinal and of the side force.
    """

    at: Floats
    force: Floats
    moment: Floats
    torque: Floats
    passed: Floats
    along: Floats
    left: Floats

    @staticmethod
    def joined(each: Sequence[TyreWrench]) -> TyreWrench:
        """Rows of several, one behind the other."""
        return TyreWrench(*(np.concatenate([getattr(own, part.name) for own in each]) for part in fields(TyreWrench)))


CONVERGED_STEP, MAX_STEPS = 1e-15, 12


def resting_road(standing: StandingCar, states: Mapping[str, AxleState], load: Floats) -> tuple[Floats, Floats, Floats]:
    """Roll and pitch, rad, and distance of the road from the origin, m, (n,) each. load: (n, wheels).

    Newton's method on sum g (1, y, x) = 0, g = n.C - d + (N - N0)/k_t; a disc's lowest point moves in the road as that turns.
    """
    pressed = (load - standing.design_load) / standing.tyre
    count = len(load)
    roll, pitch, height = np.zeros((3, count))
    is_whole = len(states) > 1
    for _ in range(MAX_STEPS):
        sr, cr, sp, cp = np.sin(roll), np.cos(roll), np.sin(pitch), np.cos(pitch)
        up = np.stack((-sp, sr * cp, cr * cp), axis=-1)
        by_roll = np.stack((np.zeros(count), cr * cp, -sr * cp), axis=-1)
        by_pitch = np.stack((-cp, -sr * sp, -cr * sp), axis=-1)
        contacts = _contacts(standing, states, up)
        gaps = np.einsum("nc,nwc->nw", up, contacts) - height[:, None] + pressed
        slopes = np.stack(
            [np.einsum("nc,nwc->nw", way, contacts) for way in (by_roll, by_pitch)] + [-np.ones_like(gaps)], axis=-1
        )
        levers = [np.ones_like(gaps), contacts[..., 1], contacts[..., 0]][: 3 if is_whole else 2]
        kept = [0, 1, 2] if is_whole else [0, 2]
        matrix = np.stack([np.einsum("nw,nwk->nk", lever, slopes)[:, kept] for lever in levers], axis=1)
        right = np.stack([np.sum(lever * gaps, axis=1) for lever in levers], axis=-1)
        step = -np.linalg.solve(matrix, right[:, :, None])[:, :, 0]
        roll, height = roll + step[:, 0], height + step[:, -1]
        if is_whole:
            pitch = pitch + step[:, 1]
        if np.max(np.abs(step)) <= CONVERGED_STEP:
            break
    return roll, pitch, height


def _contacts(standing: StandingCar, states: Mapping[str, AxleState], up: Floats) -> Floats:
    """(n, wheels, 3) lowest points of all wheels towards a road with the normal (n, 3), in the axes of the car."""
    found = []
    for name, axle in states.items():
        for state in axle.wheels.values():
            spin = state.spin.value
            down = up - spin * np.sum(spin * up, axis=1, keepdims=True)
            down = down / np.linalg.norm(down, axis=1, keepdims=True)
            found.append(state.centre.value - state.radius * down + standing.masses.shift[name])
    return np.stack(found, axis=1)
