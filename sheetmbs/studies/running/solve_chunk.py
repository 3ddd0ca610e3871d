"""What a worker does: it opens the workbook once, then solves points by the chunk."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from time import perf_counter
from typing import TYPE_CHECKING

from sheetmbs.workbook.cells.cells import open_book

if TYPE_CHECKING:
    from sheetmbs.studies.solving.variant_solver import SolvedPoint, VariantSolver
    from sheetmbs.studies.study_book import Floats


@dataclass(frozen=True)
class StudyTask:
    """A study as it goes to workers, which may stand on other machines. path: of the workbook. content: its bytes.

    Other files that the workbook names, such as other designs, are looked for beside ``path``.
    analysis: in place of the setting, or None.
    """

    path: str
    content: bytes
    analysis: str | None = None

    @property
    def key(self) -> str:
        """Cache key of the task in worker processes."""
        return hashlib.sha256(self.content + repr(self.analysis).encode()).hexdigest()


@dataclass(frozen=True)
class SolvedChunk:
    """The points of a chunk, solved. seconds: that it took, without the opening of the workbook."""

    points: Sequence[SolvedPoint]
    seconds: float


class WorkerDied(Exception):  # noqa: N818 - the cause stands in the message of the variant
    """The worker of a chunk died."""


_TASKS: dict[str, StudyTask] = {}
_SOLVERS: dict[str, VariantSolver] = {}


def take_task(task: StudyTask) -> None:
    """Make a study known to this process."""
    _TASKS[task.key] = task


def solve_chunk(key: str, points: Floats) -> SolvedChunk:
    """Solve points (n, variables) of a study that was made known. Raises WorkbookError where the study cannot be read."""
    solver = solver_here(_TASKS[key])
    began = perf_counter()
    return SolvedChunk([solver.solve(point) for point in points], perf_counter() - began)


def _opened(task: StudyTask) -> VariantSolver:
    from sheetmbs.studies.solving.variant_solver import VariantSolver

    return VariantSolver(open_book(task.path, content=task.content), task.analysis)


def solver_here(task: StudyTask) -> VariantSolver:
    """The study opened in this process, where chunks of it may be solved too. Raises WorkbookError where it cannot be read."""
    take_task(task)
    if task.key not in _SOLVERS:
        _SOLVERS[task.key] = _opened(task)
    return _SOLVERS[task.key]
