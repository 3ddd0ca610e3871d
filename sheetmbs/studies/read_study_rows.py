"""The sheet `mbs Study` read back: values and responses of its variants, and which of these are drawn for comparison."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.cell import CellKind, Place, address
from sheetmbs.studies.sheets.study_table import BEST, DONE, ON_FRONT
from sheetmbs.studies.study_book import StudyBook
from sheetmbs.studies.study_results import AFTER, BEFORE
from sheetmbs.workbook.cells.cell_places import place_of_cell
from sheetmbs.workbook.cells.cells import Book, CellSheet
from sheetmbs.workbook.reading.fields import HEADER_ROW, UNITS_ROW
from sheetmbs.workbook.sheets.sheet_contents import STUDY
from sheetmbs.workbook.sheets.sheetxml import FIRST_DATA_ROW

RUN_FIRST, RUN_AGAIN = "run the study first", "run the study again"
BASELINE = 0
"""number of the variant that is the workbook itself, beside which the others are drawn"""
MAX_COMPARED_VARIANTS = 12
"""variants beside each other that a reader still tells apart, by showing and hiding them one by one"""
COMPARED_BY_DEFAULT = 5
"""variants of a front, or of a study that marks none as the best"""


@dataclass(frozen=True)
class StudyRow:
    """A variant as the sheet has it.

    values: by name of the variable. responses: by name of the response, None of a variant that failed. mark: whether it is
    the best one or on a front, else "". message: why it failed, "" where it did not.
    """

    number: int
    name: str
    values: Mapping[str, float]
    responses: Mapping[str, float | None]
    is_done: bool
    mark: str
    message: str

    @property
    def title(self) -> str:
        """Number of the variant, with its name and its remarks."""
        named = f" {self.name}" if self.name else ""
        return f"Variant {self.number}{named}{f', {self.mark}' if self.mark else ''}"


@dataclass(frozen=True)
class StudyRows:
    """The sheet, from which variants are taken.

    rows: by number of the variant. places, variables, responses: columns by name. units: by name of variable and response.
    """

    sheet: CellSheet
    rows: Mapping[int, int]
    places: Mapping[str, int]
    variables: Mapping[str, int]
    responses: Mapping[str, int]
    units: Mapping[str, str]

    def variant(self, number: int) -> StudyRow:
        """A variant, also one that failed: its cells may be set to see why.

        Raises WorkbookError where there is none of that number, or where a value is no number.
        """
        row = self.rows.get(number)
        if row is None:
            last = max(self.rows)
            rule = f"{STUDY} has variants 0 to {last:,}"
            raise _refused("unknown-variant", STUDY, f"there is no variant {number}", rule, "choose one")
        values = {}
        for name, column in self.variables.items():
            value = self._number(row, column)
            if value is None:
                cell = self.sheet.rows.cell(row, column)
                found = "nothing is there" if cell is None or cell.value == "" else f"{cell.value!r} is there"
                rule = f"variant {number} needs a number for {name}"
                raise _refused("no-value-of-variable", address(STUDY, row, column), found, rule, RUN_AGAIN)
            values[name] = value
        responses = {name: self._number(row, column) for name, column in self.responses.items()}
        name, status, mark, message = (self._text(row, each) for each in ("name", "status", "best", "message"))
        return StudyRow(number, name, values, responses, status == DONE, mark, message)

    def numbers_of(self, column: str, text: str) -> list[int]:
        """Numbers of the variants that have a text in one of the columns around the values, such as done in status."""
        return [number for number, row in self.rows.items() if self._text(row, column) == text]

    def _number(self, row: int, column: int) -> float | None:
        cell = self.sheet.rows.cell(row, column)
        if cell is None or cell.kind is not CellKind.NUMBER or not isinstance(cell.value, float | int):
            return None
        return float(cell.value)

    def _text(self, row: int, column: str) -> str:
        cell = self.sheet.rows.cell(row, self.places[column])
        return str(cell.value) if cell is not None else ""


def check_has_study(book: Book) -> None:
    """Raise WorkbookError where a workbook has no such sheet."""
    if STUDY not in book.sheets:
        found = f"{book.path.name} has no sheet {STUDY}"
        raise _refused("no-study", "", found, "variants are read from that sheet", RUN_FIRST)


def read_study_rows(book: Book, variables: Sequence[str]) -> StudyRows:
    """The variants on `mbs Study` of a workbook. variables: the names that the sheet Variables has, all of which it must show.

    Raises WorkbookError where there is no such sheet, or where it is of another study.
    """
    check_has_study(book)
    sheet = book.sheets[STUDY]
    places = {str(cell.value): column for column, cell in reversed([*sheet.rows.get(HEADER_ROW, {}).items()])}
    if not places.keys() >= {*BEFORE, *AFTER}:
        found = f"row 1 of {STUDY} lacks some of {', '.join((*BEFORE, *AFTER))}"
        raise _refused("changed-study", f"{STUDY}!A1", found, "variants are found by these columns", RUN_AGAIN)
    missing = next((name for name in variables if name not in places), None)
    if missing is not None:
        rule = f"the study on {STUDY} varied other variables than the sheet Variables has now"
        raise _refused("other-study", f"{STUDY}!A1", f"there is no column {missing}", rule, RUN_AGAIN)
    numbers = sheet.rows.numbers
    held = (numbers.columns == places["number"]) & (numbers.rows >= FIRST_DATA_ROW)
    rows = dict(zip(numbers.values[held].astype(int).tolist(), numbers.rows[held].tolist(), strict=True))
    if not rows:
        found = f"{STUDY} holds no variant"
        raise _refused("no-study", f"{STUDY}!A1", found, "variants are read from that sheet", RUN_FIRST)
    of_variables = {name: places[name] for name in variables}
    around = {*BEFORE, *AFTER, *variables}
    of_responses = {name: column for name, column in places.items() if name not in around}
    units = {name: _unit(sheet, column) for name, column in (of_variables | of_responses).items()}
    return StudyRows(sheet, rows, places, of_variables, of_responses, units)


def _unit(sheet: CellSheet, column: int) -> str:
    cell = sheet.rows.cell(UNITS_ROW, column)
    return str(cell.value) if cell is not None else ""


def _refused(code: str, cell: str, found: str, rule: str, mend: str) -> WorkbookError:
    return WorkbookError(Problem(code, "error", cell, found, rule, mend))


def comparison_variants(rows: StudyRows, asked: str | None) -> list[StudyRow]:
    """The variants that are asked for, in the order of their numbers.

    asked: numbers and ranges such as "3; 17-20", or "none". None: the best one, or some of the front, or of all that worked.
    Raises WorkbookError where it says something else, too many variants, or unknown ones.
    """
    numbers = _default_numbers(rows) if asked is None else _parse_numbers(asked)
    return [rows.variant(number) for number in numbers]


def are_unwanted(asked: str | None) -> bool:
    """Whether no variants are wanted, by the word none."""
    return asked is not None and asked.strip().lower() == "none"


def best_of(rows: StudyRows) -> int:
    """The number of the best variant. Raises WorkbookError where the study marks none as the best."""
    best = rows.numbers_of("best", BEST)
    if not best:
        front = rows.numbers_of("best", ON_FRONT)
        rule = "a study marks its best variant where a response has a goal and a variant holds all limits"
        mend = f"choose a variant by its number{f', such as {front[0]}, which is on the front' if front else ''}"
        raise _refused("no-best-variant", STUDY, "no variant is marked as the best", rule, mend)
    return best[0]


def _default_numbers(rows: StudyRows) -> list[int]:
    """The best variant, else some of the front or of all that worked, evenly from the first to the last."""
    best, front = (rows.numbers_of("best", mark) for mark in (BEST, ON_FRONT))
    candidates = best or front or rows.numbers_of("status", DONE)
    numbers = [number for number in candidates if number != BASELINE]
    last = len(numbers) - 1
    if last < COMPARED_BY_DEFAULT:
        return numbers
    return [numbers[round(k * last / (COMPARED_BY_DEFAULT - 1))] for k in range(COMPARED_BY_DEFAULT)]


def _parse_numbers(asked: str) -> list[int]:
    if are_unwanted(asked):
        return []
    numbers: set[int] = set()
    for part in filter(None, (each.strip() for each in re.split("[;,]", asked))):
        limits = re.fullmatch(r"(\d{1,9})(?:\s*-\s*(\d{1,9}))?", part)
        if limits is None:
            mend = 'write, for example, "3; 17-20"'
            raise _refused("variants-asked", "", f'"{part}"', "variants are numbers and ranges, or none", mend)
        first, last = int(limits[1]), int(limits[2] or limits[1])
        if last < first:
            raise _refused("variants-asked", "", f'"{part}"', "a range goes up", f'write "{last}-{first}"')
        numbers.update(range(first, min(last, first + MAX_COMPARED_VARIANTS) + 1))
    if len(numbers) > MAX_COMPARED_VARIANTS:
        rule = f"more than {MAX_COMPARED_VARIANTS} beside each other cannot be told apart"
        raise _refused("variants-asked", "", f'the variants "{asked}"', rule, "name fewer")
    return sorted(numbers - {BASELINE})


@dataclass(frozen=True)
class ComparisonVariants:
    """Variants that are drawn beside the workbook as it is.

    units: by name of variable and response. as_it_is: variant 0. rows: the others. cells: of each the values by address.
    """

    units: Mapping[str, str]
    as_it_is: StudyRow
    rows: Sequence[StudyRow]
    cells: Sequence[Mapping[str, float | str]]


def read_variants(book: Book, asked: str | None) -> ComparisonVariants | None:
    """Variants of the sheet `mbs Study` of an open workbook; None where it has no such sheet, or none of them are wanted.

    asked: their numbers, such as "3; 17-20", or "none"; None: the best one, or some of the front, or of all that worked.
    Raises WorkbookError where they cannot be read, or where variants are asked for and there is no study.
    """
    if are_unwanted(asked) or (asked is None and STUDY not in book.sheets):
        return None
    study, rows = study_rows(book)
    beside = comparison_variants(rows, asked)
    if not beside:
        return None
    cells = [{str(place): value for place, value in cells_of(study, row).items()} for row in beside]
    return ComparisonVariants(rows.units, rows.variant(0), beside, cells)


def study_rows(opened: Book) -> tuple[StudyBook, StudyRows]:
    """The study of an open workbook, and the rows of its sheet `mbs Study`. Raises WorkbookError."""
    check_has_study(opened)
    study = _study_in(opened)
    return study, read_study_rows(opened, [variable.name for variable in study.variables])


def cells_of(study: StudyBook, row: StudyRow) -> dict[Place, float | str]:
    """The values of all variable cells in a variant, with what stands beside those of rows that are new."""
    found: dict[Place, float | str] = {}
    for variable in study.variables:
        value = row.values[variable.name]
        if variable.texts and value == variable.as_it_is[0]:
            continue
        found |= {place_of_cell(cell): text for cell, text in variable.texts}
        cells = zip(variable.cells, variable.cell_values(value), strict=True)
        found |= {place_of_cell(cell): number for cell, number in cells}
    return found


def _study_in(opened: Book) -> StudyBook:
    """The study that the sheets of an open workbook ask for. Raises WorkbookError."""
    from sheetmbs.formulas.workbook_formulas import WorkbookFormulas
    from sheetmbs.studies.reading.read_study import read_study
    from sheetmbs.studies.reading.study_cells import StudyCells
    from sheetmbs.studies.reading.tyre_variables import with_tyre_variables
    from sheetmbs.workbook.cells.written_book import written_book

    formulas = WorkbookFormulas(written_book(opened))
    return with_tyre_variables(read_study(StudyCells(opened, formulas)), opened, formulas)
