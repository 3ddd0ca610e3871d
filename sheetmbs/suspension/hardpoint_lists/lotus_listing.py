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
    size = 0.0
    open_row, name, numbers = None, "", [""]
    for row in rows:
        line = row.text
        if open_row is not None and len(numbers) < PER_POINT:
            more = line.split()
            if more and all(number_in(each) is not None for each in more):
                numbers += more  # a point whose coordinates stand below each other
                if len(numbers) >= PER_POINT:
                    _add(reading, open_row, name, numbers, axle, size)
                    open_row = None
                continue
            _add(reading, open_row, name, numbers, axle, size)
            open_row = None
        heading, point = AXLE.fullmatch(line), _point(line)
        if heading:
            axle = heading[1].casefold()
        elif point is not None:
            name, numbers = point
            if 0 < len(numbers) < PER_POINT:
                open_row = row
            else:
                _add(reading, row, name, numbers, axle, size)
        else:
            told = UNIT.search(line)
            if told and size == 0.0 and "(" in line:
                size = size_of(told[1])
            if not STRUCTURE.fullmatch(line):
                reading.drop(row)
    if open_row is not None:
        _add(reading, open_row, name, numbers, axle, size)


def _add(reading: ListReading, row: ListRow, name: str, numbers: Sequence[str], axle: str, size: float) -> None:
    if not name:
        reading.drop(row)
        return
    reading.add_point(row, name, numbers[:PER_POINT], axle, "", size or size_of(reading.unit or USUAL_UNIT))


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
