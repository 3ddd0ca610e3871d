"""A document packed closer for a page in one file: numbers as bytes of which compression makes more, words once."""

from __future__ import annotations

from base64 import b64decode
from typing import Any

import numpy as np
from numpy.typing import NDArray

from sheetmbs.viewing.packed import Json

WORDS = frozenset({"columns", "units", "meanings"})
"""parts of a document whose texts come again and again"""
ORDERS = (1, 2, 3)
"""of differences that are tried"""

Patterns = NDArray[np.uint32]


class DeltaEncoded:
    """A document whose arrays are bytes beside it; no bit of them changes.

    document: every array is ``{"shape", "at", "along"}``: series ``along`` an axis, the first of poses and the last of tables.
    From byte ``at`` of ``held`` on: of each series how often differences of its numbers' bit patterns were taken, a byte; then
    these differences, series by series, signs in the lowest bit, all lowest bytes first. Texts of `WORDS` are numbers of
    ``words``.
    """

    def __init__(self, document: Json) -> None:
        self._words: dict[str, int] = {}
        self._parts: list[bytes] = []
        self._length = 0
        self.document = self._pack(document)

    @property
    def held(self) -> bytes:
        """The numbers of all arrays."""
        return b"".join(self._parts)

    @property
    def words(self) -> list[str]:
        """All texts that are given by their numbers."""
        return list(self._words)

    def _pack(self, part: Any) -> Any:
        if isinstance(part, list):
            return [self._pack(each) for each in part]
        if not isinstance(part, dict):
            return part
        if "f32" in part:
            return self._array(part)
        return {name: self._listed(each) if name in WORDS else self._pack(each) for name, each in part.items()}

    def _listed(self, texts: list[str]) -> list[int]:
        return [self._words.setdefault(text, len(self._words)) for text in texts]

    def _array(self, part: Json) -> Json:
        patterns = np.frombuffer(b64decode(part["f32"]), dtype="<u4").reshape(part["shape"])
        along = 0 if patterns.ndim == 3 else patterns.ndim - 1
        series = np.moveaxis(patterns, along, -1).reshape(-1, patterns.shape[along])
        orders, differences = _differences(series)
        planes = np.ascontiguousarray(differences, dtype="<u4").reshape(-1, 1).view("u1").T
        found = orders.tobytes() + planes.tobytes()
        place, self._length = self._length, self._length + len(found)
        self._parts.append(found)
        return {"shape": part["shape"], "at": place, "along": along}


def _differences(series: Patterns) -> tuple[NDArray[np.uint8], Patterns]:
    """Of bit patterns (series, steps): how often they were taken, and they, signs in the lowest bit.

    Of each series as often as leaves the fewest bits: small differences have high bytes of 0, of which nothing remains.
    """
    tried = []
    for _order in ORDERS:
        series = np.diff(series, axis=1, prepend=np.uint32(0))
        signed = series.view(np.int32)
        tried.append(((signed << 1) ^ (signed >> 31)).view(np.uint32))
    bits = np.array([np.sum(np.log2(1.0 + each), axis=1) for each in tried])
    best = np.argmin(bits, axis=0)
    return np.array(ORDERS, dtype=np.uint8)[best], np.array(tried)[best, np.arange(len(series))]
