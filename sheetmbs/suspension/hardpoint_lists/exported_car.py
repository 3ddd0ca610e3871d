"""A car as exports write it: its hardpoints and the set-up of its wheels, in axes of ISO 8855 and mm."""

from __future__ import annotations

from dataclasses import dataclass, field
from math import degrees

import numpy as np

from sheetmbs.problems.errors import Problem
from sheetmbs.suspension.layout.aliases import STANDARD_POINTS
from sheetmbs.suspension.layout.car import MIRROR, SIDES, AxleData, CarData, Vector
from sheetmbs.suspension.layout.program_names import POINT_NAMES

IN_MM = 1e3
DECIMALS = 9
"""decimals of a millimetre that are written: far finer than the 1e-6 mm to which lists are read back"""
SAME_PLACE = 1e-9
"""mm between a point and its mirror image"""


def number_text(value: float) -> str:
    """A number as lists have it, without a point where it needs none."""
    text = f"{value:.{DECIMALS}f}".rstrip("0").rstrip(".")
    return "0" if text in ("-0", "") else text


@dataclass(frozen=True, eq=False)
class ExportedAxle:
    """An axle. left, right: points by standard name, mm. central: those that are one for the axle.

    radius, rim: mm; camber, toe: deg, + top outboard, + in; None where nothing is given. rod_on: body of the rod, ``""``
    without one. on_rocker: whether a rocker moves the damper.
    """

    name: str
    type: str
    left: dict[str, Vector]
    right: dict[str, Vector]
    central: frozenset[str]
    radius: float | None
    camber: float
    toe: float
    rim: float | None
    rod_on: str
    on_rocker: bool

    def is_mirrored(self, name: str) -> bool:
        """Whether the right point is the mirror image of the left one."""
        return bool(np.abs(self.left[name] * MIRROR - self.right[name]).max() <= SAME_PLACE)


@dataclass(eq=False)
class ExportedCar:
    """The axles that are exported. wheelbase: mm, None where it is not given. told: what the other program has no place for."""

    axles: tuple[ExportedAxle, ...]
    wheelbase: float | None
    told: list[Problem] = field(default_factory=list)

    def names(self, axle: ExportedAxle, program: str, *, one_side: bool) -> dict[str, str]:
        """Names that a program has for the points of an axle, by standard name. A note lists the points for which it has none.

        one_side: whether it has the left side alone.
        """
        found = {}
        for name in axle.left:
            known = POINT_NAMES.get(name)
            given = known.written(program, on_rocker=axle.on_rocker) if known and name not in axle.central else ""
            if not given:
                self.tell(axle, name, f"{program} has no name for it; it is left out", "add it there by hand")
                continue
            found[name] = given
            if one_side and not axle.is_mirrored(name):
                self.tell(axle, name, "its place on the right is no mirror image; only the left one is written", "")
        return found

    def tell(self, axle: ExportedAxle, what: str, rule: str, mend: str) -> None:
        """Take something that the other program does not get."""
        self.told.append(Problem("not-exported", "note", "", f"{axle.name} {what}", rule, mend))


def exported_car(car: CarData, axles: tuple[str, ...]) -> ExportedCar:
    """What is exported of a car. axles: their names, () all. Points that only the workbook knows are reported."""
    base = car.number("wheelbase")
    chosen = [axle.as_drawn for axle in car.axles if not axles or axle.name in axles]
    exported = ExportedCar(tuple(map(_axle, chosen)), None if base is None else base * IN_MM)
    for axle in exported.axles:
        for name in [name for name in axle.left if name not in STANDARD_POINTS]:
            exported.tell(axle, name, "it is a name of this workbook alone; it is left out", "add it there by hand")
            del axle.left[name]
            del axle.right[name]
    return exported


def _axle(axle: AxleData) -> ExportedAxle:
    left, right = ({name: IN_MM * point.position for name, point in axle.points[side].items()} for side in SIDES)
    central = frozenset(name for name, point in axle.points[SIDES[0]].items() if point.is_central)
    radius, rim = axle.number("tyre radius"), axle.number("rim diameter")
    return ExportedAxle(
        axle.name,
        axle.type.name,
        left,
        right,
        central,
        None if radius is None else IN_MM * radius,
        degrees(axle.number("camber") or 0.0),
        degrees(axle.number("toe") or 0.0),
        None if rim is None else IN_MM * rim,
        axle.rod_on if axle.has_rocker else "",
        "damper rocker" in left,
    )
