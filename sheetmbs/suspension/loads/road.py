"""The road under a car, in the axes of its body, and what it exerts on a wheel, as `engine/car_on_road.py` finds it."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sheetmbs.elements.rotation import cross
from sheetmbs.engine.records import Floats


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
