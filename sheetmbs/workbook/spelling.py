"""What stands in the tags of a sheet, for many tags at once: row numbers, columns, attributes, formulas, numbers.

Each function knows the spelling of spreadsheet programs only, and says of all else that it is unusual.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence

import numpy as np
from numpy.typing import NDArray

from sheetmbs.workbook.cell import MAX_COLUMNS, MAX_ROWS
from sheetmbs.workbook.formats import index
from sheetmbs.workbook.tags import Places, Words

Flags = NDArray[np.bool_]
Integers = NDArray[np.int32]

MOST_TAIL = 24
"""Bytes of a cell's tag behind its address: a style, a type, ``cm`` and ``vm`` take 22"""
LOW_BYTES = np.array([(1 << 8 * count) - 1 for count in range(9)], np.uint64)
"""Masks of the first so many bytes of a word"""

_BEFORE_A, _Z, _ZERO, _QUOTE = ord("A") - 1, ord("Z"), ord("0"), ord('"')
_MOST_DIGITS = 7
_MIXERS = (1, 0x9E3779B97F4A7C15, 0xC2B2AE3D27D4EB4F)
"""Odd numbers without a pattern: words that differ stay different when multiplied by one, and nearly always in a sum"""

_PLAIN = rb"[ !#-%'-;=?-~]*"
"""What needs no second look in XML: ASCII without quotes, ampersands and angle brackets"""
_ATTRIBUTE = re.compile(' (?:([A-Za-z0-9]+):)?([A-Za-z]+)="(' + _PLAIN.decode() + ')"')
_TAIL = re.compile(rb"(?:" + _ATTRIBUTE.pattern.encode() + rb")*/?>")
_OF_FORMULAS = ("t", "aca", "ref", "dt2D", "dtr", "del1", "del2", "r1", "r2", "ca", "si", "bx")
_FORMULA = re.compile(
    rb"<f"
    + b"".join(rb'(?: %b="%b")?' % (name.encode(), _PLAIN) for name in _OF_FORMULAS)
    + rb"""(?:/>|>[ -%'-;=?-~]*)"""
)
_NUMBER = re.compile(rb"[-+.0-9Ee]+")
_OF_NUMBERS = b"0123456789+-.Ee"


def row_numbers(words: Words) -> tuple[Integers, Places]:
    """The number of each row and how many digits it has, from what follows ``<row r="``; 0, 0 where it is unusual."""
    number, digits = np.zeros(len(words), np.int32), np.zeros(len(words), np.intp)
    for place in range(_MOST_DIGITS):
        letter = _letter(words, place)
        is_digit = (letter >= _ZERO) & (letter < _ZERO + 10) & (digits == place)
        number = np.where(is_digit, 10 * number + letter - _ZERO, number)
        digits += is_digit
    usual = (_letter(words, 0) != _ZERO) & (number > 0) & (number <= MAX_ROWS) & (_letter(words, digits) == _QUOTE)
    return np.where(usual, number, 0), np.where(usual, digits, 0)


def column_numbers(words: Words) -> tuple[Integers, Places]:
    """The column of each address and how many letters it has; column 0 where it is unusual."""
    first, second, third = (_letter(words, place) for place in range(3))
    has_second = second > _BEFORE_A
    has_third = has_second & (third > _BEFORE_A)
    column = first - _BEFORE_A
    column = np.where(has_second, 26 * column + second - _BEFORE_A, column)
    column = np.where(has_third, 26 * column + third - _BEFORE_A, column)
    usual = (first > _BEFORE_A) & (first <= _Z) & ~(has_second & (second > _Z)) & ~(has_third & (third > _Z))
    return np.where(usual & (column <= MAX_COLUMNS), column, 0), 1 + has_second.astype(np.intp) + has_third


def _letter(words: Words, place: int | Places) -> Integers:
    return ((words >> np.asarray(8 * place, np.uint64)) & np.uint64(0xFF)).astype(np.int32)


def distinct(words: Words, at: Places, length: Places) -> tuple[Places, Places]:
    """Texts that differ: where each of them occurs, and which of them each text is.

    words: the eight bytes from every byte on. at, length: the texts, of `MOST_TAIL` bytes at most.
    """
    starts = range(0, max(int(length.max(initial=0)), 1), 8)
    parts = [words[at + start] & LOW_BYTES[np.clip(length - start, 0, 8)] for start in starts]
    mixed = parts[0] if len(parts) == 1 else sum(part * np.uint64(by) for part, by in zip(parts, _MIXERS, strict=False))
    _, first, which = np.unique(mixed, return_index=True, return_inverse=True)
    if any((part != part[first][which]).any() for part in parts):  # two texts were mixed to the same number
        _, first, which = np.unique(np.stack(parts), axis=1, return_index=True, return_inverse=True)
    return first, which


class Spelling:
    """How the attributes of a sheet are written. date_styles: the cell styles that make a number a date."""

    def __init__(self, date_styles: Collection[int]) -> None:
        self._date_styles = date_styles
        self.prefixes: set[str] = set()
        """those of namespaces that the sheet declares at its beginning"""
        self._rows: dict[bytes, bool] = {}
        self._cells: dict[bytes, bool | None] = {}

    def are_usual_rows(self, tails: Sequence[bytes]) -> Flags:
        """Whether the attributes of rows behind their number are usual ones."""
        for tail in set(tails) - self._rows.keys():
            self._rows[tail] = self._attributes(tail) is not None
        return np.fromiter(map(self._rows.__getitem__, tails), np.bool_, len(tails))

    def is_number(self, tail: bytes) -> bool | None:
        """Whether the attributes of a cell behind its address make its value a number, and no date; None = unusual."""
        if tail not in self._cells:
            given = self._attributes(tail)
            is_number = given is not None and given.get("t", "n") == "n"
            is_date = given is not None and index(given.get("s", "0")) in self._date_styles
            self._cells[tail] = None if given is None else is_number and not is_date
        return self._cells[tail]

    def _attributes(self, tail: bytes) -> dict[str, str] | None:
        if not _TAIL.fullmatch(tail):
            return None
        found = _ATTRIBUTE.findall(tail.decode())
        given = {f"{prefix}:{name}" if prefix else name: value for prefix, name, value in found}
        is_usual = len(given) == len(found) and "r" not in given and self.prefixes.issuperset(p for p, *_ in found if p)
        return given if is_usual else None


def is_usual_formula(tag: bytes) -> bool:
    """Whether a formula, from the beginning of its tag to the next tag, can be passed over."""
    return _FORMULA.fullmatch(tag) is not None


def floats(texts: Sequence[bytes]) -> tuple[NDArray[np.float64], Flags]:
    """The numbers that texts are, and whether they are any: digits, point, sign and exponent."""
    usual = np.ones(len(texts), np.bool_)
    try:
        if not b"".join(texts).translate(None, _OF_NUMBERS):
            return np.fromiter(map(float, texts), np.float64, len(texts)), usual
    except ValueError:
        pass
    values = np.zeros(len(texts))
    for place, text in enumerate(texts):
        try:
            values[place] = float(text if _NUMBER.fullmatch(text) else b"")
        except ValueError:
            usual[place] = False
    return values, usual
