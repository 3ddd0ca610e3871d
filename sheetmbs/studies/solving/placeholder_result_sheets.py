"""Result sheets that formulas of a workbook read before a run has written them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, replace

from sheetmbs.formulas.cell_contents import Area, Value, WrittenBook
from sheetmbs.schema.names import RESULT_SHEETS
from sheetmbs.schema.table import Table

NAMED = re.compile(rf"'({RESULT_SHEETS}[^'!]+)'!", re.IGNORECASE)
"""a result sheet in a formula: its name has a blank, so that it stands in quotes"""


@dataclass(frozen=True)
class TableValues:
    """The values of the cells of a result sheet that shows a table: names, units, then its rows."""

    table: Table

    def at(self, row: int, column: int) -> Value:
        """The value of one cell."""
        return next((value for *_, value in self.within(Area("", row, column, row, column))), None)

    def within(self, area: Area) -> Iterator[tuple[int, int, Value]]:
        """Row, column and value of every cell of a range that holds something."""
        table = self.table
        for column in range(area.left, min(area.right, len(table.columns)) + 1):
            texts = table.texts.get(column - 1)
            numbers = table.values[:, column - 1].tolist() if texts is None else texts.texts
            cells: tuple[Value, ...] = (table.columns[column - 1], table.units[column - 1], *numbers)
            for row in range(area.top, min(area.bottom, len(cells)) + 1):
                value = cells[row - 1]
                if value != "" and value == value:  # noqa: PLR0124 - NaN is an empty cell
                    yield row, column, value


def with_result_sheets(written: WrittenBook, results: Callable[[], Iterable[Table]]) -> WrittenBook:
    """The workbook with the result sheets that its formulas and names read and that it lacks, as a run would write them.

    results: all tables of a run; only called where some sheet is lacking.
    """
    known = {name.casefold() for name in written.sheets}
    texts = (*(each.text for each in written.formulas.values()), *(each.text for each in written.names))
    lacking = {name.casefold() for text in texts for name in NAMED.findall(text)} - known
    if not lacking:
        return written
    found = {table.name: TableValues(table) for table in results() if table.name.casefold() in lacking}
    return replace(written, sheets={**written.sheets, **found})
