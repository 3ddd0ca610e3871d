"""Columns of one result sheet as they are collected, and in which order they are written."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from dataclasses import dataclass, field, replace

import numpy as np
from numpy.typing import NDArray

from sheetmbs.elements.result_column import TIME, ResultColumn, ResultKind, ResultQuantity
from sheetmbs.model.model import Chart, Display
from sheetmbs.schema.table import Table
from sheetmbs.workbook.sheets.sheet_contents import ResultSheets

Floats = NDArray[np.float64]

TIME_OF_ROW = ResultColumn("time", "time of the row", (TIME,))


def shown(quantity: ResultQuantity, display: Display) -> tuple[str, float]:
    """Unit in which a quantity is written, and its size in SI."""
    if not quantity.shown_in:
        return quantity.unit + quantity.per, 1.0
    unit, size = display.length if quantity.shown_in == "length" else display.angle
    return unit + quantity.per, size


@dataclass
class CollectedColumns:
    """Collects the columns of one sheet. first: what comes first, and ``rows`` its numbers: the times, mostly.

    asked: names of the columns that are wanted, None: all.
    """

    sheet: str
    display: Display
    rows: Floats
    first: ResultColumn = TIME_OF_ROW
    asked: Collection[str] | None = None
    names: list[str] = field(default_factory=list)
    units: list[str] = field(default_factory=list)
    values: list[Floats] = field(default_factory=list)
    declared: list[ResultColumn] = field(default_factory=list)

    def add(
        self, kind: ResultKind, element: str, name: str, values: Floats, quantity: ResultQuantity | None = None
    ) -> None:
        """Add a declared column of an element, if it is wanted.

        values: (rows,) in SI. quantity: which of those it may be, if several.
        """
        heading = kind.heading(element, name)
        if self.asked is not None and heading not in self.asked:
            return
        column = kind.column(name)
        allowed = column.quantities if quantity is None else (quantity,)
        if kind.sheet != self.sheet or len(allowed) > 1 or allowed[0] not in column.quantities:
            raise ValueError(f"{kind.element}.{name} is not declared so")
        unit, size = shown(allowed[0], self.display)
        self.names.append(heading)
        self.units.append(unit)
        self.values.append(values if size == 1.0 else values / size)
        self.declared.append(column)

    def table(self) -> Table:
        """The sheet as a table."""
        unit, size = shown(self.first.quantities[0], self.display)
        values = np.array((self.rows / size, *self.values)).T  # column by column, as charts and checks read them
        return Table(
            self.sheet,
            (self.first.name, *self.names),
            (unit, *self.units),
            values,
            declared=(self.first, *self.declared),
        )


def written(sheets: ResultSheets, results: str) -> ResultSheets:
    """The result sheets as they are written. results: ``full``, or ``short`` to leave out what few readers need.

    What a chart shows stays, whatever it is.
    """
    drawn = _drawn(sheets.charts)
    return replace(sheets, tables=tuple(_arranged(table, drawn, results) for table in sheets.tables))


def _arranged(table: Table, drawn: frozenset[str], results: str) -> Table:
    if not table.aside:
        return table
    left_out = table.aside - drawn if results == "short" else frozenset()
    first = [name for name in table.columns if name not in table.aside]
    last = [name for name in table.columns if name in table.aside]
    order = [table.columns.index(name) for name in (*first, *last) if name not in left_out]
    columns, units = (tuple(each[k] for k in order) for each in (table.columns, table.units))
    declared = tuple(table.declared[k] for k in order)
    return replace(table, columns=columns, units=units, declared=declared, values=table.values[:, order])


def _drawn(charts: Iterable[Chart]) -> frozenset[str]:
    """All columns that charts show."""
    return frozenset(name.rpartition("!")[2] for chart in charts for name in (chart.x, *chart.y, *chart.beside))
