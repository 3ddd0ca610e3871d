"""Springs, dampers and stops of a corner: they act between two points, those of the damper where nothing else is said."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.schema import units as u
from sheetmbs.schema.suspension_inputs import SpringKind
from sheetmbs.suspension.elastic.element_kind import CurveLaw, ElementKind, Law, PointDistance, Span, at_rows
from sheetmbs.suspension.elastic.spring_law import spring_law
from sheetmbs.suspension.layout.car import AxleData, SpringElement

FORCE_CURVE = ("curve_k", u.LENGTH, u.FORCE)
DAMPING_CURVE = ("curve_c", u.VELOCITY, u.FORCE)


def element_ends(row: SpringElement, axle: AxleData) -> tuple[str, str]:
    """The points between which an element of a corner acts: as given, of an elastic link, of the spring, or of the damper."""
    is_link = row.kind == SpringKind.SPRING and axle.has_point(f"{row.name} inner")
    usual = (f"{row.name} outer", f"{row.name} inner") if is_link else _usual_ends(row.kind, axle)
    moving, fixed = row.values.get("point_i"), row.values.get("point_j")
    return str(moving or usual[0]), str(fixed or usual[1])


def _usual_ends(kind: str, axle: AxleData) -> tuple[str, str]:
    if kind == SpringKind.SPRING and axle.has_point("spring rocker") and axle.has_point("spring chassis"):
        return "spring rocker", "spring chassis"
    return axle.damper_point, axle.damper_fixed


def ends_of(kind: str, axle: AxleData) -> tuple[str, str]:
    """The points between which the first spring or damper of a corner acts, or would if there were one."""
    row = next((row for row in axle.springs if row.kind == kind), None)
    return _usual_ends(kind, axle) if row is None else element_ends(row, axle)


def between_points(row: SpringElement, axle: AxleData) -> Iterator[Span]:
    """The distance of its two points, on either side or on its own."""
    moving, fixed = element_ends(row, axle)
    for side in row.sides:
        yield Span(side, PointDistance((side, moving), (side, fixed)))


def drawn_distance(row: SpringElement, axle: AxleData, side: str) -> Floats:
    """Distance of the ends of an element as drawn, m."""
    moving, fixed = (axle.points[side][name].position for name in element_ends(row, axle))
    return np.asarray(np.linalg.norm(moving - fixed, axis=-1))


def constant_law(_row: SpringElement, _suffix: str, preload: Floats) -> Law:
    """The gas force of a damper that does not move."""
    return lambda longer: (np.zeros_like(longer) - at_rows(preload, len(longer)), np.zeros_like(longer))


def _stop_law(sign: float) -> Callable[[SpringElement, str, Floats], Law]:
    def law(row: SpringElement, _suffix: str, _preload: Floats) -> Law:
        k, gap = row.number("k") or 0.0, row.number("gap") or 0.0
        curve = CurveLaw(row.curves["curve_k"]) if "curve_k" in row.curves else None

        def stop(longer: Floats) -> tuple[Floats, Floats]:
            engaged = np.maximum(-sign * longer - gap, 0.0)
            force, slope = curve(engaged) if curve else (k * engaged, np.full_like(engaged, k))
            return np.where(engaged > 0.0, -sign * force, 0.0), np.where(engaged > 0.0, slope, 0.0)

        return stop

    return law


SPRING = ElementKind(
    SpringKind.SPRING,
    "spring of a corner",
    numbers=(("k", u.STIFFNESS), ("free_length", u.LENGTH), ("preload", u.FORCE)),
    needs=(("k",), ("curve_k",)),
    spans=between_points,
    law=spring_law,
    curves=(FORCE_CURVE,),
    is_solved=True,
    has_side=True,
    can_pull=True,
)
DAMPER = ElementKind(
    SpringKind.DAMPER,
    "damper of a corner, with its gas force as preload",
    numbers=(("c", u.DAMPING), ("preload", u.FORCE), ("min_length", u.LENGTH), ("max_length", u.LENGTH)),
    needs=(("c",), ("curve_c",), ("preload",)),
    spans=between_points,
    law=constant_law,
    drawn=drawn_distance,
    curves=(DAMPING_CURVE,),
    has_side=True,
)
_STOP = (("k", u.STIFFNESS), ("gap", u.LENGTH))
BUMP_STOP = ElementKind(
    SpringKind.BUMP_STOP,
    "acts beyond its gap in compression",
    numbers=_STOP,
    needs=(("k",), ("curve_k",)),
    spans=between_points,
    law=_stop_law(1.0),
    drawn=drawn_distance,
    curves=(FORCE_CURVE,),
    has_side=True,
)
DROOP_STOP = ElementKind(
    SpringKind.DROOP_STOP,
    "acts beyond its gap in extension",
    numbers=_STOP,
    needs=(("k",), ("curve_k",)),
    spans=between_points,
    law=_stop_law(-1.0),
    drawn=drawn_distance,
    curves=(FORCE_CURVE,),
    has_side=True,
)
HELPER_SPRING = ElementKind(
    SpringKind.HELPER_SPRING,
    "in series with the spring of the axle until its coils touch",
    numbers=(("k", u.STIFFNESS), ("block_travel", u.LENGTH)),
    needs=(("k", "block_travel"),),
    spans=lambda _row, _axle: iter(()),
    law=constant_law,
    texts=(),
    can_pull=True,
)
