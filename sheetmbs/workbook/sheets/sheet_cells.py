"""Cells of a sheet that stays as it is but for a few of them."""

from __future__ import annotations

import re
from html import unescape

from lxml import etree

from sheetmbs.schema.cell import ColumnLetters, cell_name
from sheetmbs.workbook.package.formats import index
from sheetmbs.workbook.package.package import MAIN
from sheetmbs.workbook.package.printing import text

_REFERENCE = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_LETTERS = ColumnLetters()


def set_extent(sheet: etree._Element) -> None:
    """Say how far the cells reach now: readers that go by it would miss the others."""
    dimension = sheet.find(f"{{{MAIN}}}dimension")
    places = [place_in_sheet(cell) for cell in sheet.iterfind(f"{{{MAIN}}}sheetData/{{{MAIN}}}row/{{{MAIN}}}c")]
    if dimension is not None and places:
        last_row, last_column = (max(numbers) for numbers in zip(*places, strict=True))
        dimension.set("ref", f"A1:{cell_name(last_row, last_column)}")


def write_text(cell: etree._Element, line: str, style: int | None = None) -> None:
    """Put a text, or nothing, into a cell."""
    for child in list(cell):
        cell.remove(child)
    cell.attrib.pop("t", None)
    if style is not None:
        cell.set("s", str(style))
    if line:
        cell.set("t", "inlineStr")
        inline = etree.SubElement(cell, f"{{{MAIN}}}is")
        etree.SubElement(inline, f"{{{MAIN}}}t").text = unescape(text(line))


def cell_at(sheet: etree._Element, row: int, column: int) -> etree._Element:
    """A cell of a sheet, made where there is none."""
    [data] = sheet.iterfind(f"{{{MAIN}}}sheetData")
    rows = {index(str(found.get("r", ""))): found for found in data.iterfind(f"{{{MAIN}}}row")}
    if row not in rows:
        rows[row] = etree.Element(f"{{{MAIN}}}row", nsmap=sheet.nsmap)
        rows[row].set("r", str(row))
        data.insert(sum(number < row for number in rows), rows[row])
    cells = {place_in_sheet(found)[1]: found for found in rows[row].iterfind(f"{{{MAIN}}}c")}
    if column not in cells:
        cells[column] = etree.Element(f"{{{MAIN}}}c", nsmap=sheet.nsmap)
        cells[column].set("r", cell_name(row, column))
        rows[row].insert(sum(number < column for number in cells), cells[column])
        rows[row].attrib.pop("spans", None)
    return cells[column]


def place_in_sheet(cell: etree._Element) -> tuple[int, int]:
    """Row and column of a cell; 0 where it does not say."""
    place = _REFERENCE.fullmatch(cell.get("r", ""))
    return (int(place[2]), _LETTERS[place[1].encode()]) if place else (0, 0)


def write_number(cell: etree._Element, value: float) -> None:
    """Put a number into a cell."""
    write_text(cell, "")
    etree.SubElement(cell, f"{{{MAIN}}}v").text = repr(value)
