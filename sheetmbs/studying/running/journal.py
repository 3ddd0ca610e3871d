"""The journal of a study beside its workbook: every finished point, safe against kills and power cuts (SQLite, WAL)."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import numpy as np

from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.studying.solving.variant_solver import SolvedPoint
from sheetmbs.studying.study_results import Floats

TABLES = """
create table if not exists study (key text primary key);
create table if not exists solved (point blob primary key, responses blob, residuals blob, message text) without rowid;
"""
BUSY = ("locked", "busy")
WAIT = 1.0
"""seconds, for which another process may hold the file"""


def journal_path(book: Path) -> Path:
    """Where the journal of a workbook is kept."""
    return book.with_suffix(".study.sqlite")


class Journal:
    """The finished points of a study. key: of workbook, study and version. keeps: go on with what is there.

    Raises WorkbookError where the file cannot be used, or with ``keeps`` where it is of another study.
    """

    def __init__(self, path: Path, key: str, *, keeps: bool) -> None:
        self.path = path
        self._is_there = path.exists()
        if keeps and not self._is_there:
            raise WorkbookError(_refused(path, "there is no journal of an earlier study", "leave --resume away"))
        with self._in_words():
            self._file = sqlite3.connect(path, timeout=WAIT)
            self._file.execute("pragma locking_mode = exclusive")
            self._file.execute("pragma journal_mode = wal")
            self._file.execute("pragma synchronous = full")
            self._file.executescript(TABLES)
            known = [row[0] for row in self._file.execute("select key from study")]
        if keeps and known != [key]:
            self.close()
            rule = "the journal is of a study of another state of this workbook, or of another version of sheetmbs"
            raise WorkbookError(_refused(path, rule, "leave --resume away to begin the study anew"))
        if not keeps:
            with self._in_words(), self._file:
                self._file.execute("delete from solved")
                self._file.execute("delete from study")
                self._file.execute("insert into study values (?)", (key,))

    def solved(self) -> Iterator[tuple[bytes, SolvedPoint]]:
        """All points that are finished, as bytes, with what became of them."""
        with self._in_words():
            for point, responses, residuals, message in self._file.execute("select * from solved"):
                yield point, SolvedPoint(np.frombuffer(responses), np.frombuffer(residuals), message)

    def add(self, points: Floats, solved: Sequence[SolvedPoint]) -> None:
        """Write finished points (n, variables), all or none. Raises WorkbookError where the disk is full, for one."""
        rows = [
            (point.tobytes(), each.responses.tobytes(), each.residuals.tobytes(), each.message)
            for point, each in zip(points, solved, strict=True)
        ]
        with self._in_words(), self._file:
            self._file.executemany("insert or replace into solved values (?, ?, ?, ?)", rows)

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.DatabaseError as error:
            text = str(error)
            if any(word in text for word in BUSY):
                raise WorkbookError(
                    _refused(self.path, "another study of this workbook is at work", "wait for its end, or stop it")
                ) from None
            if "full" in text:
                mend = "make room, then go on with --resume: what is finished is kept"
                raise WorkbookError(_refused(self.path, "the disk is full", mend)) from None
            rule = f"it stands beside the workbook and cannot be used: {text}"
            mend = "remove it" if self._is_there else "make the folder writable, or copy the workbook into one that is"
            raise WorkbookError(_refused(self.path, rule, mend)) from None


def _refused(path: Path, rule: str, mend: str) -> Problem:
    return Problem("study-journal", "error", "", f"the journal {path.name}", rule, mend)
