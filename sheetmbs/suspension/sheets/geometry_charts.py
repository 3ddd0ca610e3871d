"""The drawing of a car as native charts, with the numbers of its lines on the sheet of charts."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from math import isfinite

from sheetmbs.suspension.sheets.geometry_views import CarView
from sheetmbs.suspension.sheets.stepped_rates import SteppedTable, stepped_name
from sheetmbs.suspension.sheets.words import shown_unit
from sheetmbs.workbook.sheets.page_contents import AxisText, Box, PageCell, PageChart, PageColumn, PageLine, Spot
from sheetmbs.workbook.sheets.sheet_contents import SUSPENSION_CHARTS


@dataclass(frozen=True)
class FoldedNumbers:
    """Numbers on rows that are folded away: cells, and the columns that charts draw."""

    cells: tuple[PageCell, ...]
    columns: tuple[PageColumn, ...]


def folded_numbers(views: Sequence[CarView], stepped: Iterable[SteppedTable], first: int) -> FoldedNumbers:
    """The numbers of all views and of rates with steps, one below the other, each with its name at the left. first: row."""
    cells: list[PageCell] = []
    columns: list[PageColumn] = []
    row = first
    for view in views:
        cells += [
            PageCell(row, k, head, "header text") for k, head in enumerate(("", view.across, view.upward), start=1)
        ]
        row += 1
        for line in view.lines:
            cells.append(PageCell(row, 1, f"{view.title}, {line.name}", "item"))
            named = (_column(view, line.name, k) for k in range(2))
            columns += [
                PageColumn(name, "mm", row, k, each)
                for k, (name, each) in enumerate(zip(named, line.places.T, strict=True), start=2)
            ]
            row += len(line.places) + 1
    for each in stepped:
        for name, unit, values in zip(each.table.columns, each.table.units, each.table.values.T, strict=True):
            shown = stepped_name(each.plan, name)
            cells.append(PageCell(row, 1, f"{shown} [{shown_unit(unit)}]", "item"))
            columns.append(PageColumn(shown, unit, row, 2, values))
            row += len(values) + 1
    return FoldedNumbers((*cells, *(cell for column in columns for cell in _cells(column))), tuple(columns))


def _cells(column: PageColumn) -> Iterator[PageCell]:
    """The cells of a column; a gap is empty."""
    for row, value in enumerate(column.data.tolist(), start=column.row):
        if isfinite(value):
            yield PageCell(row, column.column, value, "general")


def _column(view: CarView, line: str, k: int) -> str:
    return f"{view.title}, {line}, {'across' if k == 0 else 'up'}"


def view_chart(view: CarView, box: Box | Spot, every: int = 1) -> PageChart:
    """The chart of a view, in true shape. every: how many of its ticks are one of the chart."""
    lines = tuple(
        PageLine(
            f"{SUSPENSION_CHARTS}!{_column(view, line.name, 0)}",
            f"{SUSPENSION_CHARTS}!{_column(view, line.name, 1)}",
            line.name,
            line.color,
            line.dash,
            line.width,
            dot=line.dot,
            is_ring=line.is_ring,
            is_named=line.is_named,
        )
        for line in view.lines
    )
    across, upward = (
        AxisText(title, ends, tick=every * view.tick)
        for title, ends in zip((view.across, view.upward), view.frame, strict=True)
    )
    doc = f"{view.title} of the car at design in true shape: members, instant centres and roll centre"
    return PageChart(view.title, across, upward, lines, box, doc, is_true=True)
