"""Which rows of a sheet are hidden, by hand or by a filter: seen in the XML while it passes by."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

_HIDDEN = (b'hidden="1"', b'hidden="true"')
_ROW = re.compile(rb"<(?:\w+:)?row\s[^<>]*?\br=\"([0-9]{1,7})\"")
LONGEST_TAG = 1 << 16


class HiddenRows:
    """Collects the numbers of hidden rows, from 1. A row without a number of its own is passed over."""

    def __init__(self) -> None:
        self.rows: list[int] = []
        self._kept = b""

    def watch(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """The pieces of a sheet's XML as they are."""
        for piece in pieces:
            self._look(self._kept + piece)
            yield piece

    def _look(self, xml: bytes) -> None:
        end = xml.rfind(b">") + 1
        for word in _HIDDEN:
            at = xml.find(word, 0, end)
            while at >= 0:
                row = _ROW.match(xml, xml.rfind(b"<", 0, at))
                if row:
                    self.rows.append(int(row[1]))
                at = xml.find(word, at + len(word), end)
        self._kept = xml[max(end, len(xml) - LONGEST_TAG) :]
