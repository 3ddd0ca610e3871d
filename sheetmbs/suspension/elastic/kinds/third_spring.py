"""Springs and dampers across an axle: from a point of the left side to one of the right, its mirror image if none is named.

A third spring may carry the axle; a roll spring is the same element, and carries nothing at design but what its row says.
"""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.schema import units as u
from sheetmbs.schema.suspension_inputs import SpringKind
from sheetmbs.suspension.elastic.element_kind import ElementKind, PointDistance, Span
from sheetmbs.suspension.elastic.kinds.corner_spring import DAMPING_CURVE, FORCE_CURVE, constant_law
from sheetmbs.suspension.elastic.spring_law import spring_law
from sheetmbs.suspension.layout.car import AxleData, SpringElement

CROSSING = (SpringKind.THIRD_SPRING, SpringKind.THIRD_DAMPER, SpringKind.ROLL_SPRING, SpringKind.ROLL_DAMPER)
"""kinds that act between both sides"""


def across_ends(row: SpringElement) -> tuple[tuple[str, str], tuple[str, str]]:
    """Side and name of the point on the left and of that on the right."""
    left = str(row.values["point_i"])
    return ("left", left), ("right", str(row.values.get("point_j") or left))


def _across(row: SpringElement, _axle: AxleData) -> Iterator[Span]:
    """The distance of the point on the left from that on the right."""
    yield Span("", PointDistance(*across_ends(row)))


def _drawn(row: SpringElement, axle: AxleData, _side: str) -> Floats:
    left, right = (axle.points[side][name].position for side, name in across_ends(row))
    return np.asarray(np.linalg.norm(left - right, axis=-1))


def _spring(name: str, doc: str) -> ElementKind:
    return ElementKind(
        name,
        doc,
        numbers=(("k", u.STIFFNESS), ("free_length", u.LENGTH), ("preload", u.FORCE)),
        needs=(("k",), ("curve_k",)),
        spans=_across,
        law=spring_law,
        drawn=_drawn,
        curves=(FORCE_CURVE,),
        can_pull=True,
    )


def _damper(name: str, doc: str) -> ElementKind:
    return ElementKind(
        name,
        f"{doc}, with its gas force as preload",
        numbers=(("c", u.DAMPING), ("preload", u.FORCE), ("min_length", u.LENGTH), ("max_length", u.LENGTH)),
        needs=(("c",), ("curve_c",), ("preload",)),
        spans=_across,
        law=constant_law,
        drawn=_drawn,
        curves=(DAMPING_CURVE,),
    )


THIRD_SPRING = _spring(SpringKind.THIRD_SPRING, "spring across the axle")
ROLL_SPRING = _spring(SpringKind.ROLL_SPRING, "spring across the axle that works in roll")
THIRD_DAMPER = _damper(SpringKind.THIRD_DAMPER, "damper across the axle")
ROLL_DAMPER = _damper(SpringKind.ROLL_DAMPER, "damper across the axle that works in roll")
