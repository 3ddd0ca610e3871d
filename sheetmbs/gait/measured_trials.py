"""Measured columns of gait beside courses over time and over the stride."""

from __future__ import annotations

from collections.abc import Sequence

from sheetmbs.gait.sheets.course_tables import series_tables, stride_tables
from sheetmbs.gait.sheets.gait_presentation import GaitPresentation
from sheetmbs.measured.known_columns import KnownCase, known_sheet
from sheetmbs.measured.read_measurements import has_measurements, read_measurements
from sheetmbs.measured.residuals import NOT_MEASURED, ComparedMeasurements, computed_at_points, residuals
from sheetmbs.schema.table import Table
from sheetmbs.workbook.cells.cells import Book

MEAN = ".mean"
"""how columns over the stride end that are meant where their quantity alone is named"""


def measured_trials(book: Book, gait: GaitPresentation) -> ComparedMeasurements:
    """The measurements of a workbook beside what was computed. Raises WorkbookError with all that is wrong with them."""
    if not has_measurements(book):
        return NOT_MEASURED
    over_strides = list(stride_tables(gait))
    cases: dict[str, Sequence[Table]] = {
        trial.trial: (series, *over_strides) for trial, series in zip(gait.trials, series_tables(gait), strict=True)
    }
    means = {table.name: _means(table) for table in over_strides}
    known = [
        KnownCase(name, tuple(known_sheet(table, aliases=means.get(table.name)) for table in tables))
        for name, tables in cases.items()
    ]
    read = read_measurements(book, known)
    found = [residuals(own, computed_at_points(own, cases[own.case])) for own in read.measurements]
    return ComparedMeasurements(tuple(found), read.warnings)


def _means(table: Table) -> dict[str, str]:
    """Columns of means by the names of their quantities."""
    return {name.removesuffix(MEAN): name for name in table.columns if name.endswith(MEAN)}
