"""A response that is a cell of the user's, whose formulas may read result sheets of the variant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.formulas.workbook_formulas import WorkbookFormulas
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.places import Place
from sheetmbs.schema.table import Table
from sheetmbs.studying.responses.column_response import ResultColumnAt
from sheetmbs.studying.responses.columns_to_number import Floats, NoResponseError
from sheetmbs.studying.responses.response_units import NoUnitError, factor_to
from sheetmbs.studying.study_book import StudyResponse

OWN_SHEETS = "mbs "
ABOVE = 2
"""rows of a result sheet above its numbers: names and units"""


@dataclass(frozen=True)
class CellResponse:
    """A cell. read: the cells of result sheets on which it depends, by the column that they show."""

    response: StudyResponse
    case: str
    place: Place
    read: Mapping[ResultColumnAt, tuple[Place, ...]]
    formulas: WorkbookFormulas
    unit: str
    factor: float = 1.0

    @property
    def needed(self) -> tuple[ResultColumnAt, ...]:
        """All columns that it reads."""
        return tuple(self.read)

    def value(self, tables: Mapping[str, Table]) -> float:
        """Its value in the variant whose cells are set. Raises NoResponseError where it has none."""
        for column, places in self.read.items():
            values = column.of(tables)
            rows = [place.row - ABOVE - 1 for place in places]
            if len(values) != max(rows) + 1 and max(rows) >= len(values):
                raise NoResponseError(
                    f"it reads {len(rows)} rows of {column.sheet}, and this variant has {len(values)}"
                )
            numbers = values[rows].tolist()
            shown = [None if np.isnan(number) else number for number in numbers]
            self.formulas.set_values(dict(zip(places, shown, strict=True)))
        found = self.formulas.values([self.place])[0]
        if isinstance(found, bool) or not isinstance(found, float | int):
            raise NoResponseError(f"the cell {self.place} holds {'nothing' if found is None else found}, and no number")
        return float(found) * self.factor

    def residuals(self, tables: Mapping[str, Table]) -> Floats:
        """What a search by least squares makes small: the weighted difference from the target value."""
        return np.array([np.sqrt(self.response.weight) * (self.value(tables) - (self.response.value or 0.0))])


def cell_response(
    response: StudyResponse, case: str, place: Place, tables: Mapping[str, Table], formulas: WorkbookFormulas, unit: str
) -> CellResponse:
    """A cell made ready. tables: of its case, all. unit: of the cell. Raises WorkbookError where it cannot be followed."""
    if response.curve:
        rule, mend = "a target curve is followed by a result column", "name the column, or clear the curve"
        raise WorkbookError(Problem("wrong-response", "error", response.place, f"of: {response.of}", rule, mend))
    try:
        factor = factor_to(response.unit, unit) if unit else 1.0
    except NoUnitError as error:
        problem = Problem(
            "wrong-unit", "error", response.place, f"unit: {response.unit}", str(error), "correct the unit"
        )
        raise WorkbookError(problem) from None
    read: dict[ResultColumnAt, list[Place]] = {}
    for each in sorted(formulas.precedents(place)):
        if each.sheet.startswith(OWN_SHEETS) and each.row > ABOVE:
            read.setdefault(_column(response, each, tables), []).append(each)
    found = {column: tuple(places) for column, places in read.items()}
    return CellResponse(response, case, place, found, formulas, response.unit or unit, factor)


def _column(response: StudyResponse, place: Place, tables: Mapping[str, Table]) -> ResultColumnAt:
    """The result column that a cell shows. Raises WorkbookError where it is not of a table of results."""
    table = tables.get(place.sheet)
    if table is None:
        rule = f"it reads {place}, and {_of(tables)} can be followed through variants"
        mend = "let the formula read these sheets, or write an expression over result columns in place of the address"
        raise WorkbookError(Problem("wrong-response", "error", response.place, f"of: {response.of}", rule, mend))
    if place.column > len(table.columns):
        rule, mend = f"it reads {place}, where results have no column", "run the workbook once, and correct the formula"
        raise WorkbookError(Problem("wrong-response", "error", response.place, f"of: {response.of}", rule, mend))
    name = table.columns[place.column - 1]
    return ResultColumnAt(place.sheet, name, table.units[place.column - 1])


def _of(tables: Mapping[str, Table]) -> str:
    names: Sequence[str] = list(tables)
    return f"only cells of {', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else f"only cells of {names[0]}"
