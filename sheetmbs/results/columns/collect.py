"""Columns of one result sheet as they are collected."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sheetmbs.model import Display
from sheetmbs.schema.table import Table

Floats = NDArray[np.float64]

ANGLES = {"phi", "angle"}


@dataclass
class CollectedColumns:
    """Collects the columns of one sheet; ``time`` comes first."""

    sheet: str
    times: Floats
    names: list[str] = field(default_factory=list)
    units: list[str] = field(default_factory=list)
    values: list[Floats] = field(default_factory=list)

    def add(self, name: str, unit: str, values: Floats, factor: float = 1.0) -> None:
        """Add a column; ``values`` (times,) are divided by ``factor``, the size of the unit in SI."""
        self.names.append(name)
        self.units.append(unit)
        self.values.append(values / factor)

    def table(self) -> Table:
        """The sheet as a table."""
        return Table(
            self.sheet,
            ("time", *self.names),
            ("s", *self.units),
            np.column_stack([self.times, *self.values]) if len(self.times) else np.zeros((0, len(self.names) + 1)),
        )


def unit_of(display: Display, coordinate: str) -> tuple[str, float]:
    """Unit of a coordinate and its size in SI: angles in one, all else in the other unit of the workbook."""
    return display.angle if coordinate in ANGLES else display.length
