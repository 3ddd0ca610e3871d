"""Reads one sheet: from the XML of its part to cells (ECMA-376 part 1, 18.3).

Values are those that the program which saved the file last computed: a formula is never evaluated here.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property

from lxml import etree

from sheetmbs.problems.errors import WorkbookError
from sheetmbs.schema.cell import MAX_COLUMNS, MAX_ROWS, Cell, CellKind, ColumnLetters, address
from sheetmbs.workbook.cells.cell_rows import NO_NUMBERS, Numbers, SheetRows
from sheetmbs.workbook.package.archive import damaged, refusal
from sheetmbs.workbook.package.formats import DateFormat, date_styles, index, iso_date, percent_styles
from sheetmbs.workbook.package.package import MAIN, Package, SheetPart
from sheetmbs.workbook.package.partxml import stream_xml

_HIDDEN = (b'hidden="1"', b'hidden="true"')
_ROW_NUMBER = re.compile(rb"<(?:\w+:)?row\s[^<>]*?\br=\"([0-9]{1,7})\"")
MAX_TAG_BYTES = 1 << 16
SMALL_SHEET = 20_000
"""Bytes up to which the parser alone is as fast as the short way for plain numbers"""
MAX_MERGED = 100_000
"""Cells of a sheet that may lie in merged ranges; merged whole columns and rows hold many times that."""
_ROW, _CELL, _VALUE, _FORMULA, _INLINE, _ITEM, _RUN, _TEXT, _MERGE, _SHEET = (
    f"{{{MAIN}}}{name}" for name in ("row", "c", "v", "f", "is", "si", "r", "t", "mergeCell", "worksheet")
)
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
_REFERENCE = re.compile(r"\$?([A-Za-z]{1,3})\$?([1-9][0-9]{0,6})")
_ESCAPE = re.compile(r"_x([0-9A-Fa-f]{4})_")


class HiddenRows:
    """Collects the numbers of hidden rows, from 1. A row without a number of its own is passed over."""

    def __init__(self) -> None:
        self.rows: list[int] = []
        self._kept = b""

    def watch(self, pieces: Iterable[bytes]) -> Iterator[bytes]:
        """The pieces of a sheet's XML as they are."""
        for piece in pieces:
            self._look(self._kept + piece)
            yield piece

    def _look(self, xml: bytes) -> None:
        end = xml.rfind(b">") + 1
        for word in _HIDDEN:
            at = xml.find(word, 0, end)
            while at >= 0:
                row = _ROW_NUMBER.match(xml, xml.rfind(b"<", 0, at))
                if row:
                    self.rows.append(int(row[1]))
                at = xml.find(word, at + len(word), end)
        self._kept = xml[max(end, len(xml) - MAX_TAG_BYTES) :]


@dataclass(frozen=True)
class SharedParts:
    """Parts that all sheets of a workbook share, each read when it is first needed."""

    package: Package
    columns: ColumnLetters = field(default_factory=ColumnLetters)

    @cached_property
    def strings(self) -> list[str]:
        """Texts that cells share, by number."""
        part = self.package.related(self.package.workbook, "sharedStrings")
        return (
            []
            if part is None
            else [unescaped(item_text(item)) for item in stream_xml(self.package.read(part), part, _ITEM)]
        )

    @cached_property
    def dates(self) -> dict[int, DateFormat]:
        """The cell styles that show dates."""
        part = self.package.related(self.package.workbook, "styles")
        return {} if part is None else date_styles(self.package.xml(part))

    @cached_property
    def percents(self) -> frozenset[int]:
        """The cell styles that show numbers as percent."""
        part = self.package.related(self.package.workbook, "styles")
        return frozenset() if part is None else percent_styles(self.package.xml(part))

    def number(self, value: float, style: str, row: int, column: int) -> Cell:
        """The cell that shows a number in a style: a date in some of them."""
        number = index(style)
        shown = self.dates.get(number)
        if shown is None:
            return Cell(row, column, CellKind.NUMBER, value, as_percent=number in self.percents)
        return Cell(row, column, CellKind.DATE, iso_date(value, shown, epoch_1904=self.epoch_1904))

    @cached_property
    def epoch_1904(self) -> bool:
        """Whether dates count from 1904 on."""
        properties = self.package.xml(self.package.workbook).find(f"{{{MAIN}}}workbookPr")
        return properties is not None and properties.get("date1904") in ("1", "true")

    @cached_property
    def zeros_are_guesses(self) -> bool:
        """Whether a stored 0 of a formula may be no result."""
        # XlsxWriter stores 0 as the value of every formula and has it replaced by whoever loads the file next
        calculation = self.package.xml(self.package.workbook).find(f"{{{MAIN}}}calcPr")
        return calculation is not None and calculation.get("fullCalcOnLoad") in ("1", "true")


@dataclass(frozen=True, slots=True)
class FormulaElement:
    """A formula as it stands in the XML of a cell. style: of the cell."""

    row: int
    column: int
    style: str
    text: str
    attributes: Mapping[str, str]


class SheetReader:
    """Reads one sheet. with_formulas: keep the formulas too, which takes the long way through the whole sheet."""

    def __init__(self, sheet: SheetPart, shared: SharedParts, *, with_formulas: bool = False) -> None:
        self._sheet = sheet
        self._shared = shared
        self.hidden = HiddenRows()
        self._numbers: list[tuple[int, int, float]] = []
        self._others: dict[int, dict[int, Cell]] = {}
        self._percents: set[tuple[int, int]] = set()
        self._row = 0
        self._with_formulas = with_formulas
        self.formulas: list[FormulaElement] = []
        """all of the sheet where they are asked for, else those whose values are not in the file"""

    def rows(self) -> SheetRows:
        """Read all cells. Raises WorkbookError where the sheet is damaged."""
        part = self._sheet.part
        rest, taken = self._take_numbers()
        merged, complete = [], False
        for element in stream_xml(rest, part, _ROW, _MERGE, _SHEET):
            if element.tag == _ROW:
                self._read_row(element)
            elif element.tag == _MERGE:
                merged.append(str(element.get("ref", "")))
            else:
                complete = True
        if not complete:
            raise damaged(f"the part {part} is not a sheet", self._sheet.name)
        numbers = taken.with_others(self._numbers)
        for row, column in numbers.doubles((row, column) for row, cells in self._others.items() for column in cells):
            raise self._double(row, column)
        numbers = self._mark_merged(merged, numbers)
        others = {row: dict(sorted(self._others[row].items())) for row in sorted(self._others)}
        return SheetRows(numbers, others, frozenset(self._percents))

    def _take_numbers(self) -> tuple[bytes, Numbers]:
        """The sheet's XML without the plain numbers that need no parser, and these."""
        package, part = self._shared.package, self._sheet.part
        if self._with_formulas or package.size(part) <= SMALL_SHEET:
            return b"".join(self.hidden.watch([package.read(part)])), NO_NUMBERS
        from sheetmbs.workbook.cells.plain_numbers import PlainNumbers

        plain = PlainNumbers(
            self._shared.dates.keys() | self._shared.percents, zeros_are_guesses=self._shared.zeros_are_guesses
        )
        rest = b"".join(plain.take(self.hidden.watch(package.stream(part))))
        return rest, plain.numbers

    def _read_row(self, element: etree._Element) -> None:
        given = element.get("r")
        self._row = self._row + 1 if given is None else self._row_number(str(given))
        column = 0
        for item in element.iterchildren(_CELL):
            reference = item.get("r")
            row, column = (self._row, column + 1) if reference is None else self._position(str(reference))
            if column > MAX_COLUMNS:
                raise damaged(f"row {row} has more than {MAX_COLUMNS:,} cells", self._sheet.name)
            cell = self._cell(item, row, column)
            if cell is None:
                continue
            if cell.kind is CellKind.NUMBER:
                self._numbers.append((row, column, float(cell.value)))
                if cell.as_percent:
                    self._percents.add((row, column))
                continue
            cells = self._others.setdefault(row, {})
            if column in cells:
                raise self._double(row, column)
            cells[column] = cell

    def _double(self, row: int, column: int) -> WorkbookError:
        return damaged("the sheet holds this cell twice", address(self._sheet.name, row, column))

    def _row_number(self, text: str) -> int:
        row = index(text)
        if not 1 <= row <= MAX_ROWS:
            raise damaged(f"a row has the number {text}", self._sheet.name)
        return row

    def _position(self, reference: str) -> tuple[int, int]:
        match = _REFERENCE.fullmatch(reference)
        row, column = (int(match[2]), self._shared.columns[match[1].encode()]) if match else (0, 0)
        if not (1 <= row <= MAX_ROWS and column):
            raise damaged(f"a cell has the address {reference}", self._sheet.name)
        return row, column

    def _cell(self, item: etree._Element, row: int, column: int) -> Cell | None:
        kind, (text, formula) = str(item.get("t", "n")), _stored(item)
        is_empty = text is None or (kind not in ("str", "inlineStr") and not text.strip())
        is_unknown = formula is not None and (is_empty or (text == "0" and self._shared.zeros_are_guesses))
        if formula is not None and (is_unknown or self._with_formulas):
            given = {str(name): str(value) for name, value in formula.items()}
            self.formulas.append(FormulaElement(row, column, str(item.get("s", "0")), formula.text or "", given))
        if is_unknown:
            return Cell(row, column, CellKind.UNCACHED, "")
        if text is None or is_empty:
            return None
        if kind == "n":
            return self._number(text, str(item.get("s", "0")), row, column)
        if kind == "s":
            return Cell(row, column, CellKind.TEXT, self._shared_string(text.strip(), row, column))
        if kind == "b" and text.strip() in ("0", "1", "true", "false"):
            return Cell(row, column, CellKind.BOOLEAN, text.strip() in ("1", "true"))
        if kind in ("e", "d"):
            return Cell(row, column, CellKind.ERROR if kind == "e" else CellKind.DATE, text.strip())
        return Cell(row, column, CellKind.TEXT, unescaped(text), from_formula=formula is not None and not text.strip())

    def _number(self, text: str, style: str, row: int, column: int) -> Cell:
        try:
            value = float(text if "_" not in text else "")
        except ValueError:
            return Cell(row, column, CellKind.TEXT, text)
        return self._shared.number(value, style, row, column)

    def _shared_string(self, place: str, row: int, column: int) -> str:
        number, strings = index(place), self._shared.strings
        if not 0 <= number < len(strings):
            raise damaged("the text of this cell is not in the workbook", address(self._sheet.name, row, column))
        return strings[number]

    def _mark_merged(self, ranges: list[str], numbers: Numbers) -> Numbers:
        """Mark the cells of merged ranges; return the numbers outside of them."""
        total = 0
        merged: list[int] = []
        for text in ranges:
            first, colon, last = text.partition(":")
            top, left = self._position(first)
            bottom, right = self._position(last if colon else first)
            size = (bottom - top + 1) * (right - left + 1)
            total += size
            if total > MAX_MERGED:
                raise refusal(
                    "merged-cells",
                    f"the merged range {text}",
                    f"at most {MAX_MERGED:,} cells of a sheet may be merged",
                    "unmerge it",
                    address(self._sheet.name, top, left),
                )
            if size == 1:
                continue
            found = numbers.within(top, left, bottom, right)
            merged += found
            for cell in numbers.cells(found):
                self._others.setdefault(cell.row, {})[cell.column] = cell
            for row in range(top, bottom + 1):
                cells = self._others.setdefault(row, {})
                for column in range(left, right + 1):
                    other = cells.get(column) or Cell(row, column, CellKind.TEXT, "")
                    cells[column] = replace(other, merged=True)
        return numbers.without(merged) if merged else numbers


def _stored(item: etree._Element) -> tuple[str | None, etree._Element | None]:
    """The value stored in a cell and the formula in it, None where there is none."""
    text, formula = None, None
    for child in item:
        tag = child.tag
        if tag == _VALUE:
            text = child.text or ""
        elif tag == _FORMULA:
            formula = child
        elif tag == _INLINE:
            text = item_text(child)
    return text, formula


def item_text(item: etree._Element) -> str:
    """Text of a shared or inline string: its own or that of its runs, without phonetic guides."""
    parts = []
    for child in item:
        text = child if child.tag == _TEXT else child.find(_TEXT) if child.tag == _RUN else None
        if text is not None:
            whole = text.text or ""
            parts.append(whole if text.get(_SPACE) == "preserve" else whole.strip(" \t\r\n"))
    return "".join(parts)


def unescaped(text: str) -> str:
    """Text with ``_x000D_`` read as the character of that number (ECMA-376 part 1, 22.9.2.19, ST_Xstring)."""
    if "_x" not in text:
        return text
    plain = _ESCAPE.sub(lambda match: chr(int(match[1], 16)), text)
    # two escapes may stand for the halves of one character
    return plain.encode("utf-16-le", "surrogatepass").decode("utf-16-le", "replace")
