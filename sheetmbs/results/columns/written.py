"""Which columns stand on the result sheets, and in which order: what matters to most readers first, and printed."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from sheetmbs.model.model import Chart
from sheetmbs.schema.table import Table
from sheetmbs.workbook.sheets.sheet_contents import ResultSheets


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
