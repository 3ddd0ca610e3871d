"""All problems of a workbook, gathered while it is read and shown in the order of the workbook."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from typing import NamedTuple, Protocol

from sheetmbs.problems.errors import Problem, Severity
from sheetmbs.problems.listing import ADDRESS, invisible_in, printable
from sheetmbs.schema.cell import Cell, CellKind, Place, column_number
from sheetmbs.schema.names import did_you_mean, fold

__all__ = [
    "Finding",
    "LeftOut",
    "Named",
    "Place",
    "PlacedProblem",
    "ProblemList",
    "place_of",
    "quoted",
    "shown",
]

MAX_PER_COLUMN = 20_000
"""cells of one column that are listed with the same kind of problem; the others are counted"""
MANY_PROBLEMS = 100_000
"""problems of a workbook, from which on fewer of a column are listed"""
MAX_PER_COLUMN_OF_MANY = 100
"""the same as `MAX_PER_COLUMN` then"""
MAX_COMPARED_NAMES = 50_000
"""names that are compared with unknown ones, about a second of work"""
LONGEST_TEXT = 60


def place_of(cell: str) -> Place:
    """The place of an address such as ``Joints!C7``; the sheet alone where it is none of a cell."""
    match = ADDRESS.fullmatch(cell)
    return Place(match[1], int(match[3]), column_number(match[2])) if match else Place(cell)


class PlacedProblem(NamedTuple):
    """A name as written, and where."""

    name: str
    place: Place


class Named(Protocol):
    """A kind of elements that have names. kind: for messages, e.g. ``body``."""

    kind: str

    def entry(self, text: str) -> PlacedProblem | None:
        """The entry of a name, or None."""


class Finding(NamedTuple):
    """A problem with a place that can be sorted."""

    place: Place
    problem: Problem


class LeftOut(NamedTuple):
    """Problems of a column that are only counted: the first, the last, and their number."""

    first: Place
    last: Place
    number: int


class ProblemList:
    """Collects problems. sheets: names of the workbook's sheets in their order."""

    def __init__(self, sheets: Iterable[str]) -> None:
        self._order = {name: number for number, name in enumerate(sheets)}
        self._findings: list[Finding] = []
        self._counts: dict[tuple[Severity, str, str, int], int] = {}
        self._left_out: dict[tuple[Severity, str, str, int], LeftOut] = {}
        self._advice: dict[tuple[str, str], str] = {}
        self._compared = 0
        self.named: list[Named] = []
        """the kinds of elements that have names, by which a name in the wrong column is found out"""
        self.has_errors = False
        """whether anything found so far stops the run"""

    def error(self, code: str, place: Place, found: str, problem: str, mend: str) -> None:
        """Add what stops the run."""
        self.add(place, Problem(code, "error", str(place), found, problem, mend))

    def warning(self, code: str, place: Place, found: str, problem: str, mend: str) -> None:
        """Add what does not stop the run but may not be what was meant."""
        self.add(place, Problem(code, "warning", str(place), found, problem, mend))

    def add(self, place: Place, problem: Problem) -> None:
        """Add a problem as it is; ``place`` tells where it belongs in the order."""
        self.has_errors |= problem.severity == "error"
        kind = (problem.severity, problem.code, place.sheet, place.column)
        self._counts[kind] = self._counts.get(kind, 0) + 1
        if self._counts[kind] <= (MAX_PER_COLUMN if len(self._findings) < MANY_PROBLEMS else MAX_PER_COLUMN_OF_MANY):
            self._findings.append(Finding(place, problem))
        else:
            before = self._left_out.get(kind)
            self._left_out[kind] = LeftOut(before.first if before else place, place, before.number + 1 if before else 1)

    def forget(self) -> None:
        """Forget all problems: the workbook is read again with other numbers."""
        self._findings.clear()
        self._counts.clear()
        self._left_out.clear()
        self.has_errors = False

    def did_you_mean(self, text: str, names: Sequence[str], otherwise: str) -> str:
        """How to mend an unknown name: the nearest known one, or else what the caller advises.

        In a workbook with very many wrong names no more are sought after a while: that would take minutes.
        """
        asked = (fold(text), otherwise)
        if asked not in self._advice:
            self._compared += len(names)
            is_late = self._compared > MAX_COMPARED_NAMES
            self._advice[asked] = otherwise if is_late else did_you_mean(text, names, otherwise)
        return self._advice[asked]

    def found(self, codes: Collection[str]) -> list[Problem]:
        """The problems of these codes so far."""
        return [each.problem for each in self._findings if each.problem.code in codes]

    def withdraw(self, problems: Collection[tuple[str, str]]) -> None:
        """Take back problems, given as (code, cell), because another one that has been reported is their cause."""
        self._findings = [each for each in self._findings if (each.problem.code, each.problem.cell) not in problems]

    def withdraw_of_sheet(self, sheet: str, *codes: str) -> None:
        """Take back all problems of some kinds on a sheet, because one that has been reported is their cause."""
        self._findings = [
            each for each in self._findings if each.place.sheet != sheet or each.problem.code not in codes
        ]

    def problems(self) -> list[Problem]:
        """Everything found, in the order of the workbook; of a column with very many the last only say how many more."""
        counted = [_counted(kind[0], kind[1], left_out) for kind, left_out in self._left_out.items()]
        ordered = sorted([*self._findings, *counted], key=lambda finding: self._key(finding.place))
        return [finding.problem for finding in ordered]

    def _key(self, place: Place) -> tuple[int, int, int]:
        return self._order.get(place.sheet, -1), place.row, place.column


def _counted(severity: Severity, code: str, left_out: LeftOut) -> Finding:
    found = f"{left_out.number:,} more like those above it, down to {left_out.last}"
    problem, mend = "there are too many to list one by one", "correct those above, and check again"
    return Finding(left_out.first, Problem(code, severity, str(left_out.first), found, problem, mend))


def quoted(text: str) -> str:
    """A user's text in a message: short and on one line, with the code of whatever cannot be seen in it."""
    short = text if len(text) <= LONGEST_TEXT else text[: LONGEST_TEXT - 3] + "..."
    unseen = invisible_in(text[:LONGEST_TEXT])
    return f"'{printable(short)}'" + (f" (it contains {unseen})" if unseen else "")


def shown(cell: Cell) -> str:
    """The content of a cell in words."""
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
    return "a formula that cannot be computed" if cell.value else "a formula without a stored value"
