"""A response that is a cell of the user's, whose formulas may read result sheets of the variant."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from sheetmbs.formulas.cell_contents import Area, ErrorValue, Value, as_value
from sheetmbs.formulas.formula_references import whole_sheet
from sheetmbs.formulas.workbook_formulas import WorkbookFormulas
from sheetmbs.schema.cell import Place
from sheetmbs.schema.names import RESULT_SHEETS
from sheetmbs.schema.table import Table
from sheetmbs.studies.responses.aggregation_functions import NoResponseError
from sheetmbs.studies.responses.column_response import ResultColumnAt
from sheetmbs.studies.responses.response_units import NoUnitError, factor_to
from sheetmbs.studies.study_book import Floats, StudyResponse

ABOVE = 2
"""rows of a result sheet above its numbers: names and units"""


@dataclass(frozen=True)
class _Stretch:
    """Cells of a result sheet, one below the other, which show a result column. first, last: rows of the sheet."""

    column: ResultColumnAt
    number: int
    first: int
    last: int

    def shown(self, values: Floats, filled: int) -> dict[Place, float | None]:
        """What its cells show where the column has values (n,); None empties those down to row ``filled`` that have none."""
        numbers = [None if np.isnan(value) else value for value in values[self.first - ABOVE - 1 :].tolist()]
        end = min(self.last, max(filled, ABOVE + len(values)))
        numbers += [None] * (end - self.first + 1 - len(numbers))
        sheet = self.column.sheet
        return {Place(sheet, self.first + k, self.number): numbers[k] for k in range(end - self.first + 1)}


@dataclass(frozen=True)
class CellResponse:
    """A cell. read: what it reads of result sheets. filled: the last row of each of these that is not empty.

    homes: the case of each of these sheets; each sweep has one of its own.
    """

    response: StudyResponse
    case: str
    homes: Mapping[str, str]
    place: Place
    read: tuple[_Stretch, ...]
    filled: dict[str, int]
    formulas: WorkbookFormulas
    unit: str
    factor: float = 1.0

    def home(self, sheet: str) -> str:
        """The case of a result sheet that it reads."""
        return self.homes[sheet]

    @property
    def needed(self) -> tuple[ResultColumnAt, ...]:
        """All columns that it reads."""
        return tuple(dict.fromkeys(stretch.column for stretch in self.read))

    def value(self, tables: Mapping[str, Table]) -> float:
        """Value of the cell in the variant whose cells are set. Raises NoResponseError where it has none."""
        shown: dict[Place, float | None] = {}
        for stretch in self.read:
            sheet, values = stretch.column.sheet, stretch.column.of(tables)
            shown |= stretch.shown(values, self.filled[sheet])
            self.filled[sheet] = max(self.filled[sheet], ABOVE + len(values))
        self.formulas.set_values(shown)
        found = self.formulas.values([self.place])[0]
        if isinstance(found, bool) or not isinstance(found, float | int):
            content = "nothing" if found is None else found.name if isinstance(found, ErrorValue) else found
            raise NoResponseError(f"the cell {self.place} holds {content}, not a number")
        return float(found) * self.factor

    def forget(self) -> None:
        """Let the result sheets that it reads be those of the file again, for formulas of the model may read them too."""
        cells: dict[Place, Value] = {}
        for stretch in self.read:
            last = min(stretch.last, self.filled[stretch.column.sheet])
            for row in range(stretch.first, last + 1):
                place = Place(stretch.column.sheet, row, stretch.number)
                cells[place] = as_value(self.formulas.stored(place))
        self.formulas.set_values(cells)

    def residuals(self, tables: Mapping[str, Table]) -> Floats:
        """What a search by least squares makes small: the weighted difference from the target value."""
        return np.array([np.sqrt(self.response.weight) * (self.value(tables) - (self.response.value or 0.0))])


def cell_response(
    response: StudyResponse,
    case: str,
    homes: Mapping[str, str],
    place: Place,
    tables: Mapping[str, Table],
    formulas: WorkbookFormulas,
    filled: dict[str, int],
    unit: str,
) -> CellResponse:
    """A cell made ready. homes: the case of each result sheet. tables: these sheets. unit: of the cell.

    filled: see `CellResponse`, shared by all responses.

    Raises WorkbookError where it cannot be followed.
    """
    if response.curve:
        rule, mend = "a target curve needs a result column to compare with", "name the column, or clear the curve"
        raise response.refusal("wrong-response", f"of: {response.of}", rule, mend)
    try:
        factor = factor_to(response.unit, unit) if unit else 1.0
    except NoUnitError as error:
        found = f"unit: {response.unit}"
        raise response.refusal("wrong-unit", found, str(error), "correct the unit") from None
    read = tuple(dict.fromkeys(_stretches(response, place, tables, formulas)))
    for sheet in {stretch.column.sheet for stretch in read}:
        filled[sheet] = max(each.row for each in formulas.held(whole_sheet(sheet)))
    return CellResponse(response, case, homes, place, read, filled, formulas, response.unit or unit, factor)


def _stretches(
    response: StudyResponse, place: Place, tables: Mapping[str, Table], formulas: WorkbookFormulas
) -> Iterator[_Stretch]:
    """What a cell reads of result sheets, below names and units. Raises WorkbookError where that is no result column."""
    for area in formulas.ranges_behind(place):
        is_searched = area == whole_sheet(area.sheet)
        if not area.sheet.startswith(RESULT_SHEETS) or area.bottom <= ABOVE:
            continue
        if is_searched and area.sheet not in tables:
            continue
        headers = {each.column: each for each in formulas.held(area._replace(top=1, bottom=1))}
        across = range(area.left, area.right + 1)
        for number in sorted(headers) if len(across) > len(headers) > 0 else across:
            column = _column(response, Place(area.sheet, area.top, number), tables, formulas)
            yield _Stretch(column, number, max(area.top, ABOVE + 1), area.bottom)


def _column(
    response: StudyResponse, place: Place, tables: Mapping[str, Table], formulas: WorkbookFormulas
) -> ResultColumnAt:
    """The result column that a cell shows. Raises WorkbookError where it is not of a table of results."""
    table, found = tables.get(place.sheet), f"of: {response.of}"
    if table is None:
        rule = f"it reads {place}, and {_of(tables)} can be followed through variants"
        mend = "let the formula read those sheets, or write an expression over result columns in place of the address"
        raise response.refusal("wrong-response", found, rule, mend)
    header = formulas.stored(Place(place.sheet, 1, place.column))
    if header not in table.columns:
        rule = f"it reads {place}, which is not below the header of a result column"
        mend = "run the workbook once and correct the formula, or write an expression over result columns"
        raise response.refusal("wrong-response", found, rule, mend)
    number = table.columns.index(str(header))
    if len(table.values) == 1 and any(each.row > ABOVE + 1 for each in formulas.held(_below(place))):
        rule = f"it reads {place}, but this case has no such rows on {place.sheet}"
        mend = f"write an expression over result columns in place of the address, such as first({header})"
        raise response.refusal("wrong-response", found, rule, mend)
    return ResultColumnAt(place.sheet, table.columns[number], table.units[number])


def _below(place: Place) -> Area:
    """The whole column of a cell."""
    return whole_sheet(place.sheet)._replace(left=place.column, right=place.column)


def _of(tables: Mapping[str, Table]) -> str:
    names: Sequence[str] = list(tables)
    return f"only cells of {', '.join(names[:-1])} and {names[-1]}" if len(names) > 1 else f"only cells of {names[0]}"
