"""Measurements in a study: which of them its responses read, and their rms residuals beside the sheets of cases."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from sheetmbs.measured.measurement import Measurement
from sheetmbs.measured.residuals import Residuals, rms_name, rms_table
from sheetmbs.problems.errors import Problem
from sheetmbs.schema.measured_inputs import MEASUREMENTS, is_data_sheet
from sheetmbs.schema.names import fold
from sheetmbs.schema.table import Table
from sheetmbs.workbook.cells.cells import Book
from sheetmbs.workbook.sheets.sheet_contents import MEASURED

Columns = Mapping[str, tuple[str, ...]]
"""result sheet -> names of its columns"""


def asked_measurements(measurements: Iterable[Measurement], asked: Iterable[Columns]) -> tuple[Measurement, ...]:
    """The measurements that responses read. asked: of each case."""
    names = {column for columns in asked for column in columns.get(MEASURED, ())}
    return tuple(each for each in measurements if rms_name(each.name) in names)


def without_measured(asked: Columns) -> dict[str, tuple[str, ...]]:
    """What is asked for besides measurements."""
    return {sheet: columns for sheet, columns in asked.items() if sheet != MEASURED}


def with_rms(
    cases: Mapping[str, Sequence[Table] | Problem], found: Sequence[Residuals], asked: Iterable[str] = ()
) -> dict[str, Sequence[Table] | Problem]:
    """The sheets of cases with the rms residuals in each. asked: cases that may be asked for nothing else."""
    if not found:
        return dict(cases)
    table = rms_table(found)
    whole: dict[str, Sequence[Table] | Problem] = {**dict.fromkeys(asked, ()), **cases}
    return {case: tables if isinstance(tables, Problem) else (*tables, table) for case, tables in whole.items()}


def is_about_measurements(sheet: str) -> bool:
    """Whether measurements are read from a sheet."""
    return fold(sheet) == fold(MEASUREMENTS.name) or is_data_sheet(sheet)


def are_measured_alike(book: Book, other: Book) -> bool:
    """Whether two states of a workbook have the same cells on the sheets from which measurements are read."""
    names = (name for name in book.sheets if is_about_measurements(name))
    return all(name in other.sheets and book.sheets[name] is other.sheets[name] for name in names)
