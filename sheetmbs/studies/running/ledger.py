"""All variants of a study in the order in which they were asked for."""

from __future__ import annotations

import numpy as np

from sheetmbs.studies.methods.method import Evaluated
from sheetmbs.studies.solving.variant_solver import SolvedPoint
from sheetmbs.studies.study_book import Flags, Floats
from sheetmbs.studies.study_results import VariantRows

FIRST_ROOM = 256
UNSOLVED = "the study was stopped while this variant was being solved"


class Ledger:
    """Rows by number, in arrays that grow; a row is asked for first and solved later."""

    def __init__(self, variables: int, responses: int) -> None:
        self.count = 0
        self.points: Floats = np.zeros((FIRST_ROOM, variables))
        self.responses: Floats = np.full((FIRST_ROOM, responses), np.nan)
        self.residuals: Floats = np.zeros((FIRST_ROOM, 0))
        self.done: Flags = np.zeros(FIRST_ROOM, dtype=np.bool_)
        self.is_solved: Flags = np.zeros(FIRST_ROOM, dtype=np.bool_)
        self.messages: dict[int, str] = {}
        self._rows: dict[bytes, int] = {}

    def row_of(self, point: Floats) -> int | None:
        """The first row of a point that was asked for before."""
        return self._rows.get(point.tobytes())

    def ask(self, point: Floats) -> int:
        """A new row for a point."""
        row = self.count
        if row == len(self.done):
            self._grow()
        self.points[row] = point
        self._rows.setdefault(point.tobytes(), row)
        self.count += 1
        return row

    def _grow(self) -> None:
        room = len(self.done)
        for name, blank in (
            ("points", 0.0),
            ("responses", np.nan),
            ("residuals", 0.0),
            ("done", False),
            ("is_solved", False),
        ):
            before = getattr(self, name)
            more = np.full((room, *before.shape[1:]), blank, dtype=before.dtype)
            setattr(self, name, np.concatenate([before, more]))

    def enter(self, row: int, solved: SolvedPoint) -> None:
        """What became of a row."""
        if solved.done and solved.residuals.size != self.residuals.shape[1]:
            self.residuals = np.zeros((len(self.done), solved.residuals.size))
        self.is_solved[row] = True
        self.done[row] = solved.done
        self.responses[row] = solved.responses
        if solved.done:
            self.residuals[row] = solved.residuals
        if solved.message:
            self.messages[row] = solved.message

    def copy_row(self, source: int, row: int) -> None:
        """Enter of a row what became of another one of the same point."""
        for array in (self.responses, self.residuals, self.done, self.is_solved):
            array[row] = array[source]
        if source in self.messages:
            self.messages[row] = self.messages[source]

    def evaluated(self, rows: list[int]) -> Evaluated:
        """What became of some rows."""
        return Evaluated(self.responses[rows], self.residuals[rows], self.done[rows])

    @property
    def failed(self) -> int:
        """How many of the variants that are solved have failed; row 0, the workbook as it is, is none."""
        return int(np.count_nonzero(self.is_solved[1:] & ~self.done[1:]))

    @property
    def finished(self) -> int:
        """How many rows there are up to the last one that is solved."""
        solved = np.flatnonzero(self.is_solved[: self.count])
        return int(solved[-1]) + 1 if len(solved) else 0

    def variants(self, names: dict[int, str]) -> VariantRows:
        """The rows up to the last one that is solved; where a study was stopped some before it may not be. names: by number."""
        n = self.finished
        left = dict.fromkeys(np.flatnonzero(~self.is_solved[:n]).tolist(), UNSOLVED)
        messages = {row: text for row, text in sorted((self.messages | left).items()) if row < n}
        return VariantRows(self.points[:n].copy(), self.responses[:n].copy(), self.done[:n].copy(), messages, names)
