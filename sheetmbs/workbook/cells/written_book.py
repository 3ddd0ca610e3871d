"""The formulas of a workbook, its defined names and tables, as `sheetmbs.formulas` takes them (ECMA-376 part 1, 18.3.1.40)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cached_property

from lxml import etree
from openpyxl.formula.translate import Translator, TranslatorError

from sheetmbs.formulas.cell_contents import (
    Area,
    DefinedName,
    ErrorValue,
    Stored,
    Value,
    WrittenBook,
    WrittenFormula,
    WrittenTable,
)
from sheetmbs.formulas.formula_references import area_of, places_of
from sheetmbs.schema.cell import MAX_COLUMNS, MAX_ROWS, Cell, CellKind, Place, cell_name
from sheetmbs.schema.names import RESULT_SHEETS
from sheetmbs.workbook.cells.book import Book
from sheetmbs.workbook.cells.cell_rows import SheetRows
from sheetmbs.workbook.cells.sheet_reader import FormulaElement, SharedParts, SheetReader
from sheetmbs.workbook.package.formats import serial_of
from sheetmbs.workbook.package.package import MAIN, Package

_FORMULA = re.compile(rb"<(?:[A-Za-z0-9]+:)?f[ />]")
MAX_ARRAY_CELLS = 1_000_000
"""cells of a sheet that array formulas fill together: each is kept by its address"""
MAX_SHARED_CHARACTERS = 1 << 26
"""characters of a formula in all cells that share it: a million cells with 64 each"""
_BUILT_IN_PREFIX = "_xlnm."
"""before names that Excel gives: print areas, filters"""


def written_book(book: Book) -> WrittenBook:
    """The formulas of an open workbook, with the values that its cells have in the file.

    Result sheets hold values alone: formulas there only serve those who look at them. Raises WorkbookError where a sheet is
    damaged.
    """
    package = Package(book.path, book.content)
    shared = SharedParts(package)
    formulas: dict[Place, WrittenFormula] = {}
    sheets: dict[str, SheetValues] = {}
    for sheet in package.sheets:
        if sheet.kind != "worksheet":
            continue
        has_formulas = any(_FORMULA.search(piece) for piece in package.pieces(sheet.part))
        reader = SheetReader(sheet, shared, with_formulas=has_formulas)
        sheets[sheet.name] = SheetValues(reader, epoch_1904=shared.epoch_1904)
        if has_formulas and not sheet.name.casefold().startswith(RESULT_SHEETS):
            formulas |= _formulas(sheet.name, sheets[sheet.name].formulas)
    settings = shared.epoch_1904, shared.zeros_are_guesses
    return WrittenBook(sheets, formulas, tuple(_names(package)), tuple(_tables(package)), *settings)


class SheetValues:
    """The values of a sheet, which is read when they are first asked for."""

    def __init__(self, reader: SheetReader, *, epoch_1904: bool) -> None:
        self._reader = reader
        self._epoch_1904 = epoch_1904

    @property
    def formulas(self) -> list[FormulaElement]:
        """Formulas of the sheet."""
        _ = self._rows
        return self._reader.formulas

    @cached_property
    def _rows(self) -> SheetRows:
        return self._reader.rows()

    def at(self, row: int, column: int) -> Value | Stored:
        """The value of one cell."""
        cell = self._rows.cell(row, column)
        return None if cell is None else self._value(cell)

    def within(self, area: Area) -> Iterator[tuple[int, int, Value | Stored]]:
        """Row, column and value of every cell of a range that holds something."""
        numbers, others = self._rows.numbers, self._rows.others
        found = numbers.within(area.top, area.left, area.bottom, area.right)
        rows, columns, values = (array[found].tolist() for array in (numbers.rows, numbers.columns, numbers.values))
        yield from zip(rows, columns, values, strict=True)
        wanted = range(area.top, area.bottom + 1)
        for row in wanted if len(wanted) < len(others) else [each for each in others if each in wanted]:
            for column, cell in others.get(row, {}).items():
                if area.left <= column <= area.right and not _is_blank(cell):
                    yield row, column, self._value(cell)

    def _value(self, cell: Cell) -> Value | Stored:
        if _is_blank(cell):
            return None
        if cell.kind is CellKind.UNCACHED:
            return Stored.NOTHING
        if cell.kind is CellKind.ERROR:
            return ErrorValue(str(cell.value))
        if cell.kind is CellKind.DATE:
            return serial_of(str(cell.value), epoch_1904=self._epoch_1904)
        return cell.value


def _is_blank(cell: Cell) -> bool:
    """Whether a cell is only there because it is merged with others."""
    return cell.merged and cell.kind is CellKind.TEXT and not cell.value


def _formulas(sheet: str, elements: list[FormulaElement]) -> dict[Place, WrittenFormula]:
    found: dict[Place, WrittenFormula] = {}
    shared: dict[str, _SharedFormula] = {}
    filled = 0
    for element in elements:
        place, kind = Place(sheet, element.row, element.column), element.attributes.get("t", "normal")
        text = element.text.strip().removeprefix("=")
        if kind == "shared":
            number = element.attributes.get("si", "")
            if text and number not in shared:
                shared[number] = _SharedFormula(element, text)
            else:
                text = shared[number].moved(element) if number in shared else ""
        array = _area(sheet, element.attributes.get("ref", "")) if kind in ("array", "dataTable") else None
        is_table = kind == "dataTable"
        filled += 0 if array is None else array.size
        if array is not None and filled > MAX_ARRAY_CELLS:
            found[place] = WrittenFormula("", Area(sheet, *place[1:], *place[1:]), fills_too_many=True)
            continue
        if array is not None:
            found |= {each: WrittenFormula("", fills=place) for each in places_of(array) if each != place}
        if array is not None and array.size == 1 and not is_table:
            array = Area(sheet, place.row, place.column, place.row, place.column)
        found[place] = WrittenFormula(text, array, is_data_table=is_table)
    return found


class _SharedFormula:
    """A formula that other cells share with the one that has it."""

    def __init__(self, first: FormulaElement, text: str) -> None:
        self._formula = Translator(f"={text}", cell_name(first.row, first.column))
        self._left = MAX_SHARED_CHARACTERS

    def moved(self, element: FormulaElement) -> str:
        """The text in another cell; one that nobody can read once all cells have more text than any real workbook."""
        try:
            text = str(self._formula.translate_formula(cell_name(element.row, element.column))).removeprefix("=")
        except TranslatorError:
            return "#REF!"
        self._left -= len(text)
        return text if self._left >= 0 else "("


def _area(sheet: str, text: str) -> Area | None:
    known = area_of(sheet, text)
    return None if known is None or known[0].bottom == MAX_ROWS or known[0].right == MAX_COLUMNS else known[0]


def _names(package: Package) -> Iterator[DefinedName]:
    sheets = [sheet.name for sheet in package.sheets]
    for element in package.xml(package.workbook).iterfind(f"{{{MAIN}}}definedNames/{{{MAIN}}}definedName"):
        name, scope = str(element.get("name", "")), element.get("localSheetId")
        if name.startswith(_BUILT_IN_PREFIX) or not (element.text or "").strip():
            continue
        number = int(scope) if scope is not None and str(scope).isdecimal() else None
        if number is None or number < len(sheets):
            yield DefinedName(name, str(element.text).strip(), None if number is None else sheets[number])


def _tables(package: Package) -> Iterator[WrittenTable]:
    for sheet in package.sheets:
        if sheet.kind != "worksheet":
            continue
        for relationship in package.relationships(sheet.part).values():
            if relationship.kind == "table" and not relationship.external and package.find(relationship.target):
                table = _table(sheet.name, package.xml(relationship.target))
                if table is not None:
                    yield table


def _table(sheet: str, root: etree._Element) -> WrittenTable | None:
    area = _area(sheet, str(root.get("ref", "")))
    headers = tuple(
        str(each.get("name", "")) for each in root.iterfind(f"{{{MAIN}}}tableColumns/{{{MAIN}}}tableColumn")
    )
    name = str(root.get("displayName") or root.get("name") or "")
    if area is None or not name:
        return None
    has_header, has_totals = root.get("headerRowCount", "1") != "0", root.get("totalsRowCount", "0") != "0"
    return WrittenTable(name, area, headers, has_header, has_totals)
