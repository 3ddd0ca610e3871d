"""What other programs and lists call the hardpoints; matched by name, never by number."""

from __future__ import annotations

import re
from functools import lru_cache

from sheetmbs.schema.names import fold
from sheetmbs.suspension.layout.program_names import POINT_NAMES
from sheetmbs.suspension.layout.student_names import CORNERS, student_name
from sheetmbs.suspension.layout.types import TYPES_BY_NAME

ALIASES: dict[str, tuple[str, ...]] = {name: known.all for name, known in POINT_NAMES.items()}
"""standard name: names of all programs"""

_ENDS = ("inner", "outer")
ADDED_POINTS = (
    *("kingpin lower", "kingpin upper"),
    *(f"link {number} {end}" for number in range(1, 10) for end in _ENDS),
    *(f"panhard {end}" for end in _ENDS),
    *("watt pivot", *(f"watt {side} {end}" for side in ("left", "right") for end in _ENDS)),
    *("T-bar base", "bar axis 2", "bracket plane point"),
)
"""points of what an axle may have besides its type, for which other programs' lists have no name of their own"""

STANDARD_POINTS = tuple(
    dict.fromkeys((*ALIASES, *(point.name for each in TYPES_BY_NAME.values() for point in each.points), *ADDED_POINTS))
)

STANDARD: dict[str, str] = {
    **{fold(f"{name} bracket"): f"{name} bracket" for name in STANDARD_POINTS},
    **{fold(name): name for name in STANDARD_POINTS},
    **{fold(alias): name for name, known in ALIASES.items() for alias in known},
}
"""standard names by the folded names that lists have"""

SIDES: tuple[tuple[str, str], ...] = (("_l", "left"), ("_r", "right"), (" left", "left"), (" right", "right"))
"""endings that say the side"""
ADAMS_SIDES = {"hpl_": "left", "hpr_": "right", "hps_": ""}
"""beginnings of names of Adams, the last one of points that are single"""
CORNER_FIRST = re.compile(r"(fl|fr|rl|rr)[\s_.-]+(.+)", re.IGNORECASE)
CORNER_LAST = re.compile(r"(.+?)[\s_.-]+(fl|fr|rl|rr)", re.IGNORECASE)


def standard_name(text: str) -> tuple[str, str]:
    """The standard name of a point and the side that it tells, ``""`` where it tells none.

    A name that is no alias is returned unchanged, but for an ending that tells the side.
    """
    name, _axle, side = told_name(text)
    if name:
        return name, side
    stem = text.rstrip()
    ending, side = next((each for each in SIDES if stem.lower().endswith(each[0])), ("", ""))
    return stem[: len(stem) - len(ending)].strip(), side


@lru_cache(maxsize=4096)
def told_name(text: str) -> tuple[str, str, str]:
    """The standard name, the axle and the side that a name tells; each ``""`` where it does not."""
    stem, told = text.strip(), ""
    if stem[:4].lower() in ADAMS_SIDES:
        stem, told = stem[4:], ADAMS_SIDES[stem[:4].lower()]
    name, side = _declared(stem)
    if name:
        return name, "", side or told
    for pattern, rest, corner in ((CORNER_FIRST, 2, 1), (CORNER_LAST, 1, 2)):
        match = pattern.fullmatch(stem)
        if match and (name := _declared(match[rest])[0]):
            return name, *CORNERS[match[corner].lower()]
    name, axle, side = student_name(stem)
    return name, axle, side or told


def _declared(text: str) -> tuple[str, str]:
    """The standard name of a standard name or a program's, and the side that its ending tells; ``""`` where it is none."""
    folded = fold(text)
    if folded in STANDARD:
        return STANDARD[folded], ""
    for ending, side in SIDES:
        if text.lower().rstrip().endswith(ending):
            return STANDARD.get(fold(text.rstrip()[: -len(ending)]), ""), side
    return "", ""
