"""Cases: one workbook for several runs.

A column of Settings headed ``case <name>`` replaces values in that case, and the column ``active`` of a table row may list the
cases in which the row counts.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace

from sheetmbs.errors import Problem, WorkbookError
from sheetmbs.schema.column import Column, Kind, Sheet
from sheetmbs.schema.names import did_you_mean, fold
from sheetmbs.schema.settings import SETTINGS_SHEET
from sheetmbs.schema.validate import Fault, flag
from sheetmbs.workbook.cells import CellKind, CellSheet
from sheetmbs.workbook.fields import HEADER_ROW
from sheetmbs.workbook.report import Place, Report, quoted

HEADER = "case "
SEPARATOR = re.compile("[;,]")
EXCEPT = "not "


@dataclass(frozen=True)
class Cases:
    """The cases of a workbook. names: as headed on Settings. chosen: the one that counts, ``""`` none."""

    names: tuple[str, ...] = ()
    chosen: str = ""

    def choose(self, text: str) -> Cases:
        """The same with the case that a text names. Raises Fault where there is none such."""
        return replace(self, chosen=self._exact(text))

    def counts(self, active: str) -> bool:
        """Whether a row with this text in the column ``active`` counts. Raises Fault where it is no answer to that."""
        try:
            return flag(active)
        except Fault:
            if not self.names:
                raise
        text = active.strip()
        is_exclusion = fold(text).startswith(EXCEPT)
        listed = [self._exact(part) for part in SEPARATOR.split(text[len(EXCEPT) :] if is_exclusion else text)]
        return (self.chosen in listed) != is_exclusion

    def _exact(self, text: str) -> str:
        for name in self.names:
            if fold(name) == fold(text):
                return name
        if not self.names:
            mend = "leave the case away, or add a column headed case and its name on Settings"
            raise Fault("no-cases", "this workbook has no cases", mend)
        known = ", ".join(self.names)
        problem = f"there is no case {quoted(text.strip())}; the cases are {known}"
        mend = did_you_mean(text, self.names, "name one of these, or add a column headed case and its name on Settings")
        raise Fault("unknown-case", problem, mend)


def find_cases(cells: CellSheet | None) -> Cases:
    """The cases that stand in the headers of Settings."""
    headers = cells.rows.get(HEADER_ROW, {}).values() if cells else ()
    texts = [str(cell.value).strip() for cell in headers if cell.kind is CellKind.TEXT]
    names = [text[len(HEADER) :].strip() for text in texts if fold(text).startswith(HEADER)]
    return Cases(tuple(dict.fromkeys(name for name in names if name)))


def settings_sheet(cases: Cases) -> Sheet:
    """The sheet Settings with a column per case."""
    columns = [Column(HEADER + name, Kind.ANY, f"value in the case {name}") for name in cases.names]
    return replace(SETTINGS_SHEET, columns=(*SETTINGS_SHEET.columns, *columns))


def chosen_case(cases: Cases, asked: str | None, given: str, report: Report, place: Place) -> Cases:
    """The case asked for on the command line or in Python, or else that of the setting ``case``, or none.

    Raises WorkbookError where the case asked for does not exist; one that is set wrongly is reported at its cell.
    """
    if asked is not None:
        try:
            return cases.choose(asked)
        except Fault as fault:
            found = f"the case {quoted(asked)}"
            raise WorkbookError(Problem(fault.code, "error", "", found, fault.problem, fault.mend)) from None
    if not given:
        return cases
    try:
        return cases.choose(given)
    except Fault as fault:
        report.error(fault.code, place, f"case: {quoted(given)}", fault.problem, fault.mend)
        return cases
