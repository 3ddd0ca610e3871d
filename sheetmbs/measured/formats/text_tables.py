"""A text of columns as names, units and numbers, whatever parts its columns and stands before its decimals."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.importing.lines import refused
from sheetmbs.measured.measurement import Floats
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.validate import is_unit, split_header, split_parentheses

DELIMITERS = ("\t", ";", ",", "|")
"""what parts columns, the surest first; where none does, blanks do"""
NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][+-]?\d+)?")
DECIMAL_COMMA = re.compile(r"[+-]?\d*(?:,\d+)?(?:[eEdD][+-]?\d+)?")
SIGNS = str.maketrans("\u2212\u2013\u00a0", "-- ")
"""minus signs and blanks of printers"""
NOTHING = frozenset(("", "nan", "null", "none", "n/a", "#n/a", "-", "--"))
"""what stands where there is no reading"""
PLAIN = "correct it, or leave it out"
OTHER_NUMBERS = {
    re.compile(r"[+-]?\d{1,3}(?:[,. ']\d{3})+(?:[.,]\d+)?"): "export numbers without a sign between thousands",
    re.compile(r"(?:\d+:)?\d+:\d+(?:[.,]\d+)?"): "export time as a number of seconds",
}
"""how numbers look that other programs write for people, and what to do"""
COMMENTS = ("#", "!", "%", "//")
MOST_TOLD = 20
"""cells that are no numbers and are reported one by one"""

Cells = Sequence[str]


@dataclass(frozen=True, eq=False)
class ReadColumns:
    """Columns of a file. units: ``""`` where the file tells none. values: (rows, columns), NaN where there is no reading."""

    names: tuple[str, ...]
    units: tuple[str, ...]
    values: Floats


@dataclass(frozen=True)
class TextRows:
    """A text as rows of cells. numbers: of their lines. decimal: a point or a comma."""

    rows: Sequence[Cells]
    numbers: Sequence[int]
    decimal: str

    def value(self, text: str) -> float | None:
        """The number in a cell, NaN where there is no reading, None where it is a text."""
        plain = text.strip()
        if plain.casefold() in NOTHING:
            return np.nan
        plain = plain.replace(",", ".") if self.decimal == "," else plain
        return float(plain.lower().replace("d", "e")) if NUMBER.fullmatch(plain) else None

    def holds_numbers(self, row: int) -> bool:
        """Whether a row holds nothing but numbers, and one at least."""
        values = [self.value(cell) for cell in self.rows[row]]
        return None not in values and any(value is not None and np.isfinite(value) for value in values)


def text_rows(text: str) -> TextRows:
    """The rows of a text that hold anything but a comment."""
    lines = [(number, line) for number, line in enumerate(text.translate(SIGNS).splitlines(), start=1) if line.strip()]
    lines = [(number, line) for number, line in lines if not line.lstrip().startswith(COMMENTS)]
    delimiter, decimal = layout_of([line for _number, line in lines])
    rows = [_pieces(line, delimiter) for _number, line in lines]
    return TextRows(rows, [number for number, _line in lines], decimal)


def layout_of(lines: Sequence[str]) -> tuple[str, str]:
    """What parts the columns of lines, "" blanks, and what stands before decimals.

    It is the first sign that stands in most lines. Commas part nothing where each line that has some holds nothing but numbers
    between blanks. Of points and commas between digits, those that are more stand before decimals.
    """
    delimiter = next((sign for sign in DELIMITERS if _parts_most(sign, lines)), "")
    if delimiter == "," and _are_of_decimals([line.split() for line in lines if "," in line]):
        delimiter = ""
    points = sum(len(re.findall(r"\d\.\d", line)) for line in lines)
    pattern = r'"[^"]*\d,\d[^"]*"' if delimiter == "," else r"\d,\d"
    commas = sum(len(re.findall(pattern, line)) for line in lines)
    return delimiter, "," if commas > points else "."


def _are_of_decimals(lines: Sequence[Sequence[str]]) -> bool:
    """Whether every line holds numbers between blanks, with commas before their decimals: 0,01 1,5."""
    return all(len(pieces) > 1 and all(map(DECIMAL_COMMA.fullmatch, pieces)) for pieces in lines)


def _parts_most(sign: str, lines: Sequence[str]) -> bool:
    return 2 * sum(sign in line for line in lines) > len(lines)


def _pieces(line: str, delimiter: str) -> list[str]:
    if not delimiter:
        return line.split()
    return [piece.strip() for piece in next(csv.reader([line], delimiter=delimiter))]


def read_columns(text: str, source: str) -> ReadColumns:
    """The columns of a text: a row of names, one of units or none, then numbers; what stands above is left out.

    source: the file, for messages. Raises WorkbookError where there is no such table, and with every cell that is no number.
    """
    found = text_rows(text)
    first = next((row for row in range(len(found.rows)) if found.holds_numbers(row)), None)
    if first is None:
        rule, mend = "it has no row of numbers", "take a complete copy, as text"
        raise refused("no-numbers", source, rule, mend)
    width = len(found.rows[first])
    names, units = _headers(found, first, width, source)
    values = _values(found, first, width, source)
    kept = [at for at in range(width) if names[at] or np.isfinite(values[:, at]).any()]
    nameless = [at + 1 for at in kept if not names[at]]
    if nameless:
        rule, mend = "a column of numbers has a name above it", "write a header above it"
        raise refused("no-header", f"{source}, column {nameless[0]}", rule, mend)
    return ReadColumns(tuple(names[at] for at in kept), tuple(units[at] for at in kept), values[:, kept])


def _headers(found: TextRows, first: int, width: int, source: str) -> tuple[list[str], list[str]]:
    """Names and units of columns. first: the first row of numbers."""
    above = [row for row in range(first) if len(found.rows[row]) > 1 or width == 1][-2:]
    if not above:
        rule, mend = "a row of names stands above the numbers", "write one, such as travel [mm]; FL.toe [deg]"
        raise refused("no-header", f"{source}, line {found.numbers[first]}", rule, mend)
    own = _padded(found.rows[above[-1]], width)
    is_below = len(above) > 1 and _filled(found.rows[above[0]]) >= _filled(own) and _are_units(own)
    named = above[0] if is_below else above[-1]
    if _filled(found.rows[named]) > width:
        rule = f"it has {_filled(found.rows[named])} names, and the numbers below have {width} columns"
        mend = "part columns by tabs, semicolons or commas, for blanks stand within names"
        raise refused("other-columns", f"{source}, line {found.numbers[named]}", rule, mend)
    if is_below:
        return _parted(_padded(found.rows[above[0]], width), [_bare_unit(each) for each in own])
    return _parted(own, [""] * width)


def _filled(cells: Cells) -> int:
    """How many cells hold something."""
    return sum(bool(cell.strip()) for cell in cells)


def _padded(cells: Cells, width: int) -> list[str]:
    return [*cells[:width], *[""] * (width - len(cells))]


def _are_units(cells: Cells) -> bool:
    """Whether cells hold units, or nothing: most of those that hold something."""
    told = [_bare_unit(cell) for cell in cells if cell.strip()]
    return not told or 2 * sum(_seems_unit(each) for each in told) > len(told)


def _seems_unit(text: str) -> bool:
    return text in ("", "-", "1") or is_unit(text) or is_unit(text.lower())


def _bare_unit(text: str) -> str:
    """A unit without brackets round it."""
    plain = text.strip()
    return plain[1:-1].strip() if len(plain) > 1 and plain[0] + plain[-1] in ("[]", "()", "<>", "{}") else plain


def _parted(names: Cells, units: Sequence[str]) -> tuple[list[str], list[str]]:
    """Names without the units that some of them hold, each once, and the units."""
    found: list[str] = []
    told: list[str] = []
    for name, unit in zip(names, units, strict=True):
        bare, own = split_header(name)
        if own is None:
            bare, own = split_parentheses(name) or (bare, None)
        bare = bare.strip()
        number, unique = 2, bare
        while unique and unique.casefold() in map(str.casefold, found):
            unique, number = f"{bare} {number}", number + 1
        found.append(unique)
        told.append(unit or own or "")
    return found, told


def _values(found: TextRows, first: int, width: int, source: str) -> Floats:
    """(rows, width) numbers from a row on. Raises WorkbookError with every cell that is none."""
    rows = range(first, len(found.rows))
    heads = {tuple(found.rows[row]) for row in range(first) if _filled(found.rows[row]) > 1}
    again = next((row for row in rows if tuple(found.rows[row]) in heads), None)
    if again is not None:
        rule, mend = (
            "its header stands there again, so that another test begins",
            "put each test into a file of its own",
        )
        raise refused("another-table", f"{source}, line {found.numbers[again]}", rule, mend)
    wrong = list(_wrong(found, rows, width, source))
    if wrong:
        raise WorkbookError(wrong[:MOST_TOLD])
    values = [[found.value(cell) for cell in _padded(found.rows[row], width)] for row in rows]
    return np.array(values, dtype=np.float64).reshape(len(values), width)


def _wrong(found: TextRows, rows: range, width: int, source: str) -> Iterator[Problem]:
    for row in rows:
        where, cells = f"{source}, line {found.numbers[row]}", found.rows[row]
        if any(cells[width:]):
            rule, mend = f"the rows before have {width} columns, and this has {len(cells)}", "take a complete copy"
            yield Problem("other-columns", "error", "", where, rule, mend)
        for cell in cells[:width]:
            if found.value(cell) is None:
                rule = "a reading is a number"
                mend = next((how for pattern, how in OTHER_NUMBERS.items() if pattern.fullmatch(cell.strip())), PLAIN)
                yield Problem("not-a-number", "error", "", f"{where}: {cell}", rule, mend)
