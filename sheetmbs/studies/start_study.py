"""A first study of a workbook: the sheets Variables, Responses and Study with example rows that run at once.

The rows are tried before they are written: two cells of input sheets are chosen that change results at both ends of
their ranges, and two responses that these cells change.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from math import floor, isfinite, log10
from pathlib import Path
from time import monotonic

import numpy as np

from sheetmbs.all_products import product_of
from sheetmbs.formulas.workbook_formulas import WorkbookFormulas
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.products.product import StudyExamples
from sheetmbs.products.varied_workbook import FoundCase
from sheetmbs.schema.all_inputs import INPUTS_BY_FOLD
from sheetmbs.schema.cell import CellKind, address, cell_name
from sheetmbs.schema.names import fold
from sheetmbs.schema.study_inputs import GOALS, HOW, METHODS, RESPONSES, STUDY, STUDY_SETTINGS, STUDY_SHEETS, VARIABLES
from sheetmbs.schema.table import Table
from sheetmbs.studies.reading.study_cells import StudyCells
from sheetmbs.studies.responses.aggregation_functions import NoResponseError
from sheetmbs.studies.responses.column_response import ColumnResponse, column_name, column_response
from sheetmbs.studies.solving.cell_changes import CellChanges
from sheetmbs.studies.solving.variant_solver import VariantSolver
from sheetmbs.studies.study_book import Floats, StudyBook, StudyResponse, StudyVariable
from sheetmbs.workbook.cells.cell_places import cell_of_place, place_of_cell
from sheetmbs.workbook.cells.cells import Book, CellAt, open_book
from sheetmbs.workbook.cells.written_book import written_book
from sheetmbs.workbook.reading.fields import HEADER_ROW
from sheetmbs.workbook.sheets.newsheet import NewSheet, Value, form_sheet
from sheetmbs.workbook.writing.add_inputs import add_sheets

EXAMPLES = 2
"""rows of Variables, and of Responses"""
MAX_COLUMNS_TRIED, MAX_CELLS_TRIED, MAX_OF_COLUMN, MAX_SECONDS = 40, 60, 5, 30.0
"""result columns and cells that are tried, cells of one column among them, and seconds that this may take"""
MIN_EFFECT = 1e-3
"""of its size, by which a cell changes a response that depends on it"""
MAX_ROUNDING = 1e-6
"""of the largest number of the same unit, below which a column may show errors of rounding alone"""
MIN_SIZE = 1e-9
"""in any unit, below which numbers say nothing about a design"""
RELATIVE_RANGE, COORDINATE_RANGE = 0.1, 0.02
"""half a range: of the value itself; of a coordinate, of the extent of its column"""
COORDINATES = ("x", "y", "z")
SHEETS_OF_CHECKS = ("mbs Constraints",)
"""whose columns show errors of the solver, and no properties of a design"""


@dataclass(frozen=True)
class StartedStudy:
    """The rows that were written. variables: name, cell, low and high of each. responses: name and expression of each."""

    variables: tuple[tuple[str, str, float, float], ...]
    responses: tuple[tuple[str, str], ...]


def start_study(path: Path, output: Path | None = None) -> StartedStudy:
    """Add the three sheets to a workbook, or to a copy of it; nothing else changes.

    Raises WorkbookError where the workbook has such a sheet or cannot be analysed or written, or where no cell was found
    that changes its results; every file is as it was then.
    """
    book = open_book(path)
    _check_no_study(book)
    trial = _Trial(book)
    variables = trial.variables()
    responses = trial.responses(variables)
    sheets = [*_filled(trial.case if trial.is_case_named else "", [each for each, _ in variables], responses)]

    def check(written: Path) -> None:
        VariantSolver(open_book(written))

    add_sheets(path, output, sheets, check)
    shown = tuple(
        (each.name, address(*place_of_cell(each.cells[0])), float(each.low or 0.0), float(each.high or 0.0))
        for each, _effects in variables
    )
    return StartedStudy(shown, tuple((each.name, each.of) for each in responses))


def _check_no_study(book: Book) -> None:
    """Raise WorkbookError where a sheet of studies is there already."""
    names = {fold(schema.name) for schema in STUDY_SHEETS}
    there = [name for name in book.sheets if fold(name) in names]
    if there:
        found = f"the sheet{'' if len(there) == 1 else 's'} {', '.join(there)}"
        rule = "the workbook has sheets of a study already, which are not overwritten"
        mend = "fill them in as they are, or delete or rename them first"
        raise WorkbookError(Problem("study-exists", "error", there[0], found, rule, mend))


class _Trial:
    """Cells and result columns of a workbook, tried out. case: that the responses are taken from."""

    def __init__(self, book: Book) -> None:
        self._book = book
        self._formulas = WorkbookFormulas(written_book(book))
        self._cells = StudyCells(book, self._formulas)
        product = product_of(book)
        self._examples: StudyExamples = product.study_examples
        subject = product.varied(book)
        found = subject.as_it_is()
        self.case = _first_case(found)
        self.is_case_named = len(found) > 1
        self._tables = found[self.case].tables
        self._subject = product.varied(book, (self.case,)) if self.is_case_named and self.case else subject
        self._columns = self._responses_to_try()
        asked: dict[str, dict[str, None]] = {}
        for response in self._columns:
            for column in response.needed:
                asked.setdefault(column.sheet, {})[column.name] = None
        self._subject.prepare({self.case: {sheet: tuple(names) for sheet, names in asked.items()}})
        self._base = self._values(found)

    def _responses_to_try(self) -> list[ColumnResponse]:
        """The largest value and the range of each column that may be a response; of a single row its value."""
        made = []
        for table, name in self._columns_in_order():
            quoted = column_name(name)
            if len(table.rows) > 1:
                asked = {f"largest {name}": f"max({quoted})", f"range of {name}": f"range({quoted})"}
            else:
                asked = {f"{name} found": f"first({quoted})"}
            for title, of in asked.items():
                response = StudyResponse(title, of, self.case, place=f"{RESPONSES.name}!B3")
                try:
                    made.append(column_response(response, self.case, self._tables, None))
                except WorkbookError:  # of a name that several columns share, for one
                    continue
        return made

    def _columns_in_order(self) -> list[tuple[Table, str]]:
        """Result columns that have a value, those that the product prefers first."""
        largest: dict[str, float] = {}
        for table in self._tables.values():
            for k, unit in enumerate(table.units):
                values = table.values[:, k]
                size = float(np.abs(values[np.isfinite(values)]).max(initial=0.0))
                largest[unit] = max(largest.get(unit, 0.0), size)
        known = [
            (table, name)
            for table in self._tables.values()
            if table.name not in SHEETS_OF_CHECKS
            for k, name in enumerate(table.columns)
            if (k or len(table.rows) == 1)
            and k not in table.texts
            and _is_telling(table.values[:, k], largest[table.units[k]])
        ]
        preferred = [each for ending in self._examples.columns for each in known if each[1].lower().endswith(ending)]
        ordered: dict[str, Table] = {}
        for table, name in (*preferred, *known):
            ordered.setdefault(name, table)
        return [(table, name) for name, table in ordered.items()][:MAX_COLUMNS_TRIED]

    def _values(self, found: Mapping[str, FoundCase]) -> Floats | None:
        """The values of all responses, NaN where one has none; None where the case failed or is in doubt."""
        case = found[self.case]
        if case.problem is not None or case.doubt is not None:
            return None
        values = []
        for response in self._columns:
            try:
                values.append(response.value(case.tables))
            except NoResponseError:
                values.append(float("nan"))
        return np.array(values)

    def variables(self) -> list[tuple[StudyVariable, Floats]]:
        """The first cells that change responses, each with its relative effects on all of them.

        Raises WorkbookError where there is none.
        """
        found: list[tuple[StudyVariable, Floats]] = []
        until = monotonic() + MAX_SECONDS
        for count, (name, cell, change) in enumerate(self._candidates()):
            if len(found) == EXAMPLES or count == MAX_CELLS_TRIED or monotonic() > until:
                break
            row = cell[0], place_of_cell(cell).row
            if row in {(each.cells[0][0], place_of_cell(each.cells[0]).row) for each, _ in found}:
                continue
            variable = self._variable(_free_name(name, cell, [each.name for each, _ in found]), cell, change)
            effects = self._effects(variable)
            if effects is not None and (effects > MIN_EFFECT).any():
                found.append((variable, effects))
        if not found:
            rule = "no number cell of its input sheets was found that changes a result"
            mend = "add the sheets by hand, as the guide to studies shows"
            raise WorkbookError(Problem("no-example", "error", "", self._book.path.name, rule, mend))
        return found

    def _variable(self, name: str, cell: CellAt, change: float) -> StudyVariable:
        value = self._cells.number(cell)
        digits = 1 - floor(log10(change))
        low, high = round(value - change, digits), round(value + change, digits)
        return StudyVariable(name, (cell,), (value,), low, high, unit=self._cells.unit(cell))

    def _effects(self, variable: StudyVariable) -> Floats | None:
        """How far each response changes from low to high, of its size; None where an end cannot be solved."""
        changes = CellChanges(StudyBook(METHODS[0], (), (variable,), ()), self._formulas)
        wrong = changes.check()
        if wrong:
            raise WorkbookError(wrong)
        ends = []
        for value in variable.bounds:
            values = self._values(self._subject.solve(changes.at(np.array([value]))))
            if values is None:
                return None
            ends.append(values)
        changes.at(np.array(variable.as_it_is))
        base = ends[0] if self._base is None else self._base
        size = np.maximum(np.maximum(abs(base), abs(ends[0])), abs(ends[1]))
        with np.errstate(invalid="ignore", divide="ignore"):
            return np.nan_to_num(np.abs(ends[1] - ends[0]) / size)

    def _candidates(self) -> Iterator[tuple[str, CellAt, float]]:
        """Names, cells and half ranges of numbers on input sheets, then of those that formulas there read."""
        behind: dict[CellAt, None] = {}
        for sheet, columns in self._examples.cells.items():
            for name in columns:
                numbers = self._numbers(sheet, name)
                values = [value for _cell, value in numbers]
                extent = max(values, default=0.0) - min(values, default=0.0)
                for cell, value in numbers[:MAX_OF_COLUMN]:
                    if self._formulas.is_formula(place_of_cell(cell)):
                        behind |= dict.fromkeys(map(cell_of_place, self._formulas.inputs(place_of_cell(cell))))
                        continue
                    change = COORDINATE_RANGE * extent if name in COORDINATES else RELATIVE_RANGE * abs(value)
                    if change > 0.0:
                        yield self._name(cell, sheet), cell, change
        for cell in behind:
            held = self._cells.cell(cell)
            if held is not None and held.kind is CellKind.NUMBER and float(held.value):
                yield self._name(cell, cell[0]), cell, RELATIVE_RANGE * abs(float(held.value))

    def _numbers(self, sheet: str, column: str) -> list[tuple[CellAt, float]]:
        """The cells of a column of an input sheet that hold numbers, with these; none where the workbook lacks it."""
        cells = self._book.find_sheet(sheet)
        heads = (
            {} if cells is None else {fold(str(each.value)): at for at, each in cells.rows.get(HEADER_ROW, {}).items()}
        )
        at = heads.get(fold(column))
        if cells is None or at is None:
            return []
        return [
            ((cells.name, cell_name(row, at)), float(held[at].value))
            for row, held in cells.rows.items()
            if row > HEADER_ROW and at in held and held[at].kind is CellKind.NUMBER
        ]

    def _name(self, cell: CellAt, sheet: str) -> str:
        """Of the element and its column: ``coil k``; of a setting its name alone."""
        place = place_of_cell(cell)
        rows = self._book.sheets[place.sheet].rows
        texts = {
            k: str(each.value).strip() for k, each in rows.get(place.row, {}).items() if each.kind is CellKind.TEXT
        }
        heads = {k: str(each.value).strip() for k, each in rows.get(HEADER_ROW, {}).items()}
        schema = INPUTS_BY_FOLD.get(fold(sheet))
        named = [column.name for column in schema.columns if column.required] if schema else []
        of = next((texts[k] for k in texts if heads.get(k) in named and heads[k] != "axle" and texts[k]), "")
        of = of or next((text for k, text in texts.items() if k < place.column and text), "")
        head = heads.get(place.column, "")
        is_setting = fold(head) in ("value", "front", "rear") or not head
        return (of if is_setting and of else f"{of} {head}".strip()) or address(*place)

    def responses(self, variables: Sequence[tuple[StudyVariable, Floats]]) -> list[StudyResponse]:
        """Two responses that the variables change, if it can be of two quantities."""
        moved = np.max([effects for _variable, effects in variables], axis=0) > MIN_EFFECT
        able = [response for response, does in zip(self._columns, moved, strict=True) if does]
        first = able[0]

        def likeness(other: ColumnResponse) -> tuple[bool, bool, bool]:
            column, beside = (each.columns[0].name for each in (first, other))
            is_same_quantity = column.rpartition(".")[2] == beside.rpartition(".")[2]
            is_same_function = _function(first) == _function(other)
            return column == beside, is_same_quantity, is_same_function

        return [each.response for each in (first, *sorted(able[1:], key=likeness)[: EXAMPLES - 1])]


def _function(response: ColumnResponse) -> str:
    return response.response.of.partition("(")[0]


def _first_case(found: Mapping[str, FoundCase]) -> str:
    """The first case that moves, else the first that could be solved. Raises WorkbookError where none could."""
    able = {name: case for name, case in found.items() if case.problem is None and case.tables}
    if not able:
        raise WorkbookError([case.problem for case in found.values() if case.problem is not None][:1])
    moving = (name for name, case in able.items() if len(next(iter(case.tables.values())).rows) > 1)
    return next(moving, next(iter(able)))


def _is_telling(values: Floats, largest: float) -> bool:
    """Whether a column has values above rounding, which differ where there are several. largest: of their unit."""
    rounding = max(MAX_ROUNDING * largest, MIN_SIZE)
    if not np.isfinite(values).all() or float(np.abs(values).max(initial=0.0)) <= rounding:
        return False
    return len(values) == 1 or float(np.ptp(values)) > MIN_EFFECT * float(np.abs(values).max())


def _free_name(name: str, cell: CellAt, taken: Sequence[str]) -> str:
    """A name that no other variable has."""
    return f"{name} {cell[1]}" if fold(name) in map(fold, taken) else name


def _filled(case: str, variables: Sequence[StudyVariable], responses: Sequence[StudyResponse]) -> Iterator[NewSheet]:
    """The three sheets with their rows."""
    rows: list[dict[str, Value]] = [
        {
            "name": each.name,
            "cell": address(*place_of_cell(each.cells[0])),
            "low": each.low,
            "high": each.high,
            "how": HOW[0],
            "notes": _note_of_value(each),
        }
        for each in variables
    ]
    yield form_sheet(VARIABLES.name, VARIABLES.columns, rows)
    rows = [
        {"name": each.name, "of": each.of, "case": case or None, "goal": None if k else GOALS[0]}
        for k, each in enumerate(responses)
    ]
    yield form_sheet(RESPONSES.name, RESPONSES.columns, rows)
    given = {"method": STUDY_SETTINGS[0].default, "cases": case or None}
    rows = [
        {
            "setting": rule.name,
            "value": given.get(rule.name),
            "notes": rule.doc + (f"; blank = {rule.default}" if rule.default and rule.name not in given else ""),
        }
        for rule in STUDY_SETTINGS
    ]
    offers = {k: rule.choices for k, rule in enumerate(STUDY_SETTINGS) if rule.choices}
    yield form_sheet(STUDY.name, STUDY.columns, rows, {"value": offers})


def _note_of_value(variable: StudyVariable) -> str:
    """What the cell holds now, with its unit."""
    value = variable.as_it_is[0]
    return f"now {value:.6g} {variable.unit}".strip() if isfinite(value) else ""
