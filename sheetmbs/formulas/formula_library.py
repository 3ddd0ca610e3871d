"""The library that computes formulas, at work in a child process of this one with limits on memory and time."""

from __future__ import annotations

import json
from collections import deque
from collections.abc import Sequence
from typing import Any
from weakref import ReferenceType, ref

from sheetmbs.bounded.bounded_child import BoundedChild
from sheetmbs.formulas.engine_terms import FormulaToken

CHILD = "sheetmbs.formulas.engine_child"
MEMORY, MEMORY_PER_CELL = 512 << 20, 8 << 10
"""Bytes for the library with its arrays, and for each formula or value that it is given (2,500 were measured)."""
SECONDS, SECONDS_PER_CELL = 5.0, 2e-4
"""Processor time for one answer, and more of it for each formula or value (2e-5 were measured)."""

FEW_CELLS = 10_000
"""for which the limits of a child that has begun are enough"""


MAX_CHILDREN = 4
"""Children of 24 MB that are alive at a time. A program that watches a workbook reads it again at every save, and what an
earlier reading held may be freed late; the child that began first then ends, and is filled again if it is asked once more."""
_alive: deque[ReferenceType[BoundedChild]] = deque()


def _started(memory: int) -> BoundedChild:
    """A new child; the oldest of too many ends."""
    while len(_alive) >= MAX_CHILDREN:
        oldest = _alive.popleft()()
        if oldest is not None:
            oldest.close()
    child = BoundedChild(CHILD, memory=memory)
    _alive.append(ref(child))
    return child


class FormulaLibrary:
    """The library in its child. A question starts the child where it has not started yet, or has ended.

    cells: how many formulas the workbook holds; the limits grow with them.
    """

    def __init__(self, cells: int) -> None:
        self._child: BoundedChild | None = None
        self._limit(cells)

    def _limit(self, cells: int) -> None:
        self._memory = MEMORY + MEMORY_PER_CELL * cells
        self._seconds = SECONDS + SECONDS_PER_CELL * cells

    def make_room(self, cells: int) -> None:
        """Raise the limits for a workbook with more values than was known; a child keeps the limit of its beginning."""
        if cells > FEW_CELLS:
            self.close()
        self._limit(cells)

    def close(self) -> None:
        """End the child process."""
        if self._child is not None:
            self._child.close()

    def ask(self, do: str, *, more_time: bool = True, **content: object) -> Any:
        """The answer to a request of `engine_child`. Raises ChildEndedError where there is none.

        more_time: else the request shares the time of the one before it.
        """
        if self._child is None or not self._child.close.alive:
            self._child = _started(self._memory)
        request = json.dumps({"do": do, **content}).encode()
        return json.loads(self._child.ask(request, self._seconds if more_time else 0.0))

    @property
    def is_at_work(self) -> bool:
        """Whether the child still holds what it was given."""
        return self._child is not None and self._child.close.alive

    def templates(self, texts: Sequence[str]) -> tuple[list[list[FormulaToken]], list[list[Any] | None]]:
        """Take formulas without their equals signs apart, as `engine_child.tokens` does. Raises ChildEndedError."""
        if not texts:
            return [], []
        found = self.ask("tokens", texts=texts)
        return [list(map(FormulaToken._make, each)) for each in found["templates"]], found["formulas"]
