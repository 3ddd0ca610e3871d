"""The short way through long time series: plain numbers read without an XML parser.

Rows of a series repeat the same tags, only the row number and the values change: one comparison per row shows that. In
other rows (a formula here, a text there) a pattern finds the cells that are plain numbers. What has been read is taken out
of the XML; whatever else there is stays in, and the parser reads and checks it. So this changes the time that a sheet
takes, never what is found in it.
"""

from __future__ import annotations

import re
from collections.abc import Collection
from itertools import repeat

from sheetmbs.workbook.cell import Cell, CellKind, Columns, Rows
from sheetmbs.workbook.package import MAIN

_START, _END = b'<row r="', b"</row>"
_SHEET = re.compile(rb'(?:\xef\xbb\xbf)?\s*(?:<\?xml[^>]*>\s*)?<worksheet[^>]*\sxmlns="' + MAIN.encode() + rb'"')
_CELL = re.compile(rb'<c r="([A-Z]{1,3})([0-9]{1,7})"(?: s="([0-9]*)")?(?: t="n")?><v>([-+.0-9Ee]*)</v></c>')
_CELLS_ALONE = re.compile(rb"(?:" + re.sub(rb"\((?!\?)", rb"(?:", _CELL.pattern) + rb")+")
_ROW = re.compile(rb"[1-9][0-9]{0,6}")
_ROW_NUMBER = b"\x00"
"""Stands for the row number in the tags of a row; no XML contains it."""


def take_numbers(xml: bytes, rows: Rows, columns: Columns, date_styles: Collection[int]) -> bytes:
    """Move plain numbers with their addresses from a sheet's XML into ``rows``; return the XML without them.

    date_styles: the cell styles that make a number a date.
    """
    # a comment may hold what looks like a row, and a second default namespace may make it something else
    unusual = b"<!" in xml or xml.find(b"<?", xml.find(b"?>") + 1) >= 0 or xml.count(b"xmlns=") != 1
    if unusual or not _SHEET.match(xml):
        return xml
    numbers = _Numbers(columns, date_styles)
    left = []
    kept = 0
    start = xml.find(_START)
    while start >= 0:
        begin = xml.find(b">", start) + 1
        end = xml.find(_END, begin)
        if begin == 0 or end < 0:
            break
        row = xml[start + len(_START) : xml.find(b'"', start + len(_START))]
        cells: dict[int, Cell] = {}
        if not xml.startswith(b"/", begin - 2) and _ROW.fullmatch(row) and int(row) not in rows:
            cells, rest = numbers.take(xml[begin:end], row)
        if cells:
            rows[int(row)] = cells
            left += [xml[kept:begin], rest]
            kept = begin = end
        start = xml.find(_START, begin)
    left.append(xml[kept:])
    return b"".join(left)


class _Numbers:
    """Takes the numbers from one row after the other; remembers the tags of the last row that held nothing else."""

    def __init__(self, columns: Columns, date_styles: Collection[int]) -> None:
        self._columns = columns
        self._dated = {str(style).encode() for style in date_styles}
        if 0 in date_styles:
            self._dated.add(b"")
        self._tags = b""
        self._places: list[int] = []

    def take(self, content: bytes, row: bytes) -> tuple[dict[int, Cell], bytes]:
        """The numbers in what stands between the tags of a row, by column ascending, and the content without them."""
        pieces = content.replace(b"</v>", b"<v>").split(b"<v>")
        tags, values = b"<v></v>".join(pieces[::2]), pieces[1::2]
        if self._tags.replace(_ROW_NUMBER, row) != tags and not self._learn(tags, row):
            return self._pick(content, row)
        if not values or b"_" in content or content.count(b"</v>") != len(values):
            return {}, content
        try:
            cells = map(_number_cell, repeat(int(row)), self._places, map(float, values))
            return dict(zip(self._places, cells, strict=True)), b""
        except ValueError:
            return {}, content

    def _learn(self, tags: bytes, row: bytes) -> bool:
        if not _CELLS_ALONE.fullmatch(tags):
            return False
        letters, numbers, styles, _ = zip(*_CELL.findall(tags), strict=True)
        places = [self._columns[name] for name in letters]
        plain = set(numbers) == {row} and self._dated.isdisjoint(styles)
        if not plain or 0 in places or places != sorted(set(places)):
            return False
        self._tags = re.sub(rb'(?<= r=")([A-Z]+)[0-9]+', rb"\1" + _ROW_NUMBER, tags)
        self._places = places
        return True

    def _pick(self, content: bytes, row: bytes) -> tuple[dict[int, Cell], bytes]:
        if content.count(b"<c ") + content.count(b"<c>") != content.count(b'<c r="'):
            return {}, content  # the place of a cell without a reference follows from the cells before it
        cells: dict[int, Cell] = {}
        left = []
        kept = last = 0
        for found in _CELL.finditer(content):
            letters, number, style, value = found.groups(b"")
            place = self._columns[letters]
            if number != row or place <= last or style in self._dated:
                continue
            try:
                cells[place] = _number_cell(int(row), place, float(value))
            except ValueError:
                continue
            left.append(content[kept : found.start()])
            kept, last = found.end(), place
        left.append(content[kept:])
        return cells, b"".join(left)


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
