"""A table sheet as records, one per row, and the rows that count under their names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from sheetmbs.schema.column import Dimensionality, Sheet
from sheetmbs.schema.meanings import means_units
from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, ProblemList
from sheetmbs.workbook.cells.cell_rows import Row
from sheetmbs.workbook.cells.cells import CellSheet
from sheetmbs.workbook.reading.cases import Cases
from sheetmbs.workbook.reading.fields import (
    UNITS_ROW,
    first_text,
    is_empty,
)
from sheetmbs.workbook.reading.record import Record
from sheetmbs.workbook.reading.registry import Absent, Registry
from sheetmbs.workbook.reading.table_headers import UNITS, TableHeaders, is_sheet_empty, is_stray

NO_CASES = Cases()
IGNORED = ("notes", "active")


class InputTable:
    """A sheet of records. cells: None where the workbook has no such sheet; it then has no records. cases: which rows count.

    fields: the columns that are there, by name. strays: rows of units that stand too low, which have been reported.
    named: the rows that count with their names, once they have been read. changed: rows with other numbers by row, since then.
    """

    def __init__(
        self,
        schema: Sheet,
        cells: CellSheet | None,
        report: ProblemList,
        dimension: Dimensionality,
        cases: Cases = NO_CASES,
    ) -> None:
        self.schema = schema
        self.report = report
        self.dimension = dimension
        self.cases = cases
        self.cells = cells
        self.headers = TableHeaders(schema, cells, report, dimension)
        self.fields = self.headers.fields
        self.strays: set[int] = set()
        self.named: list[tuple[Record, str]] | None = None
        self.changed: Mapping[int, Row] = {}

    @property
    def lacks_names(self) -> bool:
        """Whether the column of names, or the whole sheet, is missing although it must be there."""
        is_expected = self.schema.required or (self.cells is not None and not is_sheet_empty(self.cells))
        return is_expected and "name" not in self.fields

    def records(self) -> Iterator[Record]:
        """Every row that says something: not blank, no comment, not the units row; switched off ones too."""
        if self.cells is None:
            return
        known = {field.header.place.column for name, field in self.fields.items() if name not in IGNORED}
        for row, cells in self.cells.rows.items():
            if row < UNITS_ROW or (row == UNITS_ROW and self.headers.has_units_row):
                continue
            if not any(column in known and not is_empty(cell) for column, cell in cells.items()):
                continue
            if not is_comment(cells, self.headers.first_column) and not self._is_stray(row, cells):
                yield Record(self, row, cells)

    def renewed(self, record: Record) -> Record:
        """A row as it stands now."""
        cells = self.changed.get(record.row)
        return record if cells is None else record.with_cells(cells)

    def _is_stray(self, row: int, cells: Row) -> bool:
        """Whether a row without a name, or named units, is a units row that stands too low, which is reported once."""
        first = self.fields.get(self.schema.columns[0].name)
        at = first.header.place.column if first else self.headers.first_column
        name = first_text(cells, at)
        if row in self.strays or (name and fold(name) not in UNITS and not means_units(name)):
            return row in self.strays
        numbers = [cells.get(field.header.place.column) for field in self.fields.values() if field.column.is_numeric]
        place = Place(self.cells.name if self.cells else self.schema.name, row, at)
        if is_stray(numbers, place, self.report):
            self.strays.add(row)
        return row in self.strays


def is_comment(row: Row, column: int) -> bool:
    """Whether a row's first cell starts with ``#``. An Excel error such as ``#REF!`` is not text, so no comment."""
    return first_text(row, column).startswith("#")


def named_records(table: InputTable, registry: Registry) -> Iterator[tuple[Record, str]]:
    """The rows that count and their names, entered in ``registry``; a name is ``""`` where it is wrong.

    Where a table is read again with other numbers, its rows and names are those of the first time.
    """
    if table.named is not None:
        for record, name in table.named:
            yield table.renewed(record), name
        return
    registry.is_complete = registry.is_complete and not table.lacks_names
    named: list[tuple[Record, str]] = []
    for record in list(table.records()):
        if record.is_active:
            named.append((record, record.name(registry)))
            yield named[-1]
        else:
            absence = table.cases.absence(record.raw_text("active"))
            registry.add_switched_off(record.raw_text("name"), Absent(record.place("name"), *absence))
    table.named = named
