"""A mechanism at one time as strokes in one view: what stands for its bodies, joints, springs and for the ground.

However often the same mechanism is drawn, it gives the same strokes of the same lengths, so that frames can follow each
other.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Literal

import numpy as np

from sheetmbs.elements import JOINTS
from sheetmbs.elements.forces import FORCE_TYPES
from sheetmbs.elements.joints.cylindrical import CYLINDRICAL
from sheetmbs.elements.joints.revolute_cylindrical import REVOLUTE_CYLINDRICAL
from sheetmbs.elements.joints.screw import SCREW
from sheetmbs.elements.joints.spherical_cylindrical import SPHERICAL_CYLINDRICAL
from sheetmbs.elements.joints.translational import TRANSLATIONAL
from sheetmbs.elements.joints.wheel_on_road import WHEEL_ON_ROAD
from sheetmbs.elements.marker import GROUND, Marker
from sheetmbs.model.model import Beam, Joint, Model
from sheetmbs.results.columns.collect import Floats
from sheetmbs.results.pictures.scene import DrawnScene, outline, placed_joints

Kind = Literal["body", "centre", "link", "slide", "wheel", "joint", "spring", "bearing", "ground"]

SLIDES = (TRANSLATIONAL.name, CYLINDRICAL.name, SCREW.name, SPHERICAL_CYLINDRICAL.name, REVOLUTE_CYLINDRICAL.name)
ZIGZAG = 8
"""turns of a spring"""
SPRING_HALF_WIDTH = 0.04
"""of the picture: half the width of a spring, and an eighth of a slide's line"""
RIM_POINTS = 32
"""places on the rim of a wheel"""


@dataclass(frozen=True)
class Stroke:
    """A line, or places that are marked. owner: the element for which it stands.

    points: (2, n), across and up, in the unit of the results; NaN where the line is broken.
    """

    kind: Kind
    owner: str
    points: Floats


@dataclass(frozen=True)
class Rim:
    """The rim of a wheel of which the model has none. axis: (3,) in the axes of the marker's body. radius: m."""

    name: str
    centre: Marker
    axis: Floats
    radius: float


def strokes(
    model: Model,
    scene: DrawnScene,
    view: Floats,
    size: float,
    held: Mapping[str, Sequence[Marker]],
    rims: Sequence[Rim] = (),
) -> Iterator[Stroke]:
    """The strokes of one position. view: horizontal and vertical direction (2, 3). size, held: see `size_of`, `held_by`."""
    scale = model.display.length[1]

    def flat(points: Sequence[Floats]) -> Floats:
        return np.asarray(view @ np.array(points).T / scale)

    for body in model.bodies:
        points = [scene.point(marker) for marker in held[body.name]]
        lines = [scene.curve(body.name)] if isinstance(body, Beam) else outline(points, scene.place[body.name][0])
        yield from (Stroke("body", body.name, flat(line)) for line in lines)
        yield Stroke("centre", body.name, flat([scene.place[body.name][0]]))
    for joint in placed_joints(model):
        yield from (Stroke(kind, joint.name, flat(points)) for kind, points in _of_joint(joint, scene, size))
    for rim in rims:
        axis = scene.place[rim.centre.body][1] @ rim.axis
        yield Stroke("wheel", rim.name, flat(_rim(scene.point(rim.centre), axis, rim.radius)))
    for spring in model.springs:
        picture = FORCE_TYPES[spring.type].picture
        if picture:
            start, end = flat([scene.point(spring.i), scene.point(spring.j)]).T
            yield Stroke("spring", spring.name, PICTURES[picture](start, end, SPRING_HALF_WIDTH * size / scale))
    for clearance in model.clearances:
        yield Stroke("bearing", clearance.name, flat([scene.point(clearance.i)]))
    if held[GROUND]:
        yield Stroke("ground", GROUND, flat([marker.origin for marker in held[GROUND]]))


def _of_joint(joint: Joint, scene: DrawnScene, size: float) -> Iterator[tuple[Kind, list[Floats]]]:
    ends = [scene.point(joint.i), scene.point(joint.j)]
    is_link = JOINTS[joint.type].is_link
    if is_link:
        yield "link", ends
    elif joint.type in SLIDES:
        yield "slide", _stretched(ends, scene.axis(joint.i) * size * 3 * SPRING_HALF_WIDTH)
    elif joint.type == WHEEL_ON_ROAD.name:
        yield "wheel", _rim(ends[1], scene.axis(joint.j), joint.values["radius"])
    yield "joint", ends if is_link else ends[1:]


def _stretched(ends: list[Floats], along: Floats) -> list[Floats]:
    """The line from the first end to the second, longer by ``along`` on both sides."""
    onward = along if along @ (ends[1] - ends[0]) >= 0.0 else -along
    return [ends[0] - onward, ends[1] + onward]


def _rim(centre: Floats, axis: Floats, radius: float) -> list[Floats]:
    """Places on the rim of a wheel, from its centre (3,) and its axis (3,)."""
    beside = np.eye(3)[np.argmin(np.abs(axis))]
    first = np.cross(axis, beside)
    first /= np.linalg.norm(first)
    second = np.cross(axis, first)
    return [
        centre + radius * (np.cos(a) * first + np.sin(a) * second)
        for a in np.linspace(0.0, 2.0 * np.pi, RIM_POINTS + 1)
    ]


def _along(start: Floats, end: Floats, width: float, shares: Floats, sides: Floats) -> Floats:
    """(2, n) places at shares of the way from the first of two points (2,) to the second, and so many widths beside it."""
    along = end - start
    length = float(np.linalg.norm(along))
    beside = np.array([-along[1], along[0]]) * (min(width / length, 0.2) if length else 0.0)
    return np.asarray(start[:, None] + np.outer(along, shares) + np.outer(beside, sides))


def _cylinder(start: Floats, end: Floats, width: float) -> Floats:
    """A cylinder from the first of two points (2,), and the rod of its piston to the second."""
    shares = np.array([0.0, 0.0, 0.6, 0.6, 0.0, 0.0, np.nan, 0.4, 0.4, np.nan, 0.4, 1.0])
    sides = np.array([0.0, 1.0, 1.0, -1.0, -1.0, 0.0, np.nan, 1.0, -1.0, np.nan, 0.0, 0.0])
    return _along(start, end, width, shares, sides)


def _zigzag(start: Floats, end: Floats, width: float) -> Floats:
    """A spring between two points (2,)."""
    shares = np.concatenate(([0.0, 0.15], np.linspace(0.2, 0.8, 2 * ZIGZAG), [0.85, 1.0]))
    sides = np.concatenate(([0.0, 0.0], np.tile([1.0, -1.0], ZIGZAG), [0.0, 0.0]))
    return _along(start, end, width, shares, sides)


PICTURES = {"zigzag": _zigzag, "cylinder": _cylinder}
"""of force elements, by their declarations"""
