"""A sheet of ours that stays as it is but for a few texts in its cells."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from copy import deepcopy
from html import unescape

from lxml import etree

from sheetmbs.workbook.charts.memory import is_line
from sheetmbs.workbook.package import parts
from sheetmbs.workbook.package.cell import ColumnLetters, column_letters
from sheetmbs.workbook.package.formats import index
from sheetmbs.workbook.package.package import MAIN
from sheetmbs.workbook.sheets.before import Before
from sheetmbs.workbook.sheets.sheetxml import RECORD_COLUMN, SheetSetting, text

AFTER_DRAWING = (
    "legacyDrawing",
    "legacyDrawingHF",
    "drawingHF",
    "picture",
    "oleObjects",
    "controls",
    "webPublishItems",
    "tableParts",
    "extLst",
)
"""what follows a drawing in a sheet (ECMA-376 part 1, A.2, CT_Worksheet)"""
_REFERENCE = re.compile(r"([A-Z]{1,3})([0-9]{1,7})")
_LETTERS = ColumnLetters()


def texts_of(sheet: etree._Element, before: Before) -> Iterator[tuple[etree._Element, str]]:
    """Every cell of a sheet that holds a text."""
    for cell in sheet.iterfind(f"{{{MAIN}}}sheetData/{{{MAIN}}}row/{{{MAIN}}}c"):
        if cell.get("t") in ("s", "str", "inlineStr") and (found := before.text(cell)):
            yield cell, found


def edited_sheet(
    sheet: etree._Element,
    before: Before,
    old_notes: Sequence[str],
    notes: Sequence[str],
    record: Sequence[str],
    setting: SheetSetting,
) -> Iterator[bytes]:
    """The sheet of charts with other notes and another record; whatever else is on it stays.

    old_notes: what it says now; where the user has changed that, nothing is said.
    """
    root = deepcopy(sheet)
    places, said = [], []
    for cell, found in list(texts_of(root, before)):
        if is_line(found):
            places.append(_place(cell))
            parts.detach(cell)
        elif found in old_notes:
            said.append(cell)
    if said:
        _say(root, said, notes, setting)
    row, column = min(places, default=(len(notes) + 2, RECORD_COLUMN))
    for number, line in enumerate(record, start=row):
        _write(_cell(root, number, column), line, setting.formats["record"])
    drawing = root.find(f"{{{MAIN}}}drawing")
    if setting.drawing and drawing is None:
        drawing = etree.Element(f"{{{MAIN}}}drawing", nsmap=root.nsmap)
        later = [
            child for child in root if isinstance(child.tag, str) and etree.QName(child).localname in AFTER_DRAWING
        ]
        root.insert(root.index(later[0]) if later else len(root), drawing)
    if setting.drawing and drawing is not None:
        drawing.set(parts.RELATIONSHIP_ID, setting.drawing)
    _set_extent(root)
    yield parts.serialised(root)


def _set_extent(sheet: etree._Element) -> None:
    """Say how far the cells reach now: readers that go by it would miss the others."""
    dimension = sheet.find(f"{{{MAIN}}}dimension")
    places = [_place(cell) for cell in sheet.iterfind(f"{{{MAIN}}}sheetData/{{{MAIN}}}row/{{{MAIN}}}c")]
    if dimension is not None and places:
        last_row, last_column = (max(numbers) for numbers in zip(*places, strict=True))
        dimension.set("ref", f"A1:{column_letters(last_column)}{last_row}")


def _say(sheet: etree._Element, said: Sequence[etree._Element], notes: Sequence[str], setting: SheetSetting) -> None:
    """Put the first note where ours began, and all others into the cell below it unless that is the user's."""
    for cell in said:
        _write(cell, "")
    row, column = _place(said[0])
    _write(said[0], notes[0])
    below = _cell(sheet, row + 1, column)
    if not len(below):
        _write(below, " ".join(notes[1:]), setting.formats["remark"])


def _write(cell: etree._Element, line: str, style: int | None = None) -> None:
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


def _cell(sheet: etree._Element, row: int, column: int) -> etree._Element:
    """A cell of a sheet, made where there is none."""
    [data] = sheet.iterfind(f"{{{MAIN}}}sheetData")
    rows = {index(str(found.get("r", ""))): found for found in data.iterfind(f"{{{MAIN}}}row")}
    if row not in rows:
        rows[row] = etree.Element(f"{{{MAIN}}}row", nsmap=sheet.nsmap)
        rows[row].set("r", str(row))
        data.insert(sum(number < row for number in rows), rows[row])
    cells = {_place(found)[1]: found for found in rows[row].iterfind(f"{{{MAIN}}}c")}
    if column not in cells:
        cells[column] = etree.Element(f"{{{MAIN}}}c", nsmap=sheet.nsmap)
        cells[column].set("r", f"{column_letters(column)}{row}")
        rows[row].insert(sum(number < column for number in cells), cells[column])
        rows[row].attrib.pop("spans", None)
    return cells[column]


def _place(cell: etree._Element) -> tuple[int, int]:
    """Row and column of a cell; 0 where it does not say."""
    place = _REFERENCE.fullmatch(cell.get("r", ""))
    return (int(place[2]), _LETTERS[place[1].encode()]) if place else (0, 0)
