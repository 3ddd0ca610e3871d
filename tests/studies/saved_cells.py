"""Workbooks saved with other values in some of their cells, as a spreadsheet program would have stored them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from lxml import etree

from sheetmbs.workbook.cells.cells import CellAt, CellValue, position
from sheetmbs.workbook.package.package import Package
from sheetmbs.workbook.sheets.sheet_cells import MAIN, cell_at, write_number, write_text
from tests.support.sample_results import write_parts


def save_changed(path: Path, changed: Mapping[CellAt, CellValue], target: Path) -> Path:
    """A copy of a workbook with other values in some cells. Formulas there become values."""
    package = Package(path)
    parts = {name: package.read(name) for name in package.names}
    by_sheet: dict[str, dict[str, CellValue]] = {}
    for (sheet, address), value in changed.items():
        by_sheet.setdefault(sheet, {})[address] = value
    names = {sheet.name: sheet.part for sheet in package.sheets}
    for sheet, values in by_sheet.items():
        root = etree.fromstring(parts[names[sheet]])
        for address, value in values.items():
            cell = cell_at(root, *position(sheet, address))
            if isinstance(value, bool):
                write_text(cell, "")
                cell.set("t", "b")
                etree.SubElement(cell, f"{{{MAIN}}}v").text = "1" if value else "0"
            elif isinstance(value, str):
                write_text(cell, value)
            else:
                write_number(cell, value)
        parts[names[sheet]] = etree.tostring(root)
    write_parts(target, parts)
    return target
