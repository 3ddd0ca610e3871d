"""A file of hardpoints as rows of texts and numbers, whether it is a workbook or a text."""

from __future__ import annotations

import csv
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from sheetmbs.importing.lines import WORKBOOK, read_text, refused
from sheetmbs.schema.names import RESULT_SHEETS
from sheetmbs.workbook.cells.cells import CellKind, address, open_book

DELIMITERS = (";", "\t", "|", ",")
POINTED = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eE][+-]?\d+)?")
WITH_COMMA = re.compile(r"[+-]?\d*,\d+(?:[eE][+-]?\d+)?")
COLUMNS = 3
"""of text at least that make a table"""


@dataclass(frozen=True)
class ListRow:
    """A row. place: for messages. cells: texts, and numbers as texts. title: of its sheet."""

    place: str
    cells: tuple[str, ...]
    title: str = ""


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
                yield ListRow(f"{path.name}: {address(name, row, min(cells))}", tuple(texts), name)


def _of_text(path: Path) -> Iterator[ListRow]:
    lines = read_text(path).splitlines()
    delimiter = _delimiter(lines)
    for number, line in enumerate(lines, start=1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        cells = next(csv.reader([line], delimiter=delimiter)) if delimiter else [line]
        yield ListRow(f"{path}:{number}", tuple(cell.strip() for cell in cells))


def _delimiter(lines: Sequence[str]) -> str:
    """What parts the columns of a text: the first sign that does in most lines, ``""`` where none does."""
    counts = {sign: sum(line.count(sign) >= COLUMNS for line in lines) for sign in DELIMITERS}
    best = max(DELIMITERS, key=lambda sign: counts[sign])
    return best if counts[best] else ""


def number_in(text: str) -> float | None:
    """The number that a cell is, with a point or a comma before its decimals; None where it is none."""
    plain = text.replace("\u2212", "-").replace("\u00a0", "")
    if POINTED.fullmatch(plain):
        return float(plain)
    return float(plain.replace(",", ".")) if WITH_COMMA.fullmatch(plain) else None
