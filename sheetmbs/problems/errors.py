"""Every way in which sheetmbs says no.

    SheetmbsError
    ├── WorkbookError      the workbook or the command line is wrong         exit status 2
    └── AnalysisError      the model is sound but the analysis failed         exit status 1

A `Problem` is one sentence for the user: where it stands, what was found there, the rule it breaks and how to mend it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Severity = Literal["error", "warning", "note"]


@dataclass(frozen=True, slots=True)
class Problem:
    """One finding about a workbook or a run, ready to be shown. As text it is one line with all of its parts."""

    code: str
    """short identifier that stays the same between versions, such as ``unknown-body``"""
    severity: Severity
    """``error`` if nothing can be analysed or the analysis failed, ``warning``, or ``note``"""
    cell: str
    """``Sheet!C7``, a sheet, or ``""`` where none applies"""
    found: str
    """what stands there"""
    problem: str
    """the rule that it breaks"""
    mend: str
    """what to do about it"""

    @property
    def sheet(self) -> str:
        """The sheet in which it stands, ``""`` where none does."""
        return self.cell.rpartition("!")[0] or self.cell

    def __str__(self) -> str:
        text = "; ".join(part for part in (self.found, self.problem, self.mend) if part)
        return "  ".join(part for part in (self.code, self.cell, text) if part)


class SheetmbsError(Exception):
    """Base of every error that sheetmbs raises on purpose."""

    exit_status = 1
    """what the command line ends with"""

    def __init__(self, problems: Problem | list[Problem]) -> None:
        self.problems = [problems] if isinstance(problems, Problem) else list(problems)
        """one or more findings, in the order of the workbook"""
        super().__init__("\n".join(str(problem) for problem in self.problems))


class WorkbookError(SheetmbsError):
    """The workbook, or the command line, is wrong: nothing was analysed and nothing written."""

    exit_status = 2


class AnalysisError(SheetmbsError):
    """The analysis could not be completed; what was computed until then is in the results."""

    exit_status = 1
