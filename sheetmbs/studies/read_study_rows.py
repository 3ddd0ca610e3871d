"""The sheet `mbs Study` read back: the values that variables and responses had in a variant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.cell import CellKind, address
from sheetmbs.studies.sheets.study_table import DONE
from sheetmbs.studies.study_results import AFTER, BEFORE
from sheetmbs.workbook.cells.cells import Book, CellSheet
from sheetmbs.workbook.reading.fields import HEADER_ROW, UNITS_ROW
from sheetmbs.workbook.sheets.sheet_contents import STUDY
from sheetmbs.workbook.sheets.sheetxml import FIRST_DATA_ROW

FIRST, AGAIN = "run the study first", "run the study again"


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
            raise _refused(
                "unknown-variant",
                STUDY,
                f"there is no variant {number}",
                f"{STUDY} has variants 0 to {last:,}",
                "choose one",
            )
        values = {}
        for name, column in self.variables.items():
            value = self._number(row, column)
            if value is None:
                cell = self.sheet.rows.cell(row, column)
                found = "nothing" if cell is None or cell.value == "" else repr(cell.value)
                raise _refused(
                    "no-value-of-variable",
                    address(STUDY, row, column),
                    f"{found} stands there",
                    f"variant {number} needs a number for {name}",
                    AGAIN,
                )
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
        raise _refused("no-study", "", found, "a variant is taken from there", FIRST)


def read_study_rows(book: Book, variables: Sequence[str]) -> StudyRows:
    """The variants on `mbs Study` of a workbook. variables: the names that the sheet Variables has, all of which it must show.

    Raises WorkbookError where there is no such sheet, or where it is of another study.
    """
    check_has_study(book)
    sheet = book.sheets[STUDY]
    places = {str(cell.value): column for column, cell in reversed([*sheet.rows.get(HEADER_ROW, {}).items()])}
    if not places.keys() >= {*BEFORE, *AFTER}:
        found = f"row 1 of {STUDY} has not all of {', '.join((*BEFORE, *AFTER))}"
        raise _refused("changed-study", f"{STUDY}!A1", found, "variants are found by these columns", AGAIN)
    missing = next((name for name in variables if name not in places), None)
    if missing is not None:
        rule = f"the study on {STUDY} was one of other variables than the sheet Variables has now"
        raise _refused("other-study", f"{STUDY}!A1", f"there is no column {missing}", rule, AGAIN)
    numbers = sheet.rows.numbers
    held = (numbers.columns == places["number"]) & (numbers.rows >= FIRST_DATA_ROW)
    rows = dict(zip(numbers.values[held].astype(int).tolist(), numbers.rows[held].tolist(), strict=True))
    if not rows:
        raise _refused(
            "no-study",
            f"{STUDY}!A1",
            f"{STUDY} holds no variant",
            "a variant is taken from there",
            FIRST,
        )
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
