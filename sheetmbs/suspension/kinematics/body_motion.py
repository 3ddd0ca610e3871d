"""How a body carries what is fixed on it: positions over poses, linear in body coordinates, with their derivatives.

With R the orientation, w_k and alpha_kl the angular velocities by the drivers and their derivatives, and S(w) r = w x r:

    p = x + R s      p_k = v_k + S(w_k) R s      p_kl = a_kl + [S(alpha_kl) + (S(w_k) S(w_l) + S(w_l) S(w_k))/2] R s
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sheetmbs.analysis.driven_positions import Poses
from sheetmbs.engine.records import Floats
from sheetmbs.suspension.kinematics.jets import Vec, vec
from sheetmbs.suspension.layout.car import Vector

CROSS = np.zeros((3, 3, 3))
CROSS[0, 1, 2] = CROSS[1, 2, 0] = CROSS[2, 0, 1] = -1.0
CROSS[0, 2, 1] = CROSS[1, 0, 2] = CROSS[2, 1, 0] = 1.0
"""S(w)_ij = CROSS_ijk w_k"""


@dataclass(frozen=True, eq=False)
class BodyMotion:
    """A body over n poses and d drivers, the roll of the road, which moves none, as the last of them.

    start: (3,) its origin at design, when its axes are those of the car. position: (n, 3), (n, d, 3) and (n, d, d, 3);
    turn: (n, 3, 3), (n, d, 3, 3) and (n, d, d, 3, 3).
    """

    start: Vector
    position: tuple[Floats, Floats, Floats]
    turn: tuple[Floats, Floats, Floats]

    def point(self, at: Vector) -> Vec:
        """A point fixed on it, given where it is at design (3,)."""
        arm = at - self.start
        return vec(*(moved + turned @ arm for moved, turned in zip(self.position, self.turn, strict=True)))

    def direction(self, along: Vector) -> Vec:
        """A direction fixed on it, given at design (3,)."""
        return vec(*(turned @ along for turned in self.turn))


def body_motion(poses: Poses, name: str) -> BodyMotion:
    """The motion of a body of which poses are found."""
    count, drivers = poses.first.shape[:2]
    turn = poses.orientation(name)
    (v, w), (a, alpha) = poses.twist(name), poses.twist_rate(name)
    spin = np.einsum("ijk,...k->...ij", CROSS, w)
    twice = spin[:, :, None] @ spin[:, None]
    bent = np.einsum("ijk,...k->...ij", CROSS, alpha) + 0.5 * (twice + np.swapaxes(twice, 1, 2))
    moved, moved2 = np.zeros((count, drivers + 1, 3)), np.zeros((count, drivers + 1, drivers + 1, 3))
    turned, turned2 = np.zeros((*moved.shape, 3)), np.zeros((*moved2.shape, 3))
    moved[:, :-1], moved2[:, :-1, :-1] = v, a
    turned[:, :-1], turned2[:, :-1, :-1] = spin @ turn[:, None], bent @ turn[:, None, None]
    start = poses.lowered.model.bodies[poses.lowered.bodies.names[name] - 1].position
    return BodyMotion(start, (poses.position(name), moved, moved2), (turn, turned, turned2))
