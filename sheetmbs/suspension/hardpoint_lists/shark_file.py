"""Files of Lotus SHARK, ``.shk``: labels in the block TEMP_SETTINGS, coordinates in a block of each axle, in the same order.

TEMP_SETTINGS has the number of its templates, then of each its name, a line with the numbers of parts and points, the names
of the parts, and of each point its label and 8 further lines. FRONT SUSPENSION and REAR SUSPENSION have one line, then
x y z of each point (x rearward, y outboard, z up, mm), then scalars, the first of which is the loaded radius.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

from sheetmbs.importing.lines import read_text, refused
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.suspension.hardpoint_lists.list_reading import ListReading, size_of
from sheetmbs.suspension.hardpoint_lists.list_rows import PER_POINT, ListRow, number_in

LABELS = "TEMP_SETTINGS"
GEOMETRY = re.compile(r"\s*(FRONT|REAR)\s+SUSPENSION\s*", re.IGNORECASE)
LINES_PER_POINT = 8
"""behind the label of a point"""
MAX_COUNT = 1000
"""of templates, parts or points of a file"""
RADIUS = "tyre radius"


@dataclass(frozen=True)
class _Label:
    """The label of a point and its line, from 0."""

    text: str
    line: int


class _Lines:
    """The lines of a file, blank ones too, and where it is read."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.lines = read_text(path, "a .shk file").splitlines()
        self.used: set[int] = set()

    def row(self, at: int) -> ListRow:
        """A line as a row for messages."""
        return ListRow(f"{self.path}:{at + 1}", str(at + 1), (self.lines[at].strip(),))

    def take(self, at: int, what: str) -> str:
        """The text of a line. Raises WorkbookError where the file ends before."""
        if at >= len(self.lines):
            raise self.wrong(len(self.lines) - 1, f"the file ends before {what}", "take a copy that is complete")
        self.used.add(at)
        return self.lines[at].strip()

    def counts(self, at: int, number: int, what: str) -> list[int]:
        """The whole numbers with which a line begins. Raises WorkbookError where it has not as many."""
        words = self.take(at, what).replace(",", " ").split()
        values = [number_in(word) for word in words[:number]]
        known = [
            int(value) for value in values if value is not None and value == int(value) and 0 <= value <= MAX_COUNT
        ]
        if len(known) < number:
            raise self.wrong(at, f"'{self.lines[at].strip()}' is not {what}", "take the file as Lotus writes it")
        return known

    def wrong(self, at: int, found: str, mend: str) -> WorkbookError:
        """The error that a line is not what it must be."""
        return refused("broken-shk", found, "a .shk file has blocks in a fixed order", mend, f"{self.path}:{at + 1}")


def is_shark_file(rows: Sequence[ListRow]) -> bool:
    """Whether a text has the blocks of a .shk file."""
    return any(row.text.strip().upper() == LABELS for row in rows)


def read_shark_file(path: Path, axle: str, reading: ListReading) -> None:
    """Take the points and the radius of a .shk file. axle: that is asked for, and of a block of no name.

    Raises WorkbookError where the blocks are not whole.
    """
    lines = _Lines(path)
    start = next((at for at, line in enumerate(lines.lines) if line.strip().upper() == LABELS), None)
    if start is None:
        found, rule = f"{path} has no block {LABELS}", "it names the points of a .shk file"
        raise refused("broken-shk", found, rule, "take a copy that is complete, or a listing")
    templates, end = _labels(lines, start)
    blocks = [
        (match[1].casefold(), at)
        for at, line in enumerate(lines.lines)
        if not start <= at < end and (match := GEOMETRY.fullmatch(line))
    ]
    if not blocks:
        mend = "take a copy that is complete"
        raise lines.wrong(len(lines.lines) - 1, "no block FRONT SUSPENSION or REAR SUSPENSION", mend)
    for number, (named, at) in enumerate(blocks):
        labels = templates[min(number, len(templates) - 1)]
        # the block names a place in Lotus: with one block --axle says which axle of the car it is
        _read_block(lines, at, labels, axle if axle and len(blocks) == 1 else named, reading)
    for first, last in _runs(at for at, line in enumerate(lines.lines) if line.strip() and at not in lines.used):
        reading.drop_lines(first + 1, last + 1, lines.lines[first].strip()[:30])


def _labels(lines: _Lines, start: int) -> tuple[list[list[_Label]], int]:
    """The labels of each template, and the line behind them."""
    lines.used.add(start)
    count = lines.counts(start + 1, 1, "the number of templates")[0]
    at = start + 2
    templates: list[list[_Label]] = []
    for _ in range(max(1, count)):
        lines.take(at, "the name of the template")
        parts, points = lines.counts(at + 1, 2, "the numbers of parts and points")
        for part in range(parts):
            lines.take(at + 2 + part, "the names of the parts")
        at += 2 + parts
        labels = []
        for point in range(points):
            labels.append(_Label(lines.take(at, f"the label of point {point + 1} of {points}"), at))
            for behind in range(LINES_PER_POINT):
                lines.take(at + 1 + behind, f"the {LINES_PER_POINT} lines of '{labels[-1].text}'")
            at += 1 + LINES_PER_POINT
        templates.append(labels)
    return templates, at


def _read_block(lines: _Lines, start: int, labels: list[_Label], axle: str, reading: ListReading) -> None:
    lines.used |= {start, start + 1}
    size = size_of(reading.unit or "mm")
    at = start + 2
    for label in labels:
        texts = lines.take(at, f"the coordinates of '{label.text}'").split()
        if len(texts) != PER_POINT or any(number_in(text) is None for text in texts):
            rule = f"the coordinates of point '{label.text}' ({lines.path}:{label.line + 1}) stand here, three numbers"
            reading.refuse(lines.row(at), "broken-shk", f"'{lines.lines[at].strip()}'", rule, "correct the line")
            return
        reading.add_point(lines.row(at), label.text, texts, axle, "", size)
        at += 1
    while at < len(lines.lines) and len(lines.lines[at].split()) == PER_POINT:
        reading.drop(lines.row(at))
        lines.used.add(at)
        at += 1
    if at < len(lines.lines) and (radius := number_in(lines.lines[at].strip())) is not None and isfinite(radius):
        lines.used.add(at)
        if radius > 0.0:
            reading.set(lines.row(at), RADIUS, axle, radius * size)
        else:
            reading.warn(lines.row(at), "no-radius", f"{radius:g}", "a loaded radius is above 0", "fill it in by hand")


def _runs(numbers: Iterable[int]) -> list[tuple[int, int]]:
    """First and last of each run of numbers that follow each other."""
    found: list[tuple[int, int]] = []
    for number in numbers:
        if found and number == found[-1][1] + 1:
            found[-1] = found[-1][0], number
        else:
            found.append((number, number))
    return found
