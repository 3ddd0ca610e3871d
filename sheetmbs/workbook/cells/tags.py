"""The tags of a piece of a sheet as arrays, and what many tags at once say: rows, columns, attributes, formulas, numbers.

Each function knows the spelling of spreadsheet programs only. What it does not recognise is not wrong: the XML parser
reads that.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from sheetmbs.schema.cell import MAX_COLUMNS, MAX_ROWS
from sheetmbs.workbook.package.formats import index

Places = NDArray[np.intp]
"""positions of bytes in a piece, or of tags among its tags"""
Words = NDArray[np.uint64]
"""eight bytes, the first one lowest"""
_TAGS = (
    b"",
    b'<row r="',
    b"</row>",
    b'<c r="',
    b"</c>",
    b"<v>",
    b"</v>",
    b"<f",
    b"</f>",
    b"<is>",
    b"</is>",
    b"<t",
    b"</t>",
)
OTHER, ROW, ROW_END, CELL, CELL_END, VALUE, VALUE_END, FORMULA, FORMULA_END, INLINE, INLINE_END, TEXT, TEXT_END = range(
    13
)
EMPTY_ROW, EMPTY_CELL, EMPTY_FORMULA = 13, 14, 15
"""``<row .../>`` and the like: they have no end tag"""
_KINDS = 16
_FOLLOWERS = {
    ROW: (CELL, EMPTY_CELL, ROW_END),
    CELL: (VALUE, FORMULA, EMPTY_FORMULA, INLINE, CELL_END),
    EMPTY_CELL: (CELL, EMPTY_CELL, ROW_END),
    CELL_END: (CELL, EMPTY_CELL, ROW_END),
    FORMULA: (FORMULA_END,),
    FORMULA_END: (VALUE, CELL_END),
    EMPTY_FORMULA: (VALUE, CELL_END),
    VALUE: (VALUE_END,),
    VALUE_END: (CELL_END,),
    INLINE: (TEXT,),
    TEXT: (TEXT_END,),
    TEXT_END: (INLINE_END,),
    INLINE_END: (CELL_END,),
}
"""The kinds of tags that may follow each other in a row. Each kind occurs in one place only, so this is the whole grammar."""
_TAGS_WITHOUT_TEXT = (CELL_END, VALUE_END, FORMULA_END, INLINE, INLINE_END, TEXT_END)
"""Tags that must be followed by the next one at once, without a blank"""
_DEFAULT_NAMESPACE = re.compile(rb"xmlns\s*=")
_MARGIN = 48
"""Bytes behind a piece that may be looked at without care"""
Flags = NDArray[np.bool_]
Integers = NDArray[np.int32]
MAX_TAIL_BYTES = 24
"""Bytes of a cell's tag behind its address: a style, a type, ``cm`` and ``vm`` take 22"""
LOW_BYTES = np.array([(1 << 8 * count) - 1 for count in range(9)], np.uint64)
"""Masks of the first so many bytes of a word"""
_BEFORE_A, _Z, _ZERO, _QUOTE = ord("A") - 1, ord("Z"), ord("0"), ord('"')
_MAX_ROW_DIGITS = 7
_PLAIN = rb"[ !#-%'-;=?-~]*"
"""What needs no second look in XML: ASCII without quotes, ampersands and angle brackets"""
_ATTRIBUTE = re.compile(' (?:([A-Za-z0-9]+):)?([A-Za-z]+)="(' + _PLAIN.decode() + ')"')
_TAIL = re.compile(rb"(?:" + _ATTRIBUTE.pattern.encode() + rb")*/?>")
_PLAIN_TEXT = rb"[ -%'-;=?-~]*"
_FORMULA_ATTRIBUTES = (b"t", b"aca", b"ref", b"dt2D", b"dtr", b"del1", b"del2", b"r1", b"r2", b"ca", b"si", b"bx")
"""Attributes of a formula, in the order in which the format lists them"""
_FORMULA = re.compile(
    rb"<f(?:>%b|%b(?:/>|>%b))"
    % (_PLAIN_TEXT, b"".join(rb'(?: %b="%b")?' % (name, _PLAIN) for name in _FORMULA_ATTRIBUTES), _PLAIN_TEXT)
)
_FORMULAS = re.compile(rb"(?:%b<)*+" % _FORMULA.pattern)
_NUMBER = re.compile(rb"[-+.0-9Ee]+")
_NUMBER_CHARACTERS = b"0123456789+-.Ee<"


def _word(text: bytes) -> int:
    return int.from_bytes(text, "little")


def _tables() -> tuple[NDArray[np.uint8], Words, Words, NDArray[np.bool_], Places, NDArray[np.uint8]]:
    by_letters = np.zeros(1 << 16, np.uint8)
    for kind, tag in enumerate(_TAGS):
        # <f and <t may have attributes: the letter behind is >, a blank or /
        for letters in (tag[1:3],) if len(tag) > 2 else (tag[1:] + end for end in (b">", b" ", b"/") if tag):
            by_letters[_word(letters)] = kind
    words = np.array([_word(tag) for tag in _TAGS], np.uint64)
    masks = np.array([_word(b"\xff" * len(tag)) for tag in _TAGS], np.uint64)
    allowed = np.zeros((_KINDS, _KINDS), np.bool_)
    for kind, followers in _FOLLOWERS.items():
        allowed[kind, list(followers)] = True
    lengths = np.zeros(_KINDS, np.intp)
    for kind in _TAGS_WITHOUT_TEXT:
        lengths[kind] = len(_TAGS[kind])
    empty = np.zeros(_KINDS, np.uint8)
    empty[[ROW, CELL, FORMULA]] = EMPTY_ROW, EMPTY_CELL, EMPTY_FORMULA
    return by_letters, words, masks, allowed.ravel(), lengths, empty


_BY_LETTERS, _WORDS, _MASKS, _ALLOWED, _LENGTHS, _EMPTY = _tables()


@dataclass(frozen=True)
class Tags:
    """Tags of a piece of XML. at, end: where each begins and where the next begins. kind: see `ROW` and so on.

    xml: the piece; letters: the same as numbers. words: the eight bytes from every byte on, and from some behind the last.
    """

    xml: bytes
    letters: NDArray[np.uint8]
    words: Words
    at: Places
    end: Places
    kind: NDArray[np.uint8]

    def are_foreign(self) -> bool:
        """Whether there may be a comment, which can hold what looks like a row, or another default namespace."""
        if b"xmlns" in self.xml and _DEFAULT_NAMESPACE.search(self.xml):
            return True
        others = self.at[self.kind == OTHER] + 1
        letters = self.letters[others[others < len(self.letters)]]
        return bool(((letters == ord("!")) | (letters == ord("?"))).any())

    def texts(self, begin: Places, end: Places) -> bytes:
        """Texts between tags, each with the ``<`` that follows it, in one piece."""
        lengths = np.diff(np.stack([begin, end + 1], axis=1).ravel(), prepend=0, append=len(self.xml))
        wanted = np.zeros(len(lengths), np.bool_)
        wanted[1::2] = True
        return self.letters[np.repeat(wanted, lengths)].tobytes()

    def usual_rows(self) -> tuple[Places, Places]:
        """First and last tag of every row whose tags all stand where they should."""
        wrong = np.ones(len(self.kind), np.bool_)
        wrong[:-1] = ~_ALLOWED[self.kind[:-1] * np.uint8(_KINDS) + self.kind[1:]]
        length = _LENGTHS[self.kind]
        wrong |= (length > 0) & (self.end - self.at != length)
        wrong_before = np.concatenate(([0], np.cumsum(wrong, dtype=np.int32)))
        first = np.flatnonzero((self.kind == ROW) | (self.kind == EMPTY_ROW))
        ends = np.append(np.flatnonzero(self.kind == ROW_END), len(self.kind))
        last = np.where(self.kind[first] == ROW, ends[np.searchsorted(ends, first)], first)
        usual = last < len(self.kind)
        usual[usual] = wrong_before[last[usual]] == wrong_before[first[usual]]
        return first[usual], last[usual]


def find_tags(xml: bytes) -> Tags:
    """All tags of a piece that begins and ends between tags."""
    letters = np.frombuffer(xml, np.uint8)
    padded = xml + bytes(_MARGIN)
    words = np.ndarray((len(padded) - 7,), "<u8", padded, 0, (1,))
    at = np.flatnonzero(letters == ord("<"))
    end = np.append(at[1:], len(xml))
    word = words[at]
    kind = _BY_LETTERS[(word >> np.uint64(8)) & np.uint64(0xFFFF)]
    kind[(word & _MASKS[kind]) != _WORDS[kind]] = OTHER
    closable = np.flatnonzero(_EMPTY[kind])
    closed = closable[letters[end[closable] - 2] == ord("/")]
    kind[closed] = _EMPTY[kind[closed]]
    return Tags(xml, letters, words, at, end, kind)


def row_numbers(words: Words) -> tuple[Integers, Places]:
    """The number of each row and how many digits it has, from what follows ``<row r="``; 0, 0 where it is unusual."""
    number, digits = np.zeros(len(words), np.int32), np.zeros(len(words), np.intp)
    for place in range(_MAX_ROW_DIGITS):
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
    """Texts that differ: where each of them occurs first, and which of them each text is.

    words: the eight bytes from every byte on. at, length: the texts.
    """
    starts = range(0, max(int(length.max(initial=0)), 1), 8)
    parts = [words[at + start] & LOW_BYTES[np.clip(length - start, 0, 8)] for start in starts]
    order = np.lexsort(parts)
    is_new = np.zeros(len(at), np.bool_)
    is_new[:1] = True
    for part in parts:
        is_new[1:] |= part[order[1:]] != part[order[:-1]]
    which = np.empty(len(at), np.intp)
    which[order] = np.cumsum(is_new) - 1
    return order[is_new], which


class Spelling:
    """Usual spelling of attributes in a sheet. other_styles: the cell styles of numbers that need a second look."""

    def __init__(self, other_styles: Collection[int]) -> None:
        self._other_styles = other_styles
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
        """Whether the attributes of a cell behind its address make its value a plain number; None = unusual."""
        if tail not in self._cells:
            given = self._attributes(tail)
            is_number = given is not None and given.get("t", "n") == "n"
            is_other = given is not None and index(given.get("s", "0")) in self._other_styles
            self._cells[tail] = None if given is None else is_number and not is_other
        return self._cells[tail]

    def _attributes(self, tail: bytes) -> dict[str, str] | None:
        if not _TAIL.fullmatch(tail):
            return None
        found = _ATTRIBUTE.findall(tail.decode())
        given = {f"{prefix}:{name}" if prefix else name: value for prefix, name, value in found}
        is_usual = len(given) == len(found) and "r" not in given and self.prefixes.issuperset(p for p, *_ in found if p)
        return given if is_usual else None


def usual_formulas(tags: bytes) -> Flags:
    """Whether formulas can be passed over. tags: from each formula's tag to the next one, all in one piece."""
    if _FORMULAS.fullmatch(tags):
        return np.ones(tags.count(b"<f"), np.bool_)
    return np.array([_FORMULA.fullmatch(b"<f" + tag[:-1]) is not None for tag in tags.split(b"<f")[1:]], np.bool_)


def floats(texts: bytes) -> tuple[NDArray[np.float64], Flags]:
    """The numbers that texts are, each ended by ``<``, and whether they are any: digits, point, sign and exponent."""
    each = texts.split(b"<")[:-1]
    usual = np.ones(len(each), np.bool_)
    try:
        if not texts.translate(None, _NUMBER_CHARACTERS):
            return np.fromiter(map(float, each), np.float64, len(each)), usual
    except ValueError:
        pass
    values = np.zeros(len(each))
    for place, text in enumerate(each):
        try:
            values[place] = float(text if _NUMBER.fullmatch(text) else b"")
        except ValueError:
            usual[place] = False
    return values, usual
