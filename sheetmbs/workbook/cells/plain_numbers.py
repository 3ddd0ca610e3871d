"""The short way through long time series: plain numbers read without an XML parser.

A sheet comes in pieces, and the tags of a piece are looked at all at once. A row is taken out of the XML where its tags are
placed and spelled as spreadsheet programs do it: its plain numbers become arrays, its blank cells are dropped. Whatever
else there is stays in the XML, and the parser reads and checks it. So this changes the time that a sheet takes, never what
is found in it.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Generator, Iterable, Iterator
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheetmbs.workbook.cells.cell_rows import Numbers
from sheetmbs.workbook.cells.tags import (
    CELL,
    CELL_END,
    EMPTY_CELL,
    EMPTY_FORMULA,
    FORMULA,
    LOW_BYTES,
    MAX_TAIL_BYTES,
    VALUE,
    Flags,
    Integers,
    Places,
    Spelling,
    Tags,
    Words,
    column_numbers,
    distinct,
    find_tags,
    floats,
    row_numbers,
    usual_formulas,
)
from sheetmbs.workbook.package.package import MAIN

MAX_DIGITS = 18
MAX_DIGITS_BEFORE_POINT = 8

_SPLITTER = 2.0**27 + 1.0
_POWERS = 10.0 ** np.arange(MAX_DIGITS + 1)
"""Powers of ten, exact up to 22"""
_WHOLE_POWERS = 10 ** np.arange(MAX_DIGITS + 1, dtype=np.int64)
_CERTAIN = 2.0**-48
"""Relative error that the small part of a quotient surely does not exceed; it is made by two roundings"""

_DIGITS = np.uint64(0x3030303030303030)
_ABOVE_NINE = np.uint64(0x7676767676767676)
_TOP_BITS = np.uint64(0x8080808080808080)
_PAIRS, _QUADS = np.uint64(0x00FF00FF00FF00FF), np.uint64(0x0000FFFF0000FFFF)
_TO_PAIRS, _TO_QUADS, _TO_NUMBER = np.uint64(1 + (10 << 8)), np.uint64(1 + (100 << 16)), np.uint64(1 + (10_000 << 32))
MAX_ROW_BYTES = 1 << 22
"""Bytes of a row, or of one tag: where there are more, all from there on is left to the parser"""

_HEAD = re.compile(
    rb'(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?(<worksheet[^>]*\sxmlns="%b"[^>]*>)(.*?)<sheetData>' % MAIN.encode(),
    re.DOTALL,
)
_PREFIX = re.compile(rb"\sxmlns:([A-Za-z0-9]+)=")
_ROW, _ROW_START, _ROW_END = b'<row r="', b"<row ", b"</row>"
_CELL, _CELL_END, _VALUE = b'<c r="', b"</c>", b"<v>"
_DATA, _DATA_END = b"<sheetData>", b"</sheetData>"
_VALUE_AFTER = np.zeros(16, np.intp)
"""How many tags behind its own a cell has its value, by the tag that comes next"""
_VALUE_AFTER[[VALUE, EMPTY_FORMULA, FORMULA]] = 1, 2, 3


def doubles(tags: Tags, begin: Places, end: Places) -> tuple[NDArray[np.float64], Flags]:
    """The numbers that texts between tags are, and which of them are certain.

    A text must not begin within the first 24 bytes of the piece.
    """
    points = np.append(np.flatnonzero(tags.letters == ord(".")), len(tags.letters))
    point = np.minimum(points[np.searchsorted(points, begin)], end)
    is_negative = tags.letters[begin] == ord("-")
    before, after = point - begin - is_negative, np.maximum(end - point - 1, 0)
    whole, odd = _last_digits(tags.words, point, before)
    fraction = np.zeros(len(begin), np.int64)
    for place in (0, 8, 16):
        part, is_odd = _last_digits(tags.words, end - place, after - place)
        fraction += part * 10**place
        odd |= is_odd
    certain = ~odd & (before > 0) & (before <= MAX_DIGITS_BEFORE_POINT) & (after <= MAX_DIGITS)
    certain &= (before + after <= MAX_DIGITS) | (whole == 0)
    after = np.minimum(after, MAX_DIGITS)
    values, is_rounded = _quotients(whole * _WHOLE_POWERS[after] + fraction, _POWERS[after])
    return np.where(is_negative, -values, values), certain & is_rounded


def _last_digits(words: Words, end: Places, count: Places) -> tuple[NDArray[np.int64], Flags]:
    """The number that the last ``count`` digits before each end are, 8 of them at most, and whether others stand there."""
    digits = (words[end - 8] ^ _DIGITS) & ~LOW_BYTES[8 - np.clip(count, 0, 8)]
    odd = ((digits + _ABOVE_NINE) | digits) & _TOP_BITS
    pairs = ((digits * _TO_PAIRS) >> np.uint64(8)) & _PAIRS
    quads = ((pairs * _TO_QUADS) >> np.uint64(16)) & _QUADS
    return ((quads * _TO_NUMBER) >> np.uint64(32)).astype(np.int64), odd != 0


def _quotients(dividend: NDArray[np.int64], divisor: NDArray[np.float64]) -> tuple[NDArray[np.float64], Flags]:
    """The doubles nearest to quotients, and which of them surely are. divisor: powers of ten."""
    large = dividend.astype(np.float64)
    small = (dividend - large.astype(np.int64)).astype(np.float64)
    quotient = large / divisor
    product = quotient * divisor
    (high, low), (divisor_high, divisor_low) = _halves(quotient), _halves(divisor)
    error = ((high * divisor_high - product) + high * divisor_low + low * divisor_high) + low * divisor_low
    rest = ((large - product) - error + small) / divisor
    least, most = quotient + rest * (1.0 - _CERTAIN), quotient + rest * (1.0 + _CERTAIN)
    return least, least == most


def _halves(values: NDArray[np.float64]) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Each number as a sum of two that have half of its bits: their products are exact."""
    shifted = _SPLITTER * values
    high = shifted - (shifted - values)
    return high, values - high


class PlainNumbers:
    """Takes plain numbers out of a sheet.

    other_styles: the cell styles that make a number a date or show it as percent.
    zeros_are_guesses: where a formula gives 0, nothing is known.
    """

    def __init__(self, other_styles: Collection[int], *, zeros_are_guesses: bool = False) -> None:
        self._spelling = Spelling(other_styles)
        self._zeros_are_guesses = zeros_are_guesses
        self._last_row = 0
        self._found: list[tuple[Integers, Integers, NDArray[np.float64]]] = []

    @property
    def numbers(self) -> Numbers:
        """All that has been taken."""
        rows, columns, values = zip(
            (np.zeros(0, np.int32), np.zeros(0, np.int32), np.zeros(0)), *self._found, strict=True
        )
        return Numbers(np.concatenate(rows), np.concatenate(columns), np.concatenate(values))

    def take(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """The XML without the plain rows. pieces: a sheet, cut anywhere."""
        stream = iter(pieces)
        held = b""
        for piece in stream:
            held += piece
            if _DATA in held or len(held) > MAX_ROW_BYTES:
                break
        head = _HEAD.match(held)
        if head and not find_tags(head[2]).are_foreign():
            self._spelling.prefixes = {name.decode() for name in _PREFIX.findall(head[1])}
            yield head[0]
            held = yield from self._take_rows(held[head.end() :], stream)
        yield held
        yield from stream

    def _take_rows(self, held: bytes, stream: Iterator[bytes]) -> Generator[bytes, None, bytes]:
        """The rows that are not plain. held: the beginning of the stream. Returns what is left of that."""
        more: bytes | None = b""
        while more is not None:
            held += more
            end = held.find(_DATA_END)
            cut = max(end if end >= 0 else held.rfind(_ROW_START, 1), 0)
            tags = find_tags(held[:cut])
            if tags.are_foreign():
                break
            yield from self._take(tags)
            held = held[cut:]
            more = next(stream, None) if end < 0 and len(held) <= MAX_ROW_BYTES else None
        return held

    def _take(self, tags: Tags) -> Iterator[bytes]:
        rows, cells = _usual_cells(tags, _usual_rows(tags, self._spelling), self._spelling, self._last_row)
        taken, values = _plain_numbers(tags, cells, zeros_are_guesses=self._zeros_are_guesses)
        self._found.append((rows.number[cells.row[taken]], cells.column[taken], values))
        left = (tags.kind[cells.tag] == CELL) & (tags.kind[cells.tag + 1] != CELL_END)
        left[taken] = False
        yield from _rest(tags, rows, cells, left)
        self._last_row = int(rows.number.max(initial=self._last_row))


@dataclass(frozen=True)
class _Rows:
    """Rows of a piece. first, last: their tags. number: of each row; digits: those of that number."""

    first: Places
    last: Places
    number: Integers
    digits: Places

    def only(self, chosen: Flags) -> _Rows:
        return _Rows(self.first[chosen], self.last[chosen], self.number[chosen], self.digits[chosen])


@dataclass(frozen=True)
class _Cells:
    """Cells of rows. tag: the cell's own. row: place of its row among the rows. number: its value is one, and no date."""

    tag: Places
    row: Places
    column: Integers
    number: Flags


def _usual_rows(tags: Tags, spelling: Spelling) -> _Rows:
    """The rows whose tags are placed as they should be, and whose own attributes are usual."""
    first, last = tags.usual_rows()
    rows = _Rows(first, last, *row_numbers(tags.words[tags.at[first] + len(_ROW)]))
    rows = rows.only(rows.number > 0)
    begins = tags.at[rows.first] + len(_ROW) + rows.digits + 1
    tails = [tags.xml[begin:end] for begin, end in zip(begins.tolist(), tags.end[rows.first].tolist(), strict=True)]
    return rows.only(spelling.are_usual_rows(tails))


def _usual_cells(tags: Tags, rows: _Rows, spelling: Spelling, last_row: int) -> tuple[_Rows, _Cells]:
    """Rows in ascending order that hold only usual cells from left to right, and these cells."""
    tag, row = _within(rows, np.flatnonzero((tags.kind == CELL) | (tags.kind == EMPTY_CELL)))
    begin = tags.at[tag] + len(_CELL)
    column, letters = column_numbers(tags.words[begin])
    own_number = tags.words[tags.at[rows.first] + len(_ROW)] & LOW_BYTES[rows.digits + 1]
    begin += letters
    digits = rows.digits[row]
    is_usual = (column > 0) & (tags.words[begin] & LOW_BYTES[digits + 1] == own_number[row])
    begin += digits + 1
    length = tags.end[tag] - begin
    is_usual &= (length > 0) & (length <= MAX_TAIL_BYTES)
    is_usual[1:] &= (column[1:] > column[:-1]) | (row[1:] != row[:-1])
    length = np.where(is_usual, length, 0)
    where, which = distinct(tags.words, begin, length)
    kinds = [spelling.is_number(tags.xml[begin[place] : begin[place] + length[place]]) for place in where]
    is_usual &= np.array([kind is not None for kind in kinds], np.bool_)[which]
    number = np.array([bool(kind) for kind in kinds], np.bool_)[which]
    usual = np.ones(len(rows.first), np.bool_)
    usual[row[~is_usual]] = False
    formula, its_row = _within(rows, np.flatnonzero((tags.kind == FORMULA) | (tags.kind == EMPTY_FORMULA)))
    usual[its_row[~usual_formulas(tags.texts(tags.at[formula], tags.end[formula]))]] = False
    usual &= rows.number > np.maximum.accumulate(np.append(last_row, np.where(usual, rows.number, 0)))[:-1]
    kept = usual[row]
    return rows.only(usual), _Cells(tag[kept], (np.cumsum(usual) - 1)[row[kept]], column[kept], number[kept])


def _within(rows: _Rows, tag: Places) -> tuple[Places, Places]:
    """Tags that lie inside a row, and the index of that row for each."""
    begin, end = np.searchsorted(tag, rows.first), np.searchsorted(tag, rows.last)
    count = end - begin
    row = np.repeat(np.arange(len(count)), count)
    return tag[np.arange(len(row)) + np.repeat(begin - np.cumsum(count) + count, count)], row


def _plain_numbers(tags: Tags, cells: _Cells, *, zeros_are_guesses: bool) -> tuple[Places, NDArray[np.float64]]:
    """The cells that hold plain numbers, and these."""
    value = cells.tag + _VALUE_AFTER[tags.kind[cells.tag + 1]]
    number = cells.number & (tags.kind[cells.tag] == CELL) & (tags.kind[value] == VALUE)
    begin, end = tags.at[value] + len(_VALUE), tags.end[value]
    if zeros_are_guesses:
        number &= (value - cells.tag == 1) | (end - begin > 1) | (tags.letters[begin] != ord("0"))
    taken = np.flatnonzero(number)
    begin, end = begin[taken], end[taken]
    values, known = doubles(tags, begin, end)
    unknown = np.flatnonzero(~known)
    values[unknown], known[unknown] = floats(tags.texts(begin[unknown], end[unknown]))
    return taken[known], values[known]


def _rest(tags: Tags, rows: _Rows, cells: _Cells, left: Flags) -> Iterator[bytes]:
    """The XML without these rows but for the cells that are left in them."""
    if not len(rows.first):
        yield tags.xml
        return
    kept: dict[int, list[bytes]] = {}
    cell_ends = np.flatnonzero(tags.kind == CELL_END)
    own_ends = tags.at[cell_ends[np.searchsorted(cell_ends, cells.tag[left])]] + len(_CELL_END)
    for row, begin, end in zip(
        cells.row[left].tolist(), tags.at[cells.tag[left]].tolist(), own_ends.tolist(), strict=True
    ):
        kept.setdefault(row, []).append(tags.xml[begin:end])
    begins = tags.at[rows.first]
    ends = np.where(rows.first == rows.last, tags.end[rows.first], tags.at[rows.last] + len(_ROW_END))
    gaps = np.flatnonzero(np.append(begins, len(tags.xml)) != np.append(0, ends)).tolist()
    for row in sorted({*gaps, *kept}):
        done = int(ends[row - 1]) if row else 0
        between = tags.xml[done : begins[row] if row < len(begins) else len(tags.xml)]
        if between and not between.isspace():
            yield (_place(rows.number[row - 1]) if row else b"") + between
        if row in kept:
            yield b"".join([tags.xml[begins[row] : tags.end[rows.first[row]]], *kept[row], _ROW_END])
    if ends[-1] == len(tags.xml):
        yield _place(rows.number[-1])


def _place(number: int) -> bytes:
    # the number of a row without one follows from the row before, which has been taken out
    return b'<row r="%d"/>' % number
