"""Every metric of every design at its design pose: what static values on the page are taken from."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import isfinite
from types import MappingProxyType

import numpy as np

from sheetmbs.schema.table import Table
from sheetmbs.suspension.layout.car import CarData
from sheetmbs.suspension.loads.design_loads import RestingTurn
from sheetmbs.suspension.metrics.metric import NEWTON, PER_G, PERCENT, size

BY_EQUILIBRIUM = "load_transfer_total_equilibrium"
SHARE_BY_EQUILIBRIUM = "load_transfer_front_share_equilibrium"
GRADIENT_BY_EQUILIBRIUM = "roll_gradient_equilibrium"
"""what stands on the page beside the linear method, and on no sweep: it is of the car at rest in a turn"""
SAME_VALUE = 1e-9
"""of a value, or of one: sides that differ by less are alike"""


@dataclass(frozen=True)
class DesignValues:
    """The columns of one design at its design pose. name: ``""`` of the first. found: value and unit by column."""

    name: str
    car: CarData
    found: Mapping[str, tuple[float, str]]

    def value(self, column: str) -> float | None:
        """A value; None where there is none."""
        value = self.found.get(column, (np.nan, ""))[0]
        return value if isfinite(value) else None

    def unit(self, column: str) -> str | None:
        """The unit of a column; None where the design has no such column."""
        return self.found[column][1] if column in self.found else None

    @cached_property
    def axles(self) -> tuple[str, ...]:
        """Names of its axles."""
        return tuple(axle.name for axle in self.car.axles)


def design_values(
    name: str,
    car: CarData,
    table: Table,
    turn: RestingTurn | None = None,
    others: Mapping[str, tuple[float, str]] = MappingProxyType({}),
) -> DesignValues:
    """All metrics at the design pose. table: of that pose alone. turn: the car at rest at 1 g, None where nothing tells it.

    others: further values with their units, such as reserves of members.
    """
    columns = zip(table.columns, table.values[0].tolist(), table.units, strict=True)
    found = {column: (value, unit) for column, value, unit in columns}
    found |= others
    unit = car.units.of(NEWTON)
    if turn is None:
        return DesignValues(name, car, found)
    for axle, moved in turn.transfer.items():
        found[f"{axle}.{BY_EQUILIBRIUM}"] = (moved / size(unit), unit)
    moved = sum(turn.transfer.values())
    if moved:  # nothing goes over where the centre of gravity lies on the road
        found[SHARE_BY_EQUILIBRIUM] = (turn.transfer["front"] / moved / size(PERCENT), PERCENT)
    per_g = car.units.of(PER_G)
    found[GRADIENT_BY_EQUILIBRIUM] = (turn.roll / size(per_g), per_g)
    return DesignValues(name, car, found)


def differ(values: Sequence[float | None]) -> bool:
    """Whether numbers differ by more than rounding."""
    known = [value for value in values if value is not None]
    if len(known) != len(values):
        return bool(known)
    return max(known) - min(known) > SAME_VALUE * max(1.0, *map(abs, known))
