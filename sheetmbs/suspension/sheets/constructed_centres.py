"""Instant centres as they are constructed at a drawing board: in the front view and in the side view of a pose.

Of a type with two arm planes the centre in the front view is where the traces of both planes in x = x_W meet, in the side view
those in y = y_W. Of other types it is that of the motion of the wheel carrier: lines from it are square to the velocities.
The wheels of a beam have one centre in the front view: that about which the beam rolls.
"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements.rotation import cross
from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.kinematics.wheel import Wheel
from sheetmbs.suspension.layout.car import SIDES
from sheetmbs.suspension.layout.type_table import WHEEL_CENTRE
from sheetmbs.suspension.loads.part_statics import place_of
from sheetmbs.suspension.metrics.centres import contact_velocities, meet_of_planes, plane_traces

Floats = NDArray[np.float64]
VIEWS = {"front": 0, "side": 1}
"""which axis is the line of sight"""
FARTHEST = 1e7
"""m from the contact: a centre that is farther away, or at infinity, is drawn there, in its direction"""
ROUNDING = 1e-12
"""1/m: weight of a centre at infinity, per length of its direction"""
WITH_NORMAL = 2
"""points of a plane that is given by one of its points and a normal"""


@dataclass(frozen=True, eq=False)
class ConstructedCentre:
    """The instant centre of a wheel in a view at n poses, as places of that view: (n, 2) of (y, z) or (x, z), m.

    starts: (lines, n, 2) where the lines begin that meet in the centre: on both arm planes beside their outer joints, or at the
    wheel centre. centre: NaN where the wheel moves along the line of sight.
    """

    contact: Floats
    centre: Floats
    starts: Floats


def constructed_centre(swept: SweptAxle, side: str, view: str) -> ConstructedCentre:
    """The instant centre of a wheel at all poses of an axle. view: front or side."""
    wheel, number = swept.wheels[side], list(VIEWS).index(view)
    kept = [axis for axis in range(3) if axis != VIEWS[view]]
    contact, met, traces = wheel.contact.value[:, kept], meet_of_planes(wheel), plane_traces(wheel)
    found = centre_of_motion(swept, wheel, view) if met is None else met[number]
    centre = at_most_far(contact, found, inboard(wheel, view))
    if traces is None:
        starts = [place_of(wheel, WHEEL_CENTRE)[:, kept]]
    else:
        outer = (points[-1] if len(points) > WITH_NORMAL else points[0] for points in wheel.axle.type.planes)
        ends = (place_of(wheel, name)[:, kept] for name in outer)
        starts = [_foot(place, trace) for place, trace in zip(ends, traces[number], strict=True)]
    return ConstructedCentre(contact, centre, np.stack(starts))


def inboard(wheel: Wheel, view: str) -> Floats:
    """(2,) where a centre at infinity is drawn: towards the middle of the car, or to the rear."""
    return np.array([-wheel.s if view == "front" else -1.0, 0.0])


def centre_of_motion(swept: SweptAxle, wheel: Wheel, view: str) -> Floats:
    """(n, 3) homogeneous: the place in a view about which the wheel carrier turns as the wheel travels, a beam as it rolls."""
    contact = wheel.contact.value
    if view == "side":
        v, omega = wheel.contact_velocity, wheel.twist[1][:, 0, 1]
        return np.column_stack((contact[:, 0] * omega + v[:, 2], contact[:, 2] * omega - v[:, 0], omega))
    if wheel.is_coupled:
        return cross(*(_normal_to_path(swept, swept.wheels[each]) for each in SIDES))
    v, omega = wheel.contact_velocity, wheel.twist[1][:, 0, 0]
    return np.column_stack((contact[:, 1] * omega - v[:, 2], contact[:, 2] * omega + v[:, 1], omega))


def _normal_to_path(swept: SweptAxle, wheel: Wheel) -> Floats:
    """(n, 3) the line of the front view through a contact square to its velocity in roll: a y + b z + c = 0."""
    v = np.einsum("nk,nkx->nx", swept.roll_slopes, contact_velocities(wheel))[:, 1:]
    return np.column_stack((v, -np.sum(v * wheel.contact.value[:, 1:], axis=1)))


def at_most_far(start: Floats, centre: Floats, endless: Floats) -> Floats:
    """(n, 2) of a homogeneous centre (n, 3), no farther from its start (n, 2) than is drawn; at infinity it lies that way."""
    weight = centre[:, 2:]
    way = centre[:, :2] - weight * start
    length = np.linalg.norm(way, axis=1, keepdims=True)
    is_endless = np.abs(weight) < ROUNDING * length
    ahead = np.where(is_endless, np.sign(way @ endless)[:, None], np.sign(weight))
    distance = np.where(is_endless, FARTHEST, length / np.where(is_endless, 1.0, np.abs(weight)))
    return start + ahead * way / np.where(length > 0.0, length, np.nan) * np.minimum(distance, FARTHEST)


def _foot(place: Floats, line: Floats) -> Floats:
    """(n, 2) the point of a line a u + b v + c = 0, (n, 3), that is nearest to a place (n, 2)."""
    normal = line[:, :2]
    off = (np.sum(normal * place, axis=1) + line[:, 2]) / np.sum(normal * normal, axis=1)
    return np.asarray(place - off[:, None] * normal)
