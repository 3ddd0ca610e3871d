"""What a type of suspension is: a table of points, bodies and joints of its left side, from which rows are generated.

Names of bodies and points are those of one side; ``chassis`` is the body of the car and ``rack`` the rack of the axle.
"""

from __future__ import annotations

from dataclasses import dataclass

from sheetmbs.elements.joints.distance import DISTANCE
from sheetmbs.elements.joints.spherical_cylindrical import SPHERICAL_CYLINDRICAL

CHASSIS, RACK, UPRIGHT, ROCKER, BAR = "chassis", "rack", "upright", "rocker", "bar"
AXLE, T_BASE, T_HEAD, WATT_CRANK, BLADE = "axle", "T base", "T head", "watt crank", "blade"
CENTRAL = (RACK, AXLE, T_BASE, T_HEAD, WATT_CRANK, BLADE)
"""bodies of which an axle has one"""
BLADE_PIVOT = "blade pivot"
WHEEL_CENTRE = "wheel centre"
LINK, STRUT = DISTANCE.name, SPHERICAL_CYLINDRICAL.name
"""types of joints that hold a wheel carrier without another body"""


@dataclass(frozen=True)
class PointRole:
    """A hardpoint of a type. on: the body that carries it. role: what it is, for people. is_central: one for the axle."""

    name: str
    on: str
    role: str
    is_central: bool = False


@dataclass(frozen=True)
class Part:
    """A generated body. at: the point at which its origin stands. is_central: one for the axle."""

    name: str
    at: str
    is_central: bool = False


@dataclass(frozen=True)
class PartJoint:
    """A generated joint. points: where it is; of a hinge two points on its axis, of a link its two ends.

    axis: instead of a second point, global components.
    """

    name: str
    type: str
    body_i: str
    body_j: str
    points: tuple[str, ...]
    axis: tuple[float, float, float] | None = None
    is_central: bool = False


@dataclass(frozen=True)
class SuspensionType:
    """One type. doc: what it is, for people. wheel_carrier: the body on which the wheel turns. name: its word.

    steering_axis: lower and upper point; () instant or none. known_by: the point by which a list shows that it is of this type.

    carriers: bodies on which rod, damper or bar link may stand, the default first. planes: of its arms, () where it has not
    two: each three points, or two, of which the plane is through the first and square to the line to the second. variants:
    types that take its place where a point is given.
    """

    doc: str
    points: tuple[PointRole, ...]
    parts: tuple[Part, ...]
    joints: tuple[PartJoint, ...]
    wheel_carrier: str = UPRIGHT
    steering_axis: tuple[str, str] | tuple[()] = ()
    carriers: tuple[str, ...] = (UPRIGHT,)
    planes: tuple[tuple[str, ...], ...] = ()
    variants: tuple[tuple[str, SuspensionType], ...] = ()
    known_by: str = ""
    name: str = ""

    @property
    def is_beam(self) -> bool:
        """Whether one body carries both wheels, and with them the final drive."""
        return self.wheel_carrier == AXLE

    @property
    def has_strut(self) -> bool:
        """Whether a strut, which may be the damper, holds the wheel carrier."""
        return any(joint.type == STRUT for joint in self.joints)

    @property
    def is_on_links(self) -> bool:
        """Whether links and a strut hold the wheel carrier: its steering axis moves, and the last of them steers."""
        return bool(self.joints) and all(joint.type in (LINK, STRUT) for joint in self.joints)


def hinge(name: str, body: str, front: str, rear: str) -> PartJoint:
    """A body that turns about a line on the chassis."""
    return PartJoint(name, "revolute", CHASSIS, body, (front, rear))


def ball(name: str, body_i: str, body_j: str, point: str) -> PartJoint:
    """Declare a ball joint."""
    return PartJoint(name, "spherical", body_i, body_j, (point,))


def link(name: str, body_i: str, body_j: str, inner: str, outer: str) -> PartJoint:
    """A rod between two ball joints, without a body."""
    return PartJoint(name, LINK, body_i, body_j, (inner, outer))


def strut(name: str, body: str, top: str, lower: str) -> PartJoint:
    """A strut whose axis, fixed on the body, slides through its top on the chassis."""
    return PartJoint(name, STRUT, body, CHASSIS, (top, lower))
