"""Result sheets of a run with what measurements add to them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from sheetmbs.measured.measured_pages import VERDICT, measured_frames, measured_page, measured_row, residuals_page
from sheetmbs.measured.measured_points import FIRST_COLUMN, MeasuredPoints
from sheetmbs.measured.residuals import Residuals
from sheetmbs.problems.errors import Problem
from sheetmbs.schema.table import Table
from sheetmbs.workbook.sheets.page_contents import Page, PageCell, PageColumn
from sheetmbs.workbook.sheets.sheet_contents import MEASURED, RESIDUALS, ResultSheets


def with_measured(sheets: ResultSheets, found: Sequence[Residuals], tables: Sequence[Table] = ()) -> ResultSheets:
    """The sheets of a run with measured points in their charts, and the sheets mbs Measured and mbs Residuals.

    found: of its measurements, in their order; none: the sheets as they are. tables: result sheets with the columns that were
    measured, if they are not those of the run.
    """
    if not found:
        return sheets
    points = MeasuredPoints(found, tables or sheets.tables)
    pages = tuple(map(points.on_page, sheets.pages))
    charts = tuple(points.of_charts(sheets.charts))
    own = (measured_page(found), _with_columns(residuals_page(found), tuple(points.beside.values())))
    return replace(
        sheets,
        pages=(*pages, *own),
        charts=charts,
        frames=(*sheets.frames, *measured_frames(found)),
        first=(*sheets.first, MEASURED, RESIDUALS) if sheets.first else (),
        problems=(*sheets.problems, *measured_problems(found)),
    )


def _with_columns(page: Page, columns: Sequence[PageColumn]) -> Page:
    """A page with further columns of numbers, for charts of other sheets."""
    cells = [PageCell(1, each.column, each.name, "header") for each in columns]
    cells += [PageCell(2, each.column, each.unit, "units") for each in columns if each.unit]
    cells += [
        PageCell(each.row + k, each.column, float(value), "general")
        for each in columns
        for k, value in enumerate(each.data)
        if value == value  # noqa: PLR0124 - NaN stays blank
    ]
    return replace(page, cells=(*page.cells, *cells), columns=(*page.columns, *columns))


def measured_problems(found: Sequence[Residuals]) -> tuple[Problem, ...]:
    """Warnings of measurements of which no reading, or not every one, lies within what was computed."""
    told = []
    for each in found:
        own = each.measurement
        if not each.counts.any():
            rule = f"none of its {len(own.x)} readings lies within what was computed, so nothing is compared"
            mend = f"look at its unit, over_scale and over_offset, or compute further along {own.over}"
            told.append(Problem("not-compared", "warning", str(own.place), f"measurement {own.name}", rule, mend))
    return tuple(told)


def pages_together(sheets: Sequence[ResultSheets], found: Sequence[Residuals]) -> tuple[Page, ...]:
    """The pages of measured columns of several cases as one of each. found: of all cases, in the order of these."""
    if not found:
        return ()
    pages = [page for each in sheets for page in each.pages if page.name == RESIDUALS]
    beside = [column for page in pages for column in page.columns if column.column >= FIRST_COLUMN]
    placed = [replace(column, column=FIRST_COLUMN + k) for k, column in enumerate(beside)]
    return measured_page(found), _with_columns(residuals_page(found), placed)


def in_words(found: Sequence[Residuals]) -> list[str]:
    """A sentence on each measurement, for the end of a run."""
    told = []
    for each in found:
        row, own = measured_row(each), each.measurement
        if not len(each.x):
            told.append(f"Measured {own.name}: {row[VERDICT]}.")
            continue
        unit = f" {own.unit}" if own.unit else ""
        outside = f", outside {each.outside}" if each.outside else ""
        verdict = f"; {row[VERDICT]}" if row[VERDICT] else ""
        told.append(f"Measured {own.name}: rms {each.rms:.3g}{unit} of {len(each.x)} readings{outside}{verdict}.")
    return told
