"""Names of variables and responses: all of them head columns of `mbs Study`, where a name leads to one column."""

from __future__ import annotations

from sheetmbs.schema.names import fold
from sheetmbs.schema.problem_list import Place, ProblemList, quoted
from sheetmbs.schema.study_inputs import VARIANTS
from sheetmbs.studies.study_results import AFTER, BEFORE
from sheetmbs.workbook.reading.input_table import Record
from sheetmbs.workbook.sheets.sheet_contents import STUDY

VARIABLE, RESPONSE = "variable", "response"
_OF_VARIANTS = frozenset(fold(column.name) for column in VARIANTS.columns)


class StudyNames:
    """The names that are taken: by columns that `mbs Study` has anyway, then by variables and responses."""

    def __init__(self, report: ProblemList) -> None:
        self._report = report
        self.switched_off: dict[str, Place] = {}
        """where variables stand whose rows do not count, by folded name"""
        self._taken = {fold(name): f"a column of the sheet {STUDY} is called so" for name in (*BEFORE, *AFTER)}

    def take(self, record: Record, name: str, what: str) -> bool:
        """Enter the name of a row. what: it is, for messages. Returns False, and reports, where it is taken."""
        taken = self._taken.get(fold(name))
        if taken is None and what == VARIABLE and fold(name) in _OF_VARIANTS:
            taken = f"a column of the sheet {VARIANTS.name}, where variables have columns too, is called so"
        if taken is None:
            self._taken[fold(name)] = f"the {what} at {record.place('name')} has this name already"
            return True
        rule = f"{taken}; upper case, blanks, _ and - do not count"
        self._report.error("duplicate-name", record.place("name"), quoted(name), rule, f"rename this {what}")
        return False
