"""The short way through long time series: rows that hold nothing but plain numbers, read without an XML parser.

Such rows repeat the same tags, only the row number and the values change: one comparison per row shows that. What has been
read is taken out of the XML; whatever else there is stays in, and the parser reads and checks it. So this changes the
time that a sheet takes, never what is found in it.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import repeat

from sheetmbs.workbook.cell import MAX_ROWS, Cell, CellKind, Columns, Rows
from sheetmbs.workbook.package import MAIN

_START, _END = b'<row r="', b"</row>"
_SHEET = re.compile(rb'(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?<worksheet[^>]*\sxmlns="' + MAIN.encode() + rb'"')
_CELL = re.compile(rb'<c r="([A-Z]{1,3})([0-9]{1,7})"(?: s="([0-9]*)")?(?: t="n")?><v></v></c>')
_ROW = re.compile(rb"[1-9][0-9]{0,6}")
_CELLS = re.compile(rb"(?:" + _CELL.pattern.replace(b"([", b"(?:[") + rb")+")
_ROW_NUMBER = b"\x00"
"""Stands for the row number in the tags of a row; no XML contains it."""


def take_number_rows(xml: bytes, rows: Rows, columns: Columns, date_styles: Collection[int]) -> bytes:
    """Move the cells of all rows of plain numbers from a sheet's XML into ``rows``; return the XML with those rows empty.

    date_styles: the cell styles that make a number a date.
    """
    # a comment may hold what looks like a row, and a second default namespace may make it something else
    unusual = b"<!" in xml or xml.find(b"<?", xml.find(b"?>") + 1) >= 0 or xml.count(b"xmlns=") != 1
    if unusual or not _SHEET.match(xml):
        return xml
    pattern = _Pattern(columns, date_styles)
    left = []
    kept = 0
    start = xml.find(_START)
    while start >= 0:
        begin = xml.find(b">", start) + 1
        end = xml.find(_END, begin)
        if begin == 0 or end < 0:
            break
        number = xml[start + len(_START) : xml.find(b'"', start + len(_START))]
        empty = xml.startswith(b"/", begin - 2)
        cells = None if empty else pattern.cells(xml[begin:end], number)
        if cells is None or int(number) in rows:
            start = xml.find(_START, begin)
            continue
        rows[int(number)] = cells
        left.append(xml[kept:begin])
        kept = end
        start = xml.find(_START, end)
    left.append(xml[kept:])
    return b"".join(left)


class _Pattern:
    """The tags of the last row of plain numbers, and the columns of its cells."""

    def __init__(self, columns: Columns, date_styles: Collection[int]) -> None:
        self._columns = columns
        self._dated = {str(style).encode() for style in date_styles} | ({b""} if 0 in date_styles else set())
        self._tags = b""
        self._places: list[int] = []

    def cells(self, content: bytes, number: bytes) -> dict[int, Cell] | None:
        """The cells of a row from what stands between its tags, or None where it does not hold plain numbers alone."""
        if not _ROW.fullmatch(number) or int(number) > MAX_ROWS:
            return None
        pieces = content.replace(b"</v>", b"<v>").split(b"<v>")
        tags = b"<v></v>".join(pieces[::2])
        if self._tags.replace(_ROW_NUMBER, number) != tags and not self._learn(tags, number):
            return None
        values = pieces[1::2]
        if not values or b"_" in content or len(values) != len(self._places) or content.count(b"</v>") != len(values):
            return None
        try:
            cells = map(_number_cell, repeat(int(number)), self._places, map(float, values))
            return dict(zip(self._places, cells, strict=True))
        except ValueError:
            return None

    def _learn(self, tags: bytes, number: bytes) -> bool:
        if not _CELLS.fullmatch(tags):
            return False
        letters, numbers, styles = zip(*_CELL.findall(tags), strict=True)
        places = [self._columns[name] for name in letters]
        if (
            set(numbers) != {number}
            or 0 in places
            or places != sorted(set(places))
            or not self._dated.isdisjoint(styles)
        ):
            return False
        self._tags = re.sub(rb'(?<= r=")([A-Z]+)[0-9]+', rb"\1" + _ROW_NUMBER, tags)
        self._places = places
        return True


# A frozen dataclass fills its fields by a detour that costs as much as all the rest of reading a row: this goes past it.
_SET_ROW, _SET_COLUMN, _SET_KIND, _SET_VALUE, _SET_MERGED = (
    getattr(Cell, name).__set__ for name in ("row", "column", "kind", "value", "merged")
)
_NEW = object.__new__
_NUMBER = CellKind.NUMBER


def _number_cell(row: int, column: int, value: float) -> Cell:
    cell = _NEW(Cell)
    _SET_ROW(cell, row)
    _SET_COLUMN(cell, column)
    _SET_KIND(cell, _NUMBER)
    _SET_VALUE(cell, value)
    _SET_MERGED(cell, False)  # noqa: FBT003 - it has no keyword
    return cell
