"""A point as a list has it, and what its name tells."""

from __future__ import annotations

import re
from dataclasses import dataclass

from sheetmbs.schema.names import fold
from sheetmbs.suspension.layout.aliases import STANDARD_POINTS, standard_name
from sheetmbs.suspension.layout.car import CORNERS, Vector

CORNER = {corner.casefold(): owner for owner, corner in CORNERS.items()}
CORNER_FIRST = re.compile(r"(fl|fr|rl|rr)[\s_.-]+(.+)", re.IGNORECASE)
CORNER_LAST = re.compile(r"(.+?)[\s_.-]+(fl|fr|rl|rr)", re.IGNORECASE)
_BY_FOLD = {fold(name): name for name in STANDARD_POINTS}
WITHOUT_ROLE = re.compile(
    r"|part \d+ c of g|.* c of g|wheel spindle point|.*\bcv (?:centre|center|axis).*|.*contact.*|roll bar .*|drop link .*"
)
"""folded names of points that lists hold and no axle here has"""


@dataclass(frozen=True, eq=False)
class ListedPoint:
    """A point of a list. name: as it stands there. axle, side: as far as told, else ``""``. position: (3,) m."""

    name: str
    axle: str
    side: str
    position: Vector
    place: str

    @property
    def standard(self) -> str:
        """Standard name of the point, ``""`` where it has none."""
        return named(self.name)[0]


def named(text: str) -> tuple[str, str, str]:
    """The standard name, the axle and the side that a name of a list tells; each ``""`` where it does not."""
    axle = side = ""
    for pattern, stem, corner in ((CORNER_FIRST, 2, 1), (CORNER_LAST, 1, 2)):
        match = pattern.fullmatch(text.strip())
        if match and _standard(match[stem])[0]:
            axle, side = CORNER[match[corner].casefold()]
            return _standard(match[stem])[0], axle, side
    name, side = _standard(text)
    return name, axle, side


def _standard(text: str) -> tuple[str, str]:
    name, side = standard_name(text)
    return _BY_FOLD.get(fold(name), ""), side


def has_role(name: str) -> bool:
    """Whether a name of a list could be that of a hardpoint: not one of those that no axle here has."""
    return WITHOUT_ROLE.fullmatch(fold(name)) is None


def axle_told(text: str) -> str:
    """The axle that a title or a file name tells, ``""`` where it does not."""
    words = set(fold(re.sub(r"[^\w]+", " ", text)).split())
    found = [
        axle
        for axle, known in (("front", {"front", "fr", "vorn", "av"}), ("rear", {"rear", "rr", "hinten", "ar"}))
        if words & known
    ]
    return found[0] if len(found) == 1 else ""
