"""Rows onto a list that a workbook has, such as Plates: below those that are there, or in their place."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sheetmbs.gait.importing.trial_tables import size_of
from sheetmbs.problems.errors import WorkbookError
from sheetmbs.schema.column import Sheet
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import ProblemList
from sheetmbs.schema.units import LENGTH
from sheetmbs.workbook.cells.cells import CellSheet
from sheetmbs.workbook.reading.input_table import InputTable, Record
from sheetmbs.workbook.writing.add_inputs import Filling

ListRows = Mapping[str, Mapping[str, str | float]]
"""contents by the first column's value, then by column"""
TOLD = ("axes", "sign")
"""words that files tell of a plate; the others are the user's"""
SAME_PLACE = 1e-3
"""m by which a place may differ: programs round"""


@dataclass(frozen=True)
class ListFilling:
    """cells: what goes where. added: first columns of rows that are new; otherwise: of those that stay and say other things."""

    cells: Filling
    added: tuple[str, ...]
    otherwise: tuple[str, ...]
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
    known = {fold(record.raw_text(first)): record for record in records}
    last = max([max(cells.rows, default=1), 1])
    added, otherwise = [], []
    for name, content in rows.items():
        record = known.get(fold(name))
        if record is not None and not replace:
            otherwise += [name] if _says_otherwise(record, content, schema, unit) else []
            continue
        if record is None:
            added.append(name)
            last += 1
        row = last if record is None else record.row
        for column, value in content.items():
            if column not in columns:
                columns[column] = max(columns.values(), default=0) + 1
                filling[1, columns[column]] = column
            is_length = not isinstance(value, str) and LENGTH in schema.column(column).dimensions
            scale = size_of(unit) / sizes.get(column, 1.0) if is_length else 1.0
            filling[row, columns[column]] = value if isinstance(value, str) else float(f"{value * scale:.12g}")
    return ListFilling(filling, tuple(added), tuple(otherwise), not records)


def _says_otherwise(record: Record, content: Mapping[str, str | float], schema: Sheet, unit: str) -> bool:
    """Whether a length of a row differs, or a word that it gives."""
    for column, value in content.items():
        if isinstance(value, str):
            given = record.raw_text(column)
            if column in TOLD and given and fold(given) != fold(value):
                return True
        elif LENGTH in schema.column(column).dimensions:
            here = record.number(column)
            if here is None or abs(here - value * size_of(unit)) > SAME_PLACE:
                return True
    return False
