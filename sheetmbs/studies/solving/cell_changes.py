"""From values of variables to all cells of the model that change with them.

Formulas may read result sheets that no run has written yet: `with_result_sheets` puts those of a plain run in their place.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from sheetmbs.formulas.cell_contents import Area, ErrorValue, Value, WrittenBook
from sheetmbs.formulas.workbook_formulas import WorkbookFormulas
from sheetmbs.problems.errors import Problem
from sheetmbs.products.varied_workbook import CellAt, CellValue, ChangedCells
from sheetmbs.schema.all_inputs import is_input_sheet
from sheetmbs.schema.cell import Place
from sheetmbs.schema.names import RESULT_SHEETS, fold
from sheetmbs.schema.table import Table
from sheetmbs.studies.study_book import Floats, StudyBook, StudyVariable
from sheetmbs.workbook.cells.cell_places import cell_of_place, place_of_cell
from sheetmbs.workbook.cells.cells import ERROR_VALUES

CALCULATION_ERROR = "#CALC!"
"""in place of errors that only the library knows"""
NOTES = "notes"
QUOTED_RESULT_SHEET = re.compile(rf"'({RESULT_SHEETS}[^'!]+)'!", re.IGNORECASE)
"""a result sheet in a formula: its name has a blank, so that it stands in quotes"""


class CellChanges:
    """Sets variables in a workbook. formulas: of the workbook, holding the values of the file.

    A cell that no variable moves keeps the value of the file, bit by bit.
    """

    def __init__(self, study: StudyBook, formulas: WorkbookFormulas) -> None:
        self.study = study
        self._formulas = formulas
        self._places = [[place_of_cell(cell) for cell in variable.cells] for variable in study.variables]
        self._moved = [self._formulas_of(places) for places in self._places]

    def check(self, more: Sequence[Place] = ()) -> list[Problem]:
        """What is wrong with the formulas on which the model depends, and with those behind some more cells."""
        return self._formulas.check([*self._read(), *more])

    def unknown(self, more: Sequence[Place] = ()) -> int:
        """How many formulas without a value in the file the model depends on, or some more cells do."""
        return self._formulas.count_unknown([*self._read(), *more])

    def _read(self) -> Iterator[Place]:
        """The formulas that the model reads."""
        is_input = {sheet: is_input_sheet(sheet) for sheet in {place.sheet for place in self._formulas.places}}
        return (place for place in self._formulas.places if is_input[place.sheet] and not self._is_note(place))

    def _is_note(self, place: Place) -> bool:
        """Whether a cell stands in a column of notes, which nobody reads."""
        header = self._formulas.stored(Place(place.sheet, 1, place.column))
        return isinstance(header, str) and fold(header) == NOTES

    def idle(self, more: Sequence[Place] = ()) -> list[StudyVariable]:
        """Variables on which nothing that is computed depends. more: cells that are responses."""
        behind = {each for place in more for each in (place, *self._formulas.precedents(place))}
        return [
            variable
            for variable, places, moved in zip(self.study.variables, self._places, self._moved, strict=True)
            if not any(is_input_sheet(place.sheet) or place in behind for place in (*places, *moved))
        ]

    def moved_on(self, sheet: str) -> list[tuple[StudyVariable, Place]]:
        """The formulas on a sheet that variables move, each with the first such variable."""
        found: dict[Place, StudyVariable] = {}
        for variable, places in zip(self.study.variables, self._places, strict=True):
            for each in sorted(self._formulas.dependents(*places)):
                if fold(each.sheet) == fold(sheet):
                    found.setdefault(each, variable)
        return [(variable, place) for place, variable in found.items()]

    def _formulas_of(self, places: Sequence[Place]) -> frozenset[Place]:
        """Formulas of the model that a variable moves: those on its input sheets, for it reads no other ones."""
        moved = self._formulas.dependents(*places)
        is_input = {sheet: is_input_sheet(sheet) for sheet in {each.sheet for each in moved}}
        return frozenset(each for each in moved if is_input[each.sheet])

    @cached_property
    def reads_results(self) -> bool:
        """Whether the model depends on a result sheet, as the file has it."""
        return any(self._formulas.reads_results(place) for place in frozenset().union(*self._moved))

    def at(self, values: Floats) -> ChangedCells:
        """Cells that the model reads and that differ from the file where the variables have values (variables,)."""
        plain: dict[Place, CellValue] = {}
        changed: dict[CellAt, CellValue] = {}
        moved: set[Place] = set()
        for variable, places, value, formulas in zip(
            self.study.variables, self._places, values.tolist(), self._moved, strict=True
        ):
            if value == variable.as_it_is[0]:
                plain.update(zip(places, variable.as_it_is, strict=True))
                continue
            moved |= formulas
            for cell, place, number in zip(variable.cells, places, variable.cell_values(value), strict=True):
                plain[place] = changed[cell] = number
            changed.update(variable.texts)
        self._formulas.set_values(plain)
        return changed | self._computed(sorted(moved))

    def _computed(self, moved: Sequence[Place]) -> dict[CellAt, CellValue]:
        """What formulas give. An error stands in the cell as in a saved workbook: it counts where the model reads the cell."""
        found: dict[CellAt, CellValue] = {}
        for place, value in zip(moved, self._formulas.values(moved), strict=True):
            if isinstance(value, ErrorValue):
                found[cell_of_place(place)] = value.name if value.name in ERROR_VALUES else CALCULATION_ERROR
            else:
                found[cell_of_place(place)] = "" if value is None else value
        return found

    def value_of(self, place: Place) -> object:
        """The value of a cell in the variant set last."""
        return self._formulas.values([place])[0]


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
    lacking = {name.casefold() for text in texts for name in QUOTED_RESULT_SHEET.findall(text)} - known
    if not lacking:
        return written
    found = {table.name: TableValues(table) for table in results() if table.name.casefold() in lacking}
    return replace(written, sheets={**written.sheets, **found})
