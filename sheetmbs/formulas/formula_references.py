"""References in the text of a formula: which cells they mean, also by the names of tables, such as ``Load[force]``."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from sheetmbs.formulas.cell_contents import Area, WrittenTable
from sheetmbs.schema.cell import MAX_COLUMNS, MAX_ROWS, Place, column_letters, column_number

_CELLS = re.compile(
    r"(\$?)([A-Z]{1,3})(\$?)([1-9][0-9]{0,6})(?::(\$?)([A-Z]{1,3})(\$?)([1-9][0-9]{0,6}))?", re.IGNORECASE
)
_COLUMNS = re.compile(r"(\$?)([A-Z]{1,3}):(\$?)([A-Z]{1,3})", re.IGNORECASE)
_ROWS = re.compile(r"(\$?)([1-9][0-9]{0,6}):(\$?)([1-9][0-9]{0,6})")

_PART = re.compile(r"\[((?:'.|[^\[\]'])*)\]")
_PARTS = re.compile(rf"\s*{_PART.pattern}(?:\s*([,:])\s*{_PART.pattern})*\s*")
_ESCAPED = re.compile(r"'(.)")
_THIS_ROW = "#this row"
_DATA = ("#data",)


class Reference(NamedTuple):
    """A reference in parts. sheet: as written, without quotes, None where none is. rest: what stands behind it."""

    sheet: str | None
    rest: str

    @property
    def is_external(self) -> bool:
        """Whether it points into another workbook."""
        return (self.sheet or "").startswith("[") or ("[" in (self.sheet or "")) or self.rest.startswith("[")

    @property
    def is_over_sheets(self) -> bool:
        """Whether it takes the same cells of several sheets."""
        return ":" in (self.sheet or "")


def split_reference(text: str) -> Reference:
    """A reference in parts. Quotes around a sheet are taken away."""
    if text.startswith("'"):
        sheet, _quote, rest = text[1:].rpartition("'!")
        return Reference(sheet.replace("''", "'"), rest)
    sheet, mark, rest = text.rpartition("!")
    return Reference(sheet if mark else None, rest)


def as_text(area: Area) -> str:
    """A range as it stands in formulas. Whole columns and rows are written with their ends: the engine cuts off others."""
    name, top, left, bottom, right = area
    sheet = name.replace("'", "''") if "'" in name else name
    first = f"'{sheet}'!${column_letters(left)}${top}"
    return first if (top, left) == (bottom, right) else f"{first}:${column_letters(right)}${bottom}"


def area_of(sheet: str, text: str) -> tuple[Area, bool] | None:
    """The cells that ``B3``, ``A1:B3``, ``A:B`` or ``1:3`` mean, and whether all of it has dollar signs; None: no such text."""
    if match := _CELLS.fullmatch(text):
        left, top = column_number(match[2].upper()), int(match[4])
        right, bottom = (column_number(match[6].upper()), int(match[8])) if match[6] else (left, top)
        signs = (match[1], match[3], *((match[5], match[7]) if match[6] else ()))
    elif match := _COLUMNS.fullmatch(text):
        left, right, top, bottom = column_number(match[2].upper()), column_number(match[4].upper()), 1, MAX_ROWS
        signs = (match[1], match[3])
    elif match := _ROWS.fullmatch(text):
        left, right, top, bottom = 1, MAX_COLUMNS, int(match[2]), int(match[4])
        signs = (match[1], match[3])
    else:
        return None
    area = Area(sheet, min(top, bottom), min(left, right), max(top, bottom), max(left, right))
    if area.right > MAX_COLUMNS or area.bottom > MAX_ROWS:
        return None
    return area, all(signs)


def places_of(area: Area) -> list[Place]:
    """Every cell of a range, row by row."""
    return [
        Place(area.sheet, row, column)
        for row in range(area.top, area.bottom + 1)
        for column in range(area.left, area.right + 1)
    ]


class SheetNames:
    """The sheets of a workbook by their names, whose case does not count."""

    def __init__(self, sheets: Mapping[str, object]) -> None:
        self._exact = {name.casefold(): name for name in sheets}

    def find(self, name: str) -> str | None:
        """The sheet as its tab has it, or None."""
        return self._exact.get(name.casefold())

    def __iter__(self) -> Iterator[str]:
        return iter(self._exact.values())


def whole_sheet(sheet: str) -> Area:
    """All cells of a sheet."""
    return Area(sheet, 1, 1, MAX_ROWS, MAX_COLUMNS)


def area_of_table(table: WrittenTable, behind: str, row: int) -> Area | None:
    """The cells of a table that are meant by what stands behind its name; None where that is not understood.

    behind: nothing, ``[]``, ``[force]``, ``[@force]`` or ``[[#All],[at]:[force]]``. row: of the formula.
    """
    body = behind[1:-1].strip()
    items: list[str] = []
    columns: list[str] = []
    if body.startswith("@"):
        items, body = [_THIS_ROW], body[1:].strip()
    if _PARTS.fullmatch(body):
        parts = [match[1] for match in _PART.finditer(body)]
        items += [part.casefold() for part in parts if part.startswith("#")]
        columns = [part for part in parts if not part.startswith("#")]
    elif body.startswith("#"):
        items.append(body.casefold())
    elif body:
        columns = [body]
    rows, across = _rows(table, tuple(items) or _DATA, row), _across(table, columns)
    if rows is None or across is None:
        return None
    return Area(table.area.sheet, rows[0], across[0], rows[1], across[1])


def _rows(table: WrittenTable, items: tuple[str, ...], row: int) -> tuple[int, int] | None:
    """The first and last row of some parts of a table."""
    top, bottom = table.area.top, table.area.bottom
    first, last = top + table.has_header_row, bottom - table.has_totals_row
    parts = {"#all": (top, bottom), "#data": (first, last), _THIS_ROW: (row, row)}
    if table.has_header_row:
        parts["#headers"] = top, top
    if table.has_totals_row:
        parts["#totals"] = bottom, bottom
    if not all(item in parts for item in items) or (_THIS_ROW in items and not first <= row <= last):
        return None
    return min(parts[item][0] for item in items), max(parts[item][1] for item in items)


def _across(table: WrittenTable, columns: list[str]) -> tuple[int, int] | None:
    """The first and last column of a table between some of its headers, all without any."""
    headers = [header.casefold() for header in table.headers]
    wanted = [_ESCAPED.sub(r"\1", column).casefold() for column in columns]
    if not all(name in headers for name in wanted):
        return None
    places = [table.area.left + headers.index(name) for name in wanted] or [table.area.left, table.area.right]
    return min(places), max(places)
