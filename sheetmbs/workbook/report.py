"""All problems of a workbook, gathered while it is read and shown in the order of the workbook."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from sheetmbs.errors import Problem, Severity
from sheetmbs.workbook.cells import Cell, CellKind, address

SHOWN = 5
"""cells of one column that are listed with the same problem before the others are only counted"""
LONGEST_TEXT = 60


class Place(NamedTuple):
    """Where something stands. row 0: the sheet as a whole."""

    sheet: str
    row: int = 0
    column: int = 0

    def __str__(self) -> str:
        return address(self.sheet, self.row, self.column) if self.row else self.sheet


class Finding(NamedTuple):
    """A problem with a place that can be sorted."""

    place: Place
    problem: Problem


class Report:
    """Collects problems. sheets: names of the workbook's sheets in their order."""

    def __init__(self, sheets: Iterable[str]) -> None:
        self._order = {name: number for number, name in enumerate(sheets)}
        self._findings: list[Finding] = []

    def error(self, code: str, place: Place, found: str, problem: str, mend: str) -> None:
        """Add what stops the run."""
        self._add("error", code, place, found, problem, mend)

    def warning(self, code: str, place: Place, found: str, problem: str, mend: str) -> None:
        """Add what does not stop the run but may not be what was meant."""
        self._add("warning", code, place, found, problem, mend)

    def _add(self, severity: Severity, code: str, place: Place, found: str, problem: str, mend: str) -> None:
        self.add(place, Problem(code, severity, str(place), found, problem, mend))

    def add(self, place: Place, problem: Problem) -> None:
        """Add a problem as it is; ``place`` tells where it belongs in the order."""
        self._findings.append(Finding(place, problem))

    @property
    def has_errors(self) -> bool:
        """Whether anything found so far stops the run."""
        return any(finding.problem.severity == "error" for finding in self._findings)

    def problems(self) -> list[Problem]:
        """Everything found, in the order of the workbook; the same problem all down a column is counted, not repeated."""
        ordered = sorted(self._findings, key=lambda finding: self._key(finding.place))
        groups: dict[tuple[str, str, str, int], list[Finding]] = {}
        for finding in ordered:
            place, problem = finding
            groups.setdefault((problem.severity, problem.code, place.sheet, place.column), []).append(finding)
        kept = [finding for group in groups.values() for finding in _shortened(group)]
        return [finding.problem for finding in sorted(kept, key=lambda finding: self._key(finding.place))]

    def _key(self, place: Place) -> tuple[int, int, int]:
        return self._order.get(place.sheet, -1), place.row, place.column


def _shortened(group: list[Finding]) -> list[Finding]:
    if len(group) <= SHOWN + 1:
        return group
    first, last = group[SHOWN], group[-1]
    found = f"{len(group) - SHOWN} more like this down to {last.place}"
    old = first.problem
    return [
        *group[:SHOWN],
        first._replace(problem=Problem(old.code, old.severity, old.cell, found, old.problem, old.mend)),
    ]


def quoted(text: str) -> str:
    """A user's text in a message: short and on one line."""
    short = text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 3] + "..."
    return "'" + "".join(letter if letter.isprintable() else " " for letter in short) + "'"


def shown(cell: Cell) -> str:
    """What stands in a cell, in words."""
    if cell.kind is CellKind.NUMBER:
        return f"{cell.value:.15g}"
    if cell.kind is CellKind.TEXT:
        return f"the text {quoted(str(cell.value))}"
    if cell.kind is CellKind.BOOLEAN:
        return "TRUE" if cell.value else "FALSE"
    if cell.kind is CellKind.DATE:
        return "a date"
    if cell.kind is CellKind.ERROR:
        return f"the error {cell.value}"
    return "a formula without a stored value"
