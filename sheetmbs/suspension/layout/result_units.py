"""Units of results: as usual, or those in which the hardpoints and settings are given."""

from __future__ import annotations

import re
from dataclasses import dataclass

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
        if unit in PLAIN:
            return {"N": self.force, "N/mm": self.stiffness}.get(unit, unit)
        top, _slash, bottom = unit.partition("/")
        if top == bottom:
            return unit
        return ANGLE.sub(self.angle, LENGTH.sub(self.length, unit))
