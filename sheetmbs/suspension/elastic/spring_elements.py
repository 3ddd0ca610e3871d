"""Springs, dampers, stops and bars of an axle: lengths over both travels, forces, and what they make of the wheels.

With lengths l_e(z_L, z_R), tensions F_e and stiffnesses k_e (Q is what they do on the travels):

    Q_i = -sum_e F_e l_e,i          K_ij = -dQ_i/dz_j = sum_e k_e l_e,i l_e,j + F_e l_e,ij
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from math import pi

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.suspension.kinematics.jets import Jet, Vec, arctan2
from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.kinematics.wheel import Wheel
from sheetmbs.suspension.layout.car import SIDES, AxleData, SpringElement, Vector

Law = Callable[[Floats], tuple[Floats, Floats]]
"""tension and stiffness over how far an element is longer than at design"""


@dataclass(frozen=True, eq=False)
class Element:
    """An element over n poses of an axle. length: over both travels, m or rad. force: (n,) tension, N or N m.

    at: the corner it belongs to, ``""`` the axle. kind: of its row on Suspension springs.
    """

    name: str
    kind: str
    side: str
    length: Jet
    force: Floats
    stiffness: Floats

    @property
    def elastic(self) -> Floats:
        """(n, 2, 2) k l_i l_j."""
        return self.stiffness[:, None, None] * self.length.first[:, :, None] * self.length.first[:, None, :]

    @property
    def geometric(self) -> Floats:
        """(n, 2, 2) F l_ij."""
        return self.force[:, None, None] * self.length.second


def bar_angle(wheel: Wheel) -> Jet:
    """Angle of one half of the bar against design, about its axis towards the left."""
    axle, side = wheel.axle, wheel.side
    along = bar_direction(axle, side)
    across, here = (_bar_arm(each, side, along) for each in (axle.as_drawn, axle))
    turned = wheel.direction_on("bar", here)
    third = np.cross(along, across)
    return arctan2(_component(turned, third), _component(turned, across))


def _bar_arm(axle: AxleData, side: str, along: Vector) -> Vector:
    """Unit direction from the bar's axis to its drop link."""
    points = axle.points[side]
    arm = points["bar link bar"].position - points["bar axis"].position
    across = arm - along * (arm @ along)
    return np.asarray(across / np.linalg.norm(across))


def bar_direction(axle: AxleData, side: str) -> Vector:
    """Unit direction of the bar's axis, to the left."""
    points = axle.points[side]
    if "bar axis 2" not in points:
        return np.array([0.0, 1.0, 0.0])
    along = points["bar axis 2"].position - points["bar axis"].position
    along = along / np.linalg.norm(along)
    return np.asarray(along if along[1] > 0.0 else -along)


def _component(of: Vec, along: Vector) -> Jet:
    return of.x * float(along[0]) + of.y * float(along[1]) + of.z * float(along[2])


def bar_stiffness(row: SpringElement) -> float:
    """Of relative twist, N m/rad: as given, or of a straight tube, G pi (d^4 - di^4)/(32 length)."""
    given = row.number("k")
    if given is not None:
        return given
    shear, outer, length = row.number("G"), row.number("d"), row.number("length")
    if shear is None or outer is None or length is None:
        raise ValueError(f"the bar {row.name} has no stiffness")
    return shear * pi * (outer**4 - (row.number("di") or 0.0) ** 4) / (32.0 * length)


def elements(swept: SweptAxle, laws: Mapping[tuple[str, str], Law]) -> Iterator[Element]:
    """Elements of an axle over the poses of a sweep. laws: of each by name and side (``""`` of the axle)."""
    for row in swept.axle.springs:
        for side, length in lengths(row, swept):
            force, stiffness = laws[row.name, side](length.value - design_length(row, swept.axle, side))
            yield Element(row.name, row.kind, side, length, force, stiffness)


def lengths(row: SpringElement, swept: SweptAxle) -> Iterator[tuple[str, Jet]]:
    """The lengths of an element on either side, or of the axle, over both travels."""
    left, right = (swept.wheels[side] for side in SIDES)
    if row.kind == "U bar":
        yield "", left.over_both(bar_angle(left)) - right.over_both(bar_angle(right))
        return
    for wheel in (left, right):
        moving, fixed = map(wheel.hardpoint, element_ends(row, swept.axle))
        yield wheel.side, wheel.over_both((moving - fixed).norm())


def element_ends(row: SpringElement, axle: AxleData) -> tuple[str, str]:
    """The points between which an element of a corner acts: as given, those of the spring, or of the damper."""
    usual = _usual_ends(row.kind, axle)
    moving, fixed = row.values.get("point_i"), row.values.get("point_j")
    return str(moving or usual[0]), str(fixed or usual[1])


def _usual_ends(kind: str, axle: AxleData) -> tuple[str, str]:
    if kind == "spring" and axle.has_point("spring rocker") and axle.has_point("spring chassis"):
        return "spring rocker", "spring chassis"
    return axle.damper_point, axle.damper_fixed


def ends_of(kind: str, axle: AxleData) -> tuple[str, str]:
    """The points between which the first spring or damper of a corner acts, or would if there were one."""
    row = next((row for row in axle.springs if row.kind == kind), None)
    return _usual_ends(kind, axle) if row is None else element_ends(row, axle)


def design_length(row: SpringElement, axle: AxleData, side: str) -> float:
    """Length of an element at design, m, of a spring where adjustments have put it; a bar has no twist there."""
    if row.kind == "U bar":
        return 0.0
    points = (axle if row.kind == "spring" else axle.as_drawn).points[side]
    moving, fixed = (points[name].position for name in element_ends(row, axle))
    return float(np.linalg.norm(moving - fixed))


def stiffness(parts: list[Element]) -> Floats:
    """(n, 2, 2) K of an axle."""
    return np.asarray(sum(part.elastic + part.geometric for part in parts))
