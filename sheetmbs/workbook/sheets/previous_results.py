"""Our sheets as they stand in the workbook: as an earlier run wrote them, and as the user has changed them since."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from functools import cached_property
from math import isfinite

from lxml import etree

from sheetmbs.schema.cell import MAX_COLUMNS, ColumnLetters, cell_name
from sheetmbs.workbook.cells.sheet_reader import item_text, unescaped
from sheetmbs.workbook.package.formats import index
from sheetmbs.workbook.package.ownership import last_rows, own_sheets
from sheetmbs.workbook.package.package import MAIN, Package
from sheetmbs.workbook.package.parts import serialised
from sheetmbs.workbook.package.partxml import sound_xml, stream_xml
from sheetmbs.workbook.package.references import Range, parsed
from sheetmbs.workbook.sheets.sheet_contents import STUDY_SHEETS
from sheetmbs.workbook.sheets.sheetxml import FIRST_DATA_ROW, RowBlock, Shown

_CELL = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_TRUE = ("1", "true")
MAX_COLUMN_WIDTH = 255.0
"""digits that a column may be wide"""


@dataclass(frozen=True)
class Head:
    """The top of a result sheet.

    columns: names in row 1, "" where there is none. shown: how columns are shown, by name. last_row: where the
    numbers end, as the mark of the sheet says, and as far as the sheet reaches; empty where that is not known.
    """

    columns: tuple[str, ...] = ()
    shown: Mapping[str, Shown] = field(default_factory=dict)
    last_row: frozenset[int] = frozenset()


class PreviousResults:
    """Our sheets of a workbook, each looked at when it is asked for.

    is_study: those of a design study, else all others.
    """

    def __init__(self, package: Package, *, is_study: bool = False) -> None:
        self.package = package
        self.own = {name: part for name, part in own_sheets(package).items() if (name in STUDY_SHEETS) == is_study}
        self._marked = last_rows(package)
        self._heads: dict[str, Head] = {}
        self._texts_on: dict[str, dict[tuple[int, int], str]] = {}

    def head(self, sheet: str) -> Head:
        """The top of one of our sheets; without columns where there is no such sheet."""
        if sheet not in self._heads:
            self._heads[sheet] = self._read_head(sheet) if sheet in self.own else Head()
        return self._heads[sheet]

    def first_column(self, sheet: str) -> tuple[str, ...]:
        """The texts in column A of one of our sheets from row 2 on, "" where there is none."""
        if sheet not in self.own:
            return ()
        texts: dict[int, str] = {}
        for row in self.package.top(self.own[sheet].part, f"{{{MAIN}}}row"):
            texts |= {number: text for number, column, text in self._texts(row) if column == 1}
        return tuple(texts.get(row, "") for row in range(2, max(texts, default=1) + 1))

    def texts(self, sheet: str) -> dict[tuple[int, int], str]:
        """All texts on one of our sheets, by row and column."""
        if sheet not in self._texts_on:
            rows = self.package.top(self.own[sheet].part, f"{{{MAIN}}}row") if sheet in self.own else ()
            found = (each for row in rows for each in self._texts(row))
            self._texts_on[sheet] = {(row, column): text for row, column, text in found if text}
        return self._texts_on[sheet]

    def number(self, sheet: str, row: int, column: int) -> float | None:
        """The number in a cell of one of our sheets; None where there is none."""
        reference = cell_name(row, column)
        for found in self.package.top(self.own[sheet].part, f"{{{MAIN}}}row") if sheet in self.own else ():
            for cell in found.iterchildren(f"{{{MAIN}}}c"):
                if cell.get("r") == reference and cell.get("t", "n") == "n":
                    return _as_number(cell.findtext(f"{{{MAIN}}}v", ""))
        return None

    @cached_property
    def strings(self) -> list[str]:
        """The texts that the workbook's cells share."""
        part = self.package.related(self.package.workbook, "sharedStrings")
        return (
            [] if part is None else [item_text(i) for i in stream_xml(self.package.read(part), part, f"{{{MAIN}}}si")]
        )

    def text(self, cell: etree._Element) -> str:
        """The text in a cell, "" where it holds something else."""
        kind, value = cell.get("t", ""), cell.findtext(f"{{{MAIN}}}v", "").strip()
        if kind == "s":
            place = index(value)
            return unescaped(self.strings[place]) if 0 <= place < len(self.strings) else ""
        inline = cell.find(f"{{{MAIN}}}is")
        return unescaped(item_text(inline) if inline is not None else value if kind == "str" else "")

    def _read_head(self, sheet: str) -> Head:
        part = self.own[sheet].part
        names: dict[int, str] = {}
        looks: dict[int, Shown] = {}
        extent = 0
        tags = [f"{{{MAIN}}}{tag}" for tag in ("dimension", "col", "row")]
        for element in self.package.top(part, *tags):
            if element.tag == tags[0]:
                extent = parsed(element.get("ref", "").encode()).last_row
            elif element.tag == tags[1]:
                looks |= _shown(element)
            else:
                names = {column: text for row, column, text in self._texts(element) if row == 1}
                break
        columns = tuple(names.get(column, "") for column in range(1, max(names, default=0) + 1))
        shown = {names[column]: look for column, look in looks.items() if names.get(column)}
        last = {max(row, FIRST_DATA_ROW) for row in (extent, self._marked.get(sheet, 0)) if row}
        return Head(columns, shown, frozenset(last))

    def _texts(self, row: etree._Element) -> Iterator[tuple[int, int, str]]:
        """Row, column and text of the cells of a row."""
        letters = ColumnLetters()
        for cell in row.iterchildren(f"{{{MAIN}}}c"):
            place = _CELL.fullmatch(cell.get("r", ""))
            if place:
                yield int(place[2]), letters[place[1].encode()], self.text(cell)


def _as_number(text: str) -> float | None:
    try:
        number = float(text)
    except ValueError:
        return None
    return number if isfinite(number) else None


def _shown(column: etree._Element) -> dict[int, Shown]:
    try:
        look = Shown(float(column.get("width", "")), column.get("hidden") in _TRUE)
    except ValueError:
        return {}
    first, last = (index(str(column.get(end, ""))) for end in ("min", "max"))
    if first < 1 or not 0 <= look.width <= MAX_COLUMN_WIDTH:
        return {}
    return dict.fromkeys(range(first, min(last, MAX_COLUMNS) + 1), look)


def tables_on(sheet: str, before: PreviousResults) -> Iterator[tuple[str, etree._Element, Range]]:
    """Part, content and cells of every such table that begins with the names of the columns."""
    if sheet not in before.own:
        return
    for arrow in before.package.relationships(before.own[sheet].part).values():
        part = before.package.find(arrow.target) if arrow.kind == "table" and not arrow.external else None
        table = sound_xml(before.package.read(part)) if part else None
        cells = Range() if table is None else parsed(table.get("ref", "").encode())
        if part and table is not None and cells.first_row == 1 and cells.has_columns:
            yield part, table, cells


def renewed_tables(block: RowBlock, before: PreviousResults) -> dict[str, bytes]:
    """The tables on a sheet over its new content, by their parts."""
    head = before.head(block.sheet)
    names = [block.table.columns[index] for index in block.columns]
    return {
        part: serialised(_over(table, _new_cells(cells, head, block), names))
        for part, table, cells in tables_on(block.sheet, before)
    }


def _new_cells(cells: Range, head: Head, block: RowBlock) -> Range:
    last_row = max(block.rows, 1) + FIRST_DATA_ROW - 1 if cells.last_row in head.last_row else cells.last_row
    last = len(block.columns) if cells.last_column >= len(head.columns) else cells.last_column
    return Range(cells.first_column, 1, last, last_row)


def _over(table: etree._Element, cells: Range, names: list[str]) -> etree._Element:
    """The table over other cells; how it was filtered and sorted is gone with the rows that were there."""
    reference = f"{cell_name(1, cells.first_column)}:{cell_name(cells.last_row, cells.last_column)}"
    table.set("ref", reference)
    for child in list(table.iterfind(f"{{{MAIN}}}sortState")):
        table.remove(child)
    for drop_downs in table.iterfind(f"{{{MAIN}}}autoFilter"):
        drop_downs.set("ref", reference)
        for child in list(drop_downs):
            drop_downs.remove(child)
    listing = table.find(f"{{{MAIN}}}tableColumns")
    if listing is None:
        return table
    held = names[cells.first_column - 1 : cells.last_column]
    known = list(listing.iterfind(f"{{{MAIN}}}tableColumn"))
    number = max((index(str(column.get("id", "0"))) for column in known), default=0)
    for column in known[len(held) :]:
        listing.remove(column)
    for place, name in enumerate(held):
        if place >= len(known):
            number += 1
            known.append(etree.SubElement(listing, f"{{{MAIN}}}tableColumn", id=str(number)))
        known[place].set("name", name)
    listing.set("count", str(len(held)))
    return table
