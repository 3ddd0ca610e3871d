"""The sheet `mbs Summary`: item, value and unit, one row each; of several cases, their values side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

import numpy as np

from sheetmbs.schema.cell import cell_name
from sheetmbs.workbook.package.styles import number_format
from sheetmbs.workbook.sheets.page_contents import LookedCell
from sheetmbs.workbook.sheets.sheet_contents import SummaryRow, SummaryValue
from sheetmbs.workbook.sheets.sheetxml import SheetSetting, Shown, closing, decimals, height, opening, row_xml, usual

ITEM, UNIT = "item", "unit"
ITEM_WIDTH, VALUE_WIDTH, CASE_WIDTH, UNIT_WIDTH = 24.0, 44.0, 16.0, 12.0
MAX_ITEM_WIDTH = 100.0
"""of the column that is as wide as its items; Excel knows 255"""
MAX_UPRIGHT_CASES, MAX_PAGE_ROWS = 6, 64
"""more cases are printed across; more rows go on on further pages"""


def summary_cells(rows: Sequence[SummaryRow], heads: Sequence[str]) -> str:
    """The range that the sheet covers."""
    return f"A1:{cell_name(len(rows) + 1, len(heads) + 2)}"


def summary_sheet(
    rows: Sequence[SummaryRow], heads: Sequence[str], shown: Mapping[str, Shown], setting: SheetSetting
) -> Iterator[bytes]:
    """The sheet, which is printed on one page unless many cases make it long.

    heads: ``value``, or the cases. shown: how columns are shown that do not look as usual.
    """
    headers = (ITEM, *heads, UNIT)
    item_width = max(ITEM_WIDTH, max((len(item) for item, _values, _unit in rows), default=0) + 3)
    item_width = min(item_width, MAX_ITEM_WIDTH)
    value_width = VALUE_WIDTH if len(heads) == 1 else CASE_WIDTH
    widths = (item_width, *(max(value_width, 1.2 * len(head) + 2) for head in heads), UNIT_WIDTH)
    yield opening(
        setting,
        summary_cells(rows, heads),
        frozen=(1 if len(heads) > 1 else 0, 1),
        columns={place: shown.get(headers[place - 1], look) for place, look in usual(widths).items()},
        fit=True,
    )
    looks = ("header text", *("header" for _ in heads), "header text")
    yield row_xml(1, list(zip(headers, looks, strict=True)), setting.formats, 20).encode()
    for number, (item, values, unit) in enumerate(rows, start=2):
        known = (*values, *(None for _ in heads[len(values) :]))
        cells: list[LookedCell] = [(item, "item"), *((value, value_look(value)) for value in known), (unit, "unit")]
        yield row_xml(number, cells, setting.formats, height(cells, widths)).encode()
    orientation = "landscape" if len(heads) > MAX_UPRIGHT_CASES else "portrait"
    pages = ' fitToHeight="0"' if len(rows) > MAX_PAGE_ROWS or orientation == "landscape" else ""
    setup = f'<pageSetup paperSize="9"{pages} orientation="{orientation}"/>'
    yield closing(setting, setup)


def value_look(value: SummaryValue) -> str:
    """The look of a value on its own: about six digits of it."""
    shown = decimals(np.array([value])) if isinstance(value, float) else "general"
    return "value" if shown == "general" else f"value {number_format(shown)}"
