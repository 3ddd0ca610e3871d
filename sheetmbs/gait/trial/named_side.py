"""Which side a name tells."""

from __future__ import annotations

from sheetmbs.gait.trial.gait_book import Side
from sheetmbs.schema.names import fold

SIDES: tuple[Side, ...] = ("right", "left")


def side_of(name: str) -> Side | None:
    """``right`` of ``right thigh``."""
    words = fold(name).split()
    return next((side for side in SIDES if side in words), None)
