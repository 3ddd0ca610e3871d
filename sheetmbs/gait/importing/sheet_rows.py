"""Rows of a sheet as they stand, for cells that an import fills in: headers, and rows by what their first column holds."""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import chain

from sheetmbs.schema.names import fold
from sheetmbs.workbook.cells.cells import Cell, CellSheet
from sheetmbs.workbook.reading.fields import is_blank


@dataclass
class PageRows:
    """A sheet to be filled in.

    cleared: cells that become blank. filling: contents by row and column. last: the last row that is in use.
    """

    cells: CellSheet
    cleared: frozenset[tuple[int, int]] = frozenset()
    filling: dict[tuple[int, int], str | float] = field(default_factory=dict)
    columns: dict[str, int] = field(init=False)
    last: int = field(init=False)

    def __post_init__(self) -> None:
        """Find the headers."""
        top = self.cells.rows.get(1, {})
        self.columns = {fold(str(cell.value)): at for at, cell in top.items() if not is_blank(cell)}
        self.last = max([*self.cells.rows, 1])

    def cell(self, row: int, column: str) -> Cell | None:
        """What stands in a column of that name; None where nothing does."""
        at = self.columns.get(fold(column))
        if at is None or (row, at) in self.cleared:
            return None
        found = self.cells.rows.cell(row, at)
        return None if is_blank(found) else found

    def text(self, row: int, column: str) -> str:
        """The same as a text."""
        cell = self.cell(row, column)
        return "" if cell is None else str(cell.value).strip()

    def row_of(self, name: str, column: str) -> int | None:
        """The first row that holds a name in a column, or will hold it once the sheet is filled in."""
        wanted, at = fold(name), self.columns.get(fold(column))
        coming = [
            row for (row, of), value in self.filling.items() if row > 1 and of == at and fold(str(value)) == wanted
        ]
        here = (row for row in self.cells.rows if row > 1 and fold(self.text(row, column)) == wanted)
        return next(chain(here, coming), None)

    def write(self, row: int, column: str, value: str | float) -> None:
        """Put something into a cell; a column that is missing comes behind the last one."""
        at = self.columns.get(fold(column))
        if at is None:
            at = max(self.columns.values(), default=0) + 1
            self.columns[fold(column)] = at
            self.filling[1, at] = column
        self.filling[row, at] = value
        self.last = max(self.last, row)

    def add(self) -> int:
        """The number of a new row."""
        self.last += 1
        return self.last
