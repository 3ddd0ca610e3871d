"""One watch at a time that writes into a workbook: two of them would write over each other after every save."""

from __future__ import annotations

import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from hashlib import sha256
from pathlib import Path

from sheetmbs.compiled.folders import cache_folder
from sheetmbs.problems.errors import Problem, WorkbookError


@contextmanager
def only_writer(book: Path) -> Iterator[None]:
    """Be the only one on this machine that watches a workbook and writes into it. Raises WorkbookError where another is.

    The system gives the lock back when the process ends, however it ends.
    """
    folder = cache_folder()
    if folder is None:  # no place for a lock: then there is none
        yield
        return
    place = os.path.normcase(os.path.realpath(book))
    with (folder / f"watched-{sha256(place.encode()).hexdigest()[:16]}").open("ab") as file:
        try:
            _lock(file.fileno())
        except OSError:
            found = f"another sheetmbs watches {book.name} with --write"
            rule = "two of them would write over each other's results"
            raise WorkbookError(
                Problem("watched-already", "error", "", found, rule, "end the other one, or watch without --write")
            ) from None
        yield


def _lock(file: int) -> None:
    """Raises OSError where somebody holds it."""
    if sys.platform != "win32":
        import fcntl

        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        return
    import msvcrt

    msvcrt.locking(file, msvcrt.LK_NBLCK, 1)
