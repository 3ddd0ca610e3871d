"""Column and rack as elastic parts where Steering and Suspension say how stiff they are, and the sheet Compliance does not."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from sheetmbs.suspension.layout.car import SIDES, AxleData
from sheetmbs.suspension.layout.elastic_parts import COLUMN, RACK_BAR, ElasticPart, PartPlace


def steering_parts(
    axle: AxleData, parts: Sequence[ElasticPart], steering_stiffness: float | str | None
) -> Iterator[ElasticPart]:
    """The parts of an axle that these give. parts: those of its rows of Compliance. steering_stiffness: N m/rad, of the car."""
    if not axle.is_steered:
        return
    given = {part.place.kind for part in parts}
    column = axle.column.stiffness if axle.column is not None else None
    if column is None and isinstance(steering_stiffness, float):
        column = steering_stiffness
    for kind, name, value in ((COLUMN, "k_torsion", column), (RACK_BAR, "k", axle.number("rack stiffness"))):
        if kind not in given and value is not None:
            yield ElasticPart(axle.name, PartPlace(kind, kind), SIDES, {name: value})
