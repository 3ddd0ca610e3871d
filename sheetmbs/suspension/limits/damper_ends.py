"""Dampers that come to their ends within a sweep."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import partial

import numpy as np

from sheetmbs.engine.records import Floats
from sheetmbs.problems.errors import Problem
from sheetmbs.schema.suspension_inputs import SpringKind
from sheetmbs.schema.units import parse_unit
from sheetmbs.suspension.elastic.kinds.corner_spring import element_ends
from sheetmbs.suspension.kinematics.sweeps import Sweep, SweptAxle
from sheetmbs.suspension.layout.car import SIDES, ResultUnits, SpringElement
from sheetmbs.suspension.limits.boundaries import Flags, boundary
from sheetmbs.suspension.limits.sweep_limits import where_in_words

ENDS = (("min_length", "shortest", 1.0), ("max_length", "longest", -1.0))
"""columns of the ends, what the damper is there, and the sign of what must stay above 0"""


def damper_end_problems(
    units: ResultUnits, plans: Mapping[str, Sweep], swept: Mapping[str, Mapping[str, SweptAxle]]
) -> Iterator[Problem]:
    """A warning for each sweep and each end of a damper that it goes beyond."""
    for name, axles in swept.items():
        for axle in axles.values():
            for row in axle.axle.springs:
                if row.kind == SpringKind.DAMPER and axle.rows.stop > axle.rows.start:
                    yield from _of_damper(plans[name], axle, row, units)


def _of_damper(plan: Sweep, swept: SweptAxle, row: SpringElement, units: ResultUnits) -> Iterator[Problem]:
    axle, ends = swept.axle, element_ends(row, swept.axle)
    sides = [side for side in SIDES if row.values.get("side") in (None, "", "both", side)]
    lengths = {side: _length(swept, side, ends) for side in sides}
    home = _home(plan, swept)
    for column, word, sign in ENDS:
        limit = row.number(column)
        if limit is None:
            continue
        beyond = {side: np.flatnonzero(sign * (length - limit) < 0.0) for side, length in lengths.items()}
        nearest = {side: int(min(rows, key=lambda at: abs(at - home))) for side, rows in beyond.items() if rows.size}
        if not nearest:
            continue
        side = min(nearest, key=lambda each: abs(nearest[each] - home))
        outside = nearest[side]
        where = "everywhere"
        if outside != home:
            inside = outside - int(np.sign(outside - home))
            first = swept.rows.start
            holds = partial(_is_within, side=side, ends=ends, limit=limit, sign=sign)
            where = f"at {where_in_words(plan, boundary(plan, swept, inside + first, outside + first, holds))}"
        both = len(nearest) == len(SIDES) and len(set(nearest.values())) == 1
        name = row.name.removeprefix(f"{axle.name} ")
        owner = axle.name if both else f"{axle.name} {side}"
        size, unit = parse_unit(units.length).size, units.length
        found = f"{plan.name}: the {owner} {name} is at its {word}, {limit / size:.5g} {unit}, {where}"
        most = max(float(np.max(sign * (limit - lengths[each]))) for each in nearest) / size
        rule = f"the sweep {plan.name} goes {most:.2f} {unit} beyond it"
        mend = "set a stop that acts before, take another damper, or sweep less"
        yield Problem("damper-end", "warning", str(row.places[column]), found, rule, mend)


def _home(plan: Sweep, swept: SweptAxle) -> int:
    """The row nearest to design among those that were reached."""
    rows = swept.rows
    return int(np.argmin(sum(np.abs(plan.column(name)[rows]) for name in plan.swept)))


def _length(swept: SweptAxle, side: str, ends: tuple[str, str]) -> Floats:
    return np.asarray(swept.wheels[side].distance(*ends).value)


def _is_within(swept: SweptAxle, side: str, ends: tuple[str, str], limit: float, sign: float) -> Flags:
    return np.asarray(sign * (_length(swept, side, ends) - limit) >= 0.0)
