"""Sheets and drawings as they are handed to the code that stores them, and input sheets that a command writes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from types import MappingProxyType

from sheetmbs.schema.cell import cell_name
from sheetmbs.schema.column import Column, ColumnKind
from sheetmbs.schema.table import Table
from sheetmbs.workbook.package.printing import text
from sheetmbs.workbook.sheets.animationsheet import ScrollBar
from sheetmbs.workbook.sheets.sheetxml import SheetSetting, blocks, closing, opening, row_xml, table_sheet, usual

Rows = Callable[[SheetSetting], Iterator[bytes]]
"""the XML of a sheet, piece by piece"""
TAB_INPUTS = "FFB7C4D9"
Value = str | float | None
MAX_LIST_WIDTH = 40.0
SPARE_ROWS = 100
"""below the last row, for which drop-downs are there too"""
MAX_PROMPT = 255
"""characters of the text beside a cell, the most that Excel takes"""
NO_OFFERS: Mapping[str, Mapping[int, Sequence[str]]] = MappingProxyType({})


@dataclass(frozen=True)
class Drawing:
    """The drawing on a sheet.

    xml: the part that places it; None = the one that the sheet has stays as it is. charts: XML by relationship id, of
    those that it has and that change, and of new ones. gone: ids of charts that go. is_new: it takes the place of the
    one that the sheet has, with all on it. pictures: parts that hold them by relationship id, of a new drawing.
    """

    xml: bytes | None = None
    charts: Mapping[str, bytes] = field(default_factory=dict)
    gone: frozenset[str] = frozenset()
    is_new: bool = False
    pictures: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True)
class NewSheet:
    """A result sheet to be written.

    cells: the range that it covers. size: at most so many bytes of XML. drawing: None = an earlier one goes. tables: content
    of the parts of those tables of the user's that stay on it. is_edited: it is the one that is there, with changes, and
    all that belongs to it stays. is_last: it is stored after all others, wherever it stands in the workbook. ranges: of its
    cells, by the built-in names that say what programs do with them. is_active: it is shown when the workbook opens. scroll: a
    scroll bar on it. notes: on its cells, by row and column from 1; only on a sheet without a scroll bar.
    """

    name: str
    rows: Rows
    cells: str = "A1"
    size: int = 0
    drawing: Drawing | None = None
    tables: Mapping[str, bytes] = field(default_factory=dict)
    is_edited: bool = False
    is_last: bool = False
    ranges: Mapping[str, str] = field(default_factory=dict)
    is_active: bool = False
    scroll: ScrollBar | None = None
    notes: Mapping[tuple[int, int], str] = field(default_factory=dict)


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
    headers: Sequence[str],
    units: Sequence[str],
    rows: Sequence[Sequence[Value]],
    cells: str,
    setting: SheetSetting,
    before: str = "",
) -> Iterator[bytes]:
    has_units = any(units)
    contents = zip(headers, *rows, strict=True)
    widths = usual(min(MAX_LIST_WIDTH, 3.0 + max(len(_shown(each)) for each in column)) for column in contents)
    frozen = (1, 2 if has_units else 1)
    yield opening(setting, cells, tab=TAB_INPUTS, frozen=frozen, columns=widths, grid=True)
    yield row_xml(1, [(header, "header text") for header in headers], setting.formats, 20).encode()
    first = 2
    if has_units:
        titled = ["units", *units[1:]]
        yield row_xml(2, [(unit, "units") for unit in titled], setting.formats).encode()
        first = 3
    for number, row in enumerate(rows, start=first):
        yield row_xml(number, [(value, "general") for value in row], setting.formats).encode()
    yield closing(setting, before=before)


def form_sheet(
    name: str,
    columns: Sequence[Column],
    rows: Sequence[Mapping[str, Value]],
    offers: Mapping[str, Mapping[int, Sequence[str]]] = NO_OFFERS,
) -> NewSheet:
    """A sheet of records to be filled in further, with drop-downs of the words that its columns declare.

    rows: by name of the column. offers: words for single rows, by column and number of the row from 0 on.
    """
    headers = [column.name for column in columns]
    cells = f"A1:{cell_name(len(rows) + 1, len(headers))}"
    contents = [[row.get(header) for header in headers] for row in rows]
    rules = _validations(columns, len(rows) + SPARE_ROWS, offers)
    return NewSheet(name, partial(_list_xml, headers, ("",) * len(headers), contents, cells, before=rules), cells)


def _validations(columns: Sequence[Column], last: int, offers: Mapping[str, Mapping[int, Sequence[str]]]) -> str:
    """The element that offers words in cells, and says what a column holds while one of its cells is chosen.

    A word that is not offered may be typed too: the message of sheetmbs says more about it.
    """
    rules = []
    for number, column in enumerate(columns, start=1):
        words = ("yes", "no") if column.kind is ColumnKind.FLAG else column.choices
        single = offers.get(column.name, {})
        doc = f"{column.doc}{f'; blank = {column.default}' if column.default else ''}"
        others = [row for row in range(last) if row not in single]
        for offered, chosen in ((words, others), *((words, [row]) for row, words in single.items())):
            kind = "list" if offered else "none"
            formula = f"<formula1>{text(chr(34) + ','.join(offered) + chr(34))}</formula1>" if offered else ""
            places = " ".join(f"{cell_name(a + 2, number)}:{cell_name(b + 2, number)}" for a, b in _runs(chosen))
            said = f'promptTitle="{text(column.name)}" prompt="{text(doc[:MAX_PROMPT])}"'
            rules.append(
                f'<dataValidation type="{kind}" allowBlank="1" showInputMessage="1" {said} sqref="{places}">'
                f"{formula}</dataValidation>"
            )
    return f'<dataValidations count="{len(rules)}">{"".join(rules)}</dataValidations>'


def _runs(rows: Sequence[int]) -> list[tuple[int, int]]:
    """First and last of each run of numbers that follow each other."""
    found: list[tuple[int, int]] = []
    for row in rows:
        if found and row == found[-1][1] + 1:
            found[-1] = (found[-1][0], row)
        else:
            found.append((row, row))
    return found


def _shown(value: Value) -> str:
    return value if isinstance(value, str) else "" if value is None else f"{value:.6g}"
