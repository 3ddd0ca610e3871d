"""Tables of hardpoints with columns point, x, y, z, and axle and side if they have them."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import groupby

import numpy as np

from sheetmbs.importing.lines import refused
from sheetmbs.schema.names import fold
from sheetmbs.schema.suspension_inputs import AXLES
from sheetmbs.schema.validate import split_header, split_parentheses
from sheetmbs.suspension.hardpoint_lists.list_reading import ListReading, axle_told, size_of
from sheetmbs.suspension.hardpoint_lists.list_rows import ListRow, number_in
from sheetmbs.suspension.layout.aliases import told_name
from sheetmbs.suspension.layout.car import SIDES
from sheetmbs.suspension.reading.vehicle_axes import NAMED

NAMES_OF_POINT = ("point", "name", "hardpoint", "hard point", "point name")
SIDE_WORDS = {"l": "left", "r": "right", "center": "centre"}
MAX_COORDINATE = 20.0
"""m from the origin: a car is not that long"""


def columns_of(row: ListRow) -> dict[str, tuple[int, str]] | None:
    """The columns of a header row by name, with their units; None where it is none."""
    found: dict[str, tuple[int, str]] = {}
    for at, cell in enumerate(row.cells):
        name, unit = split_header(cell)
        if unit is None:
            name, unit = split_parentheses(cell) or (cell, "")
        words = fold(name).split()
        if len(words) > 1 and words[0] in ("x", "y", "z"):
            name, unit = words[0], unit or words[1]
        name = "point" if fold(name) in NAMES_OF_POINT else fold(name)
        found.setdefault(name, (at, unit))
    return found if {"point", "x", "y", "z"} <= found.keys() else None


class _Table:
    """A table below its header. unit: of coordinates without one, ``""`` unknown; guessed: whether it may be found out."""

    def __init__(self, rows: Sequence[ListRow], header: int, unit: str, *, guessed: bool) -> None:
        columns = columns_of(rows[header])
        if columns is None:
            raise ValueError("no header")
        self._columns = columns
        self.rows = rows[header + 1 :]
        units = [columns[axis][1] for axis in "xyz"]
        if self.rows and not any(units) and self._holds_units(self.rows[0]):
            units = self.coordinates(self.rows[0])
            self.rows = self.rows[1:]
        self.has_unit = bool(unit or any(units))
        if not self.has_unit and guessed:
            unit, self.has_unit = self._likely_unit(), True
        self.sizes = np.array([size_of(each or unit or "m") for each in units])

    def _holds_units(self, row: ListRow) -> bool:
        """Whether a row says in which units the columns are, and no point."""
        texts = self.coordinates(row)
        return any(texts) and not any(any(map(str.isdigit, text)) for text in texts)

    def _likely_unit(self) -> str:
        """The unit of coordinates without one: no car is 20 m long, and none within 20 mm of its origin."""
        numbers = [number_in(text) for row in self.rows for text in self.coordinates(row)]
        return "mm" if any(number is not None and abs(number) > MAX_COORDINATE for number in numbers) else "m"

    def cell(self, row: ListRow, name: str) -> str:
        """The text in a column, ``""`` where there is none."""
        at = self._columns[name][0] if name in self._columns else len(row.cells)
        return row.cells[at] if at < len(row.cells) else ""

    def coordinates(self, row: ListRow) -> list[str]:
        """The texts in x, y, z."""
        return [self.cell(row, axis) for axis in "xyz"]


def read_table(rows: Sequence[ListRow], axle: str, reading: ListReading, *, guessed: bool = False) -> str:
    """Take the points of tables, one on each sheet. axle: of rows that tell none. guessed: whether a unit may be found out.

    Returns the axes that a column axes names, ``""`` where there is none.
    Raises WorkbookError where coordinates without a unit cannot be metres, or where there is no table.
    """
    axes, is_found = "", False
    for title, group in groupby(rows, key=lambda row: row.title):
        own = list(group)
        header = next((number for number, row in enumerate(own) if columns_of(row) is not None), None)
        for row in own[:header]:
            reading.drop(row)
        if header is not None:
            is_found = True
            table = _Table(own, header, reading.unit, guessed=guessed)
            for row in table.rows:
                axes = _take(row, table, axle_told(title) or axle, axes, reading)
    if not is_found:
        mend = "head its columns axle, point, x [mm], y [mm], z [mm]"
        raise refused("no-headers", "no columns point, x, y, z", "a table has them", mend, rows[0].place)
    return axes


def _take(row: ListRow, table: _Table, axle: str, axes: str, reading: ListReading) -> str:
    """Take a row of a table. axes: of the rows above. Returns those of all rows so far."""
    name, own, side = (table.cell(row, each) for each in ("point", "axle", "side"))
    side = SIDE_WORDS.get(fold(side), fold(side))
    texts = table.coordinates(row)
    standard, named_axle, _side = told_name(name)
    if not name or not (any(texts) or standard):
        reading.drop(row)
    elif own and fold(own) not in AXLES:
        reading.refuse(row, "unknown-axle", f"axle: '{own}'", "it is front or rear", "correct it")
    elif own and named_axle not in ("", fold(own)):
        rule = f"the name is of the {named_axle} axle, and the row of the {fold(own)} one"
        reading.refuse(row, "wrong-axle", f"'{name}'", rule, "correct the axle or the name")
    elif side not in ("", *SIDES, "centre"):
        reading.refuse(row, "unknown-value", f"side: '{side}'", "it is left, right or centre", "correct it")
    else:
        point = reading.add_point(row, name, texts, fold(own) or axle, side, table.sizes)
        if point is not None and not table.has_unit and np.abs(point.position).max() > MAX_COORDINATE:
            rule, mend = "without a unit in the header they count as m", "write x [mm], y [mm], z [mm] there"
            raise refused("missing-unit", f"{name}: {', '.join(texts)}", rule, mend, row.place)
        return _same_axes(row, table.cell(row, "axes"), axes, reading)
    return axes


def _same_axes(row: ListRow, text: str, before: str, reading: ListReading) -> str:
    """The axes of all rows so far; a row that names others is a mistake."""
    known = {fold(name): name for name in NAMED}
    if not text:
        return before
    found = known.get(fold(text), "")
    if not found or before not in ("", found):
        rule = f"all rows of a list are in the same axes, {' or '.join(NAMED)}"
        reading.refuse(row, "wrong-axes", f"axes: '{text}'", rule, "correct it")
        return before
    return found
