"""Hardpoints of Adams/Car: the block [HARDPOINT] of a subsystem (.sub), and tables with its names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import groupby
from math import radians

from sheetmbs.schema.names import fold
from sheetmbs.suspension.hardpoint_lists.list_reading import ListReading, axle_told, size_of
from sheetmbs.suspension.hardpoint_lists.list_rows import PER_POINT, ListRow, number_in, pieces
from sheetmbs.suspension.hardpoint_lists.point_table import columns_of, read_table
from sheetmbs.suspension.layout.aliases import ADAMS_SIDES

BLOCK = re.compile(r"\s*\[\s*(\w+)\s*\]\s*")
HARDPOINT, PARAMETER, UNITS, HEADER = "HARDPOINT", "PARAMETER", "UNITS", "SUBSYSTEM_HEADER"
WORDS = re.compile(r"'([^']*)'|\"([^\"]*)\"|(\S+)")
SETS = re.compile(r"\s*(\w+)\s*=\s*['\"]?([^'\"]*)['\"]?\s*")
ROLES = ("MINOR_ROLE", "ROLE")
SYMMETRY = {"left/right": "", "left": "left", "right": "right", "single": ""}
LENGTH_WORDS = {"millimeter": "mm", "millimetre": "mm", "meter": "m", "metre": "m", "centimeter": "cm", "inches": "in"}
ANGLES = {"camber_angle": "camber", "toe_angle": "toe"}
"""parameters that are settings: both with our signs"""
REARWARD = ("rearward", "right", "up")
"""axes of a subsystem: x rearward, the left side at y < 0"""
GUESSED = ("forward", "left", "up")
"""axes of tables"""


def is_of_adams(rows: Sequence[ListRow]) -> bool:
    """Whether a file has the block of a subsystem, or names with the beginnings of Adams."""
    has_block = any((match := BLOCK.fullmatch(row.text)) and match[1].upper() == HARDPOINT for row in rows)
    return has_block or any(cell[:4].lower() in ADAMS_SIDES for row in rows for cell in pieces(row))


def read_adams(rows: Sequence[ListRow], axle: str, reading: ListReading) -> tuple[str, str, str]:
    """Take the points of a subsystem or a table. axle: where nothing in it tells one. Returns words for its axes."""
    if any((match := BLOCK.fullmatch(row.text)) and match[1].upper() == HARDPOINT for row in rows):
        _read_subsystem(rows, axle, reading)
        return REARWARD
    if any(columns_of(row) is not None for row in rows):
        read_table(rows, axle, reading, guessed=True)
        return GUESSED
    size = size_of(reading.unit or "mm")
    for row in rows:
        found = pieces(row)
        numbers = [each for each in found if number_in(each) is not None]
        if not found or number_in(found[0]) is not None or len(numbers) < PER_POINT:
            reading.drop(row)
        else:
            reading.add_point(row, found[0].strip("'\""), numbers[:PER_POINT], axle, "", size)
    return GUESSED


def _read_subsystem(rows: Sequence[ListRow], axle: str, reading: ListReading) -> None:
    block, size, told, turns = "", size_of(reading.unit or "mm"), axle, True
    dropped: list[tuple[str, ListRow]] = []
    for row in rows:
        line = row.text
        heading = BLOCK.fullmatch(line)
        if heading:
            block = heading[1].upper()
            if block not in (HARDPOINT, PARAMETER, UNITS, HEADER):
                dropped.append((block, row))
            continue
        if line.startswith(("$", "{")):
            continue  # rules, and the heads of columns
        if block == HARDPOINT and _add(row, line, told, size, reading):
            continue
        sets = SETS.fullmatch(line)
        name, value = (sets[1].upper(), sets[2].strip()) if sets else ("", "")
        if block == UNITS and name == "LENGTH":
            word = fold(value)
            size = size_of(LENGTH_WORDS.get(word, word))
        elif block == UNITS and name == "ANGLE":
            turns = not fold(value).startswith("rad")
        elif name in ROLES and (found := axle_told(value)):
            told = found
        elif block == PARAMETER and _set(row, line, told, reading, in_degrees=turns):
            continue
        else:
            dropped.append((block, row))
    for (name, _known), group in groupby(dropped, key=lambda each: (each[0], each[0] in (HARDPOINT, PARAMETER))):
        of_block = [row for _block, row in group]
        if name in (HARDPOINT, PARAMETER):
            for row in of_block:
                reading.drop(row)
        else:
            reading.drop_lines(int_of(of_block[0]), int_of(of_block[-1]), name or "above the first block")


def int_of(row: ListRow) -> int:
    """The number of the line of a row of a text."""
    return int(row.number) if row.number.isdigit() else 0


def _words(line: str) -> list[str]:
    return [next(part for part in match.groups() if part is not None) for match in WORDS.finditer(line)]


def _add(row: ListRow, line: str, axle: str, size: float, reading: ListReading) -> bool:
    """Take a line of the block of hardpoints; False where it is none."""
    words = _words(line)
    side = SYMMETRY.get(fold(words[1])) if len(words) > 1 else None
    if side is None:
        return False
    reading.add_point(row, words[0], words[2 : 2 + PER_POINT], axle, side, size)
    return True


def _set(row: ListRow, line: str, axle: str, reading: ListReading, *, in_degrees: bool) -> bool:
    """Take a line of the block of parameters; False where it gives nothing."""
    words = _words(line)
    setting = ANGLES.get(words[0].lower()) if words else None
    value = number_in(words[-1]) if setting and len(words) > 2 and fold(words[1]) in ("left/right", "left") else None
    if setting is None or value is None or not axle:
        return False
    reading.set(row, setting, axle, radians(value) if in_degrees else value)
    return True
