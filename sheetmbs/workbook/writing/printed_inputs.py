"""Print areas of input sheets that have none: their first rows, so that a whole workbook is printed on few pages."""

from __future__ import annotations

import re

from sheetmbs.schema.all_inputs import is_input_sheet
from sheetmbs.schema.cell import column_letters, column_number
from sheetmbs.workbook.package.ownership import own_sheets
from sheetmbs.workbook.package.package import MAIN, Package
from sheetmbs.workbook.package.parts import PRINT_AREA

MOST_ROWS = 200
"""of an input sheet that is printed whole; longer ones are series of samples"""
ROWS_OF_SERIES, SHORTEST, MOST_COLUMNS = 40, 25, 26
"""rows and columns of a series that are printed, and rows up to which an area reaches at least, for rows still to come"""
ENOUGH = 1 << 20
"""bytes of a sheet that hold more rows than are printed"""
FILLED = re.compile(rb'<(?:\w+:)?c\b[^>]*?\br="([A-Z]{1,3})([0-9]{1,7})"[^>/]*>\s*<(?:\w+:)?(?:v|is|f)\b')
"""a cell that holds something"""


EXPLANATIONS = "README"
"""the sheet on which templates explain themselves"""
NOTHING = "$AMJ$1048576"
"""a cell that is blank on every sheet: a print area that prints nothing; programs with 1024 columns have it too"""


def printed_inputs(package: Package, *, are_printed: bool = True) -> dict[str, str]:
    """The range that is to be printed of each input sheet without a print area, by name.

    Sheets of other names are left out, and so are hidden ones: some programs print them where they have a print area.
    are_printed: else the range is a blank cell, and so is that of a template's sheet of explanations.
    """
    names = [sheet.name for sheet in package.sheets]
    listed = package.xml(package.workbook).iterfind(f"{{{MAIN}}}definedNames/{{{MAIN}}}definedName")
    given = {str(each.get("localSheetId")) for each in listed if each.get("name") == PRINT_AREA}
    ours = own_sheets(package)
    found = {}
    for place, sheet in enumerate(package.sheets):
        is_left = sheet.name in ours or sheet.hidden or not sheet.part or sheet.kind != "worksheet"
        is_ours = is_input_sheet(sheet.name) or (not are_printed and sheet.name == EXPLANATIONS)
        if is_left or str(place) in given or not is_ours or names.count(sheet.name) > 1:
            continue
        if not are_printed:
            found[sheet.name] = NOTHING
            continue
        filled = _filled(package, sheet.part)
        if filled is not None:
            found[sheet.name] = filled
    return found


def _filled(package: Package, part: str) -> str | None:
    """The range of the first cells of a sheet that hold something; None where none does."""
    content = b""
    for piece in package.stream(part):
        content += piece
        if len(content) > ENOUGH:
            break
    cells = [(int(row), column_number(letters.decode())) for letters, row in FILLED.findall(content)]
    if not cells:
        return None
    last = max(row for row, _column in cells)
    rows = ROWS_OF_SERIES if last > MOST_ROWS else max(last, SHORTEST)
    columns = max(column for row, column in cells if row <= rows)
    columns = min(columns, MOST_COLUMNS) if last > MOST_ROWS else columns
    return f"$A$1:${column_letters(columns)}${rows}"
