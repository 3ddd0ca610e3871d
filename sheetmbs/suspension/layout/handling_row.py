"""A row of the sheet Handling as it was read."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from sheetmbs.engine.records import Floats
from sheetmbs.schema.handling_inputs import HandlingType

USUAL_SPEEDS = (60.0 / 3.6, 100.0 / 3.6)
"""m/s, of a yaw-moment diagram"""
ENVELOPE_SPEEDS = (40.0 / 3.6, 60.0 / 3.6, 80.0 / 3.6)
USUAL_RADIUS = 30.0
"""m, of a circle"""

HOLD = "hold"
"""of the drive: it keeps the speed"""


@dataclass(frozen=True)
class GivenRange:
    """Values from first to last in a step; None where the workbook leaves one to the program."""

    first: float | None
    last: float | None
    step: float | None

    @property
    def is_blank(self) -> bool:
        """Whether the workbook says nothing of it."""
        return self.first is None and self.last is None and self.step is None


NO_RANGE = GivenRange(None, None, None)


@dataclass(frozen=True, eq=False)
class RoadCourse:
    """n places. s: m; curvature: 1/m, + to the left; most: largest speed, m/s. is_closed: the end is the start."""

    s: Floats
    curvature: Floats
    most: Floats
    is_closed: bool


@dataclass(frozen=True)
class HandlingRow:
    """One thing to find out. speeds: m/s. ranges: beta (rad), rack (m), steering_wheel (rad) and ay (g) by name.

    held: rack (m) and steering_wheel (rad), of those that are given. drive: `HOLD`, or N, None as the type needs it; brake: N.
    cells: where each column of the row stands.
    """

    name: str
    type: str
    speeds: tuple[float, ...] = ()
    radius: float | None = None
    ranges: Mapping[str, GivenRange] = field(default_factory=dict)
    held: Mapping[str, float] = field(default_factory=dict)
    drive: float | str | None = None
    brake: float = 0.0
    path: str = ""
    cells: Mapping[str, str] = field(default_factory=dict)
    course: RoadCourse | None = None
    """of a lap"""
    is_default: bool = False
    """whether the program chose the row, for the workbook has no sheet Handling"""

    def range(self, name: str) -> GivenRange:
        """The values of a quantity."""
        return self.ranges.get(name, NO_RANGE)


def default_rows() -> tuple[HandlingRow, ...]:
    """What is found of a car with tyres whose workbook has no sheet Handling."""
    return (
        HandlingRow(HandlingType.YAW_MOMENT, HandlingType.YAW_MOMENT, USUAL_SPEEDS, is_default=True),
        HandlingRow(HandlingType.CIRCLE, HandlingType.CIRCLE, radius=USUAL_RADIUS, is_default=True),
        HandlingRow(HandlingType.ENVELOPE, HandlingType.ENVELOPE, ENVELOPE_SPEEDS, is_default=True),
    )
