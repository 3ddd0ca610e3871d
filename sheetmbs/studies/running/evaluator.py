"""The variants of a study evaluated: in chunks, a bounded number of them at a time, each written into the journal."""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence
from concurrent.futures import FIRST_COMPLETED, CancelledError, Future, wait
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass

import numpy as np

from sheetmbs.studies.methods.method import Evaluated
from sheetmbs.studies.running.executors import Workers
from sheetmbs.studies.running.journal import Journal
from sheetmbs.studies.running.ledger import Ledger
from sheetmbs.studies.running.solve_chunk import SolvedChunk, WorkerDied
from sheetmbs.studies.solving.variant_solver import SolvedPoint
from sheetmbs.studies.study_book import Floats

CHUNK_SECONDS = 0.3
"""that a chunk shall take: long beside what it costs to send, short beside what a kill may lose"""
LARGEST_CHUNK = 4096
AHEAD = 2
"""chunks for each worker that are on their way"""
TRIES = 3
"""after which a point is given up whose worker died each time"""
GIVEN_UP = f"the process that solved it died {TRIES} times"


DEATHS = (BrokenProcessPool, WorkerDied)


@dataclass(frozen=True)
class StudyProgress:
    """How far a study is. expected: how many variants it will have, at most. known: how many of those the journal had."""

    solved: int
    failed: int
    expected: int
    known: int = 0


@dataclass
class _Chunk:
    rows: list[int]
    tries: int = 0


class Evaluator:
    """Solves points by workers and keeps all rows.

    is_search: whether a point that was asked for before is no new variant. expected: how many variants there will be, at most.
    tell: called with the progress.
    """

    def __init__(
        self,
        ledger: Ledger,
        workers: Workers,
        journal: Journal,
        *,
        is_search: bool,
        expected: int = 1,
        tell: Callable[[StudyProgress], None] = lambda _progress: None,
    ) -> None:
        self.ledger = ledger
        self._workers = workers
        self._journal = journal
        self._known = _known(journal, ledger)
        self._is_search = is_search
        self._expected = expected
        self._tell = tell
        self._chunk = 1
        self._solved = 0
        self.from_journal = 0
        """variants that the journal had"""

    def __call__(self, points: Floats) -> Evaluated:
        """What became of points (n, variables)."""
        rows, new = [], {}
        for point in points:
            before = self.ledger.row_of(point)
            row = self.ledger.ask(point) if before is None or not self._is_search else before
            rows.append(row)
            if before is None:
                new[row] = point
        self._solve([row for row, point in new.items() if not self._was_known(row, point)])
        for row in rows:
            if not self.ledger.is_solved[row]:
                source = self.ledger.row_of(self.ledger.points[row])
                self.ledger.copy_row(row if source is None else source, row)
        return self.ledger.evaluated(rows)

    def _was_known(self, row: int, point: Floats) -> bool:
        """Whether the journal has it."""
        solved = self._known.pop(point.tobytes(), None)
        if solved is not None:
            self.from_journal += 1
            self._enter([row], [solved])
        return solved is not None

    def _enter(self, rows: Sequence[int], solved: Sequence[SolvedPoint]) -> None:
        for row, each in zip(rows, solved, strict=True):
            self.ledger.enter(row, each)
        self._solved += len(rows)
        self._tell(StudyProgress(self._solved, self.ledger.failed, self._expected, self.from_journal))

    def _solve(self, rows: Sequence[int]) -> None:
        waiting, again = deque(rows), deque[_Chunk]()
        at_work: dict[Future[SolvedChunk], _Chunk] = {}
        while waiting or again or at_work:
            while again and not at_work:  # alone, so that it is known whose worker dies
                self._submit(again.popleft(), at_work)
            while waiting and not again and len(at_work) < AHEAD * self._workers.count:
                count = min(self._chunk, len(waiting))
                self._submit(_Chunk([waiting.popleft() for _ in range(count)]), at_work)
            ended, _others = wait(at_work, return_when=FIRST_COMPLETED)
            if any(isinstance(_error_of(future), DEATHS) for future in ended):
                again.extend(self._after_death(at_work))
                continue
            for future in ended:
                self._take(at_work.pop(future), future.result())

    def _submit(self, chunk: _Chunk, at_work: dict[Future[SolvedChunk], _Chunk]) -> None:
        try:
            future = self._workers.submit(self.ledger.points[chunk.rows])
        except BrokenProcessPool as error:  # a worker died since the last look
            future = Future()
            future.set_exception(error)
        at_work[future] = chunk

    def _take(self, chunk: _Chunk, found: SolvedChunk) -> None:
        self._journal.add(self.ledger.points[chunk.rows], found.points)
        self._enter(chunk.rows, found.points)
        each = found.seconds / len(chunk.rows)
        self._chunk = int(np.clip(CHUNK_SECONDS / max(each, 1e-9), 1, min(LARGEST_CHUNK, 4 * self._chunk)))

    def _after_death(self, at_work: dict[Future[SolvedChunk], _Chunk]) -> list[_Chunk]:
        """Take what is finished; the points of all other chunks go again, one by one. Some are given up."""
        again = []
        for future, chunk in list(at_work.items()):
            if future.done() and _error_of(future) is None:
                self._take(chunk, future.result())
                continue
            is_alone = len(chunk.rows) == 1 and len(at_work) == 1
            tries = chunk.tries + is_alone
            if tries < TRIES:
                again += [_Chunk([row], tries) for row in chunk.rows]
                continue
            nothing = SolvedPoint(np.full(self.ledger.responses.shape[1], np.nan), np.zeros(0), GIVEN_UP)
            self._journal.add(self.ledger.points[chunk.rows], [nothing])
            self._enter(chunk.rows, [nothing])
        at_work.clear()
        self._workers.revive()
        return again


def _known(journal: Journal, ledger: Ledger) -> dict[bytes, SolvedPoint]:
    """The points that a journal has. Raises WorkbookError where they have other sizes than those of the study."""
    known = dict(journal.solved())
    sizes = {(len(point), each.responses.nbytes) for point, each in known.items()}
    residuals = {each.residuals.size for each in known.values() if each.done}
    if sizes - {(ledger.points[0].nbytes, ledger.responses[0].nbytes)} or len(residuals) > 1:
        raise journal.unsound()
    return known


def _error_of(future: Future[SolvedChunk]) -> BaseException | None:
    """Why a chunk was not solved, None where it was."""
    try:
        return future.exception()
    except CancelledError:
        return WorkerDied("its worker was taken away")
