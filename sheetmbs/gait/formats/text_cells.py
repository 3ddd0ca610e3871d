"""A text file as the cells that it would be in a sheet, so that one reader serves for files and for what is pasted."""

from __future__ import annotations

import csv
import re
from collections.abc import Sequence
from math import nan

import numpy as np

from sheetmbs.workbook.cells.cell_rows import Numbers, SheetRows
from sheetmbs.workbook.cells.cells import Cell, CellKind, CellSheet

SIGNS = str.maketrans("\u2212\u2013\u00a0", "-- ")
"""minus signs and blanks of printers"""
DELIMITERS = ("\t", ";", ",")
POINTED = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][+-]?\d+)?")
WITH_COMMA = re.compile(r"[+-]?\d*,\d+(?:[eEdD][+-]?\d+)?")
UNUSUAL = re.compile(r"[_aAiIyY\"]")
"""what Python takes for a part of a number (1_000, nan, infinity), and quotation marks"""
NOTHING = ("", "nan", "null")
"""what stands in a file where there is no value; in the cells there is nothing then"""


def text_cells(text: str, name: str) -> CellSheet:
    """The cells of a text, row by row and column by column. name: of the file, for messages.

    Columns are parted by tabs, semicolons, commas or blanks; decimals follow a point or a comma.
    """
    lines = (text if text.isascii() else text.translate(SIGNS)).split("\n")
    delimiter = _delimiter(lines)
    values: list[float] = []
    counts: list[int] = []
    others: dict[int, dict[int, Cell]] = {}
    for number, line in enumerate(lines, start=1):
        row = _plain(line, delimiter)
        if row is None:
            row, texts = _with_texts(line, delimiter)
            if texts:
                others[number] = {at: Cell(number, at, CellKind.TEXT, text) for at, text in texts.items()}
        values += row
        counts.append(len(row))
    return CellSheet(name, SheetRows(_numbers(values, counts), others), hidden=False)


def _numbers(values: list[float], counts: list[int]) -> Numbers:
    """The numbers of all rows but NaN. counts: of columns of each row."""
    content, length = np.array(values, np.float64), np.array(counts, np.int64)
    rows = np.repeat(np.arange(1, len(length) + 1), length)
    columns = np.arange(len(content)) - np.repeat(np.cumsum(length) - length, length) + 1
    there = ~np.isnan(content)
    return Numbers(rows[there].astype(np.int32), columns[there].astype(np.int32), content[there])


def _delimiter(lines: Sequence[str]) -> str:
    """What parts the columns: the first sign that stands in most lines that hold anything, else blanks."""
    used = [line for line in lines if line.strip()]
    counts = {sign: sum(sign in line for line in used) for sign in DELIMITERS}
    commas = [line.split() for line in used if "," in line]
    if commas and all(len(each) > 1 and all(map(_is_number, each)) for each in commas):
        return ""  # blanks part columns, and commas stand before decimals: 0,01 1,5
    return next((sign for sign in DELIMITERS if counts[sign] * 2 > len(used)), "")


def _is_number(piece: str) -> bool:
    return bool(POINTED.fullmatch(piece) or WITH_COMMA.fullmatch(piece))


def _pieces(line: str, delimiter: str) -> list[str]:
    return line.split(delimiter) if delimiter else line.split()


def _plain(line: str, delimiter: str) -> list[float] | None:
    """The numbers of a line that holds nothing else, NaN where nothing stands; None of any other line."""
    if UNUSUAL.search(line):
        return None
    pieces = _pieces(line, delimiter)
    try:
        return list(map(float, pieces))
    except ValueError:
        pass
    try:
        return [float(piece) if piece and not piece.isspace() else nan for piece in pieces]
    except ValueError:
        return None


def _with_texts(line: str, delimiter: str) -> tuple[list[float], dict[int, str]]:
    """The numbers of a line, NaN where there is none, and its texts by column."""
    pieces = next(csv.reader([line], delimiter=delimiter)) if '"' in line and delimiter else _pieces(line, delimiter)
    pieces = [piece.strip() for piece in pieces]
    has_points = any("." in piece and POINTED.fullmatch(piece) for piece in pieces)
    numbers = [_number(piece, has_points=has_points) for piece in pieces]
    texts = {
        at: piece
        for at, (piece, number) in enumerate(zip(pieces, numbers, strict=True), start=1)
        if number != number and piece.casefold() not in NOTHING  # noqa: PLR0124 - NaN is not itself
    }
    return numbers, texts


def _number(piece: str, *, has_points: bool) -> float:
    """The number that a piece is, NaN of a text. has_points: decimals follow points in this line, so a comma is no sign."""
    if POINTED.fullmatch(piece):
        return float(piece.replace("d", "e").replace("D", "e"))
    if not has_points and WITH_COMMA.fullmatch(piece):
        return float(piece.replace(",", ".").replace("d", "e").replace("D", "e"))
    return nan
