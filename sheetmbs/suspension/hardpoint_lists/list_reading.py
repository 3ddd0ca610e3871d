"""What readers of lists gather: points, settings, mistakes with their lines, and the lines that give nothing."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.importing.lines import refused
from sheetmbs.problems.errors import Problem
from sheetmbs.schema import units as u
from sheetmbs.schema.names import did_you_mean, fold
from sheetmbs.schema.validate import ValueFault, unit_of
from sheetmbs.suspension.hardpoint_lists.list_rows import ListRow, number_in
from sheetmbs.suspension.layout.aliases import STANDARD_POINTS, told_name
from sheetmbs.suspension.layout.car import Vector

UNIT = re.compile(r"\(?\b(mm|cm|m|in|inch|inches)\b\)?")
USUAL_UNIT = "mm"
WITHOUT_ROLE = re.compile(
    r"reference point|part \d+ c of g|.* c of g|wheel spindle point|.*\bcv (?:centre|center|axis).*"
    r"|.*contact.*|roll bar .*|drop link .*"
)
"""folded names of points that lists hold and no axle here has"""
MOST_UNKNOWN = 100
"""warnings of names; further ones are listed with the lines that give nothing"""
MOST_LISTED = 1000
"""lines that give nothing and are listed; of a file with more, it is another file that was meant"""
FARTHEST = 1e3
"""m from the origin: no unit of a car leads there"""


@dataclass(frozen=True, eq=False)
class ListedPoint:
    """A point of a list. name: as it stands there. axle, side: as far as told, else ``""``. position: (3,) m."""

    name: str
    standard: str
    axle: str
    side: str
    position: Vector
    place: str


@dataclass(frozen=True)
class ListedSetting:
    """A setting of a list. axle: ``""`` of one of the car. value: in SI, or a word."""

    name: str
    axle: str
    value: float | str
    place: str


class ListReading:
    """What has been read of a file so far. unit: of lengths where the file tells none, ``""`` unknown."""

    def __init__(self, unit: str) -> None:
        self.unit = unit
        self.points: list[ListedPoint] = []
        self.settings: list[ListedSetting] = []
        self.carriers: dict[str, str] = {}
        """by axle, the body that carries the rod, as the file tells it"""
        self.problems: list[Problem] = []
        self.warnings: list[Problem] = []
        self._unused: list[str] = []
        self._idle: list[str] = []
        self._unknown = 0

    def add_point(
        self, row: ListRow, name: str, texts: Sequence[str], axle: str, side: str, size: float | Vector
    ) -> ListedPoint | None:
        """Take a point of a row. size: m of one unit of its coordinates. Returns None where it gives none."""
        standard, told_axle, told_side = told_name(name)
        if not standard:
            self._add_unknown(row, name)
            return None
        numbers = [number_in(text) for text in texts]
        if any(number is None for number in numbers) or len(numbers) != len("xyz"):
            at = next((at for at, number in enumerate(numbers) if number is None), len(numbers))
            wrong = f"{'xyz'[at]} is '{texts[at]}'" if at < len(texts) and texts[at] else f"{'xyz'[at]} is missing"
            rule = "a coordinate is a number, with a point or a comma before its decimals"
            self.refuse(row, "not-a-number", f"{name}: {wrong}", rule, "correct it")
            return None
        position = np.array([number for number in numbers if number is not None]) * size
        if np.abs(position).max() > FARTHEST:
            rule = f"that is more than {FARTHEST:g} m from the origin"
            self.refuse(row, "too-far", f"{name}: {', '.join(texts)}", rule, "correct it, or name the unit with --unit")
            return None
        point = ListedPoint(name, standard, told_axle or axle, side or told_side, position, row.place)
        self.points.append(point)
        return point

    def set(self, row: ListRow, name: str, axle: str, value: float | str) -> None:
        """Take a setting of a row; the first one of a name counts."""
        before = next((each for each in self.settings if (each.name, each.axle) == (name, axle)), None)
        if before is None:
            self.settings.append(ListedSetting(name, axle, value, row.place))
        elif before.value != value:
            rule = f"it stands at {before.place} already, with another value"
            self.warnings.append(
                Problem("given-twice", "warning", row.place, row.text, rule, "take one of the two lines out")
            )

    def refuse(self, row: ListRow, code: str, found: str, rule: str, mend: str) -> None:
        """Take a mistake that no list is read with."""
        self.problems.append(Problem(code, "error", row.place, found, rule, mend))

    def warn(self, row: ListRow, code: str, found: str, rule: str, mend: str) -> None:
        """Take a finding that people should know of."""
        self.warnings.append(Problem(code, "warning", row.place, found, rule, mend))

    def note(self, row: ListRow, code: str, found: str, rule: str, mend: str) -> None:
        """Take something to know, about which nothing is wrong."""
        self.warnings.append(Problem(code, "note", row.place, found, rule, mend))

    def drop(self, row: ListRow) -> None:
        """Take a row that gives nothing."""
        self._unused.append(row.shown)

    def drop_lines(self, first: int, last: int, what: str) -> None:
        """Take lines that give nothing, as a part of the file that has a name."""
        self._unused.append(f"{first} to {last} ({what})" if last > first else f"{first} ({what})")

    def _add_unknown(self, row: ListRow, name: str) -> None:
        if WITHOUT_ROLE.fullmatch(fold(name)):
            self._idle.append(row.shown)
            return
        self._unknown += 1
        if self._unknown > MOST_UNKNOWN:
            self._unused.append(row.shown)
            return
        otherwise = "give it its standard name in the list, or add its row by hand"
        mend = did_you_mean(name, STANDARD_POINTS, otherwise)
        self.warn(row, "unknown-point", f"'{name}'", "no hardpoint has this name; it is left out", mend)

    def notes(self, form: str) -> Iterator[Problem]:
        """All findings: warnings, and lines that give nothing, each with its number."""
        yield from self.warnings
        if self._idle:
            rule = "no axle here has these points; they are left out"
            yield Problem("idle-points", "note", "", f"lines {', '.join(self._idle)}", rule, "")
        if self._unused:
            rule = f"read as {form}, these lines give nothing here"
            more = len(self._unused) - MOST_LISTED
            listed = ", ".join(self._unused[:MOST_LISTED]) + (f" and {more} more" if more > 0 else "")
            yield Problem("unused-lines", "note", "", f"lines {listed}", rule, "")


def axle_told(text: str) -> str:
    """The axle that a title or a file name tells, ``""`` where it does not."""
    words = set(fold(re.sub(r"[^\w]+", " ", text)).split())
    found = [
        axle
        for axle, known in (("front", {"front", "fr", "vorn", "av"}), ("rear", {"rear", "rr", "hinten", "ar"}))
        if words & known
    ]
    return found[0] if len(found) == 1 else ""


def size_of(unit: str) -> float:
    """How many metres a unit of length is. Raises WorkbookError where it is none."""
    try:
        found = unit_of(unit, (u.LENGTH,))
    except ValueFault as fault:
        raise refused(fault.code, f"the unit '{unit}'", fault.problem, fault.mend) from None
    return found.size if found else 1.0
