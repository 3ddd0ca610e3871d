"""Listings of Lotus SHARK: a point for each line, known by its label and never by its number."""

from __future__ import annotations

import re
from collections.abc import Sequence

from sheetmbs.suspension.hardpoint_lists.list_reading import UNIT, USUAL_UNIT, ListReading, size_of
from sheetmbs.suspension.hardpoint_lists.list_rows import PER_POINT, ListRow, number_in

MARK = re.compile(r"(?:\(\s*\d+\s*\)\s*)?\bPOINT\s*(?::\s*\d+|\(\s*\d+\s*\)|\d+\s*:)\s*[=:]?\s*", re.IGNORECASE)
"""POINT ( 5 ) = of version 4, POINT:4 of version 5, (1) Point 1: of listings that are copied"""
AXLE = re.compile(r"\s*(front|rear)\s+suspension\b.*", re.IGNORECASE)
STRUCTURE = re.compile(r"[\s()xyzminch*=_-]*", re.IGNORECASE)
"""lines of rules, and the heads of the columns"""


def is_listing(rows: Sequence[ListRow]) -> bool:
    """Whether any row is a point of a listing."""
    return any(_point(row.text) is not None for row in rows)


def read_listing(rows: Sequence[ListRow], axle: str, reading: ListReading) -> None:
    """Take the points of a listing. axle: of points above the first heading of an axle."""
    listing = _Listing(reading, axle)
    for row in rows:
        if not listing.goes_on(row):
            listing.take(row)
    listing.close()


class _Listing:
    """What a listing says, row by row."""

    def __init__(self, reading: ListReading, axle: str) -> None:
        self._reading, self._axle, self._size = reading, axle, 0.0
        self._open: tuple[ListRow, str, list[str]] | None = None
        """a point whose coordinates stand below each other, as far as they are read"""

    def goes_on(self, row: ListRow) -> bool:
        """Whether a row has further coordinates of the point above it, which are taken."""
        if self._open is None:
            return False
        words = row.text.split()
        if not words or any(number_in(word) is None for word in words):
            self.close()
            return False
        self._open[2].extend(words)
        if len(self._open[2]) >= PER_POINT:
            self.close()
        return True

    def close(self) -> None:
        """Take the point above, whatever it has."""
        if self._open is not None:
            self._add(*self._open)
            self._open = None

    def take(self, row: ListRow) -> None:
        """Take a row."""
        line = row.text
        heading, point = AXLE.fullmatch(line), _point(line)
        if heading:
            self._axle = heading[1].casefold()
        elif point is not None and 0 < len(point[1]) < PER_POINT:
            self._open = row, *point
        elif point is not None:
            self._add(row, *point)
        else:
            told = UNIT.search(line)
            if told and self._size == 0.0 and "(" in line:
                self._size = size_of(told[1])
            if not STRUCTURE.fullmatch(line):
                self._reading.drop(row)

    def _add(self, row: ListRow, name: str, numbers: Sequence[str]) -> None:
        if not name:
            self._reading.drop(row)
            return
        size = self._size or size_of(self._reading.unit or USUAL_UNIT)
        self._reading.add_point(row, name, numbers[:PER_POINT], self._axle, "", size)


def _point(line: str) -> tuple[str, list[str]] | None:
    """The label of a point and the texts of its coordinates, before or behind it; None where a line is none."""
    mark = MARK.search(line)
    if mark is None:
        return None
    before, behind = line[: mark.start()].split(), line[mark.end() :].split()
    if len(before) == PER_POINT:
        return " ".join(behind), before
    if before:
        return None
    first = next((at for at, word in enumerate(behind) if number_in(word) is None), len(behind))
    if first >= PER_POINT:
        return " ".join(behind[PER_POINT:]), behind[:PER_POINT]
    last = next((at for at in range(len(behind), 0, -1) if number_in(behind[at - 1]) is None), 0)
    return " ".join(behind[:last]), behind[last:]
