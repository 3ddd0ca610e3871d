"""Units of results: as usual, or those in which the hardpoints and settings are given."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache

PLAIN = ("N", "N/mm", "N*m")
"""units of forces, stiffnesses and moments, in which no length is replaced by itself"""
LENGTH = re.compile(r"\bmm\b")
ANGLE = re.compile(r"\bdeg\b")


@dataclass(frozen=True)
class ResultUnits:
    """Units that stand for mm, deg, N and N/mm."""

    length: str = "mm"
    angle: str = "deg"
    force: str = "N"
    stiffness: str = "N/mm"

    def of(self, unit: str) -> str:
        """The unit that stands for a usual one: of a ratio the same."""
        return _standing_for(self, unit)


@cache
def _standing_for(units: ResultUnits, unit: str) -> str:
    if unit in PLAIN:
        return {"N": units.force, "N/mm": units.stiffness}.get(unit, unit)
    top, _slash, bottom = unit.partition("/")
    if top == bottom:
        return unit
    return ANGLE.sub(units.angle, LENGTH.sub(units.length, unit))
