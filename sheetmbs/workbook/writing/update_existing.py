"""Results fitted into a workbook that an earlier run has written to: what of that stays, and where."""

from __future__ import annotations

from collections.abc import Mapping
from functools import partial

from sheetmbs.problems.errors import Problem
from sheetmbs.workbook.charts.animation import written_animation
from sheetmbs.workbook.charts.chartdata import ChartData
from sheetmbs.workbook.charts.chartsheet import ChartSheet
from sheetmbs.workbook.charts.chartxml import ChartXml
from sheetmbs.workbook.charts.drawings import charts_on, columns_of, drawing_of, renewed_drawing, wide_ranges_of
from sheetmbs.workbook.charts.pagecharts import page_columns, pages_in
from sheetmbs.workbook.charts.panels import PanelColumn, result_columns
from sheetmbs.workbook.charts.restsheet import section_columns
from sheetmbs.workbook.package.package import Package
from sheetmbs.workbook.package.pictures import picture_of
from sheetmbs.workbook.package.references import References
from sheetmbs.workbook.sheets.decimation import decimated, row_step
from sheetmbs.workbook.sheets.newsheet import Drawing, NewSheet
from sheetmbs.workbook.sheets.previous_results import PreviousResults, renewed_tables, tables_on
from sheetmbs.workbook.sheets.sheet_contents import ANIMATION, CHART_DATA, CHARTS, PAGES, ResultSheets
from sheetmbs.workbook.sheets.sheetxml import (
    FIRST_DATA_ROW,
    MIN_WIDTHS,
    RowBlock,
    Shown,
    blocks,
    text_width,
    usual_width,
)
from sheetmbs.workbook.sheets.summarysheet import in_blocks
from sheetmbs.workbook.writing.preserve_layout import (
    NO_RESULTS,
    Needs,
    Warnings,
    held_columns,
    summary_in_places,
    tables_in_places,
)

OUR_CHART_SHEETS = PAGES | {ANIMATION, CHARTS}
"""sheets whose charts are ours"""


class ExistingResults:
    """The results of a run as they are to stand in a workbook.

    summary, tables: rows and columns in their places. remarks: on sheets that stay without results, by name. charts: the
    sheet of charts, or None. data: the rows that its charts draw of long series, or None. pages, animation: as sheets.
    problems: what the user must know about references; all_problems: after those of the run.
    """

    def __init__(self, package: Package, sheets: ResultSheets, references: References) -> None:
        self.package = package
        self._before = PreviousResults(package, is_study=sheets.is_study)
        step = row_step(sheets.tables)
        charts = ChartSheet(self._before, sheets)
        needs = self._needs(charts, references)
        tables, self.remarks = tables_in_places(sheets.tables, self._before, needs)
        self.tables = decimated(tables, step)
        listed_items = in_blocks(sheets.summary_rows)
        self.summary = summary_in_places(listed_items, self._before, needs)
        self.heads = sheets.summary_heads
        self.sections = sheets.sections
        listed = section_columns(sheets.sections) | page_columns(sheets.pages)
        columns, whole = result_columns(self.tables) | listed, result_columns(tables, whole=True) | listed
        data = ChartData(are_whole=step == 1, held=held_columns(CHART_DATA, self._before, needs))
        self.charts: NewSheet | None = charts.written(columns, whole, data)
        self._drawings = self._renewed_drawings(columns, whole, data)
        written_now = [*(page.name for page in sheets.pages), *(each.sheet for t in self.tables for each in blocks(t))]
        names = [*(sheet.name for sheet in package.sheets), *written_now]
        self.pages = tuple(pages_in(sheets.pages, columns, names, partial(picture_of, package)))
        self.first = sheets.first
        self.animation = written_animation(sheets.animation, self._before) if sheets.animation else None
        self.data = data.table
        if self.data and not data.has_numbers:
            self.remarks[CHART_DATA] = NO_RESULTS
        written = (*self.tables, *([self.data] if self.data else []))
        there = {table.name: set(table.columns) for table in sheets.tables} | {CHART_DATA: data.drawn}
        warnings = Warnings(self._before, written, there, listed_items, sheets.sections)
        self.problems: tuple[Problem, ...] = tuple(warnings.of(references.uses))
        self.all_problems = (*sheets.problems, *self.problems)

    def shown(self, sheet: str) -> Mapping[str, Shown]:
        """Appearance of the columns of a sheet as the user left them, by name."""
        return self._before.head(sheet).shown

    def changed_columns(self, block: RowBlock) -> Mapping[str, Shown]:
        """Appearance of the columns that the user has changed on a sheet of rows, by name.

        The width that we give a column depends on its content, so our own widths must not outlive that content.
        """
        texts = {block.table.columns[number] for number in block.table.texts}
        return {
            name: look
            for name, look in self.shown(block.sheet).items()
            if look.hidden or f"{look.width:g}" not in self._widths_of_ours(block.sheet, name, is_text=name in texts)
        }

    def _widths_of_ours(self, sheet: str, name: str, *, is_text: bool) -> set[str]:
        """The widths that an earlier run can have given to a column, as they stand in the file."""
        if not is_text:
            return {f"{usual_width(name, least):g}" for least in MIN_WIDTHS}
        column = self._before.head(sheet).columns.index(name) + 1
        texts = [
            text
            for (row, place), text in self._before.texts(sheet).items()
            if place == column and row >= FIRST_DATA_ROW
        ]
        return {f"{text_width(name, [*texts, '']):g}"}

    def drawing(self, sheet: str) -> Drawing | None:
        """The user's drawing on a sheet."""
        return self._drawings.get(sheet)

    def held_tables(self, block: RowBlock) -> Mapping[str, bytes]:
        """The user's tables on a sheet."""
        return renewed_tables(block, self._before)

    def _renewed_drawings(
        self, columns: dict[str, PanelColumn], whole: dict[str, PanelColumn], data: ChartData
    ) -> dict[str, Drawing]:
        contents: dict[str, bytes] = {}

        def find(chart: ChartXml) -> dict[str, PanelColumn]:
            return data.columns(columns_of(chart, self._before), whole, is_ours=False)

        sheets = [sheet for sheet in self._before.own if sheet not in OUR_CHART_SHEETS]
        renewed = {sheet: renewed_drawing(sheet, self._before, columns, find, contents) for sheet in sheets}
        return {sheet: drawing for sheet, drawing in renewed.items() if drawing}

    def _needs(self, charts: ChartSheet, references: References) -> Needs:
        drawn_on = [
            sheet for sheet in self._before.own if sheet not in OUR_CHART_SHEETS and drawing_of(sheet, self._before)
        ]
        tables = [(sheet, cells) for sheet in self._before.own for _, _, cells in tables_on(sheet, self._before)]
        others = [placed.chart for sheet in drawn_on for placed in charts_on(sheet, self._before)]
        return Needs(
            references.uses,
            charts.needed.union(each for chart in others for each in columns_of(chart, self._before)),
            [*tables, *charts.ranges, *(each for chart in others for each in wide_ranges_of(chart))],
            {*drawn_on, *(sheet for sheet, _ in tables)},
        )
