"""Hardpoints of Adams/Car: the block [HARDPOINT] of a subsystem (.sub), and tables with its names."""

from __future__ import annotations

import re
from collections.abc import Sequence
from math import radians

from sheetmbs.schema.names import fold
from sheetmbs.suspension.hardpoint_lists.list_reading import ListReading, axle_told, size_of
from sheetmbs.suspension.hardpoint_lists.list_rows import PER_POINT, ListRow, number_in, pieces
from sheetmbs.suspension.hardpoint_lists.point_table import columns_of, read_table
from sheetmbs.suspension.layout.aliases import ADAMS_SIDES

BLOCK = re.compile(r"\s*\[\s*(\w+)\s*\]\s*")
HARDPOINT, PARAMETER, UNITS, HEADER = "HARDPOINT", "PARAMETER", "UNITS", "SUBSYSTEM_HEADER"
KNOWN_BLOCKS = (HARDPOINT, PARAMETER, UNITS, HEADER)
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
    subsystem = _Subsystem(reading, axle)
    for row in rows:
        subsystem.take(row)
    for name, lines in subsystem.foreign:
        if lines:
            reading.drop_lines(int(lines[0].number), int(lines[-1].number), name)


class _Subsystem:
    """What a subsystem says, row by row. foreign: blocks that hold nothing for a suspension, with their rows."""

    def __init__(self, reading: ListReading, axle: str) -> None:
        self._reading, self._axle = reading, axle
        self._block, self._size, self._in_degrees = "", size_of(reading.unit or "mm"), True
        self.foreign: list[tuple[str, list[ListRow]]] = [("above the first block", [])]

    def take(self, row: ListRow) -> None:
        """Take a row."""
        line = row.text
        heading = BLOCK.fullmatch(line)
        if heading:
            self._block = heading[1].upper()
        if heading and self._block not in KNOWN_BLOCKS:
            self.foreign.append((self._block, []))
        if self._block not in KNOWN_BLOCKS:
            self.foreign[-1][1].append(row)
        elif heading or line.startswith(("$", "{")):
            return  # rules, and the heads of columns
        elif self._block == HARDPOINT:
            _add(row, line, self._axle, self._size, self._reading)
        elif self._block == PARAMETER:
            _set(row, line, self._axle, self._reading, in_degrees=self._in_degrees)
        elif not self._takes_rule(line):
            self._reading.drop(row)

    def _takes_rule(self, line: str) -> bool:
        """Whether a line says how the file is to be read, or of which axle it is."""
        name, value = _assignment(line)
        if name == "LENGTH":
            self._size = size_of(LENGTH_WORDS.get(fold(value), fold(value)))
        elif name == "ANGLE":
            self._in_degrees = not fold(value).startswith("rad")
        elif name in ROLES and axle_told(value):
            self._axle = axle_told(value)
        else:
            return False
        return True


def _assignment(line: str) -> tuple[str, str]:
    """Name and value of a line such as ``LENGTH = 'mm'``, ``""`` where it is none."""
    match = SETS.fullmatch(line)
    return (match[1].upper(), match[2].strip()) if match else ("", "")


def _words(line: str) -> list[str]:
    return [next(part.strip() for part in match.groups() if part is not None) for match in WORDS.finditer(line)]


def _add(row: ListRow, line: str, axle: str, size: float, reading: ListReading) -> None:
    """Take a line of the block of hardpoints."""
    words = _words(line)
    side = SYMMETRY.get(fold(words[1])) if len(words) > 1 else None
    if side is None:
        reading.drop(row)
    else:
        reading.add_point(row, words[0], words[2 : 2 + PER_POINT], axle, side, size)


def _set(row: ListRow, line: str, axle: str, reading: ListReading, *, in_degrees: bool) -> None:
    """Take a line of the block of parameters."""
    words = _words(line)
    setting = ANGLES.get(words[0].lower()) if words else None
    value = number_in(words[-1]) if setting and len(words) > 2 and fold(words[1]) in ("left/right", "left") else None
    if setting is None or value is None or not axle:
        reading.drop(row)
    else:
        reading.set(row, setting, axle, radians(value) if in_degrees else value)
