"""What all pages show now: the last good document, and how the workbook stands since."""

from __future__ import annotations

import asyncio
import gzip
import json
from collections.abc import AsyncIterator
from dataclasses import asdict, dataclass, field, replace
from typing import Any, Literal

from sheetmbs.problems.errors import Problem
from sheetmbs.problems.listing import merged

HEARTBEAT = 5.0
"""seconds after which a page hears that nothing has changed, so that it can tell that from silence"""
PACKING = 1
"""level of gzip: the page stands on the same machine, so that waiting for a smaller file is the slower way"""

EMPTY = b'{"number":0,"document":null}'

Status = Literal["waiting", "done", "failed", "error"]


@dataclass(frozen=True)
class State:
    """How the workbook stands. number: of the document to show, 0 while there is none.

    status: of the last run; after an ``error`` the document is that of an earlier one. sentence: what became of it.
    problems: with their cells. seconds: that it took. written: where its results are. fraction: done of a run, None while
    none is under way. ended: whether no more will come.
    """

    number: int = 0
    status: Status = "waiting"
    sentence: str = ""
    problems: tuple[Problem, ...] = ()
    seconds: float = 0.0
    written: str = ""
    fraction: float | None = None
    ended: bool = False

    def for_page(self) -> dict[str, Any]:
        """The same as plain values, problems as a document has them; equal ones of a column are one."""
        listed = [
            {"severity": each.problem.severity, "cell": ", ".join(each.cells), "found": each.found}
            | {"problem": each.problem.problem, "mend": each.problem.mend}
            for each in merged(self.problems)
        ]
        return asdict(replace(self, problems=())) | {"problems": listed}


@dataclass
class SharedPage:
    """What pages ask for. Only the event loop changes it."""

    state: State = field(default_factory=State)
    packed: bytes = gzip.compress(EMPTY, PACKING)
    _changed: asyncio.Event = field(default_factory=asyncio.Event)

    def show(self, document: bytes, number: int) -> None:
        """Let another document take the place of the one before. document: as `packed_document` gives it, with its number."""
        self.packed = document
        self.tell(number=number)

    def tell(self, **changes: Any) -> None:
        """Change the state, and let all pages know."""
        self.state = replace(self.state, **changes)
        self._changed.set()
        self._changed = asyncio.Event()

    async def follow(self, heartbeat: float = HEARTBEAT) -> AsyncIterator[State | None]:
        """The state as it is now, and after changes; None where nothing changed for a while. Ends with ``ended``.

        Who is slow gets the newest state and none of those before it, so that nothing piles up.
        """
        told = None
        while told is None or not told.ended:
            changed, now = self._changed, self.state
            if now is not told:
                told = now
                yield now
                continue
            try:
                async with asyncio.timeout(heartbeat):
                    await changed.wait()
            except TimeoutError:
                yield None


def packed_document(number: int, document: Any) -> bytes:
    """A document with its number as JSON, packed. Raises ValueError where it holds a number that JSON has not."""
    return packed_json({"number": number, "document": document})


def packed_json(values: Any) -> bytes:
    """Values as JSON, packed. Raises ValueError where they hold a number that JSON has not."""
    text = json.dumps(values, allow_nan=False, ensure_ascii=False, separators=(",", ":"))
    return gzip.compress(text.encode(), PACKING)
