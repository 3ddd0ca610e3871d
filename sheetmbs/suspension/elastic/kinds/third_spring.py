"""Third springs and dampers: between a point of the left side and its mirror image on the right; they act in heave."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.schema import units as u
from sheetmbs.schema.suspension_inputs import SpringKind
from sheetmbs.suspension.elastic.element_kind import ElementKind, PointDistance, Span
from sheetmbs.suspension.elastic.kinds.corner_spring import DAMPING_CURVE, FORCE_CURVE, constant_law, spring_law
from sheetmbs.suspension.layout.car import SIDES, AxleData, SpringElement


def _across(row: SpringElement, _axle: AxleData) -> Iterator[Span]:
    """The distance of the point on the left from that on the right."""
    left, right = ((side, str(row.values["point_i"])) for side in SIDES)
    yield Span("", PointDistance(left, right))


def _drawn(row: SpringElement, axle: AxleData, _side: str) -> Floats:
    left, right = (axle.points[side][str(row.values["point_i"])].position for side in SIDES)
    return np.asarray(np.linalg.norm(left - right, axis=-1))


THIRD_SPRING = ElementKind(
    SpringKind.THIRD_SPRING,
    "spring across the axle",
    numbers=(("k", u.STIFFNESS), ("free_length", u.LENGTH), ("preload", u.FORCE)),
    needs=(("k",), ("curve_k",)),
    spans=_across,
    law=spring_law,
    drawn=_drawn,
    curves=(FORCE_CURVE,),
    texts=("point_i",),
)
THIRD_DAMPER = ElementKind(
    SpringKind.THIRD_DAMPER,
    "damper across the axle, with its gas force as preload",
    numbers=(("c", u.DAMPING), ("preload", u.FORCE)),
    needs=(("c",), ("curve_c",), ("preload",)),
    spans=_across,
    law=constant_law,
    drawn=_drawn,
    curves=(DAMPING_CURVE,),
    texts=("point_i",),
)
