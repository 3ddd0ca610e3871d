"""All sheets of a solved gait workbook, in their order."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np
from numpy.typing import NDArray

from sheetmbs.gait.sheets.course_tables import series_tables, stride_tables
from sheetmbs.gait.sheets.gait_columns import ANGLES, MOMENTS, POWERS
from sheetmbs.gait.sheets.gait_presentation import GaitPresentation
from sheetmbs.gait.sheets.peak_changes import NO_CHANGES, PeakChanges
from sheetmbs.gait.sheets.report_page import ReportContents, report_page
from sheetmbs.gait.sheets.shown_items import shown_items
from sheetmbs.gait.sheets.summary_page import events_page, quality_page, summary_page
from sheetmbs.gait.strides.summary_items import SummaryItem
from sheetmbs.model.model import Chart
from sheetmbs.problems.errors import Problem
from sheetmbs.results.charting.default_charts import charts_over
from sheetmbs.schema.table import Table
from sheetmbs.workbook.sheets.list_pages import Listed
from sheetmbs.workbook.sheets.page_contents import Page
from sheetmbs.workbook.sheets.sheet_contents import GAIT_EVENTS, GAIT_QUALITY, GAIT_REPORT, GAIT_SUMMARY

Vector = NDArray[np.float64]


@dataclass(frozen=True)
class GaitContents:
    """What sheets show beside courses. items: of the summary, in signs of the mechanics. cutoffs: of markers by trial, in Hz.

    quality: tables of the quality page. changes: of peaks under other choices.
    """

    items: Sequence[SummaryItem]
    cutoffs: Mapping[str, Vector] = field(default_factory=dict)
    quality: Sequence[Listed] = ()
    problems: Sequence[Problem] = ()
    changes: PeakChanges = NO_CHANGES


@dataclass(frozen=True)
class GaitSheets:
    """The sheets of gait. order: their names in the order in which they stand. charts: those that the workbook asks for.

    problems: of these.
    """

    tables: tuple[Table, ...]
    pages: tuple[Page, ...]
    order: tuple[str, ...]
    charts: tuple[Chart, ...] = ()
    problems: tuple[Problem, ...] = ()


def gait_sheets(gait: GaitPresentation, contents: GaitContents) -> GaitSheets:
    """All that is shown of the trials of a workbook."""
    over_strides, series = tuple(stride_tables(gait)), tuple(series_tables(gait))
    items = tuple(shown_items(gait, contents.items))
    report = report_page(gait, ReportContents(items, contents.cutoffs, contents.problems, contents.changes))
    found = (
        report,
        summary_page(gait, contents.items, contents.cutoffs, contents.changes),
        events_page(gait),
        quality_page(contents.quality),
    )
    pages = tuple(page for page in found if page is not None)
    order = (
        GAIT_REPORT,
        GAIT_SUMMARY,
        ANGLES,
        MOMENTS,
        POWERS,
        GAIT_EVENTS,
        GAIT_QUALITY,
        *(table.name for table in series),
    )
    tables = (*over_strides, *series)
    first = {
        name: table.columns[0] for table in tables for each in table.columns for name in (each, f"{table.name}!{each}")
    }
    charts, problems = charts_over(gait.book.charts, tables, lambda columns: first[columns[0]])
    return GaitSheets(tables, pages, order, charts, problems)
