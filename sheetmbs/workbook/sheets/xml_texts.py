"""What XML and cells can hold of texts and numbers."""

from __future__ import annotations

import re
from html import escape

MOST_TEXT = 32_767
SMALLEST_NUMBER = 2.2250738585072014e-308
"""a smaller one has no place in a cell: it is written as 0"""
NOT_XML = re.compile("[\x00-\x08\x0b\x0c\x0e-\x1f\ud800-\udfff\ufffe\uffff]|_x[0-9A-Fa-f]{4}_")


def text(value: str) -> str:
    """A text as it may stand in XML; what XML cannot hold is written the way workbooks do (``_x0007_``)."""
    return escape(NOT_XML.sub(_escaped, _within_cell(value))).replace("\r", "&#13;")


def _within_cell(value: str) -> str:
    """A text cut to what a cell holds, counted as Excel does: a character beyond 16 bits, such as an emoji, is two."""
    units = value.encode("utf-16-le", "surrogatepass") if 2 * len(value) > MOST_TEXT else b""
    return units[: 2 * MOST_TEXT].decode("utf-16-le", "ignore") if units else value


def _escaped(match: re.Match[str]) -> str:
    found = match.group()
    return f"_x005F{found}" if len(found) > 1 else f"_x{ord(found):04X}_"
