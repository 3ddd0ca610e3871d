"""A sheet of ours that stays as it is but for a few texts in its cells."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from copy import deepcopy

from lxml import etree

from sheetmbs.workbook.charts.memory import is_line
from sheetmbs.workbook.package import parts
from sheetmbs.workbook.package.package import MAIN
from sheetmbs.workbook.sheets.previous_results import PreviousResults
from sheetmbs.workbook.sheets.sheet_cells import cell_at, place_in_sheet, set_extent, write_text
from sheetmbs.workbook.sheets.sheetxml import RECORD_COLUMN, SheetSetting

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


def texts_of(sheet: etree._Element, before: PreviousResults) -> Iterator[tuple[etree._Element, str]]:
    """Every cell of a sheet that holds a text."""
    for cell in sheet.iterfind(f"{{{MAIN}}}sheetData/{{{MAIN}}}row/{{{MAIN}}}c"):
        if cell.get("t") in ("s", "str", "inlineStr") and (found := before.text(cell)):
            yield cell, found


def edited_sheet(
    sheet: etree._Element,
    before: PreviousResults,
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
            places.append(place_in_sheet(cell))
            parts.detach(cell)
        elif found in old_notes:
            said.append(cell)
    if said:
        _say(root, said, notes, setting)
    row, column = min(places, default=(len(notes) + 2, RECORD_COLUMN))
    for number, line in enumerate(record, start=row):
        write_text(cell_at(root, number, column), line, setting.formats["record"])
    drawing = root.find(f"{{{MAIN}}}drawing")
    if setting.drawing and drawing is None:
        drawing = etree.Element(f"{{{MAIN}}}drawing", nsmap=root.nsmap)
        later = [
            child for child in root if isinstance(child.tag, str) and etree.QName(child).localname in AFTER_DRAWING
        ]
        root.insert(root.index(later[0]) if later else len(root), drawing)
    if setting.drawing and drawing is not None:
        drawing.set(parts.RELATIONSHIP_ID, setting.drawing)
    set_extent(root)
    yield parts.serialised(root)


def _say(sheet: etree._Element, said: Sequence[etree._Element], notes: Sequence[str], setting: SheetSetting) -> None:
    """Put the first note where ours began, and all others into the cell below it unless that is the user's."""
    for cell in said:
        write_text(cell, "")
    row, column = place_in_sheet(said[0])
    write_text(said[0], notes[0])
    below = cell_at(sheet, row + 1, column)
    if not len(below):
        write_text(below, " ".join(notes[1:]), setting.formats["remark"])
