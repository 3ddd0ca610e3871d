"""How a body moves with the drivers of its axle: its twist, its turn about a line, and the instant axis about which it steers.

With four links and a locked spring a wheel carrier is left one freedom, that in which the fifth link would move it. Its twist
(v, omega) is about an axis of direction omega through W + omega x v/|omega|^2, with the pitch omega.v/|omega|^2.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.analysis.driven_positions import Poses
from sheetmbs.elements.rotation import cross
from sheetmbs.engine import jet_rules as rules
from sheetmbs.engine.records import Floats
from sheetmbs.suspension.kinematics.jets import Jet, Vec, jet, vec
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


CROSS = np.zeros((3, 3, 3))
CROSS[0, 1, 2] = CROSS[1, 2, 0] = CROSS[2, 0, 1] = -1.0
CROSS[0, 2, 1] = CROSS[1, 0, 2] = CROSS[2, 1, 0] = 1.0
"""the matrix of w x has the entries CROSS_ijk w_k"""


@dataclass(frozen=True, eq=False)
class BodyTurn:
    """An angle: of the direction ``arm`` of a body from ``ahead`` towards ``beside``, which are fixed on another one.

    side: of the corner to which both belong. base: the other body, ``""`` the chassis. Each direction is (3,), given at design.
    """

    side: str
    body: str
    base: str
    arm: Vector
    ahead: Vector
    beside: Vector


def turn_about(
    side: str, bodies: tuple[str, str], here: tuple[Vector, Vector], drawn: tuple[Vector, Vector]
) -> BodyTurn:
    """Turn of a body about a line of another one. bodies: that one and the body.

    here, drawn: (3,) unit direction of the line, and the arm from it to a point of the body, as assembled and as drawn.
    """
    base, body = bodies
    ahead, beside = square_to(*drawn)
    if base:
        turn = shortest_turn(drawn[0], here[0])
        ahead, beside = (np.einsum("...ij,...j->...i", turn, along) for along in (ahead, beside))
    return BodyTurn(side, body, base, square_to(*here)[0], ahead, beside)


def square_to(along: Vector, arm: Vector) -> tuple[Vector, Vector]:
    """Two unit directions square to one, the first towards ``arm``."""
    across = arm - along * np.sum(arm * along, axis=-1, keepdims=True)
    across = across / np.linalg.norm(across, axis=-1, keepdims=True)
    return across, cross(along, across)


def shortest_turn(first: Vector, second: Vector) -> Vector:
    """(.., 3, 3) rotation that takes one unit direction to another about the line square to both."""
    spin = np.einsum("ijk,...k->...ij", CROSS, cross(first, second))
    level = np.sum(first * second, axis=-1)[..., None, None]
    return np.asarray(np.eye(3) + spin + spin @ spin / (1.0 + level))


ORDERS = ("value", "first", "second")
Twist = tuple[Vec, Vec]
"""velocity of the wheel centre and angular velocity; or the coefficients of both in the rate of something"""


@dataclass(frozen=True, eq=False)
class Screw:
    """An instant axis: a point of it, its direction upwards, and how far the carrier moves along it per turn, m/rad."""

    point: Vec
    direction: Vec
    pitch: Jet


def screw(centre: Vec, twist: Twist) -> Screw:
    """The screw of a twist whose velocity is that of the wheel centre."""
    v, omega = twist
    square = omega.dot(omega)
    up = np.where(omega.z.value < 0.0, -1.0, 1.0)
    return Screw(centre + omega.cross(v) / square, omega * up, omega.dot(v) / square)


def rate_of_length(end: Vec, other: Vec, centre: Vec) -> Twist:
    """Coefficients of v and omega in the rate of half the square of a length of which ``end`` is on the carrier."""
    along = end - other
    return along, (end - centre).cross(along)


def twist_left_by(rates: Sequence[Twist], grows: int) -> Twist:
    """Twist at which one of six rates is one and the others are none, with its derivatives.

    A x = e, A x_k = -A_k x and A x_kl = -(A_kl x + A_k x_l + A_l x_k).
    """
    value, first, second = (np.stack([_parts(rate, order) for rate in rates], axis=-2) for order in ORDERS)
    wanted = np.zeros((len(value), len(rates), 1))
    wanted[:, grows] = 1.0
    inverse = np.linalg.inv(value)
    x = inverse @ wanted  # (n, 6, 1)
    x1 = -(inverse[:, None] @ (first @ x[:, None]))  # (n, d, 6, 1)
    crossed = first[:, :, None] @ x1[:, None]
    x2 = -(inverse[:, None, None] @ (second @ x[:, None, None] + crossed + np.swapaxes(crossed, 1, 2)))
    whole = x[..., 0], x1[..., 0], x2[..., 0]
    return vec(*(part[..., :3] for part in whole)), vec(*(part[..., 3:] for part in whole))


def _parts(rate: Twist, order: str) -> Floats:
    """Six coefficients, or their first or second derivatives, as the last axis."""
    return np.concatenate([getattr(of, order) for of in rate], axis=-1)


def twist_by(centre: Vec, fixed: Iterable[Vec], driver: int) -> Twist:
    """Twist of the carrier per unit of a driver; second derivatives are not known.

    fixed: three directions on the carrier, square to each other; omega is half the sum of e x e_k over them.
    """
    first, *others = (each.cross(_rates(each, driver)) * 0.5 for each in fixed)
    return _rates(centre, driver), first + others[0] + others[1]


def rate_by(of: Jet, driver: int) -> Jet:
    """Derivative by a driver as a number with its own first derivatives; the second ones are not known."""
    return jet(of.first[:, driver], of.second[:, driver], np.full_like(of.second, np.nan))


def _rates(of: Vec, driver: int) -> Vec:
    return Vec(np.stack([rate_by(part, driver).rows for part in (of.x, of.y, of.z)]))
