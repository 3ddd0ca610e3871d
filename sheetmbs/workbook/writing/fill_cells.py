"""A few cells of a sheet of the user's, filled in at his command; everything else in the workbook stays as it is packed."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from io import BytesIO
from pathlib import Path
from typing import IO
from zipfile import ZIP_DEFLATED, ZipFile, ZipInfo

from lxml import etree

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.schema.cell import address
from sheetmbs.workbook.package import parts
from sheetmbs.workbook.package.archive import refusal
from sheetmbs.workbook.package.destination import place_of
from sheetmbs.workbook.package.package import MAIN, Package
from sheetmbs.workbook.package.replace import replace_file
from sheetmbs.workbook.package.zipcopy import ZipCopy
from sheetmbs.workbook.sheets.sheet_cells import cell_at, place_in_sheet, set_extent, write_number, write_text
from sheetmbs.workbook.writing.merge import LEVEL
from sheetmbs.workbook.writing.write import check_writable

Filling = Mapping[tuple[int, int], str | float]
"""contents by row and column"""


def fill_cells(path: Path, sheet: str, filling: Filling, check: Callable[[Path], None]) -> None:
    """Put texts and numbers into cells of a sheet. Formulas elsewhere are calculated when the workbook is opened next.

    check: looks at the new file before it takes the place of the old one.

    Raises WorkbookError where a cell holds a formula or the workbook cannot be written or is open; it is then as it was.
    """
    is_open = check_writable(path, None)
    if is_open is not None:
        raise WorkbookError(is_open)
    package = Package(path)
    part = next(each.part for each in package.sheets if each.name == sheet)
    changed = {part: filled_part(package.xml(part), sheet, filling)}
    workbook = package.xml(package.workbook)
    parts.calculate_on_load(workbook)
    changed[package.workbook] = parts.serialised(workbook)
    replace_file(place_of(path, None), path, lambda file: store_changed(package, changed, {}, file), check)


def filled_part(root: etree._Element, sheet: str, filling: Filling) -> bytes:
    """The part of a sheet with some cells filled in. Raises WorkbookError where one of them holds a formula."""
    cells = root.findall(f"{{{MAIN}}}sheetData/{{{MAIN}}}row/{{{MAIN}}}c")
    if any(place_in_sheet(cell) == (0, 0) for cell in cells):
        mend = "save the workbook again from Excel or LibreOffice"
        raise refusal("cells-without-place", f"cells of {sheet} without their addresses", "none can be filled in", mend)
    formulas = [
        place for cell in cells if (place := place_in_sheet(cell)) in filling and cell.find(f"{{{MAIN}}}f") is not None
    ]
    if formulas:
        rule, mend = "it would be lost", "clear the cell first, or import into another workbook"
        raise refusal("formula-in-the-way", "a formula", rule, mend, address(sheet, *formulas[0]))
    for (row, column), content in sorted(filling.items()):
        cell = cell_at(root, row, column)
        if isinstance(content, str):
            write_text(cell, content)
        else:
            write_number(cell, content)
    set_extent(root)
    return parts.serialised(root)


def store_changed(package: Package, changed: Mapping[str, bytes], added: Mapping[str, bytes], file: IO[bytes]) -> None:
    """Store a workbook with some parts changed and some added; all others as they are packed."""
    with ZipCopy(file, "w", ZIP_DEFLATED, compresslevel=LEVEL) as target, ZipFile(BytesIO(package.content)) as source:
        target.comment = source.comment
        for entry in source.infolist():
            if entry.filename in changed:
                target.writestr(ZipInfo(entry.filename), changed[entry.filename], ZIP_DEFLATED, LEVEL)
            else:
                target.take(package.content, entry)
        for name, content in added.items():
            target.writestr(ZipInfo(name), content, ZIP_DEFLATED, LEVEL)
