"""Cases: one workbook for several runs.

A column of Settings headed ``case <name>`` replaces values in that case, and the column ``active`` of a table row may list the
cases in which the row counts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.column import Column, ColumnKind, Sheet
from sheetmbs.schema.names import did_you_mean, fold
from sheetmbs.schema.problem_list import Place, ProblemList, quoted
from sheetmbs.schema.settings import SETTINGS_SHEET
from sheetmbs.schema.validate import NO, YES, ValueFault, flag, split_header
from sheetmbs.workbook.cells.cells import CellKind, CellSheet
from sheetmbs.workbook.reading.fields import HEADER_ROW

HEADER = "case "
SEPARATOR = re.compile("[;,]")
EXCEPT = "not "


class ListedCase(NamedTuple):
    """A case as it is listed. is_default: the one that runs when none is asked for."""

    name: str
    analysis: str
    is_default: bool


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
        except ValueFault as fault:
            if not self.names:
                case = "to name a case, head a column of Settings with case and its name"
                raise ValueFault(
                    fault.code,
                    fault.problem,
                    f"{fault.mend} {case}" if fault.mend.endswith("?") else f"{fault.mend}; {case}",
                ) from None
        text = active.strip()
        is_exclusion = fold(text).startswith(EXCEPT)
        parts = SEPARATOR.split(text[len(EXCEPT) :] if is_exclusion else text)
        listed = [self._exact(part) for part in parts if part.strip()]
        return (self.chosen in listed) != is_exclusion

    def absence(self, active: str) -> tuple[str, str]:
        """Why a row with this text in the column ``active`` does not count, and what to do where something needs it."""
        if not active or fold(active) in NO:
            return "is switched off", "switch it on (active = yes), or switch off this row too"
        if not self.chosen:
            found = f"counts in some cases only (active = {quoted(active)}), and none is chosen"
            return found, "choose one with --case or with the setting case, or switch off this row too"
        found = f"does not count in the case {self.chosen} (active = {quoted(active)})"
        return found, f"make it count in {self.chosen}, or exclude this row there too"

    def _exact(self, text: str) -> str:
        for name in self.names:
            if fold(name) == fold(text):
                return name
        if not self.names:
            raise no_cases()
        known = ", ".join(self.names)
        problem = f"there is no case {quoted(text.strip())}, only {known}"
        mend = did_you_mean(text, self.names, "name one of these, or add a column headed case and its name on Settings")
        raise ValueFault("unknown-case", problem, mend)


def no_cases() -> ValueFault:
    """The problem of asking for a case of a workbook that has none."""
    mend = "do not ask for a case, or add a column headed case and its name on Settings"
    return ValueFault("no-cases", "this workbook has no cases", mend)


def refusal(fault: ValueFault) -> WorkbookError:
    """The answer to a case asked for on the command line or in Python that cannot be."""
    return WorkbookError(Problem(fault.code, "error", "", "", fault.problem, fault.mend))


def find_cases(cells: CellSheet | None) -> Cases:
    """The cases that stand in the headers of Settings."""
    headers = cells.rows.get(HEADER_ROW, {}).values() if cells else ()
    texts = [split_header(str(cell.value))[0] for cell in headers if cell.kind is CellKind.TEXT]
    names = [text[len(HEADER) :].strip() for text in texts if fold(text).startswith(HEADER)]
    first: dict[str, str] = {}
    for name in names:
        first.setdefault(fold(name), name)
    return Cases(tuple(first.values()))


def check_case_names(cells: CellSheet | None, report: ProblemList) -> None:
    """Report headers whose case could not be told from other answers in the column ``active``."""
    for column, cell in sorted(cells.rows.get(HEADER_ROW, {}).items()) if cells else ():
        text = split_header(str(cell.value))[0] if cell.kind is CellKind.TEXT else ""
        name = fold(text[len(HEADER) :])
        is_mistakable = name in (*YES, *NO) or name.startswith(EXCEPT) or SEPARATOR.search(name)
        if cells and fold(text).startswith(HEADER) and is_mistakable:
            problem = "yes, no, a leading not, and the signs ; and , mean something else in the column active"
            place = Place(cells.name, HEADER_ROW, column)
            report.error("wrong-case-name", place, f"the header {quoted(text)}", problem, "choose another name")


def settings_sheet(cases: Cases) -> Sheet:
    """The sheet Settings with a column per case."""
    columns = [Column(HEADER + name, ColumnKind.ANY, f"value in the case {name}") for name in cases.names]
    return replace(SETTINGS_SHEET, columns=(*SETTINGS_SHEET.columns, *columns))


def chosen_case(cases: Cases, asked: str | None, given: str, report: ProblemList, place: Place) -> Cases:
    """The case asked for on the command line or in Python, or else that of the setting ``case``, or none.

    Raises WorkbookError where the case asked for does not exist; one that is set wrongly is reported at its cell.
    """
    if asked is not None:
        try:
            return cases.choose(asked)
        except ValueFault as fault:
            raise refusal(fault) from None
    if not given:
        return cases
    try:
        return cases.choose(given)
    except ValueFault as fault:
        report.error(fault.code, place, f"case: {quoted(given)}", fault.problem, fault.mend)
        return cases


def deduplicate(found: Mapping[str, Sequence[Problem]], kind: str = "case") -> list[Problem]:
    """The problems of all cases: those that every case has, then the others with the names of their cases.

    kind: what they are, where they are no cases.
    """
    cases: dict[Problem, list[str]] = {}
    for name, problems in found.items():
        for problem in dict.fromkeys(problems):
            cases.setdefault(problem, []).append(name)
    everywhere = [problem for problem, where in cases.items() if len(where) == len(found)]
    return everywhere + [_in_cases(*each, kind) for each in cases.items() if len(each[1]) < len(found)]


def _in_cases(problem: Problem, cases: list[str], kind: str) -> Problem:
    where = f"in the {kind}{'s' if len(cases) > 1 else ''} {', '.join(cases)}"
    return replace(problem, found=f"{where}: {problem.found}" if problem.found else where)
