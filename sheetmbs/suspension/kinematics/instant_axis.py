"""The instant steering axis of a wheel: the screw about which its carrier turns while springs keep their lengths.

With four links and a locked spring a carrier is left one freedom, that in which the fifth link would move it. Its twist
(v, omega) is about an axis of direction omega through W + omega x v/|omega|^2, with the pitch omega.v/|omega|^2.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.kinematics.jets import Jet, Vec, constant, vec
from sheetmbs.suspension.layout.types.multilink import LINKS, MULTILINK

if TYPE_CHECKING:
    from sheetmbs.suspension.kinematics.wheel import Wheel


@dataclass(frozen=True, eq=False)
class Screw:
    """An instant axis: a point of it, its direction upwards, and how far the carrier moves along it per turn, m/rad."""

    point: Vec
    direction: Vec
    pitch: Jet


def instant_axis(wheel: Wheel) -> Screw | None:
    """The instant steering axis; None of types that have none, and where the axis between two points is the same."""
    if wheel.axle.type is MULTILINK:
        return _screw(wheel.centre, *_left_by_links(wheel))
    if wheel.axle.is_steered and wheel.axle.steering_axis and wheel.axle.word("steering axis") == "instant":
        return _screw(wheel.centre, *_of_rack(wheel))
    return None


def _screw(centre: Vec, v: Vec, omega: Vec) -> Screw:
    square = omega.dot(omega)
    up = np.where(omega.z.value < 0.0, -1.0, 1.0)
    turned = Vec(*(part.of(part.value * up, up, np.zeros_like(up)) for part in (omega.x, omega.y, omega.z)))
    across = omega.cross(v)
    point = Vec(*(part / square for part in (across.x, across.y, across.z)))
    return Screw(centre + point, turned, omega.dot(v) / square)


def _left_by_links(wheel: Wheel) -> tuple[Vec, Vec]:
    """Twist of the carrier as the last link grows, the others and the spring as they are: six equations with derivatives.

    A x = e, A x_k = -A_k x and A x_kl = -(A_kl x + A_k x_l + A_l x_k).
    """
    rows = [_held(wheel, f"{name} outer", f"{name} inner") for name in LINKS]
    rows.append(_locked(wheel))
    value, first, second = (np.stack([_parts(row, order) for row in rows], axis=-2) for order in range(3))
    wanted = np.zeros((len(value), len(rows), 1))
    wanted[:, len(LINKS) - 1] = 1.0
    inverse = np.linalg.inv(value)
    x = inverse @ wanted  # (n, 6, 1)
    x1 = -(inverse[:, None] @ (first @ x[:, None]))  # (n, d, 6, 1)
    crossed = first[:, :, None] @ x1[:, None]
    x2 = -(inverse[:, None, None] @ (second @ x[:, None, None] + crossed + np.swapaxes(crossed, 1, 2)))
    whole = x[..., 0], x1[..., 0], x2[..., 0]
    return vec(*(part[..., :3] for part in whole)), vec(*(part[..., 3:] for part in whole))


def _held(wheel: Wheel, moving: str, fixed: str) -> tuple[Vec, Vec]:
    """Coefficients of v and omega in the rate of half the square of a length that ends on the carrier."""
    end = wheel.hardpoint(moving)
    along = end - wheel.hardpoint(fixed)
    return along, (end - wheel.centre).cross(along)


def _locked(wheel: Wheel) -> tuple[Vec, Vec]:
    """The same of the spring or, with a rocker that then stands still, of its rod; of the wheel's height without either."""
    axle = wheel.axle
    ends = ("rod outer", "rod rocker") if axle.has_rocker else (axle.damper_point, axle.damper_fixed)
    if all(map(axle.has_point, ends)):
        return _held(wheel, *ends)
    count = len(wheel.poses)
    return constant(np.array([0.0, 0.0, 1.0]), count, wheel.drivers), constant(np.zeros(3), count, wheel.drivers)


def _parts(row: tuple[Vec, Vec], order: int) -> Floats:
    """Six coefficients, or their first or second derivatives, as the last axis."""
    name = ("value", "first", "second")[order]
    return np.stack([getattr(part, name) for of in row for part in (of.x, of.y, of.z)], axis=-1)


def _of_rack(wheel: Wheel) -> tuple[Vec, Vec]:
    """Twist of the carrier per travel of the rack, while its own travel keeps the spring's length; no second derivatives."""
    rack = wheel.rack_at
    v, omega = _rates(wheel.centre, rack), _turning(wheel, rack)
    length = wheel.damper_length
    if length is None:
        return v, omega
    travel = -(_rate(length, rack) / _rate(length, 0))
    return v + _rates(wheel.centre, 0) * travel, omega + _turning(wheel, 0) * travel


def _rate(of: Jet, driver: int) -> Jet:
    """Derivative by a driver as a number with its own first derivatives; the second ones are not known."""
    return Jet(of.first[:, driver], of.second[:, driver], np.full_like(of.second, np.nan))


def _rates(of: Vec, driver: int) -> Vec:
    return Vec(*(_rate(part, driver) for part in (of.x, of.y, of.z)))


def _turning(wheel: Wheel, driver: int) -> Vec:
    """Angular velocity of the carrier per unit of a driver: half the sum of e x e_k over three directions fixed on it."""
    fixed = [wheel.direction_on(wheel.axle.wheel_carrier, along) for along in np.eye(3)]
    first, *others = (each.cross(_rates(each, driver)) * 0.5 for each in fixed)
    return first + others[0] + others[1]
