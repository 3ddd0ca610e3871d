"""What can be adjusted on an axle: lengths of members between two points and of the legs of arms, shims, perches, points."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.elements.joints.distance import DISTANCE
from sheetmbs.elements.joints.revolute import REVOLUTE
from sheetmbs.elements.joints.spherical import SPHERICAL
from sheetmbs.schema.problem_list import Place
from sheetmbs.schema.synonyms import squashed
from sheetmbs.suspension.layout.addons import joints_of
from sheetmbs.suspension.layout.car import AxleData, Vector
from sheetmbs.suspension.layout.type_table import CHASSIS, RACK, PartJoint

SHIM, PERCH, RACK_HEIGHT, CAMBER, TOE = "camber shim", "spring perch", "rack height", "camber", "toe"
"""items of Adjustments that are no length of a member and no coordinate of a point"""
CORNER_WEIGHT, CROSS_WEIGHT, RIDE_HEIGHT = "corner weight", "cross weight", "ride height"
"""items that say how the standing car is to be"""
LENGTH = " length"
LEGS = ("front", "rear")


@dataclass(frozen=True)
class Link:
    """A member between two points. joint: of the axle's table."""

    joint: PartJoint

    @property
    def name(self) -> str:
        """Name of the member as an item has it, without the word length."""
        return self.joint.name


@dataclass(frozen=True)
class Leg:
    """A leg of an arm, from a pivot to its ball joint. hinge, ball: joints of the arm; which: its front or rear leg."""

    arm: str
    hinge: PartJoint
    ball: PartJoint
    which: str

    @property
    def name(self) -> str:
        """Name of the member as an item has it, without the word length."""
        return f"{self.arm} {self.which} leg"

    def shift(self, axle: AxleData, side: str, longer: float) -> Vector:
        """(3,) how far the ball joint moves on its arm, m, while the other leg keeps its length.

        With R, F the pivots, c = |F - R|, legs a to F and b to R: s = (b^2 - a^2 + c^2)/(2 c) along the hinge from R, and
        h = sqrt(b^2 - s^2) across it. Raises ValueError where the legs do not meet.
        """
        points = axle.points[side]
        front, rear = (points[name].position for name in self.hinge.points)
        ball = points[self.ball.points[0]].position
        c = float(np.linalg.norm(front - rear))
        along = (front - rear) / c
        a, b = (float(np.linalg.norm(ball - pivot)) for pivot in (front, rear))
        a, b = (a + longer, b) if self.which == "front" else (a, b + longer)
        across = (ball - rear) - along * ((ball - rear) @ along)
        s = (b * b - a * a + c * c) / (2.0 * c)
        if b * b <= s * s:
            raise ValueError("the legs of the arm do not meet with this length")
        return np.asarray(rear + s * along + np.sqrt(b * b - s * s) * across / np.linalg.norm(across) - ball)


Member = Link | Leg


@dataclass(frozen=True, eq=False)
class Adjustment:
    """A row. item: in words. change: m, of camber and toe the value itself, rad. sides: that it changes. place: of its item.

    member: whose length changes. shim: the joint at which a shim sits and its point. normal: (3,) in which it moves the upright
    of the left side, of length 1. point, shift: a hardpoint that moves and by what, (3,) m, on the left side.
    at: of a corner weight its corner, of a ride height a point of the chassis. change_place: of its change.
    """

    item: str
    change: float
    sides: tuple[str, ...]
    place: Place
    member: Member | None = None
    shim: tuple[PartJoint, str] | None = None
    normal: Vector | None = None
    point: str = ""
    shift: Vector | None = None
    at: str = ""
    change_place: Place | None = None


def of_kind(adjustments: Sequence[Adjustment], *items: str) -> list[Adjustment]:
    """Items of a kind among some items."""
    return [each for each in adjustments if each.item in items]


def members(axle: AxleData) -> list[Member]:
    """Every member of an axle that has a length of its own."""
    joints = list(joints_of(axle))
    found: list[Member] = [Link(joint) for joint in joints if joint.type == DISTANCE.name]
    for hinge in joints:
        if hinge.type != REVOLUTE.name or hinge.body_i != CHASSIS or len(hinge.points) < len(LEGS):
            continue
        ball = next((each for each in joints if each.type == SPHERICAL.name and each.body_i == hinge.body_j), None)
        if ball is not None:
            found += [Leg(hinge.body_j, hinge, ball, which) for which in LEGS]
    return found


def member_ends(member: Member) -> tuple[str, str]:
    """The points between which a member has its length: inner or front end and outer end."""
    if isinstance(member, Link):
        one, other = (member.joint.points * 2)[:2]
        return one, other
    return member.hinge.points[LEGS.index(member.which)], member.ball.points[0]


def member_named(axle: AxleData, text: str) -> Member | None:
    """The member that a text such as ``tie rod`` names; push-rod and pull-rod are one, and so are tie rod and toe link."""
    wanted = squashed(text)
    if wanted in ("pushrod", "pullrod", "rod") and axle.has_rocker:
        wanted = squashed(axle.rod_name)
    toe = toe_link(axle)
    if wanted in ("tierod", "toelink") and toe is not None:
        return toe
    return next((member for member in members(axle) if squashed(member.name) == wanted), None)


def toe_link(axle: AxleData) -> Link | None:
    """The member that holds the toe of the wheel: tie rod or toe link; None where there is none."""
    return next(
        (each for each in members(axle) if isinstance(each, Link) and RACK in (each.joint.body_i, each.joint.body_j)),
        None,
    )
