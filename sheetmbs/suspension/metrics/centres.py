"""Instant centres, slopes of the contact and anti effects of a wheel: from twists of the wheel carrier per unit of travel."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.kinematics.wheel import Wheel


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


def _not_zero(rate: Floats) -> Floats:
    """Rates of rotation, NaN where there is none: then the centre is infinitely far away."""
    return np.where(np.abs(rate) > 1e-12, rate, np.nan)


@dataclass(frozen=True, eq=False)
class RollCentre:
    """Of an axle at n poses, in road axes: height above the road, lateral to the left; slopes are the jacking forces."""

    height: Floats
    lateral: Floats
    slope_left: Floats
    slope_right: Floats


def roll_centre(left: Wheel, right: Wheel) -> RollCentre:
    """Where the lines through C_L and C_R meet that are normal to v_CL and v_CR in the y-z view of the road.

    Through C with slope m = v_y/v_n the line is height = h_C + m (y_C - y).
    """
    sine, cosine = np.sin(left.roll), np.cos(left.roll)
    up = np.stack((np.zeros_like(sine), sine, cosine), axis=-1)
    across = np.stack((np.zeros_like(sine), cosine, -sine), axis=-1)
    m, y, h = [], [], []
    for wheel in (left, right):
        v, contact = wheel.contact_velocity, wheel.contact.value
        m.append(np.sum(v * across, axis=1) / np.sum(v * up, axis=1))
        y.append(np.sum(contact * across, axis=1))
        h.append(np.sum(contact * up, axis=1))
    apart = m[0] - m[1]
    lateral = np.where(apart != 0.0, (m[0] * y[0] - m[1] * y[1] + h[0] - h[1]) / np.where(apart, apart, 1.0), np.nan)
    height = h[0] + m[0] * (y[0] - lateral) - 0.5 * (h[0] + h[1])
    return RollCentre(height, lateral, m[0], -m[1])
