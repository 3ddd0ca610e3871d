"""Where the teeth of two wheels, or of a pinion and a rack, touch: the geometry of gearings with parallel axes.

With the axis a, the line of centres e from wheel 1 to wheel 2, their distance d, and R = omega_2/omega_1 as the carrier of both
wheels sees it, the pitch point lies at rho_1 e from the centre of wheel 1 and at rho_2 e from that of wheel 2:

    rho_1 = d R/(R - 1)        rho_2 = d/(R - 1)        rho_1 - rho_2 = d

One body carries both wheels where their axes have their places on it: also the planet carrier of a sun whose own joint is on
the ground, as long as the carrier turns about the axis of the sun.

Outer teeth have R < 0 and rho of opposite signs, inner teeth R > 0 and rho of the same sign. The pitch line of a rack that
moves by rho theta along b lies at rho (b x a) from the axis of its pinion (Norton, Design of Machinery, ch. 9).
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import cos, tan
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements.marker import GROUND, Marker
from sheetmbs.elements.rotation import size_of

Vector = NDArray[np.float64]

ASKEW = 1e-5
"""sine of the angle between two axes from which on they are not parallel: beyond the rounding of what people type"""
TOGETHER = 1e-6
"""distance of two axes, over the distance of the joints' points from the origin, below which they are one line or meet"""

PRESSURE_ANGLE = np.pi / 9.0
"""rad: 20 degrees in the normal section, the standard of involute teeth (ISO 53)"""


@dataclass(frozen=True)
class BodyLink:
    """What holds a body on another: a joint by which neither turns against the other, another joint, or a soft element.

    hinge: of a joint by which the two turn about a line, its marker on ``one``, whose third axis lies on that line.
    """

    one: str
    other: str
    kind: Literal["aligned", "jointed", "soft"]
    hinge: Marker | None = None

    def beyond(self, body: str) -> str | None:
        """The body at the other end; None where this one is at neither."""
        return self.other if body == self.one else self.one if body == self.other else None


@dataclass(frozen=True, eq=False)
class CoupledJoint:
    """A hinge or slide of a coupling in the initial configuration. bodies: i and j. points: (3,) of either marker, global.

    axis: (3,) unit vector, global, about or along which the coordinate of body j against body i counts. keeping: links that
    leave this axis at its place on both bodies that they hold.
    """

    bodies: tuple[str, str]
    points: tuple[Vector, Vector]
    axis: Vector
    keeping: tuple[BodyLink, ...]


@dataclass(frozen=True)
class Teeth:
    """Angles of teeth, rad. pressure: in the normal section. helix: + for right-handed teeth of the wheel of joint_1."""

    pressure: float = PRESSURE_ANGLE
    helix: float = 0.0

    @property
    def radial(self) -> float:
        """Radial force over the tangential one."""
        return tan(self.pressure) / cos(self.helix)

    @property
    def axial(self) -> float:
        """Axial force over the tangential one."""
        return tan(self.helix)


@dataclass(frozen=True, eq=False)
class GearMesh:
    """Two wheels. bodies: of wheel 1 and wheel 2. centres: (3,) each, on their axes and in the plane of the pitch point.

    axis, line: (3,) a and e. ratio: R. radius_1: rho_1.
    """

    bodies: tuple[str, str]
    centres: tuple[Vector, Vector]
    axis: Vector
    line: Vector
    ratio: float
    radius_1: float


@dataclass(frozen=True, eq=False)
class RackMesh:
    """A pinion and a rack. bodies: of the pinion and the rack. centre: (3,) on the pinion's axis. point: (3,) of the rack.

    axis, line: (3,) a, and e from the centre to the pitch line. radius: of the pitch circle, greater than 0.
    """

    bodies: tuple[str, str]
    centre: Vector
    point: Vector
    axis: Vector
    line: Vector
    radius: float


@dataclass(frozen=True)
class NoMesh:
    """Why two joints have no pitch point, as a part of a sentence."""

    reason: str


def mesh_of(
    kind: str,
    values: Mapping[str, float],
    first: tuple[Marker, Marker],
    second: tuple[Marker, Marker],
    places: Mapping[str, tuple[Vector, Vector]],
    links: Sequence[BodyLink],
) -> GearMesh | RackMesh | NoMesh:
    """Where the teeth of a coupling touch.

    kind: ``gear`` or ``rack-and-pinion``. values: its ratio or radius. first, second: markers i and j of the coupled joints.
    places: (3,) position and (3, 3) orientation of all bodies and the ground. links: as in `wheel_sides`.
    """
    turns = kind == "gear"
    one, other = (_placed(markers, places, links, turns=turns) for markers in (first, second))
    if turns:
        return gear_mesh(one, other, values["ratio"], links)
    return rack_mesh(one, other, values["radius"], links)


def _placed(
    markers: tuple[Marker, Marker],
    places: Mapping[str, tuple[Vector, Vector]],
    links: Sequence[BodyLink],
    *,
    turns: bool,
) -> CoupledJoint:
    """The joint of two markers.

    turns: whether what turns about the axis may carry it, as with two wheels; the slide of a rack must not turn.
    """
    (point, axis), (other, _) = (_line_of(marker, places) for marker in markers)

    def keeps(link: BodyLink) -> bool:
        if link.hinge is None or not turns:
            return link.kind == "aligned"
        through, along = _line_of(link.hinge, places)
        apart = through - point
        near = TOGETHER * max(size_of(through), size_of(point), size_of(apart))
        return size_of(np.cross(axis, along)) <= ASKEW and size_of(np.cross(axis, apart)) <= near

    keeping = tuple(link for link in links if keeps(link))
    return CoupledJoint((markers[0].body, markers[1].body), (point, other), axis, keeping)


def _line_of(marker: Marker, places: Mapping[str, tuple[Vector, Vector]]) -> tuple[Vector, Vector]:
    """(3,) origin and third axis of a marker, global."""
    position, turn = places[marker.body]
    return np.asarray(position + turn @ marker.origin), np.asarray(turn @ marker.axes[:, 2])


def gear_mesh(first: CoupledJoint, second: CoupledJoint, ratio: float, links: Sequence[BodyLink]) -> GearMesh | NoMesh:
    """The mesh of the wheels of two hinges whose angles are in a ratio. links: as in `wheel_sides`."""
    sides = wheel_sides(first.bodies, second.bodies, links)
    bodies = first.bodies[sides[0]], second.bodies[sides[1]]
    unfit = _unfit(first, second, sides, links)
    if unfit is not None:
        return unfit
    point_1, point_2 = first.points[sides[0]], second.points[sides[1]]
    apart, axis = point_2 - point_1, first.axis
    near = TOGETHER * max(size_of(point_1), size_of(point_2), size_of(apart))
    normal = np.cross(axis, second.axis)
    if size_of(normal) > ASKEW:
        if abs(float(apart @ normal)) / size_of(normal) <= near:
            return NoMesh("their axes meet, and how far from there the teeth of bevel gears touch is not given")
        return NoMesh("their axes are skew, and where the teeth touch is not given")
    along = float(apart @ axis)
    across = apart - along * axis
    distance = size_of(across)
    if distance <= near:
        return NoMesh("both wheels turn about one line, at no distance from each other")
    same_sense = (1.0 if sides[0] == sides[1] else -1.0) * np.sign(float(axis @ second.axis))
    relative = float(ratio * same_sense)
    if abs(relative - 1.0) <= TOGETHER:
        return NoMesh("wheels that turn alike, as by a belt or by links, have no pitch point")
    centres = point_1 + 0.5 * along * axis, point_2 - 0.5 * along * axis
    return GearMesh(bodies, centres, axis, across / distance, relative, distance * relative / (relative - 1.0))


def rack_mesh(pinion: CoupledJoint, rack: CoupledJoint, radius: float, links: Sequence[BodyLink]) -> RackMesh | NoMesh:
    """The mesh of a hinge and a slide whose displacement is radius times the angle of the hinge. links: as in `wheel_sides`."""
    sides = wheel_sides(pinion.bodies, rack.bodies, links)
    bodies = pinion.bodies[sides[0]], rack.bodies[sides[1]]
    unfit = _unfit(pinion, rack, sides, links)
    if unfit is not None:
        return unfit
    if abs(float(pinion.axis @ rack.axis)) > ASKEW:
        return NoMesh("the rack does not move at right angles to the axis of the pinion")
    signed = radius if sides[0] == sides[1] else -radius
    line = np.sign(signed) * np.cross(rack.axis, pinion.axis)
    centre, point = pinion.points[sides[0]], rack.points[sides[1]]
    return RackMesh(bodies, centre, point, pinion.axis, np.asarray(line / size_of(line)), abs(radius))


def _unfit(
    first: CoupledJoint, second: CoupledJoint, sides: tuple[int, int], links: Sequence[BodyLink]
) -> NoMesh | None:
    """Why the bodies of two joints are no wheels in mesh, None where they may be."""
    wheels = first.bodies[sides[0]], second.bodies[sides[1]]
    carriers = first.bodies[1 - sides[0]], second.bodies[1 - sides[1]]
    if wheels[0] == wheels[1]:
        return NoMesh(f"both joints move {wheels[0]}, which cannot mesh with itself")
    held = [
        _reached(carrier, set(wheels), each.keeping) for carrier, each in zip(carriers, (first, second), strict=True)
    ]
    if held[0].isdisjoint(held[1]) and _are_joined(carriers, set(wheels), links):
        return NoMesh(f"joints let {carriers[0]} and {carriers[1]}, which carry the two, move against each other")
    return None


def wheel_sides(first: tuple[str, str], second: tuple[str, str], links: Sequence[BodyLink]) -> tuple[int, int]:
    """Which body of either joint is its wheel: 0 body i, 1 body j. The other one carries it.

    The carrier is the body that both joints have in common. Where they have none, the ground is no wheel; else the carrier is
    the body that hangs on the ground without the wheel, if only one of them does; else body j is the wheel.
    links: what holds bodies on each other, couplings left out.
    """
    for a in (0, 1):
        for b in (0, 1):
            if first[a] == second[b]:
                return 1 - a, 1 - b
    return _leaf(first, links), _leaf(second, links)


def _leaf(pair: tuple[str, str], links: Sequence[BodyLink]) -> int:
    """Which of two bodies does not hang on the ground without the other."""
    if GROUND in pair:
        return 1 - pair.index(GROUND)
    is_held = [GROUND in _reached(body, {pair[1 - k]}, links) for k, body in enumerate(pair)]
    return 0 if is_held[1] and not is_held[0] else 1


def _reached(body: str, without: set[str], links: Sequence[BodyLink]) -> set[str]:
    """All bodies to which links lead from a body without passing over others."""
    reached, ahead = {body}, [body]
    while ahead:
        here = ahead.pop()
        for there in (link.beyond(here) for link in links):
            if there is not None and there not in reached and there not in without:
                reached.add(there)
                ahead.append(there)
    return reached


def _are_joined(carriers: tuple[str, str], wheels: set[str], links: Sequence[BodyLink]) -> bool:
    """Whether joints lead from one carrier to the other past the wheels."""
    return carriers[1] in _reached(carriers[0], wheels, [link for link in links if link.kind != "soft"])
