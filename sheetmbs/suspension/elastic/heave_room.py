"""How far an axle can move in heave until a stop acts or a damper is at its end."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from math import nan

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.schema.suspension_inputs import SpringKind
from sheetmbs.suspension.elastic.element_kind import Span
from sheetmbs.suspension.elastic.kinds import KINDS
from sheetmbs.suspension.elastic.spring_elements import element_spans, over_sweep
from sheetmbs.suspension.kinematics.axle_system import level_placing
from sheetmbs.suspension.kinematics.sweeps import SweptAxle
from sheetmbs.suspension.layout.car import SIDES, AxleData, SpringElement

CONVERGED_STEP, MAX_STEPS, MAX_TRAVEL_STEP = 1e-12, 20, 20e-3
"""m, of travel"""


@dataclass(frozen=True, eq=False)
class LengthLimit:
    """A length at which an element stops the wheel of a side, m. is_shortest: it cannot become shorter, else not longer."""

    span: Span
    side: str
    length: float
    is_shortest: bool


@dataclass(frozen=True)
class HeaveRoom:
    """Travel of both wheels in heave until something stops the wheel, m, both + ; NaN where nothing does."""

    bump: float
    rebound: float


def heave_room(standing: SweptAxle) -> Mapping[str, HeaveRoom]:
    """Clearances of both wheels by side, to what is nearest. standing: the axle at the one pose where its car stands."""
    axle = standing.axle
    limits = list(_limits(axle))
    found = {side: {True: [nan], False: [nan]} for side in SIDES}
    if not limits:
        return {side: HeaveRoom(nan, nan) for side in SIDES}
    measure = over_sweep(standing)
    ratios = [-float(limit.span.length(measure).length.first[0].sum()) for limit in limits]
    for limit, ratio, way in zip(limits, ratios, _travels(standing, limits), strict=True):
        is_in_bump = limit.is_shortest == (ratio > 0.0)
        found[limit.side][is_in_bump].append(way if is_in_bump else -way)
    return {side: HeaveRoom(_nearest(each[True]), _nearest(each[False])) for side, each in found.items()}


def _nearest(ways: list[float]) -> float:
    known = [way for way in ways if np.isfinite(way)]
    return min(known) if known else nan


def _limits(axle: AxleData) -> Iterator[LengthLimit]:
    for row, span in element_spans(axle):
        own = axle.spring_row(row, span.suffix, span.side)
        if own is None:
            continue
        for side in (span.side,) if span.side else SIDES:
            yield from (LengthLimit(span, side, length, is_shortest) for length, is_shortest in _ends(own, axle, span))


def _ends(row: SpringElement, axle: AxleData, span: Span) -> Iterator[tuple[float, bool]]:
    """Lengths between which an element can be, each with whether it is the shortest."""
    drawn = KINDS[row.kind].drawn
    if row.kind in (SpringKind.BUMP_STOP, SpringKind.DROOP_STOP) and drawn is not None:
        is_bump = row.kind == SpringKind.BUMP_STOP
        gap = row.number("gap") or 0.0
        yield float(np.squeeze(drawn(row, axle.as_drawn, span.side))) + (-gap if is_bump else gap), is_bump
    for column, is_shortest in (("min_length", True), ("max_length", False)):
        length = row.number(column)
        if length is not None:
            yield length, is_shortest


def _travels(standing: SweptAxle, limits: list[LengthLimit]) -> Floats:
    """(limits,) travel of both wheels, + in bump, from where they stand until each length is reached, by Newton's method."""
    count = len(limits)
    moved, missed = np.zeros(count), np.ones(count, dtype=bool)
    at = np.arange(count)
    for _ in range(MAX_STEPS):
        travel = {side: float(standing.travel[side][0]) + moved for side in SIDES}
        placing = level_placing(travel, np.zeros(count))
        wheels, reached = standing.system.wheels_at_each(placing, None)
        measure = over_sweep(SweptAxle(standing.system, wheels, slice(0, count), placing))
        lengths = [limit.span.length(measure).length for limit in limits]
        off = np.array([length.value[k] for k, length in enumerate(lengths)]) - [limit.length for limit in limits]
        slope = np.array([length.first[k].sum() for k, length in zip(at, lengths, strict=True)])
        step = np.clip(off / np.where(slope, slope, np.inf), -MAX_TRAVEL_STEP, MAX_TRAVEL_STEP)
        missed = ~reached | (slope == 0.0) | (np.abs(step) > CONVERGED_STEP * 1e3)
        moved = moved - step
        if np.max(np.abs(step), initial=0.0) <= CONVERGED_STEP:
            break
    return np.where(missed, nan, moved)
