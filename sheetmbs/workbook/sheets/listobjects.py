"""Tables, in the sense of Excel, that the user has made of the columns of a result sheet (ECMA-376 part 1, 18.5).

Formulas refer to them by name, and a workbook whose formulas name a table that is gone counts as damaged. So they stay
over the columns they hold, and reach as far down and, if they held all columns, as far across as the new results.
"""

from __future__ import annotations

from collections.abc import Iterator

from lxml import etree

from sheetmbs.schema.cell import cell_name
from sheetmbs.workbook.package.formats import index
from sheetmbs.workbook.package.package import MAIN
from sheetmbs.workbook.package.parts import serialised
from sheetmbs.workbook.package.partxml import sound_xml
from sheetmbs.workbook.package.references import Range, parsed
from sheetmbs.workbook.sheets.previous_results import Head, PreviousResults
from sheetmbs.workbook.sheets.sheetxml import FIRST_DATA_ROW, RowBlock


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
