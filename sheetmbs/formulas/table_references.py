"""References to tables by name, such as ``Load[force]``: which cells they mean."""

from __future__ import annotations

import re

from sheetmbs.formulas.cell_contents import Area, WrittenTable

_PART = re.compile(r"\[((?:'.|[^\[\]'])*)\]")
_PARTS = re.compile(rf"\s*{_PART.pattern}(?:\s*([,:])\s*{_PART.pattern})*\s*")
_ESCAPED = re.compile(r"'(.)")
_THIS_ROW = "#this row"
_DATA = ("#data",)


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
