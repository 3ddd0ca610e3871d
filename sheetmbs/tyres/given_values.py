"""What a file or a sheet gives for a tyre, each value with its place, and the problems that are found in it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from sheetmbs.problems.errors import Problem, Severity


@dataclass(frozen=True)
class GivenValue:
    """One coefficient. name: in capitals. value: a number in SI, or a text. place: a cell, or a file and its line.

    as_written: the value with its unit, as it stands there. comment: what stands behind it.
    """

    name: str
    value: float | str
    place: str
    as_written: str
    comment: str = ""


GivenValues = Mapping[str, GivenValue]
"""by name"""


class TyreProblems:
    """Collects what is wrong with a tyre. A place is a cell, or a file and its line."""

    def __init__(self) -> None:
        self.found: list[Problem] = []

    @property
    def has_errors(self) -> bool:
        """Whether anything found so far prevents the use of the tyre."""
        return any(problem.severity == "error" for problem in self.found)

    def error(self, code: str, place: str, found: str, rule: str, fix: str) -> None:
        """Add what prevents the use of the tyre."""
        self._add("error", code, place, found, rule, fix)

    def warning(self, code: str, place: str, found: str, rule: str, fix: str) -> None:
        """Add what may not be what was meant."""
        self._add("warning", code, place, found, rule, fix)

    def note(self, code: str, place: str, found: str, rule: str, fix: str = "") -> None:
        """Add what a reader should know."""
        self._add("note", code, place, found, rule, fix)

    def _add(self, severity: Severity, code: str, place: str, found: str, rule: str, fix: str) -> None:
        self.found.append(Problem(code, severity, place, found, rule, fix))
