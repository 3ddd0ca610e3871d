"""Which side a name tells."""

from __future__ import annotations

from sheetmbs.gait.trial.gait_book import Side
from sheetmbs.schema.names import fold

SIDES: tuple[Side, ...] = ("right", "left")


def side_of(name: str) -> Side | None:
    """``right`` of ``right thigh``: the first word, else the last one, else the only side among the words between.

    A word that merely holds those letters (``Brightness``) tells none.
    """
    words = fold(name).split()
    among = [word for word in words if word in SIDES]
    told = [*words[:1], *words[-1:], *(among if len(set(among)) == 1 else [])]
    return next((side for word in told for side in SIDES if word == side), None)
