"""Instant centres and slopes of a wheel, and roll centres: from twists of the wheel carrier per unit of travel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.kinematics.wheel import Wheel

NO_TURN = 1e-12
"""rate of rotation below which there is no centre but at infinity, rad/m"""


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


def across_road(roll: Floats) -> Floats:
    """(n, 3) unit vector to the left along a road that is turned by roll."""
    return np.stack((np.zeros_like(roll), np.cos(roll), -np.sin(roll)), axis=-1)


def up_from_road(roll: Floats) -> Floats:
    """(n, 3) normal of a road that is turned by roll."""
    return np.stack((np.zeros_like(roll), np.sin(roll), np.cos(roll)), axis=-1)


def _not_zero(rate: Floats) -> Floats:
    return np.where(np.abs(rate) > NO_TURN, rate, np.nan)


@dataclass(frozen=True, eq=False)
class RollCentre:
    """Of an axle at n poses, in road axes: height above the road, lateral to the left; slopes are the jacking forces."""

    height: Floats
    lateral: Floats
    slope_left: Floats
    slope_right: Floats


def contact_slope(wheel: Wheel) -> Floats:
    """(n,) m = v_Cy/v_Cn of a contact, in road axes."""
    v = wheel.contact_velocity
    rise = np.sum(v * up_from_road(wheel.roll), axis=1)
    return np.asarray(np.sum(v * across_road(wheel.roll), axis=1) / rise)


def roll_centre(left: Wheel, right: Wheel) -> RollCentre:
    """Where the lines through C_L and C_R meet that are normal to v_CL and v_CR in the y-z view of the road."""
    m = contact_slope(left), contact_slope(right)
    height, lateral = meet_of_lines(left, right, m)
    return RollCentre(height, lateral, m[0], -m[1])


def meet_of_lines(left: Wheel, right: Wheel, m: tuple[Floats, Floats]) -> tuple[Floats, Floats]:
    """Height above the road and lateral place, in road axes, where the lines height = h_C + m (y_C - y) meet."""
    roads = [(np.sum(wheel.contact.value * across_road(wheel.roll), axis=1), _level(wheel)) for wheel in (left, right)]
    (y_left, h_left), (y_right, h_right) = roads
    apart = m[0] - m[1]
    drawn = m[0] * y_left - m[1] * y_right + h_left - h_right
    lateral = np.where(apart != 0.0, drawn / np.where(apart, apart, 1.0), np.nan)
    return h_left + m[0] * (y_left - lateral) - 0.5 * (h_left + h_right), lateral


def _level(wheel: Wheel) -> Floats:
    return np.asarray(np.sum(wheel.contact.value * up_from_road(wheel.roll), axis=1))
