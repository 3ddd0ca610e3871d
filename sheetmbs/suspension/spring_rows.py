"""Rows of the sheet Springs: what springs, dampers and U bars of a suspension are between their points."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

import numpy as np

from sheetmbs.suspension.elastic.kinds.corner_spring import element_ends
from sheetmbs.suspension.elastic.kinds.u_bar import bar_direction, tube_stiffness
from sheetmbs.suspension.elastic.spring_elements import AxleLaws
from sheetmbs.suspension.generated.generate import GeneratedRow, Value, point_name
from sheetmbs.suspension.generated.merged_sheets import MergedBook, with_generated
from sheetmbs.suspension.layout.car import SIDES, AxleData, CarData, SpringElement
from sheetmbs.suspension.layout.type_table import BAR

SERVED = ("spring", "damper", "U bar")
"""kinds that a row of Springs with numbers says in full"""


def has_row(row: SpringElement) -> bool:
    """Whether an element becomes a row of Springs."""
    return row.kind in SERVED and not row.curves


def with_springs(merged: MergedBook, car: CarData, laws: Mapping[str, AxleLaws]) -> MergedBook:
    """A workbook with generated rows and those of its springs, whose lengths without load have been solved."""
    rows = [row for axle in car.axles for row in spring_rows(axle, laws[axle.name])]
    found = with_generated(merged.book, rows)
    return replace(found, origin={**merged.origin, **found.origin}, replaced=(*merged.replaced, *found.replaced))


def spring_rows(axle: AxleData, held: AxleLaws) -> Iterator[GeneratedRow]:
    """Of an axle, those that there are."""
    for row in filter(has_row, axle.springs):
        if row.kind == "U bar":
            yield _bar(axle, row)
            continue
        for side in SIDES:
            law = held[row.name, side]
            tension = float(law.law(np.zeros(1))[0][0])  # at design; NaN where nothing tells it
            if np.isfinite(tension):
                yield _between(axle, row, side, law.design, tension)


def _between(axle: AxleData, row: SpringElement, side: str, design: float, tension: float) -> GeneratedRow:
    """A spring or damper between two points of a corner. design: its length there, m; tension: its force, N."""
    moving, fixed = element_ends(row, axle)
    values: dict[str, Value] = {
        "type": "translational",
        "body_i": axle.body_name(axle.points[side][fixed].on, side),
        "body_j": axle.body_name(axle.points[side][moving].on, side),
        "point_i": point_name(axle, side, fixed),
        "point_j": point_name(axle, side, moving),
    }
    k = row.number("k")
    if k:
        values |= {"k": k, "length0": design - tension / k}
    else:
        values |= {"c": row.number("c") or 0.0, "force": tension}
    return GeneratedRow("Springs", f"{axle.corner(side)} {row.name}", values, str(row.places["name"]))


def _bar(axle: AxleData, row: SpringElement) -> GeneratedRow:
    """The twist between the halves of a U bar."""
    values: dict[str, Value] = {
        "type": "rotational",
        "body_i": axle.body_name(BAR, "right"),
        "body_j": axle.body_name(BAR, "left"),
        "point": point_name(axle, "left", "bar axis"),
        "k": tube_stiffness(row),
        "angle0": 0.0,
        **dict(zip(("axis_x", "axis_y", "axis_z"), map(float, bar_direction(axle, "left")), strict=True)),
    }
    return GeneratedRow("Springs", f"{axle.name} {row.name}", values, str(row.places["name"]))
