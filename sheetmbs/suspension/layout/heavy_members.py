"""Members that are bodies where Bodies gives them a row: links between two ball joints, and the rod of a strut.

A link has a ball joint at its outer end and a universal joint at the other, so that it does not spin; a strut rod slides in the
upright and turns in a ball joint at its top. None of this changes a pose: sweeps are posed with links that have no bodies.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

from sheetmbs.elements.joints.distance import DISTANCE
from sheetmbs.elements.joints.spherical_cylindrical import SPHERICAL_CYLINDRICAL
from sheetmbs.suspension.layout.addons import joints_of
from sheetmbs.suspension.layout.car import SIDES, AxleData, MassPoint, Vector
from sheetmbs.suspension.layout.type_table import BAR, CHASSIS, ROCKER, T_HEAD, PartJoint

TURNED = (ROCKER, BAR, T_HEAD)
"""second bodies of links that are their inner ones"""
STRUT_ROD = "strut rod"


@dataclass(frozen=True)
class Member:
    """A member of one side that may be a body. joint: what it is without one."""

    axle: AxleData
    side: str
    joint: PartJoint

    @property
    def owner(self) -> str:
        """The corner or axle whose it is."""
        return self.axle.name if self.joint.is_central else self.axle.corner(self.side)

    @property
    def is_strut(self) -> bool:
        """Whether it slides in the upright."""
        return self.joint.type != DISTANCE.name

    @property
    def body(self) -> str:
        """The name of its body, which is that of its row on Bodies."""
        return f"{self.owner} {STRUT_ROD if self.is_strut else self.joint.name}"

    @property
    def ends(self) -> tuple[str, str]:
        """Hardpoints at its inner and outer end; of a strut at its top and at its lower end."""
        first, second = self.joint.points
        return (first, second) if self.is_strut or self.joint.body_j not in TURNED else (second, first)

    @property
    def places(self) -> tuple[Vector, Vector]:
        """Centre of these masses, shape (3,)."""
        inner, outer = (self.axle.points[self.side][name].position for name in self.ends)
        return inner, outer

    @property
    def carriers(self) -> tuple[str, str]:
        """Full names of the bodies at its ends."""
        joint = self.joint
        is_turned = self.ends != joint.points
        parts = (joint.body_j, joint.body_i) if is_turned or self.is_strut else (joint.body_i, joint.body_j)
        inner, outer = (self.axle.body_name(part, self.side) for part in parts)
        return inner, outer

    @property
    def along(self) -> Vector:
        """(3,) unit direction from its inner end to its outer one."""
        inner, outer = self.places
        return np.asarray((outer - inner) / np.linalg.norm(outer - inner))

    @property
    def middle(self) -> Vector:
        """(3,) where its mass is if nothing else is said."""
        inner, outer = self.places
        return np.asarray(0.5 * (inner + outer))

    @property
    def cross_axes(self) -> tuple[Vector, Vector]:
        """(3,) axes of a universal joint at its inner end, square to the link and to each other."""
        first = np.cross(self.along, np.eye(3)[np.argmin(np.abs(self.along))])
        first = first / np.linalg.norm(first)
        return first, np.cross(self.along, first)

    def inertia(self, mass: float) -> Vector:
        """(3, 3) of a slender rod about its middle, kg m^2: m l^2/12 across it."""
        inner, outer = self.places
        across = np.eye(3) - np.outer(self.along, self.along)
        return np.asarray(mass * float(np.sum((outer - inner) ** 2)) / 12.0 * across)

    def beside(self, place: Vector) -> float:
        """How far a place (3,) lies from its line, m."""
        return float(np.linalg.norm(np.cross(place - self.places[0], self.along)))

    def masses(self, mass: float, place: Vector) -> Iterator[MassPoint]:
        """Masses on the bodies at its ends that weigh on them as it does, by the law of the lever.

        What hangs on the chassis is sprung, and left out. place: (3,) of its centre of mass; the nearest on its line counts.
        """
        inner, outer = self.places
        if self.is_strut:
            top, lower = self.ends
            at = inner + self.along * float((place - inner) @ self.along)
            yield MassPoint(self.carriers[1], self.side, at, mass, slides_on=(top, lower))
            return
        share = float((place - inner) @ self.along) / float(np.linalg.norm(outer - inner))
        each = zip(self.carriers, (inner, outer), (1.0 - share, share), self.ends, strict=True)
        for body, at, part, point in each:
            if body != CHASSIS:
                yield MassPoint(body, self.side, at, part * mass, point)


def members_of(axle: AxleData) -> Iterator[Member]:
    """Every member of an axle that may be a body."""
    for joint in joints_of(axle):
        if joint.type in (DISTANCE.name, SPHERICAL_CYLINDRICAL.name):
            for side in SIDES:
                if side == SIDES[0] or not joint.is_central:
                    yield Member(axle, side, joint)
