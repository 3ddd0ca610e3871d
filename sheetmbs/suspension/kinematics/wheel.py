"""One wheel over poses: wheel centre, spin axis, contact and steering axis, each with its derivatives.

Drivers of the derivatives are the wheel's travel, the rack if there is one, and last the roll of the road: it moves no body,
it turns the road's normal n = (-sin pitch, cos pitch sin roll, cos pitch cos roll). Where both wheels are joined the travel is
that of both, which is heave, and the second driver is the travel of the other wheel alone.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, TypeVar

import numpy as np

from sheetmbs.analysis.driven_positions import Poses
from sheetmbs.elements.rotation import cross
from sheetmbs.engine.records import Floats
from sheetmbs.suspension.kinematics.body_motion import (
    BodyMotion,
    BodyTurn,
    Screw,
    Twist,
    body_motion,
    rate_by,
    rate_of_length,
    screw,
    square_to,
    twist_by,
    twist_left_by,
)
from sheetmbs.suspension.kinematics.jets import Jet, Vec, arctan2, constant
from sheetmbs.suspension.layout.car import SIDES, AxleData, MassPoint, Vector
from sheetmbs.suspension.layout.type_table import LINK, WHEEL_CENTRE, PartJoint

Found = TypeVar("Found")


@dataclass(frozen=True, eq=False)
class Wheel:
    """A wheel at n poses. roll, pitch: (n,) of the road against the body, rad."""

    axle: AxleData
    side: str
    poses: Poses
    roll: Floats
    pitch: Floats
    hub_spin: Floats | None = field(default=None, kw_only=True)
    """(n, 3) spin axis on its carrier, at design, of a wheel whose bearing gives way"""

    @property
    def s(self) -> float:
        """+1 left, -1 right."""
        return 1.0 if self.side == "left" else -1.0

    @property
    def count(self) -> int:
        """Number of poses of the wheel."""
        return len(self.roll)

    @property
    def drivers(self) -> int:
        """Number of derivatives: those of its poses, and roll as the last."""
        return int(self.poses.first.shape[1]) + 1

    @property
    def is_coupled(self) -> bool:
        """Whether the travel of the other wheel moves it."""
        return self.drivers - 1 - self.axle.is_steered == len(SIDES)

    @property
    def rack_at(self) -> int:
        """Which derivative is that by the rack of a steered axle."""
        return 1 + self.is_coupled

    def over_both(self, of: Jet) -> Jet:
        """A quantity of this wheel over the travels of the left and of the right wheel."""
        return of.rebased(self.to_both[:, : of.first.shape[1]])

    @cached_property
    def to_both(self) -> Floats:
        """(2, d) how the travels of the left and of the right wheel move the drivers."""
        own = SIDES.index(self.side)
        basis = np.zeros((len(SIDES), self.drivers))
        basis[own, 0] = 1.0
        if self.is_coupled:
            basis[own, 1] = -1.0  # heave less what the other wheel does
            basis[1 - own, 1] = 1.0
        return basis

    @cached_property
    def known(self) -> dict[object, Any]:
        """What has been found of it, by what finds it."""
        return {}

    def _once(self, key: object, find: Callable[[], Found]) -> Found:
        """What is found when it is first asked for, and kept."""
        if key not in self.known:
            self.known[key] = find()
        found: Found = self.known[key]
        return found

    def body_motion(self, name: str) -> BodyMotion | None:
        """The motion of a body by its full name; None where it stands still."""
        return self._once(("motion", name), lambda: self._motion(name))

    def _motion(self, name: str) -> BodyMotion | None:
        return body_motion(self.poses, name) if name in self.poses.lowered.bodies.names else None

    def point_on(self, body: str, at: Vector) -> Vec:
        """A point fixed on a body of this corner, given where it is at design (3,)."""
        return self.point_on_named(self.axle.body_name(body, self.side), at)

    def point_on_named(self, name: str, at: Vector) -> Vec:
        """The same on a body of this full name."""
        motion = self.body_motion(name)
        return constant(at, self.count, self.drivers) if motion is None else motion.point(at)

    def direction_on(self, body: str, along: Vector) -> Vec:
        """A direction fixed on a body of this corner, given at design (3,)."""
        motion = self.body_motion(self.axle.body_name(body, self.side))
        return constant(along, self.count, self.drivers) if motion is None else motion.direction(along)

    def turn(self, of: BodyTurn) -> Jet:
        """Angle by which a body of this corner has turned."""
        return self._once(("turn", of.body, of.base), lambda: self._turned(of))

    def _turned(self, of: BodyTurn) -> Jet:
        turned = self.direction_on(of.body, of.arm)
        if of.base:
            beside, ahead = (turned.dot(self.direction_on(of.base, along)) for along in (of.beside, of.ahead))
        else:
            beside, ahead = turned.along(of.beside), turned.along(of.ahead)
        return arctan2(beside, ahead)

    def hardpoint(self, name: str) -> Vec:
        """A hardpoint of this corner."""
        point = self.axle.points[self.side][name]
        return self._once(("hardpoint", name), lambda: self.point_on(point.on, point.position))

    def mass_place(self, mass: MassPoint) -> Vec:
        """Where a mass of this corner is."""
        if mass.slides_on:
            top, lower = map(self.hardpoint, mass.slides_on)
            start, end = (self.axle.points[self.side][name].position for name in mass.slides_on)
            along = end - start
            from_top: Floats = np.sum((mass.at - start) * along, axis=-1) / np.linalg.norm(along, axis=-1)
            return top + (lower - top).unit() * from_top
        return self.hardpoint(mass.point) if mass.point else self.point_on_named(mass.body, mass.at)

    @cached_property
    def centre(self) -> Vec:
        """Wheel centre W at each pose."""
        return self.hardpoint(WHEEL_CENTRE)

    @cached_property
    def spin(self) -> Vec:
        """Spin axis w, pointing outboard."""
        spin = self.axle.spin_axis(self.side) if self.hub_spin is None else self.hub_spin
        return self.direction_on(self.axle.wheel_carrier, spin)

    @cached_property
    def normal(self) -> Vec:
        """Normal of the road at each pose."""
        found = constant(road_normal(self.roll, self.pitch), self.count, self.drivers)
        across, up = found.rows[1:, 0]
        found.rows[1:, self.drivers] = up, -across
        found.rows[1:, -1] = -across, -up
        return found

    @cached_property
    def radius(self) -> float:
        """Loaded radius R, m."""
        return self.axle.number("tyre radius") or 0.0

    @cached_property
    def contact(self) -> Vec:
        """C: the lowest point of the wheel disc towards the road."""
        return self.centre.beyond(self.normal.square_to(self.spin), -self.radius)

    @cached_property
    def heading(self) -> Vec:
        """h: of the wheel plane in the road plane, forward."""
        return self._outward(self.spin, self.normal).unit()

    @cached_property
    def outboard(self) -> Vec:
        """o: in the road plane across the heading."""
        return self._outward(self.normal, self.heading)

    def _outward(self, first: Vec, second: Vec) -> Vec:
        """The vector product of the left side, or its mirror image."""
        return first.cross(second) if self.s > 0.0 else second.cross(first)

    @cached_property
    def screw(self) -> Screw | None:
        """The instant steering axis of links without ball joints, or where it is asked for; None where it is not needed."""
        if self.axle.type.is_on_links:
            held = [rate for joint in self.axle.type.joints for rate in self._rates_held_by(joint)]
            return screw(self.centre, twist_left_by((*held, self._locked_rate), len(held) - 1))
        if self.axle.is_steered and self.axle.steering_axis and self.axle.word("steering axis") == "instant":
            return screw(self.centre, self._twist_by_rack)
        return None

    def _rates_held_by(self, joint: PartJoint) -> list[Twist]:
        """What a link holds: its length; or a strut: the carrier's point at its top, in both directions across its axis."""
        if joint.type == LINK:
            inner, outer = joint.points
            return [self._rate_of_length(outer, inner)]
        points = self.axle.points[self.side]
        top, lower, centre = (points[name].position for name in (*joint.points, WHEEL_CENTRE))
        axis = (top - lower) / np.linalg.norm(top - lower, axis=-1, keepdims=True)
        arm = self.hardpoint(joint.points[0]) - self.centre
        across = [self.direction_on(self.axle.wheel_carrier, along) for along in square_to(axis, centre - top)]
        return [(along, arm.cross(along)) for along in across]

    def _rate_of_length(self, moving: str, fixed: str) -> Twist:
        return rate_of_length(self.hardpoint(moving), self.hardpoint(fixed), self.centre)

    @property
    def _locked_rate(self) -> Twist:
        """What a locked spring holds: its own length or, with a rocker that then stands still, its rod's; else W's height."""
        axle = self.axle
        ends = ("rod outer", "rod rocker") if axle.has_rocker else (axle.damper_point, axle.damper_fixed)
        if all(map(axle.has_point, ends)):
            return self._rate_of_length(*ends)
        height, none = (constant(np.array([0.0, 0.0, up]), self.count, self.drivers) for up in (1.0, 0.0))
        return height, none

    @property
    def _twist_by_rack(self) -> Twist:
        """Twist of the carrier per travel of the rack, while its own travel keeps the length of the spring."""
        fixed = [self.direction_on(self.axle.wheel_carrier, along) for along in np.eye(3)]
        v, omega = twist_by(self.centre, fixed, self.rack_at)
        length = self.damper_length
        if length is None:
            return v, omega
        travel = -(rate_by(length, self.rack_at) / rate_by(length, 0))
        by_travel = twist_by(self.centre, fixed, 0)
        return v + by_travel[0] * travel, omega + by_travel[1] * travel

    @cached_property
    def axis(self) -> tuple[Vec, Vec] | None:
        """A point of the steering axis and its direction upwards; None where the type has none."""
        if self.screw is not None:
            return self.screw.point, self.screw.direction
        ends = self.axle.steering_axis
        if not ends:
            return None
        low, high = map(self.hardpoint, ends)
        return low, high - low

    @cached_property
    def axis_on_road(self) -> Vec | None:
        """P: where the steering axis meets the road."""
        return self.meets(self.contact)

    @cached_property
    def axis_at_centre(self) -> Vec | None:
        """H: where it meets the plane parallel to the road through the wheel centre."""
        return self.meets(self.centre)

    def meets(self, level: Vec) -> Vec | None:
        """Where the steering axis meets the plane parallel to the road through a point."""
        if self.axis is None:
            return None
        low, k = self.axis
        return low + k * (self.normal.dot(level - low) / self.normal.dot(k))

    @cached_property
    def design_centre(self) -> Vector:
        """W at design (3,)."""
        return self.axle.as_drawn.points[self.side][WHEEL_CENTRE].position

    @cached_property
    def design_contact(self) -> Vector:
        """C at design (3,)."""
        return self.axle.design_contact(self.side)

    @cached_property
    def damper_length(self) -> Jet | None:
        """Distance of the damper's ends; None where they are not given."""
        ends = self.axle.damper_point, self.axle.damper_fixed
        if not all(map(self.axle.has_point, ends)):
            return None
        return self.distance(*ends)

    def distance(self, moving: str, fixed: str) -> Jet:
        """Between two hardpoints of this corner."""
        return self._once((moving, fixed), lambda: Vec.norm(self.hardpoint(moving) - self.hardpoint(fixed)))

    def distance_over_both(self, moving: str, fixed: str) -> Jet:
        """The same over the travels of the left and of the right wheel: all elements between two points share it."""
        return self._once(("over both", moving, fixed), lambda: self.over_both(self.distance(moving, fixed)))

    @cached_property
    def design_damper_length(self) -> Floats | float:
        """The same at design, m."""
        moving, fixed = (
            self.axle.as_drawn.points[self.side][name].position
            for name in (self.axle.damper_point, self.axle.damper_fixed)
        )
        found: Floats = np.linalg.norm(moving - fixed, axis=-1)
        return found

    @cached_property
    def twist(self) -> tuple[Floats, Floats]:
        """Velocity of W and angular velocity of the wheel carrier per unit of each driver of the corner, (n, d, 3) each."""
        name = self.axle.body_name(self.axle.wheel_carrier, self.side)
        v, w = self.poses.twist(name)
        arm = self.centre.value - self.poses.position(name)
        return v + cross(w, arm[:, None, :]), w

    @cached_property
    def contact_velocity(self) -> Floats:
        """(n, 3) v_C of the material point at the contact, per unit of travel."""
        v, w = self.twist
        return np.asarray(v[:, 0] + cross(w[:, 0], self.contact.value - self.centre.value))


def road_normal(roll: Floats, pitch: Floats) -> Floats:
    """(n, 3) normal of a road that is turned against the body, rad."""
    level = np.cos(pitch)
    return np.stack((-np.sin(pitch), level * np.sin(roll), level * np.cos(roll)), axis=-1)


def square(jet: Jet) -> Jet:
    """A number times itself."""
    return jet * jet
