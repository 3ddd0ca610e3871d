"""Which sheets of a workbook are ours, and which workbooks are copies that we made.

The mark of a sheet is a hidden defined name of the workbook that refers to the cells that we wrote, such as
``_sheetmbs.Bodies`` for ``'mbs Bodies'!$A$1:$K$53``. Excel and LibreOffice keep it through saving, even by way of .ods
(they rename parts, and drop unknown extensions and code names); it follows a sheet that is renamed or moved and dies
with one that is deleted, and a copied sheet gets none. A sheet is ours while name and mark agree, so that nothing of the
user's is taken for ours: a sheet that was renamed, copied or created again belongs to the user. A copy written by
``--output`` bears ``_sheetmbs.copy_of`` with the name of the workbook it was made from.
"""

from __future__ import annotations

import re

from lxml import etree

from sheetmbs.schema.names import RESULT_SHEETS, fold
from sheetmbs.workbook.package.package import MAIN, Package, SheetPart

MARK = "_sheetmbs."
COPY_MARK = f"{MARK}copy_of"

_NOT_IN_MARK = re.compile("[\x00-\x1f\ud800-\udfff\ufffe\uffff]|_x(?=[0-9A-Fa-f]{4}_)")
_REFERENCE = re.compile(r"'?((?:[^']|'')+?)'?!\$?[A-Z]+\$?[0-9]+(?::\$?[A-Z]+\$?([0-9]{1,7}))?")


def mark_name(sheet: str) -> str:
    """The defined name that marks a result sheet."""
    return MARK + re.sub(r"\W", "_", sheet.removeprefix(RESULT_SHEETS))


def marks(workbook: etree._Element) -> list[etree._Element]:
    """All defined names in the workbook part that are marks of ours, dead ones too."""
    names = workbook.iterfind(f"{{{MAIN}}}definedNames/{{{MAIN}}}definedName")
    return [name for name in names if str(name.get("name", "")).startswith(MARK)]


def own_sheets(package: Package) -> dict[str, SheetPart]:
    """The sheets that we wrote, by name, in the order of their tabs."""
    marked = last_rows(package)
    return {
        sheet.name: sheet
        for sheet in package.sheets
        if sheet.name in marked and sheet.name.startswith(RESULT_SHEETS) and sheet.kind == "worksheet"
    }


def last_rows(package: Package) -> dict[str, int]:
    """The last row of the cells that we wrote on each marked sheet; 0 where its mark does not say."""
    marked = {}
    for mark in marks(package.xml(package.workbook)):
        reference = _REFERENCE.fullmatch((mark.text or "").strip())
        if reference and mark.get("localSheetId") is None:
            sheet = reference.group(1).replace("''", "'")
            if mark.get("name") == mark_name(sheet):
                marked[sheet] = int(reference.group(2) or 0)
    return marked


def foreign_sheets(package: Package) -> list[str]:
    """Sheets with a name that is kept for results but which we did not write."""
    ours = own_sheets(package)
    return [
        sheet.name for sheet in package.sheets if fold(sheet.name).startswith(RESULT_SHEETS) and sheet.name not in ours
    ]


def name_in_mark(workbook: str) -> str:
    """The name of a workbook as the mark of its copies holds it: without what XML and Excel's texts cannot hold."""
    return _NOT_IN_MARK.sub("_", workbook)


def copied_from(package: Package) -> str | None:
    """The name, as `name_in_mark` forms it, of the workbook of which ``--output`` made this copy.

    None where it is no copy, or was run by itself.
    """
    for mark in marks(package.xml(package.workbook)):
        if mark.get("name") == COPY_MARK:
            return (mark.text or "").strip()[1:-1].replace('""', '"')
    return None
