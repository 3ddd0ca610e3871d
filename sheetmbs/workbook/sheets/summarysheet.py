"""The sheet `mbs Summary`: item, value and unit, one row each; of several cases, their values side by side."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from math import floor, isfinite, log10

from sheetmbs.schema.cell import cell_name
from sheetmbs.workbook.package.styles import number_format
from sheetmbs.workbook.sheets.page_contents import LookedCell
from sheetmbs.workbook.sheets.sheet_contents import ACCURACY_CHECK, STATUS, SummaryRow, SummaryValue
from sheetmbs.workbook.sheets.sheetxml import SheetSetting, Shown, closing, height, opening, row_xml, usual

ITEM, UNIT = "item", "unit"
ITEM_WIDTH, VALUE_WIDTH, CASE_WIDTH, UNIT_WIDTH = 24.0, 44.0, 16.0, 12.0
MAX_ITEM_WIDTH = 100.0
"""of the column that is as wide as its items; Excel knows 255"""
IS_IT_RIGHT, FOR_EXPERTS = BLOCKS = "Is it right?", "For experts"
"""heads of blocks of items; the rows below the last are folded away"""
FIRST_FOR_EXPERTS = ("position violation", "energy drift", "solve time", "read time")
"""items before one of which those for experts begin"""
WALL_TIME = "wall time"
GOOD, NEUTRAL = ("passed", "done"), "nothing to check"
"""how values begin that are good news, and one that is no news"""
DIGITS_SHOWN, MOST_DECIMALS, SMALLEST_PLAIN, MAX_PLAIN = 4, 6, 1e-4, 1e7
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
        rows="folded",
    )
    looks = ("header text", *("header" for _ in heads), "header text")
    yield row_xml(1, list(zip(headers, looks, strict=True)), setting.formats, 20).encode()
    are_folded = False
    for number, (item, values, unit) in enumerate(rows, start=2):
        known = (*values, *(None for _ in heads[len(values) :]))
        if item in BLOCKS:
            are_folded = item == FOR_EXPERTS
            marked = ' collapsed="1"' if are_folded else ""
            blank: list[LookedCell] = [("", look) for look in looks[1:]]
            yield row_xml(number, [(item, looks[0]), *blank], setting.formats, 20, marked).encode()
            continue
        shown_values = [(value, _verdict_look(item, value) or value_look(value)) for value in known]
        cells: list[LookedCell] = [(item, "item"), *shown_values, (unit, "unit")]
        folded = ' outlineLevel="1" hidden="1"' if are_folded else ""
        yield row_xml(number, cells, setting.formats, height(cells, widths), folded).encode()
    orientation = "landscape" if len(heads) > MAX_UPRIGHT_CASES else "portrait"
    pages = ' fitToHeight="0"' if len(rows) > MAX_PAGE_ROWS or orientation == "landscape" else ""
    setup = f'<pageSetup paperSize="9"{pages} orientation="{orientation}"/>'
    yield closing(setting, setup)


def in_blocks(rows: Sequence[SummaryRow]) -> tuple[SummaryRow, ...]:
    """The rows with a head before those that say whether results are right, and before those that few people look at."""
    names = [item for item, _values, _unit in rows]
    if ACCURACY_CHECK not in names and WALL_TIME not in names:
        return tuple(rows)
    found: list[SummaryRow] = []
    for row in rows:
        listed = {each[0] for each in found}
        if row[0] == ACCURACY_CHECK:
            found.append((IS_IT_RIGHT, (), ""))
        elif FOR_EXPERTS not in listed and row[0] in FIRST_FOR_EXPERTS:
            found.append((FOR_EXPERTS, (), ""))
        found.append(row)
    return tuple(found)


def _verdict_look(item: str, value: SummaryValue) -> str:
    """The colour of an item that says whether the run went well; "" of any other."""
    if item not in (ACCURACY_CHECK, STATUS) or not isinstance(value, str) or value == NEUTRAL:
        return ""
    return "value good" if value.startswith(GOOD) else "value bad"


def value_look(value: SummaryValue) -> str:
    """The look of a value on its own: about four digits of it, with an exponent where it is next to nothing."""
    if not isinstance(value, float) or not isfinite(value):
        return "value"
    size = abs(value)
    if size == 0.0 or (value.is_integer() and size < MAX_PLAIN):
        return "value"
    if not SMALLEST_PLAIN <= size < MAX_PLAIN:
        return "value exponent"
    return f"value {number_format(min(max(DIGITS_SHOWN - 1 - floor(log10(size)), 0), MOST_DECIMALS))}"
