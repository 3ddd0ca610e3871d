"""A text file as the cells that it would be in a sheet, so that one reader serves for files and for what is pasted."""

from __future__ import annotations

import csv
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import nan

import numpy as np

from sheetmbs.gait.arrays import Vector
from sheetmbs.schema.problem_list import Place, ProblemList
from sheetmbs.workbook.cells.cell_rows import Numbers, SheetRows
from sheetmbs.workbook.cells.cells import Cell, CellKind, CellSheet

SIGNS = str.maketrans("\u2212\u2013\u00a0", "-- ")
"""minus signs and blanks of printers"""
DELIMITERS = {"\t": "tabs", ";": "semicolons", ",": "commas", "": "blanks"}
"""what may part columns, and its name"""
WHOLE = r"[+-]?\d+(?:[eEdD][+-]?\d+)?"
NUMBERS = {
    ".": re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][+-]?\d+)?"),
    ",": re.compile(rf"[+-]?\d*,\d+(?:[eEdD][+-]?\d+)?|{WHOLE}"),
}
"""a number by the sign before its decimals"""
UNUSUAL = re.compile(r"[_aAiIyY\"]")
"""what Python takes for a part of a number (1_000, nan, infinity), and quotation marks"""
NOTHING = ("", "nan", "null")
"""what stands in a file where there is no value; in the cells there is nothing then"""
DOUBLED = re.compile(r"[^\t]+(?:\t\t[^\t]+)+\t*")
"""a row with two tabs between all columns"""
MOST_LOOKED_AT = 400
"""lines that tell how a text is written"""
MIN_NUMBERS_IN_ROW = 2
"""numbers in a row of samples"""


@dataclass(frozen=True)
class TextLayout:
    """How a text is written. delimiter: one of DELIMITERS. decimal: a point or a comma."""

    delimiter: str
    decimal: str

    def pieces(self, line: str) -> list[str]:
        """What stands between the delimiters of a line."""
        if '"' in line and self.delimiter:
            return next(csv.reader([line], delimiter=self.delimiter))
        return line.split(self.delimiter) if self.delimiter else line.split()


def text_cells(text: str, name: str, report: ProblemList) -> CellSheet:
    """The cells of a text, row by row and column by column. name: of the file, for messages.

    Columns are separated by tabs, semicolons, commas or blanks, and decimals follow a point or a comma: the whole text tells
    which. A row of samples with another number of columns than those around it is reported, for its numbers may stand in
    wrong columns.
    """
    lines = (text if text.isascii() else text.translate(SIGNS)).split("\n")
    layout = _layout(lines)
    values: list[float] = []
    counts: list[int] = []
    others: dict[int, dict[int, Cell]] = {}
    for number, line in enumerate(lines, start=1):
        row = _plain(line, layout)
        if row is None:
            row, texts = _with_texts(line, layout)
            if texts:
                others[number] = {at: Cell(number, at, CellKind.TEXT, text) for at, text in texts.items()}
        values += row
        counts.append(len(row))
    content = np.array(values, np.float64)
    _check_counts(lines, counts, content, others, layout, name, report)
    return CellSheet(name, SheetRows(_numbers(content, counts), others), hidden=False)


def _numbers(content: Vector, counts: list[int]) -> Numbers:
    """The numbers of all rows but NaN. counts: of columns of each row."""
    length = np.array(counts, np.int64)
    rows = np.repeat(np.arange(1, len(length) + 1), length)
    columns = np.arange(len(content)) - np.repeat(np.cumsum(length) - length, length) + 1
    there = ~np.isnan(content)
    return Numbers(rows[there].astype(np.int32), columns[there].astype(np.int32), content[there])


def _layout(lines: Sequence[str]) -> TextLayout:
    """How columns are separated and decimals written: as most rows of numbers have the same number of columns.

    A comma between digits is before decimals where something else parts columns. Of equally good signs the first of tabs,
    semicolons, commas and blanks counts.
    """
    used = [line for line in lines if line.strip()]
    looked_at = used if len(used) <= MOST_LOOKED_AT else used[:: len(used) // MOST_LOOKED_AT + 1]
    best, layout = (-1, -1), TextLayout("", ".")
    for delimiter in DELIMITERS:
        if delimiter and not any(delimiter in line for line in looked_at):
            continue
        for decimal in _decimals(delimiter, looked_at):
            tried = TextLayout(delimiter, decimal)
            counts = Counter(filter(None, (_number_count(line, tried) for line in looked_at)))
            usual = max(counts.values(), default=0)
            if (usual, sum(counts.values())) > best and counts:
                best, layout = (usual, sum(counts.values())), tried
    if best[0] > 0:
        return layout
    delimiter = next((sign for sign in "\t;," if _is_in_most(sign, used)), "")
    return TextLayout(delimiter, ".")


def _decimals(delimiter: str, lines: Sequence[str]) -> Sequence[str]:
    """The signs before decimals that may be, the likelier one first."""
    comma = r'"[+-]?\d*,\d+"' if delimiter == "," else r"\d,\d"
    points, commas = (sum(len(re.findall(sign, line)) for line in lines) for sign in (r"\d\.\d", comma))
    return (",", ".") if commas > points else (".", ",") if commas else (".",)


def _number_count(line: str, layout: TextLayout) -> int:
    """Columns of a row of numbers; 0 of any other row."""
    pieces = [piece.strip() for piece in layout.pieces(line)]
    while pieces and not pieces[-1]:
        pieces.pop()
    known = [piece for piece in pieces if piece.casefold() not in NOTHING]
    is_row = len(known) >= MIN_NUMBERS_IN_ROW and all(map(NUMBERS[layout.decimal].fullmatch, known))
    return len(pieces) if is_row else 0


def undoubled(text: str) -> str:
    """A text whose rows of numbers have two tabs between all columns, with one."""
    lines = text.split("\n")
    rows = [line for line in lines if line[:1].isdigit()]
    twice = [line for line in rows if DOUBLED.fullmatch(line)]
    if 2 * len(twice) <= len(rows):
        return text
    return "\n".join(line.replace("\t\t", "\t") if line[:1].isdigit() else line for line in lines)


def _is_in_most(sign: str, lines: Sequence[str]) -> bool:
    return 2 * sum(sign in line for line in lines) > len(lines)


def _plain(line: str, layout: TextLayout) -> list[float] | None:
    """The numbers of a line that holds nothing else, NaN where nothing stands; None of any other line."""
    if UNUSUAL.search(line):
        return None
    if layout.decimal == ",":
        if "." in line:
            return None
        line = line.replace(",", ".")
    pieces = layout.pieces(line)
    try:
        return list(map(float, pieces))
    except ValueError:
        pass
    try:
        return [float(piece) if piece and not piece.isspace() else nan for piece in pieces]
    except ValueError:
        return None


def _with_texts(line: str, layout: TextLayout) -> tuple[list[float], dict[int, str]]:
    """The numbers of a line, NaN where there is none, and its texts by column."""
    pieces = [piece.strip() for piece in layout.pieces(line)]
    is_number = [bool(NUMBERS[layout.decimal].fullmatch(piece)) for piece in pieces]
    texts = {
        at: piece
        for at, (piece, is_one) in enumerate(zip(pieces, is_number, strict=True), start=1)
        if not is_one and piece.casefold() not in NOTHING
    }
    return [_number(piece) if is_one else nan for piece, is_one in zip(pieces, is_number, strict=True)], texts


def _number(piece: str) -> float:
    return float(piece.replace(",", ".").replace("d", "e").replace("D", "e"))


def _check_counts(
    lines: Sequence[str],
    counts: Sequence[int],
    content: Vector,
    others: Mapping[int, Mapping[int, Cell]],
    layout: TextLayout,
    name: str,
    report: ProblemList,
) -> None:
    """Report the first row of samples that has another number of columns than those around it.

    counts: of columns of each line. content: the numbers of all lines in a row, NaN where there is none. A delimiter behind
    the last column counts as nothing.
    """
    ends = np.cumsum(counts)
    run: list[int] = []
    for at, count in enumerate([*counts, 0]):
        known = int(np.isfinite(content[ends[at] - count : ends[at]]).sum()) if count else 0
        if known >= MIN_NUMBERS_IN_ROW and known > len(others.get(at + 1, ())):
            run.append(at)
            continue
        usual = Counter(counts[each] for each in run).most_common(1)[0][0] if run else 0
        has_end = any(counts[each] == usual and not layout.pieces(lines[each])[-1].strip() for each in run)
        for each in run:
            is_usual = counts[each] == usual or (has_end and counts[each] == usual - 1)
            if not is_usual and not (counts[each] == usual + 1 and not layout.pieces(lines[each])[-1].strip()):
                found = f"{counts[each]} columns, separated by {DELIMITERS[layout.delimiter]}"
                problem = f"the rows of samples around it have {usual}, so its numbers may stand in wrong columns"
                mend = "export it again, whole, with one sign between all columns and none within a number"
                report.error("other-columns", Place(name, each + 1, 1), found, problem, mend)
                return
        run = []
