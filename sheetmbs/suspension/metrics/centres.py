"""Instant centres and slopes of a wheel, and roll centres, from twists of the wheel carrier and from planes of the arms."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements.rotation import cross
from sheetmbs.engine.records import Floats
from sheetmbs.suspension.kinematics.wheel import Wheel
from sheetmbs.suspension.layout.car import computed_once

NO_TURN = 1e-12
"""rate of rotation below which there is no centre but at infinity, rad/m"""
PARALLEL = 1e-12
"""difference of two slopes below which their lines meet nowhere: it is rounding"""


@dataclass(frozen=True, eq=False)
class Centres:
    """Values at n poses; NaN where there is no such centre.

    slopes: of the contact and of the wheel centre. front: FVIC (y, height above the road) and swing arm. side: likewise.
    """

    contact_dy_dz: Floats
    contact_dx_dz: Floats
    wheel_dx_dz: Floats
    fvic_y: Floats
    fvic_z: Floats
    fvsa: Floats
    svic_x: Floats
    svic_z: Floats
    svsa: Floats


@computed_once
def centres(wheel: Wheel) -> Centres:
    """From v_C, the velocity of the material point at the contact, and omega, both per unit of travel."""
    v, omega = wheel.contact_velocity, wheel.twist[1][:, 0]
    w = wheel.twist[0][:, 0]
    contact = wheel.contact.value
    about_x, about_y = _not_zero(omega[:, 0]), _not_zero(omega[:, 1])
    dy, dz = -v[:, 2] / about_x, v[:, 1] / about_x
    dx, dh = v[:, 2] / about_y, -v[:, 0] / about_y
    return Centres(
        contact_dy_dz=wheel.s * v[:, 1] / v[:, 2],
        contact_dx_dz=v[:, 0] / v[:, 2],
        wheel_dx_dz=w[:, 0] / w[:, 2],
        fvic_y=contact[:, 1] + dy,
        fvic_z=dz,
        fvsa=np.hypot(dy, dz),
        svic_x=contact[:, 0] + dx,
        svic_z=dh,
        svsa=np.hypot(dx, dh),
    )


def up_from_road(wheel: Wheel) -> Floats:
    """(n, 3) normal of the road."""
    return wheel.normal.value


@computed_once
def across_road(wheel: Wheel) -> Floats:
    """(n, 3) unit vector along the road to the left, square to the body's x."""
    n = wheel.normal.value
    along = np.stack((np.zeros(len(n)), n[:, 2], -n[:, 1]), axis=-1)
    return np.asarray(along / np.linalg.norm(along, axis=1, keepdims=True))


def _not_zero(rate: Floats) -> Floats:
    return np.where(np.abs(rate) > NO_TURN, rate, np.nan)


@dataclass(frozen=True, eq=False)
class RollCentre:
    """Roll centre of an axle at n poses, in road axes.

    height: above the road. lateral: to the left. slopes: the jacking forces.
    """

    height: Floats
    lateral: Floats
    slope_left: Floats
    slope_right: Floats

    def meets_nowhere(self) -> NDArray[np.bool_]:
        """(n,) where the lines are parallel, as they always are with wheels that move square to the road."""
        return np.asarray(np.abs(self.slope_left + self.slope_right) < PARALLEL)


@computed_once
def contact_velocities(wheel: Wheel) -> Floats:
    """(n, 2, 3) velocity of the material point at the contact by the travels of the left and of the right wheel."""
    arm = (wheel.contact.value - wheel.centre.value)[:, None, :]
    return _over_both(wheel, wheel.twist[0] + cross(wheel.twist[1], arm))


@computed_once
def centre_velocities(wheel: Wheel) -> Floats:
    """(n, 2, 3) velocity of the wheel centre by the travels of the left and of the right wheel."""
    return _over_both(wheel, wheel.twist[0])


def _over_both(wheel: Wheel, by_drivers: Floats) -> Floats:
    basis = wheel.to_both[:, : by_drivers.shape[1]]
    return np.asarray(np.einsum("ik,nkx->nix", basis, by_drivers))


def contact_slope(wheel: Wheel, roll_motion: Floats) -> Floats:
    """(n,) m = v_Cy/v_Cn of a contact in the roll motion, in road axes. roll_motion: (n, 2) travels of both wheels.

    Where the wheels are independent it is that of any travel of this one; a solid axle leans as it rolls.
    """
    v = np.einsum("nk,nkx->nx", roll_motion, contact_velocities(wheel))
    return np.asarray(np.sum(v * across_road(wheel), axis=1) / np.sum(v * up_from_road(wheel), axis=1))


def roll_centre(left: Wheel, right: Wheel, roll_motion: Floats) -> RollCentre:
    """Where the lines through C_L and C_R meet that are normal to v_CL and v_CR in the y-z view of the road."""
    m = contact_slope(left, roll_motion), contact_slope(right, roll_motion)
    height, lateral = meet_of_lines(left, right, m)
    return RollCentre(height, lateral, m[0], -m[1])


def meet_of_lines(left: Wheel, right: Wheel, m: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """Height above the road and lateral place, in road axes, where the lines height = h_C + m (y_C - y) meet.

    One and the same line meets in the middle of the contacts: that is the limit of slopes that vanish alike.
    The lateral place counts from where the middle plane of the body, y = 0, cuts the road, wherever the origin is.
    """
    (y_left, h_left), (y_right, h_right) = (in_road(wheel, wheel.contact.value) for wheel in (left, right))
    apart = m[0] - m[1]
    drawn = m[0] * y_left - m[1] * y_right + h_left - h_right
    is_parallel = np.abs(apart) < PARALLEL
    is_one_line = is_parallel & (np.abs(drawn) < PARALLEL * np.abs(y_left - y_right))
    meet = np.where(is_parallel, np.nan, drawn / np.where(is_parallel, 1.0, apart))
    lateral = np.where(is_one_line, 0.5 * (y_left + y_right), meet)
    road = 0.5 * (h_left + h_right)
    middle = across_road(left)[:, 2] * road / up_from_road(left)[:, 2]
    return h_left + m[0] * (y_left - lateral) - road, lateral - middle


def in_road(wheel: Wheel, point: Floats) -> tuple[Floats, Floats]:
    """Lateral place and height of points (n, 3), in road axes."""
    return np.sum(point * across_road(wheel), axis=1), np.sum(point * up_from_road(wheel), axis=1)


def _planes(wheel: Wheel) -> list[tuple[Floats, Floats]] | None:
    """A point and the unit normal of both planes, (n, 3) each; None where the type has not two."""
    found = []
    for points in wheel.axle.type.planes:
        first, *others = (wheel.hardpoint(name).value for name in points)
        normal = others[0] - first
        if len(others) > 1:
            normal = cross(normal, others[1] - first)
        found.append((first, normal / np.linalg.norm(normal, axis=1, keepdims=True)))
    return found or None


@computed_once
def meet_of_planes(wheel: Wheel) -> tuple[Floats, Floats] | None:
    """(n, 3) homogeneous: where the planes meet in the planes through W square to x and to y; None of types without.

    The coordinates are y, z and weight, and x, z and weight; weight 0 means the direction to infinity.
    """
    traces = plane_traces(wheel)
    return None if traces is None else (cross(*traces[0]), cross(*traces[1]))


@computed_once
def plane_traces(wheel: Wheel) -> tuple[list[Floats], list[Floats]] | None:
    """Traces of both planes in the plane through W square to x, and in that square to y; None of types without planes.

    A trace is a line a u + b v + c = 0, (n, 3) of a, b and c; u and v are y and z, and x and z.
    """
    planes = _planes(wheel)
    if planes is None:
        return None
    front, side = ([_trace(wheel, plane, across) for plane in planes] for across in (0, 1))
    return front, side


def _trace(wheel: Wheel, plane: tuple[Floats, Floats], across: int) -> Floats:
    point, normal = plane
    kept = [axis for axis in range(3) if axis != across]
    level = np.sum(normal * point, axis=1) - normal[:, across] * wheel.centre.value[:, across]
    return np.column_stack((normal[:, kept[0]], normal[:, kept[1]], -level))
