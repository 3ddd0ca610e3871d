"""Rows onto a list that a workbook has, such as Plates: below those that are there, or in their place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sheetmbs.gait.importing.trial_tables import size_of
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.schema.column import Sheet
from sheetmbs.schema.names import fold
from sheetmbs.schema.units import LENGTH
from sheetmbs.workbook.cells.cells import CellSheet
from sheetmbs.workbook.reading.input_table import InputTable
from sheetmbs.workbook.reading.problem_list import ProblemList
from sheetmbs.workbook.writing.fill_cells import Filling

ListRows = Mapping[str, Mapping[str, str | float]]
"""contents by the first column's value, then by column"""


@dataclass(frozen=True)
class ListFilling:
    """cells: what goes where. added, left: first columns of rows that are new, and of those that stay as they are."""

    cells: Filling
    added: tuple[str, ...]
    left: tuple[str, ...]
    is_blank: bool


def list_filling(schema: Sheet, cells: CellSheet, rows: ListRows, unit: str, *, replace: bool) -> ListFilling:
    """How rows come onto a list. unit: of lengths in ``rows``. replace: rows of the same name get new contents.

    Raises WorkbookError where the list cannot be read.
    """
    report = ProblemList((cells.name,))
    table = InputTable(schema, cells, report, "3D")
    records = list(table.records())
    first = schema.columns[0].name
    if report.has_errors:
        raise WorkbookError(report.problems())
    filling: dict[tuple[int, int], str | float] = {}
    columns = {name: field.header.place.column for name, field in table.fields.items()}
    sizes = {
        name: field.unit.size if field.unit is not None else 1.0
        for name, field in table.fields.items()
        if LENGTH in field.column.dimensions
    }
    known = {fold(record.raw_text(first)): record.row for record in records}
    last = max([max(cells.rows, default=1), 1])
    added, left = [], []
    for name, content in rows.items():
        row = known.get(fold(name))
        if row is not None and not replace:
            left.append(name)
            continue
        if row is None:
            added.append(name)
            last += 1
            row = last
        for column, value in content.items():
            if column not in columns:
                columns[column] = max(columns.values(), default=0) + 1
                filling[1, columns[column]] = column
            is_length = not isinstance(value, str) and LENGTH in schema.column(column).dimensions
            scale = size_of(unit) / sizes.get(column, 1.0) if is_length else 1.0
            filling[row, columns[column]] = value if isinstance(value, str) else float(f"{value * scale:.12g}")
    return ListFilling(filling, tuple(added), tuple(left), not records)
