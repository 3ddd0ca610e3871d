"""The instant steering axis of a wheel: the screw about which its carrier turns while springs keep their lengths.

With four links and a locked spring a carrier is left one freedom, that in which the fifth link would move it. Its twist
(v, omega) is about an axis of direction omega through W + omega x v/|omega|^2, with the pitch omega.v/|omega|^2.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.kinematics.jets import Jet, Vec, jet, vec

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
