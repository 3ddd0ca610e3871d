"""The XML of the result sheets, written row by row: numbers in full double precision, texts within their cells."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from math import ceil
from types import MappingProxyType
from typing import Literal

import numpy as np
from numpy.typing import NDArray

from sheetmbs.schema.cell import cell_name, column_letters
from sheetmbs.schema.table import Table, TextColumn
from sheetmbs.workbook.package.printing import SMALLEST_NUMBER, RowLayout, printed, text
from sheetmbs.workbook.package.styles import LOOKS, number_format
from sheetmbs.workbook.sheets.page_contents import LookedCell

DIGIT, PADDING = 7, 5
"""pixels of a digit, and around a number, in the default font"""
PORTRAIT_WIDTH, LANDSCAPE_WIDTH = 717, 1045
"""pixels across an A4 page between its margins"""
MIN_SCALE = 0.6
"""to which a page may shrink: numbers of 11 points are still read at 6.6"""
WIDTH_OF_NUMBERS, WIDTH_OF_FEW_DIGITS = MIN_WIDTHS = 13.0, 11.0
"""digits that a column of numbers is wide at least, and one whose numbers are all short"""
ONE_PAGE_ACROSS = '<pageSetup paperSize="9" fitToHeight="0" orientation="landscape"/>'
"""one page across, for each of the ranges that are printed"""
ROWS_UPRIGHT, ROWS_ACROSS = 78, 52
"""of numbers that fill a page at the smallest size, upright or across"""
ROWS_AT_ONCE = 2_000
"""rows that are made at a time"""
BEST_LOOK = "best "
"""how the names of looks begin that rows have which stand out"""
Printer = Callable[[int, str, str], str]
"""the cell of a row: its number in the table, as text on the sheet, and which kind of look the row has"""
ROWS, COLUMNS = 1_048_576, 16_384
FIRST_DATA_ROW = 3
ROW_POINTS, TEXT_ROW_POINTS, MAX_ROW_POINTS = 15, 18, 405
TEXT_FILLS = 0.85
"""of a column's width, when it breaks between words"""
DIGITS, SHOWN_DIGITS = 6, 3
TIME_RESOLUTION = 1e-10
MAX_PLAIN, MIN_PLAIN = 1e7, 1e-3
FOLDED = ' hidden="1" outlineLevel="1"'
HIDDEN, GROUPED = ' hidden="1"', ' outlineLevel="1"'
RECORD_COLUMN = 8
"""of the sheet of charts: hidden behind them"""
START = (
    '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
    '<worksheet xmlns="http://schemas.openxmlformats.org/spreadsheetml/2006/main"'
    ' xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships">'
)
END = "</worksheet>"
FOOT = "<headerFooter><oddFooter>&amp;L&amp;F, &amp;A&amp;R&amp;P / &amp;N</oddFooter></headerFooter>"
MARGINS = '<pageMargins left="0.4" right="0.4" top="0.5" bottom="0.5" header="0.3" footer="0.3"/>'
TAB_RESULTS = "FF2F6DB5"
Formats = Mapping[str, int]


def usual_width(name: str, least: float = WIDTH_OF_NUMBERS) -> float:
    """Width of a column of numbers, in digits. name: its header."""
    return min(max(least, len(name) * 1.15 + 2), 34.0)


def text_width(name: str, texts: Sequence[str]) -> float:
    """Width of a column of texts, in digits: that of the longest, up to a limit."""
    return min(max(len(name) * 1.15 + 4, *(len(each) * 1.05 + 2 for each in set(texts))), 60.0)


def last_on_page(names: Sequence[str], first: int, last: int, repeated: int) -> int:
    """The last of the columns from first to last that a page across holds beside the repeated ones at the smallest size."""
    room = LANDSCAPE_WIDTH / MIN_SCALE - sum(DIGIT * usual_width(name) + PADDING for name in names[:repeated])
    end = first
    taken = DIGIT * usual_width(names[first]) + PADDING
    while end < last:
        taken += DIGIT * usual_width(names[end + 1]) + PADDING
        if taken > room:
            break
        end += 1
    return end


def page_setup(widths: Sequence[float], rows: int) -> str:
    """The element `pageSetup` of a sheet.

    widths: of the printed columns, in digits, the first of which is repeated on every page. rows: of numbers that are printed.
    """
    pixels = [DIGIT * width + PADDING for width in widths]
    total = sum(pixels)
    is_upright = total <= PORTRAIT_WIDTH / MIN_SCALE
    room = (PORTRAIT_WIDTH if is_upright else LANDSCAPE_WIDTH) / MIN_SCALE
    orientation = "portrait" if is_upright else "landscape"
    pages = max(ceil((total - pixels[0]) / (room - pixels[0])), 1)
    down = int(pages == 1 and rows <= ROWS_UPRIGHT)
    return f'<pageSetup paperSize="9" fitToWidth="{pages}" fitToHeight="{down}" orientation="{orientation}"/>'


def mixed_rows(
    columns: Sequence[tuple[str, NDArray[np.float64] | TextColumn, str]],
    marked: Collection[int],
    formats: Formats,
    first_row: int,
) -> Iterator[bytes]:
    """All rows. columns: letters, content and look of each. marked: rows that stand out. first_row: where they begin."""
    printers = [
        _text_printer(letters, content, formats)
        if isinstance(content, TextColumn)
        else _number_printer(letters, content, look, formats)
        for letters, content, look in columns
    ]
    content = columns[0][1]
    count = len(content.texts) if isinstance(content, TextColumn) else len(content)
    for start in range(0, count, ROWS_AT_ONCE):
        rows = []
        for row in range(start, min(start + ROWS_AT_ONCE, count)):
            number, kind = str(first_row + row), BEST_LOOK if row in marked else ""
            rows.append(f'<row r="{number}">{"".join([cell(row, number, kind) for cell in printers])}</row>')
        yield "".join(rows).encode()


def _number_printer(letters: str, values: NDArray[np.float64], look: str, formats: Formats) -> Printer:
    """Printer of a column of numbers; an unknown number leaves no cell."""
    held = np.where(np.abs(values) < SMALLEST_NUMBER, 0.0, values).tolist()
    known = np.isfinite(values).tolist()
    styles = {kind: formats[f"{kind}{look}"] for kind in ("", BEST_LOOK)}

    def printed(row: int, number: str, kind: str) -> str:
        if known[row]:
            return f'<c r="{letters}{number}" s="{styles[kind]}"><v>{held[row]!r}</v></c>'
        return f'<c r="{letters}{number}" s="{styles[kind]}"/>' if kind else ""

    return printed


def _text_printer(letters: str, column: TextColumn, formats: Formats) -> Printer:
    """Printer of a column of texts; texts with a look of their own keep it in rows that stand out."""
    usual = {"": formats["general text"], BEST_LOOK: formats[f"{BEST_LOOK}text"]}
    styles = {said: formats[look] for said, look in column.looks.items()}

    def printed(row: int, number: str, kind: str) -> str:
        said = column.texts[row]
        if not said:
            return f'<c r="{letters}{number}" s="{usual[kind]}"/>' if kind else ""
        style = styles.get(said, usual[kind])
        return (
            f'<c r="{letters}{number}" s="{style}" t="inlineStr"><is><t xml:space="preserve">{text(said)}</t></is></c>'
        )

    return printed


@dataclass(frozen=True)
class SheetSetting:
    """The context that the XML of a sheet needs from its workbook.

    formats: index of each look's cell format. selected: it is the active sheet. drawing: the relationship that leads
    to its drawing, or "". tables: those that lead to tables of the user's. scroll: those of its scroll bar: to its shape and
    to its properties. notes: the one that leads to the shapes of the notes on its cells, or "".
    """

    formats: Formats
    selected: bool = False
    drawing: str = ""
    tables: tuple[str, ...] = ()
    scroll: tuple[str, str] = ("", "")
    notes: str = ""


@dataclass(frozen=True, slots=True)
class Shown:
    """Appearance of a column. width: in digits of the default font. is_grouped: it can be folded away with those beside it."""

    width: float
    hidden: bool = False
    is_grouped: bool = False


@dataclass(frozen=True)
class RowBlock:
    """The part of a table that one sheet holds: rows from ``first_row`` on, and these columns of it."""

    sheet: str
    table: Table
    first_row: int
    rows: int
    columns: tuple[int, ...]

    @property
    def cells(self) -> str:
        """The range that it covers."""
        return f"A1:{cell_name(self.rows + FIRST_DATA_ROW - 1, max(len(self.columns), 1))}"


def blocks(table: Table) -> list[RowBlock]:
    """A table cut into sheets; each part repeats the first column, which is time."""
    rows, columns = table.values.shape
    most_rows = ROWS - FIRST_DATA_ROW + 1
    row_starts = range(0, max(rows, 1), most_rows)
    others = [range(start, min(start + COLUMNS - 1, columns)) for start in range(1, columns, COLUMNS - 1)] or [range(0)]
    parts: list[RowBlock] = []
    for first_row in row_starts:
        for chosen in others:
            name = table.name if not parts else f"{table.name} {len(parts) + 1}"
            held = (0, *chosen) if columns else ()
            parts.append(RowBlock(name, table, first_row, min(rows - first_row, most_rows), held))
    return parts


def _printed_columns(block: RowBlock) -> tuple[int, int]:
    """The first and the last column, from 0, that are printed: of the table's own pages the first, else what fits on one."""
    if block.table.printed and len(block.columns) == len(block.table.columns):
        return block.table.printed[0]
    names = [block.table.columns[k] for k in block.columns]
    last = max(place for place, name in enumerate(names) if name not in block.table.aside)
    return 0, last_on_page(names, 0, last, 0)


def printed_cells(block: RowBlock) -> str:
    """The range of a sheet that is printed, one page: its first rows, up to the last column that more than a few need.

    Whoever prints a whole workbook wants its report and its charts, not all the numbers behind them.
    """
    first, last = _printed_columns(block)
    pixels = sum(
        DIGIT * usual_width(block.table.columns[block.columns[place]]) + PADDING for place in range(first, last + 1)
    )
    is_upright = not block.table.printed and pixels <= PORTRAIT_WIDTH / MIN_SCALE
    bottom = min(block.rows, ROWS_UPRIGHT if is_upright else ROWS_ACROSS) + FIRST_DATA_ROW - 1
    return f"${column_letters(first + 1)}$1:${column_letters(last + 1)}${bottom}"


def decimals(values: NDArray[np.float64]) -> Literal["general"] | int | None:
    """Number of decimals that show about six significant digits of a column's largest number.

    None = a number with an exponent; ``general`` where whole numbers, or none, need no decimals.
    """
    known = np.abs(values[np.isfinite(values)])
    largest = float(known.max(initial=0.0))
    if largest < MAX_PLAIN and not np.any(known % 1):
        return "general"
    if not MIN_PLAIN <= largest < MAX_PLAIN:
        return None
    return int(np.clip(DIGITS - 1 - np.floor(np.log10(largest)), 0, 8))


def decimals_as_given(values: NDArray[np.float64]) -> int:
    """Number of decimals that show times such as 0.00145 and 0.0029 exactly, eight at most."""
    known = values[np.isfinite(values)]
    return next((n for n in range(8) if np.all(np.abs(np.round(known, n) - known) < TIME_RESOLUTION)), 8)


def filtered_cells(block: RowBlock) -> str:
    """The range in which rows can be chosen by what they hold: from the units on, below which numbers begin."""
    return f"$A$2:${column_letters(len(block.columns))}${block.rows + FIRST_DATA_ROW - 1}"


def look_of_list(values: NDArray[np.float64]) -> str:
    """The look of numbers one below the other, so that the largest shows about six digits and what only rounds shows 0."""
    shown = decimals(values)
    return f"list {number_format(0 if shown == 'general' else shown)}"


def _look(values: NDArray[np.float64], *, as_given: bool, most: int | None) -> str:
    shown = decimals_as_given(values) if as_given else decimals(values)
    if most is not None and not as_given and isinstance(shown, int):
        # six digits of the largest number less three leave three of it, however small it is
        shown = min(shown, max(most, shown - DIGITS + SHOWN_DIGITS))
    return "general" if shown == "general" else number_format(shown)


def cell_xml(reference: str, cell: LookedCell, formats: Formats) -> str:
    """A cell at its reference."""
    value, look = cell
    style = f'<c r="{reference}" s="{formats[look]}"'
    if value is None or value == "" or (isinstance(value, float) and not np.isfinite(value)):
        return f"{style}/>"
    if isinstance(value, str):
        return f'{style} t="inlineStr"><is><t xml:space="preserve">{text(value)}</t></is></c>'
    return f"{style}><v>{_number(value)}</v></c>"


def _number(value: float) -> str:
    return str(value) if isinstance(value, int) else repr(float(value) + 0.0 if abs(value) >= SMALLEST_NUMBER else 0.0)


def formula_xml(reference: str, formula: str, cell: LookedCell, formats: Formats) -> str:
    """A cell with a formula, and its present value."""
    value, look = cell
    held = f"<v>{text(value)}</v>" if isinstance(value, str) else f"<v>{_number(value or 0)}</v>"
    kind = ' t="str"' if isinstance(value, str) else ""
    return f'<c r="{reference}" s="{formats[look]}"{kind}><f>{text(formula)}</f>{held}</c>'


def row_xml(
    number: int, cells: Iterable[LookedCell], formats: Formats, height: float | None = None, more: str = ""
) -> str:
    """A row with its cells. more: attributes of the row."""
    tall = f' ht="{height:g}" customHeight="1"' if height else ""
    inner = "".join(cell_xml(cell_name(number, i), cell, formats) for i, cell in enumerate(cells, start=1))
    return f'<row r="{number}"{tall}{more}>{inner}</row>'


def height(cells: Sequence[LookedCell], widths: Sequence[float]) -> float:
    """A height, in points, in which texts that wrap are seen whole: not every program fits rows when it opens a file."""
    wrapped = (
        (len(value), width)
        for (value, look), width in zip(cells, widths, strict=True)
        if LOOKS[look].wrap and isinstance(value, str)
    )
    lines = max((ceil(length / (TEXT_FILLS * width)) for length, width in wrapped), default=1)
    return min(TEXT_ROW_POINTS + ROW_POINTS * max(lines - 1, 0), MAX_ROW_POINTS)


def _widths(columns: Mapping[int, Shown]) -> str:
    cols = "".join(
        f'<col min="{i}" max="{i}" width="{look.width:g}"{HIDDEN if look.hidden else ""} customWidth="1"'
        f"{GROUPED if look.is_grouped else ''}/>"
        for i, look in columns.items()
    )
    return f"<cols>{cols}</cols>" if cols else ""


def usual(widths: Iterable[float]) -> dict[int, Shown]:
    """Appearance of columns of these widths, by number."""
    return {place: Shown(width) for place, width in enumerate(widths, start=1)}


def opening(
    setting: SheetSetting,
    extent: str,
    *,
    tab: str = TAB_RESULTS,
    frozen: tuple[int, int] = (0, 0),
    columns: Mapping[int, Shown] = MappingProxyType({}),
    grid: bool = False,
    fit: bool = False,
    rows: Literal["", "exact", "folded", "exact folded"] = "",
) -> bytes:
    """All that stands before the rows.

    extent: the range of cells. frozen: columns and rows. columns: how they are shown, by number. fit: to a page's width.
    rows: exact, of heights of their own; folded, some are folded away below those they belong to.
    """
    across, down = frozen
    exact = ' customHeight="1"' if "exact" in rows else ""
    pane = ""
    if across or down:
        name = "bottomRight" if across and down else "bottomLeft"
        splits = (f' xSplit="{across}"' if across else "") + f' ySplit="{down}"'
        corner = cell_name(down + 1, across + 1)
        pane = (
            f'<pane{splits} topLeftCell="{corner}" activePane="{name}" state="frozen"/>'
            f'<selection pane="{name}" activeCell="{corner}" sqref="{corner}"/>'
        )
    fitted = '<pageSetUpPr fitToPage="1"/>' if fit else ""
    folded = '<outlinePr summaryBelow="0"/>' if "folded" in rows else ""
    grouped = any(look.is_grouped for look in columns.values())
    folded = '<outlinePr summaryRight="0"/>' if grouped else folded
    levels = ' outlineLevelRow="1"' if "folded" in rows else ' outlineLevelCol="1"' if grouped else ""
    chosen = ' tabSelected="1"' if setting.selected else ""
    lines = "" if grid else ' showGridLines="0"'
    return (
        f'{START}<sheetPr><tabColor rgb="{tab}"/>{folded}{fitted}</sheetPr><dimension ref="{extent}"/>'
        f'<sheetViews><sheetView{lines}{chosen} zoomScale="100" zoomScaleNormal="100" workbookViewId="0">{pane}'
        f'</sheetView></sheetViews><sheetFormatPr defaultRowHeight="{ROW_POINTS}"{exact}{levels}/>{_widths(columns)}<sheetData>'
    ).encode()


def closing(
    setting: SheetSetting,
    page: str = "",
    *,
    before: str = "",
    after: str = "",
    breaks: Sequence[int] = (),
    foot: str = FOOT,
) -> bytes:
    """All that stands behind the rows.

    page: how it is printed. before: elements that come before that; after: those behind the drawing. breaks: rows after each of
    which a sheet of paper ends. foot: what stands at the foot of each sheet of paper.
    """
    drawing = f'<drawing r:id="{setting.drawing}"/>' if setting.drawing else ""
    drawing += f'<legacyDrawing r:id="{setting.notes}"/>' if setting.notes else ""
    ends = "".join(f'<brk id="{row}" max="16383" man="1"/>' for row in breaks)
    ended = f'<rowBreaks count="{len(breaks)}" manualBreakCount="{len(breaks)}">{ends}</rowBreaks>' if breaks else ""
    return f"</sheetData>{before}{MARGINS}{page}{foot}{ended}{drawing}{after}{END}".encode()


def table_sheet(
    block: RowBlock, shown: Mapping[str, Shown], remark: str, setting: SheetSetting, tab: str = TAB_RESULTS
) -> Iterator[bytes]:
    """A sheet of one table: headers, units, then numbers; a number that is not known is an empty cell.

    shown: how columns are shown that do not look as usual. remark: what stands in place of the numbers, or "". tab: colour.
    """
    table, last = block.table, block.first_row + block.rows
    values = table.values[block.first_row : last]
    names = [table.columns[i] for i in block.columns]
    units = [table.units[i] for i in block.columns]
    looks = [_look(values[:, i], as_given=place == 0, most=table.decimals) for place, i in enumerate(block.columns)]
    least = (WIDTH_OF_NUMBERS if look == number_format(None) else WIDTH_OF_FEW_DIGITS for look in looks)
    texts = [table.texts.get(i) for i in block.columns]
    widths = (
        Shown(usual_width(name, each) if held is None else text_width(name, held.texts))
        for each, name, held in zip(least, names, texts, strict=True)
    )
    columns = {i: shown.get(name, look) for i, (name, look) in enumerate(zip(names, widths, strict=True), start=1)}
    first, end = _printed_columns(block)
    on_paper = [columns[place + 1].width for place in range(first, end + 1)]
    page = ONE_PAGE_ACROSS if table.printed else page_setup(on_paper, min(block.rows, ROWS_UPRIGHT))
    extent = f"A1:{cell_name(FIRST_DATA_ROW, max(len(names), 1))}" if remark else block.cells
    grouped = {place for place, i in enumerate(block.columns, start=1) if i in table.grouped}
    columns |= {place: replace(columns[place], is_grouped=True) for place in grouped}
    yield opening(setting, extent, tab=tab, frozen=(1, 2), columns=columns, grid=True, fit="fitTo" in page)
    heads = [(name, "header text" if held else "header") for name, held in zip(names, texts, strict=True)]
    yield row_xml(1, heads, setting.formats, 20).encode()
    yield row_xml(2, [(unit, "units") for unit in units], setting.formats).encode()
    if table.texts:
        # a table with texts has but one block: there are never so many rows
        letters = map(column_letters, range(1, len(names) + 1))
        content = [held or values[:, i] for i, held in zip(block.columns, texts, strict=True)]
        yield from mixed_rows(
            list(zip(letters, content, looks, strict=True)), table.marked, setting.formats, FIRST_DATA_ROW
        )
    else:
        yield from numbers_xml(values, block.columns, [setting.formats[look] for look in looks], FIRST_DATA_ROW)
    filtered = f'<autoFilter ref="{filtered_cells(block).replace("$", "")}"/>' if table.has_filter else ""
    if remark:
        yield row_xml(FIRST_DATA_ROW, [(remark, "remark")], setting.formats).encode()
    held = "".join(f'<tablePart r:id="{table}"/>' for table in setting.tables)
    held = f'<tableParts count="{len(setting.tables)}">{held}</tableParts>' if held else ""
    yield closing(setting, page, before=filtered, after=held)


def numbers_xml(
    values: NDArray[np.float64], columns: Sequence[int], styles: Sequence[int], first_row: int
) -> Iterator[bytes]:
    """Rows of numbers from column A on. columns: those of ``values`` that are written. styles: their cell formats."""
    names = (column_letters(place) for place, _index in enumerate(columns, start=1))
    cells = [(f'<c r="{name}', f'" s="{style}"><v>') for name, style in zip(names, styles, strict=True)]
    row = ('<row r="', '">', "</row>")
    layout = RowLayout(cells, "</v></c>", row, addressed=True, least=SMALLEST_NUMBER)
    return printed(values, columns, layout, first_row)


def charts_sheet(
    notes: Sequence[str], record: Sequence[str], page_breaks: Sequence[int], setting: SheetSetting
) -> Iterator[bytes]:
    """The sheet that carries the charts.

    notes: lines under its title. record: what the next run must know, in a hidden column below them, so that it cuts none
    of them off. page_breaks: rows after which a page ends.
    """
    yield opening(
        setting,
        f"A1:{cell_name(len(notes) + 1 + len(record), RECORD_COLUMN)}",
        columns={RECORD_COLUMN: Shown(8.0, hidden=True)},
        rows="exact",
    )
    lines = [("Charts", "title"), *((note, "remark") for note in notes)]
    for number, line in enumerate(lines, start=1):
        height = 2 * ROW_POINTS if number == 1 else ROW_POINTS
        yield row_xml(number, [line], setting.formats, height).encode()
    for number, kept in enumerate(record, start=len(lines) + 1):
        cell = cell_xml(cell_name(number, RECORD_COLUMN), (kept, "record"), setting.formats)
        yield f'<row r="{number}" ht="{ROW_POINTS}" customHeight="1">{cell}</row>'.encode()
    setup = '<pageSetup paperSize="9" scale="75" orientation="landscape"/>'
    yield closing(setting, setup, breaks=page_breaks)


def empty_sheet(setting: SheetSetting) -> Iterator[bytes]:
    """A sheet for which the last run had no results, kept because something of the user's refers to it."""
    yield opening(setting, "A1")
    note = "The last run had no results for this sheet."
    yield f"{row_xml(1, [(note, 'remark')], setting.formats)}</sheetData>{MARGINS}{END}".encode()
