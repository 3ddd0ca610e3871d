"""Measured points in the charts of a run: markers in the colour of the line that shows the same column."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from sheetmbs.measured.measured_pages import column_key, points, series_name
from sheetmbs.measured.measurement import Floats
from sheetmbs.measured.residuals import Residuals, column_of, interpolated
from sheetmbs.model.model import Chart, ChartPoints
from sheetmbs.schema.table import Table
from sheetmbs.workbook.sheets.page_contents import Page, PageChart, PageColumn, PageLine
from sheetmbs.workbook.sheets.sheet_contents import RESIDUALS

FIRST_AT, FIRST_COLUMN = 3, 60
"""row and column of the numbers at which points stand in charts over other columns: right of all charts of the sheet"""


@dataclass
class MeasuredPoints:
    """Adds measured points to charts. tables: result sheets of all cases, by which points find their place over other columns.

    beside: columns of numbers that charts then draw, which stand on mbs Residuals.
    """

    found: Sequence[Residuals]
    tables: Sequence[Table]
    beside: dict[str, PageColumn] = field(default_factory=dict)

    def on_page(self, page: Page) -> Page:
        """A page whose charts show measured points."""
        charts = tuple(map(self._on_chart, page.charts))
        return page if charts == page.charts else replace(page, charts=charts)

    def _on_chart(self, chart: PageChart) -> PageChart:
        if chart.kind not in ("line", "courses"):
            return chart
        added = list(self._lines(chart))
        return replace(chart, lines=(*chart.lines, *added)) if added else chart

    def _lines(self, chart: PageChart) -> Iterator[PageLine]:
        for found in self.found:
            keys = ((each, (each.y, *each.shows)) for each in chart.lines)
            line = next((each for each, shown in keys if any(_shows(key, found) for key in shown)), None)
            if line is None:
                continue
            if chart.kind == "courses":
                yield from self._of_course(found, line)
                continue
            x = self._across(found, *_split(line.x))
            if x is not None:
                yield points(found, x, line.color)

    def _of_course(self, found: Residuals, line: PageLine) -> Iterator[PageLine]:
        """Points over an axis of equal steps: each at the nearest of them, several at one with their mean."""
        own = found.measurement
        rows = column_of(self.tables, own.over_sheet, own.over)
        if rows is None or _split(line.x)[1] != own.over:
            return
        order = np.argsort(rows)
        nearest = order[_nearest(rows[order], own.x)]
        nearest = nearest[found.counts]
        count = np.bincount(nearest, minlength=len(rows))
        total = np.bincount(nearest, found.measured_values, minlength=len(rows))
        values = np.where(count > 0, total / np.maximum(count, 1), np.nan)
        key = self._beside(f"{own.name} at steps of {own.over}", own.unit, values)
        yield PageLine(line.x, key, series_name(found), line.color, width=0.0, dot=5)

    def of_charts(self, charts: Iterable[Chart]) -> Iterator[Chart]:
        """Charts of the sheet mbs Charts that show measured points."""
        for chart in charts:
            added = [each for found in self.found for each in self._of_chart(chart, found)]
            yield replace(chart, points=tuple(added)) if added and chart.type != "bar" else chart

    def _of_chart(self, chart: Chart, found: Residuals) -> Iterator[ChartPoints]:
        shown = next((name for name in chart.y if _shows(name, found)), None)
        if shown is None:
            return
        x = self._across(found, *_split(chart.x))
        if x is not None:
            values = column_key(found, "measured")
            yield ChartPoints(shown, x or column_key(found, "x"), values, series_name(found))

    def _across(self, found: Residuals, sheet: str, column: str) -> str | None:
        """The column at which points stand in a chart over a column of ours; "" their own x; None where it is not known."""
        own = found.measurement
        if column == own.over or (not sheet and column == "time" and own.over == "time"):
            return ""
        name = f"{own.name} at {column}"
        if f"{RESIDUALS}!{name}" in self.beside:
            return f"{RESIDUALS}!{name}"
        rows = column_of(self.tables, own.over_sheet, own.over)
        across, unit = self._column(sheet, column, own.sheet)
        if rows is None or across is None or len(across) != len(rows):
            return None
        return self._beside(name, unit, interpolated(rows, across, found.x))

    def _column(self, sheet: str, column: str, beside: str) -> tuple[Floats | None, str]:
        """Values and unit of a column: on its sheet, else on that of the measured column, else on any."""
        order = sorted(self.tables, key=lambda table: (table.name != sheet, table.name != beside))
        for table in order:
            if column in table.columns:
                place = table.columns.index(column)
                return table.values[:, place], table.units[place]
        return None, ""

    def _beside(self, name: str, unit: str, values: Floats) -> str:
        key = f"{RESIDUALS}!{name}"
        if key not in self.beside:
            place = FIRST_COLUMN + len(self.beside)
            self.beside[key] = PageColumn(name, unit, FIRST_AT, place, values)
        return key


def _split(key: str) -> tuple[str, str]:
    sheet, _, column = key.rpartition("!")
    return sheet, column


def _shows(key: str, found: Residuals) -> bool:
    """Whether a line draws the column of a measurement, which may be named without its sheet."""
    sheet, column = _split(key)
    return column == found.measurement.of and sheet in ("", found.measurement.sheet)


def _nearest(ascending: Floats, at: Floats) -> np.ndarray[tuple[int], np.dtype[np.intp]]:
    """(n,) place of the nearest number."""
    behind = np.clip(np.searchsorted(ascending, at), 1, max(len(ascending) - 1, 1))
    is_before = at - ascending[behind - 1] <= ascending[np.minimum(behind, len(ascending) - 1)] - at
    return np.where(is_before, behind - 1, behind)
