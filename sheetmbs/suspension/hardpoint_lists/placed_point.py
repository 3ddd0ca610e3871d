"""A hardpoint of a list, turned into the axes of the vehicle."""

from __future__ import annotations

from dataclasses import dataclass

from sheetmbs.schema.names import fold
from sheetmbs.suspension.layout.car import Vector


@dataclass(frozen=True, eq=False)
class PlacedPoint:
    """A point in axes of ISO 8855, m. side: left, right or centre. listed: its name in the list."""

    axle: str
    name: str
    side: str
    position: Vector
    place: str
    listed: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        """What makes two rows of the sheet the same."""
        return self.axle, fold(self.name), self.side
