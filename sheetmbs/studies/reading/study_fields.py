"""What the sheets of a study share: names that head one column each, several numbers in a cell, percent."""

from __future__ import annotations

from math import isfinite

from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, ProblemList, quoted
from sheetmbs.schema.study_inputs import VARIANTS
from sheetmbs.studies.study_results import AFTER, BEFORE
from sheetmbs.workbook.reading.fields import percent_twice
from sheetmbs.workbook.reading.input_table import Record
from sheetmbs.workbook.sheets.sheet_contents import STUDY

VARIABLE, RESPONSE = "variable", "response"
_OF_VARIANTS = frozenset(fold(column.name) for column in VARIANTS.columns)
SEPARATOR = ";"


class StudyNames:
    """The names that are taken: by columns that `mbs Study` has anyway, then by variables and responses."""

    def __init__(self, report: ProblemList) -> None:
        self._report = report
        self.switched_off: dict[str, Place] = {}
        """where variables stand whose rows do not count, by folded name"""
        self._taken = {fold(name): f"a column of the sheet {STUDY} has this name" for name in (*BEFORE, *AFTER)}

    def take(self, record: Record, name: str, what: str) -> bool:
        """Enter the name of a row. what: it is, for messages. Returns False, and reports, where it is taken."""
        taken = self._taken.get(fold(name))
        if taken is None and what == VARIABLE and fold(name) in _OF_VARIANTS:
            taken = f"a column of the sheet {VARIANTS.name}, where variables have columns too, has this name"
        if taken is None:
            self._taken[fold(name)] = f"the {what} at {record.place('name')} has this name already"
            return True
        rule = f"{taken}; upper case, blanks, _ and - make no difference"
        self._report.error("duplicate-name", record.place("name"), quoted(name), rule, f"rename this {what}")
        return False


def parts_of(text: str) -> tuple[str, ...]:
    """The parts of a text between semicolons."""
    return tuple(part.strip() for part in text.split(SEPARATOR) if part.strip())


def numbers_in(record: Record, name: str, report: ProblemList) -> tuple[float, ...]:
    """The numbers in a cell; () where it is blank, or where one of them is none, which is reported."""
    found = []
    for part in parts_of(record.text(name)):
        try:
            value = float(part if "_" not in part else "")
        except ValueError:
            value = float("nan")
        if not isfinite(value):
            mend = f"write for example 1{SEPARATOR} 2.5{SEPARATOR} 5"
            rule = f"{name} holds numbers separated by {SEPARATOR}, with a decimal point"
            report.error("not-a-number", record.place(name), quoted(part), rule, mend)
            return ()
        found.append(value)
    return tuple(found)


def has_percent_twice(record: Record, column: str, how: str) -> bool:
    """Whether a cell is formatted as percent where its number is percent anyway; reported where it is."""
    cell = record.cell(column)
    if how != "percent" or cell is None or not cell.as_percent:
        return False
    fault = percent_twice(float(cell.value), "how is percent")
    record.refuse(fault.code, column, fault.problem, fault.mend)
    record.settle(column)
    return True
