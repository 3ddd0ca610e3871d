"""How a body carries what is fixed on it: positions over poses, linear in body coordinates, with their derivatives.

The kernel `carry_body` of `engine/jet_rules.py` finds where its origin and its axes are.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sheetmbs.analysis.driven_positions import Poses
from sheetmbs.engine import jet_rules as rules
from sheetmbs.engine.records import Floats
from sheetmbs.suspension.kinematics.jets import Vec
from sheetmbs.suspension.layout.car import Vector


@dataclass(frozen=True, eq=False)
class BodyMotion:
    """A body over n poses and d drivers, the roll of the road, which moves none, as the last of them.

    start: (3,) its origin at design, when its axes are those of the car. position: (3, 1 + d + d^2, n) of its origin;
    turn: (3, 3, 1 + d + d^2, n) each of its axes as a vector.
    """

    start: Vector
    position: Floats
    turn: Floats

    def point(self, at: Vector) -> Vec:
        """A point fixed on it, given where it is at design (3,), or (n, 3) where that differs between poses."""
        return self._along(at - self.start, is_point=True)

    def direction(self, along: Vector) -> Vec:
        """A direction fixed on it, given at design, likewise."""
        return self._along(along, is_point=False)

    def in_body(self, along: Vec) -> Vec:
        """A direction in space along the body's axes."""
        found = np.empty_like(self.position)
        rules.along_axes(self.turn, along.rows, found)
        return Vec(found)

    def _along(self, along: Vector, *, is_point: bool) -> Vec:
        base, found = self.position if is_point else np.zeros_like(self.position), np.empty_like(self.position)
        rules.combine_columns(base, self.turn, np.ascontiguousarray(np.atleast_2d(along).T), found)
        return Vec(found)


def body_motion(poses: Poses, name: str) -> BodyMotion:
    """The motion of a body of which poses are found."""
    count, d = poses.first.shape[:2]
    rows = 1 + (d + 1) + (d + 1) ** 2
    bodies = poses.lowered.bodies
    number = bodies.names[name]
    motion = rules.CarriedBody(
        q=np.ascontiguousarray(poses.q),
        first=np.ascontiguousarray(poses.first),
        second=np.ascontiguousarray(poses.second),
        orientation=np.empty((3, 3)),
        axes=np.ascontiguousarray(bodies.axes[number]),
        spin=np.zeros((d, 3)),
        position=np.empty((3, rows, count)),
        turn=np.empty((3, 3, rows, count)),
    )
    record = bodies.records[number]
    rules.carry_body(motion, int(record.q), int(record.v))
    return BodyMotion(poses.lowered.model.bodies[number - 1].position, motion.position, motion.turn)
