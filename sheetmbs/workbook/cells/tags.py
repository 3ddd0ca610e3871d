"""The tags of a piece of a sheet as arrays, and which of its rows hold nothing but cells in the usual spelling.

Nothing here checks attributes or values. What is not recognised is not wrong: the XML parser knows what it means.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

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
_NOTHING_BEHIND = (CELL_END, VALUE_END, FORMULA_END, INLINE, INLINE_END, TEXT_END)
"""Tags that must be followed by the next one at once, without a blank"""
_DEFAULT_NAMESPACE = re.compile(rb"xmlns\s*=")
_MARGIN = 48
"""Bytes behind a piece that may be looked at without care"""


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
    for kind in _NOTHING_BEHIND:
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
