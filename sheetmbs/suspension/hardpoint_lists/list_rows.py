"""Rows of the files in which people have hardpoints: lines of texts however separated, and rows of workbooks."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

from sheetmbs.importing.lines import WORKBOOK, read_text, refused
from sheetmbs.schema.names import RESULT_SHEETS
from sheetmbs.workbook.cells.cells import CellKind, address, open_book

DELIMITERS = (";", "\t", "|", ",")
POINTED = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
WITH_COMMA = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?")
GAP = re.compile(r"\t|\s{2,}")
"""what separates columns where no sign does: a name may hold single blanks"""
COLUMNS = 3
"""of text at least that make a table"""
PER_POINT = 3
LONGEST_SHOWN = 40
"""letters of a line that a message shows"""


@dataclass(frozen=True)
class ListRow:
    """A row. place: for messages. number: of its line, or its address. cells: texts, numbers too. title: of its sheet."""

    place: str
    number: str
    cells: tuple[str, ...]
    title: str = ""

    @property
    def text(self) -> str:
        """The whole row as one line."""
        return " ".join(cell for cell in self.cells if cell)

    @property
    def shown(self) -> str:
        """The row as a message names it."""
        text = " ".join(self.text.split())
        return f"{self.number} '{text if len(text) <= LONGEST_SHOWN else text[: LONGEST_SHOWN - 2] + '..'}'"


def read_rows(path: Path) -> list[ListRow]:
    """The rows of a file that hold anything. Raises WorkbookError where it cannot be read or has none."""
    try:
        with path.open("rb") as file:
            is_workbook = file.read(len(WORKBOOK)) == WORKBOOK
    except OSError:
        is_workbook = False  # told where it is read
    found = list(_of_workbook(path) if is_workbook else _of_text(path))
    if not found:
        raise refused(
            "file-empty", f"{path} is empty", "a list of hardpoints is to be read", "take a copy that is complete"
        )
    return found


def _of_workbook(path: Path) -> Iterator[ListRow]:
    book = open_book(path)
    for name in book.sheets:
        if name.casefold().startswith(RESULT_SHEETS):
            continue
        for row, cells in book.sheets[name].rows.items():
            last = max(cells)
            texts = [""] * last
            for column, cell in cells.items():
                is_number = cell.kind is CellKind.NUMBER
                texts[column - 1] = repr(float(cell.value)) if is_number else str(cell.value).strip()
            if any(texts):
                number = address(name, row, min(cells))
                yield ListRow(f"{path.name}: {number}", number, tuple(texts), name)


def _of_text(path: Path) -> Iterator[ListRow]:
    lines = read_text(path, "a list of hardpoints").splitlines()
    delimiter = _delimiter(lines)
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        yield ListRow(f"{path}:{number}", str(number), tuple(_cells(line, delimiter, f"{path}:{number}")))


def _cells(line: str, delimiter: str, place: str) -> list[str]:
    if not delimiter:
        return [cell.strip() for cell in GAP.split(line.strip())]
    try:
        return [cell.strip() for cell in next(csv.reader([line], delimiter=delimiter), [])]
    except csv.Error:
        rule = "a line of a list has a name and three numbers"
        raise refused("line-too-long", "a line that cannot be split", rule, "check which file it is", place) from None


def _delimiter(lines: Sequence[str]) -> str:
    """What separates the columns of a text: the first sign that does in most lines, ``""`` where none does."""
    counts = {sign: sum(line.count(sign) >= COLUMNS for line in lines) for sign in DELIMITERS}
    best = max(DELIMITERS, key=lambda sign: counts[sign])
    return best if counts[best] else ""


def number_in(text: str) -> float | None:
    """The number that a cell is, with a point or a comma before its decimals; None where it is none."""
    plain = text.replace("\u2212", "-").replace("\u00a0", "").strip()
    if not POINTED.fullmatch(plain) and not WITH_COMMA.fullmatch(plain):
        return None
    value = float(plain.replace(",", "."))
    return value if isfinite(value) else None


def pieces(row: ListRow) -> list[str]:
    """The cells that hold anything; names and numbers that stand in one cell, separated by blanks, are taken apart."""
    found: list[str] = []
    for cell in row.cells:
        words = cell.split()
        behind = next((at for at in range(len(words), 0, -1) if number_in(words[at - 1]) is None), 0)
        numbers = words[behind:]
        if not words or number_in(cell) is not None:
            found += [cell] if cell else []
        elif len(numbers) >= PER_POINT or not behind:
            found += [*([" ".join(words[:behind])] if behind else []), *numbers]
        else:
            found.append(cell)
    return found
