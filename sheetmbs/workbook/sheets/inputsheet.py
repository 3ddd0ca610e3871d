"""Input sheets that a command writes: samples under headers and units, and lists of texts and numbers."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial

from sheetmbs.schema.cell import cell_name
from sheetmbs.schema.table import Table
from sheetmbs.workbook.sheets.newsheet import NewSheet
from sheetmbs.workbook.sheets.sheetxml import (
    END,
    FOOT,
    MARGINS,
    SheetSetting,
    blocks,
    opening,
    row_xml,
    table_sheet,
    usual,
)

TAB_INPUTS = "FFB7C4D9"
Value = str | float | None
WIDEST = 40.0


def samples_sheet(table: Table) -> NewSheet:
    """A sheet of samples. table: no wider and longer than a sheet."""
    [block] = blocks(table)
    return NewSheet(table.name, partial(table_sheet, block, {}, "", tab=TAB_INPUTS), block.cells)


def list_sheet(name: str, headers: Sequence[str], units: Sequence[str], rows: Sequence[Sequence[Value]]) -> NewSheet:
    """A sheet of records: a row of headers, one of units where there are any, and theirs."""
    last = len(rows) + (2 if any(units) else 1)
    cells = f"A1:{cell_name(last, len(headers))}"
    return NewSheet(name, partial(_list_xml, headers, units, rows, cells), cells)


def _list_xml(
    headers: Sequence[str], units: Sequence[str], rows: Sequence[Sequence[Value]], cells: str, setting: SheetSetting
) -> Iterator[bytes]:
    has_units = any(units)
    contents = zip(headers, *rows, strict=True)
    widths = usual(min(WIDEST, 3.0 + max(len(_shown(each)) for each in column)) for column in contents)
    frozen = (1, 2 if has_units else 1)
    yield opening(
        tab=TAB_INPUTS, selected=setting.selected, extent=cells, frozen=frozen, columns=widths, grid=True
    ).encode()
    yield row_xml(1, [(header, "header text") for header in headers], setting.formats, 20).encode()
    first = 2
    if has_units:
        titled = ["units", *units[1:]]
        yield row_xml(2, [(unit, "units") for unit in titled], setting.formats).encode()
        first = 3
    for number, row in enumerate(rows, start=first):
        yield row_xml(number, [(value, "general") for value in row], setting.formats).encode()
    yield f"</sheetData>{MARGINS}{FOOT}{END}".encode()


def _shown(value: Value) -> str:
    return value if isinstance(value, str) else "" if value is None else f"{value:.6g}"
