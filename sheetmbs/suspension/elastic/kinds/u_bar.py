"""U-shaped anti-roll bars: two halves that turn about the bar's axis, with the twist between them."""

from __future__ import annotations

from collections.abc import Iterator
from math import pi

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.schema import units as u
from sheetmbs.schema.suspension_inputs import SpringKind
from sheetmbs.suspension.elastic.element_kind import SETTING, TURNING_STIFFNESS_CURVE, ElementKind, Law, Span
from sheetmbs.suspension.kinematics.body_motion import BodyTurn, turn_about
from sheetmbs.suspension.layout.car import SIDES, AxleData, SpringElement, Vector
from sheetmbs.suspension.layout.type_table import BAR

TUBE = (("d", u.LENGTH), ("di", u.LENGTH), ("length", u.LENGTH), ("G", u.PRESSURE))
TUBE_NEEDS = ("d", "length", "G")


def bar_turn(axle: AxleData, side: str) -> BodyTurn:
    """Turn of one half of the bar about its axis towards the left."""
    along = bar_direction(axle, side)
    here, drawn = ((along, _arm(each, side)) for each in (axle, axle.as_drawn))
    return turn_about(side, ("", BAR), here, drawn)


def _arm(axle: AxleData, side: str) -> Vector:
    """From the bar's axis to the drop link (3,)."""
    points = axle.points[side]
    return np.asarray(points["bar link bar"].position - points["bar axis"].position)


def bar_direction(axle: AxleData, side: str) -> Vector:
    """Unit direction of the bar's axis, to the left."""
    points = axle.points[side]
    if "bar axis 2" not in points:
        return np.array([0.0, 1.0, 0.0])
    along = points["bar axis 2"].position - points["bar axis"].position
    along = along / np.linalg.norm(along, axis=-1, keepdims=True)
    return np.asarray(np.where(along[..., 1:2] > 0.0, along, -along))


def tube_stiffness(row: SpringElement) -> float:
    """Torsional stiffness, N m/rad: as given, or of a straight tube, G pi (d^4 - di^4)/(32 length)."""
    given = row.number("k")
    if given is not None:
        return given
    shear, outer, length = row.number("G"), row.number("d"), row.number("length")
    if shear is None or outer is None or length is None:
        raise ValueError(f"the bar {row.name} has no stiffness")
    return shear * pi * (outer**4 - (row.number("di") or 0.0) ** 4) / (32.0 * length)


def _twist(_row: SpringElement, axle: AxleData) -> Iterator[Span]:
    """Left half less right half."""
    left, right = (bar_turn(axle, side) for side in SIDES)
    yield Span("", left, right)


def no_turn(_row: SpringElement, _axle: AxleData, _side: str) -> float:
    """A bar is not twisted as drawn, against which its angles count."""
    return 0.0


def _law(row: SpringElement, _suffix: str, _preload: Floats) -> Law:
    """Moment and stiffness over the twist."""
    k = tube_stiffness(row)
    return lambda twist: (k * twist, np.full_like(twist, k))


U_BAR = ElementKind(
    SpringKind.U_BAR,
    "anti-roll bar with two arms",
    numbers=(("k", u.ROTATIONAL_STIFFNESS), *TUBE, SETTING),
    needs=(("k",), TUBE_NEEDS, ("k_of_setting", "setting")),
    spans=_twist,
    law=_law,
    drawn=no_turn,
    curves=(TURNING_STIFFNESS_CURVE,),
    texts=("on",),
    turns=True,
    is_bar=True,
)
