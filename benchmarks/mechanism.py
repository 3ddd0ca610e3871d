"""What both peers need of a model: where bodies and joints are at the start, and a spanning forest of its joints."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements.marker import GROUND, Marker
from sheetmbs.elements.rotation import matrix_of
from sheetmbs.model.model import Joint, Model

Vector = NDArray[np.float64]
Order = Literal["breadth", "depth"]


@dataclass(frozen=True, eq=False)
class Pose:
    """A body at the start: position (3,), rotation matrix (3, 3), velocity and angular velocity (3,), all global."""

    position: Vector
    turn: Vector
    velocity: Vector
    spin: Vector

    def point(self, marker: Marker) -> Vector:
        """Where a marker on this body is."""
        return self.position + self.turn @ marker.origin

    def speed(self, marker: Marker) -> Vector:
        """How fast it moves."""
        return self.velocity + np.cross(self.spin, self.turn @ marker.origin)


@dataclass(frozen=True, eq=False)
class Link:
    """A body hung on its parent by a joint: origin (3,) and axes (3, 3) of the joint, global, the third axis its own.

    rate: of the joint's coordinate at the start.
    """

    body: str
    parent: str
    joint: Joint
    origin: Vector
    axes: Vector
    rate: float

    @property
    def slides(self) -> bool:
        """Whether the joint is translational."""
        return self.joint.type == "translational"


def poses(model: Model) -> dict[str, Pose]:
    """All bodies, and the ground."""
    found = {GROUND: Pose(np.zeros(3), np.eye(3), np.zeros(3), np.zeros(3))}
    for body in model.bodies:
        c, s = np.cos(body.angles[2]), np.sin(body.angles[2])
        flat = np.array([[c, -s, 0.0], [s, c, 0.0], [0.0, 0.0, 1.0]])
        turn = flat if model.settings.dimension == "2D" else matrix_of(body.euler)
        found[body.name] = Pose(body.position, turn, body.velocity, turn @ body.angular_velocity)
    return found


def axes_of(model: Model, at: dict[str, Pose], marker: Marker) -> Vector:
    """Global axes of a joint; in a plane all hinges turn about z."""
    return np.eye(3) if model.settings.dimension == "2D" else at[marker.body].turn @ marker.axes


def forest(model: Model, order: Order = "breadth") -> tuple[list[Link], list[Joint]]:
    """Links from the ground outwards, each after its parent, and the joints that close loops.

    order: a tree grows from all bodies on the ground at once, or along one chain as far as it goes.
    """
    at = poses(model)
    links: list[Link] = []
    hung, used = {GROUND}, set()
    waiting = [GROUND]
    while waiting:
        parent = waiting.pop(0 if order == "breadth" else -1)
        for joint in model.joints:
            ends = [marker.body for marker in (joint.i, joint.j)]
            if parent not in ends or joint.name in used:
                continue
            child = ends[1 - ends.index(parent)]
            if child in hung:
                continue
            used.add(joint.name)
            hung.add(child)
            links.append(_link(model, at, joint, parent, child))
            waiting.append(child)
            if order == "depth":
                waiting.insert(-1, parent)
                break
    return links, [joint for joint in model.joints if joint.name not in used]


def _link(model: Model, at: dict[str, Pose], joint: Joint, parent: str, child: str) -> Link:
    inner, outer = (joint.i, joint.j) if joint.i.body == parent else (joint.j, joint.i)
    axes = axes_of(model, at, inner)
    if joint.type == "translational":
        rate = float(axes[:, 2] @ (at[child].speed(outer) - at[parent].speed(inner)))
    else:  # the massless rod of A01 turns about its foot as a hinge would
        rate = float(axes[:, 2] @ (at[child].spin - at[parent].spin))
    return Link(child, parent, joint, at[parent].point(inner), axes, rate)
