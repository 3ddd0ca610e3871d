"""The sheet `mbs Study` read back: the values that the variables had in a variant."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.studying.sheets.study_table import DONE
from sheetmbs.studying.study_results import AFTER, BEFORE
from sheetmbs.workbook.cells.cells import Book, CellSheet
from sheetmbs.workbook.package.cell import CellKind, address
from sheetmbs.workbook.sheets.sheet_contents import STUDY
from sheetmbs.workbook.sheets.sheetxml import FIRST_DATA_ROW

FIRST, AGAIN = "run the study first", "run the study again"


@dataclass(frozen=True)
class StudyRow:
    """A variant as the sheet has it. values: by name of the variable. message: why it failed, "" where it did not."""

    number: int
    name: str
    values: Mapping[str, float]
    is_done: bool
    message: str


@dataclass(frozen=True)
class StudyRows:
    """The sheet, from which variants are taken. rows: by number of the variant. places, variables: columns by name."""

    sheet: CellSheet
    rows: Mapping[int, int]
    places: Mapping[str, int]
    variables: Mapping[str, int]

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
            cell = self.sheet.rows.cell(row, column)
            if cell is None or cell.kind is not CellKind.NUMBER or not isinstance(cell.value, float | int):
                where = address(STUDY, row, column)
                found = "nothing" if cell is None or cell.value == "" else repr(cell.value)
                raise _refused(
                    "no-value-of-variable",
                    where,
                    f"{found} stands there",
                    f"variant {number} needs a number for {name}",
                    AGAIN,
                )
            values[name] = float(cell.value)
        name, status, message = (self._text(row, each) for each in ("name", "status", "message"))
        return StudyRow(number, name, values, status == DONE, message)

    def _text(self, row: int, column: str) -> str:
        cell = self.sheet.rows.cell(row, self.places[column])
        return str(cell.value) if cell is not None else ""


def read_study_rows(book: Book, variables: Sequence[str]) -> StudyRows:
    """The variants on `mbs Study` of a workbook. variables: the names that the sheet Variables has, all of which it must show.

    Raises WorkbookError where there is no such sheet, or where it is of another study.
    """
    if STUDY not in book.sheets:
        found = f"{book.path.name} has no sheet {STUDY}"
        raise _refused("no-study", "", found, "a variant is taken from there", FIRST)
    sheet = book.sheets[STUDY]
    places = {str(cell.value): column for column, cell in reversed([*sheet.rows.get(1, {}).items()])}
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
    return StudyRows(sheet, rows, places, {name: places[name] for name in variables})


def _refused(code: str, cell: str, found: str, rule: str, mend: str) -> WorkbookError:
    return WorkbookError(Problem(code, "error", cell, found, rule, mend))
