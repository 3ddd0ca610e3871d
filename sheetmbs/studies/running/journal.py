"""The journal of a study beside its workbook: every finished point, safe against kills and power cuts (SQLite, WAL).

Its key is a digest of the cells of the workbook: a journal counts for as long as these stay what they are.
"""

from __future__ import annotations

import hashlib
import os
import sqlite3
import stat
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from importlib.metadata import version
from pathlib import Path

import numpy as np

from sheetmbs.formulas.cell_contents import Stored, WrittenBook
from sheetmbs.formulas.formula_references import whole_sheet
from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.schema.names import RESULT_SHEETS
from sheetmbs.studies.solving.variant_solver import SolvedPoint
from sheetmbs.studies.study_book import Floats
from sheetmbs.workbook.cells.cells import Book
from sheetmbs.workbook.cells.written_book import written_book
from sheetmbs.workbook.package.ownership import MARK

SUFFIX = ".study.sqlite"
TABLES = {
    "study": "CREATE TABLE study (key text primary key, ended integer not null)",
    "solved": "CREATE TABLE solved (point blob primary key, responses blob not null, residuals blob not null, "
    "message text not null) without rowid",
}
"""as SQLite keeps their definitions: by these a journal of ours is known from any other database"""
SQLITE_SUFFIXES = ("", "-wal", "-journal", "-shm")
"""endings of the files that SQLite opens"""
MAX_NAME_BYTES = 255 - len("-journal")
"""bytes that file systems allow"""
NUMBER = np.dtype(np.float64).itemsize
BUSY_WORDS = ("locked", "busy")
MAX_WAIT = 1.0
"""seconds, for which another process may hold the file"""
STUDY_SHEETS = f"{RESULT_SHEETS}study"
"""how names of the sheets begin that a study writes"""
FINDS_SHEETS = "indirect("
"""in a formula that finds out later which sheet it reads"""


def journal_path(book: Path) -> Path:
    """Where the journal of a workbook is kept: ``car.study.sqlite`` for car.xlsx, ``car.xlsm.study.sqlite`` for car.xlsm."""
    name = f"{book.stem if book.suffix == '.xlsx' else book.name}{SUFFIX}"
    if len(os.fsencode(name)) > MAX_NAME_BYTES:
        name = f"{hashlib.sha256(os.fsencode(name)).hexdigest()[:16]}{SUFFIX}"
    return book.with_name(name)


class Journal:
    """The finished points of a study.

    Parameters
    ----------
    path
        The file.
    key
        Of workbook, study and version.
    keeps
        Continue with what the file holds, where there is one.
    forgets
        Start again although the file is of an interrupted study.

    Raises
    ------
    WorkbookError
        Where the file cannot be used, with ``keeps`` where it is of another study, and without ``forgets`` where an interrupted
        one would be lost.
    """

    def __init__(self, path: Path, key: str, *, keeps: bool, forgets: bool = False) -> None:
        self.path = path
        self._is_there = os.path.lexists(path)
        _check_places(path)
        with self._in_words():
            self._file = sqlite3.connect(path, timeout=MAX_WAIT)
        try:
            self._open(key, keeps=keeps and self._is_there, forgets=forgets)
        except BaseException:
            self.close()
            raise

    def _open(self, key: str, *, keeps: bool, forgets: bool) -> None:
        with self._in_words():
            self._file.execute("pragma locking_mode = exclusive")
            found = self._file.execute("select name, sql from sqlite_master where sql is not null").fetchall()
            if found and dict(found) != TABLES:
                rule = "the file beside the workbook is not a journal of this version of sheetmbs"
                raise WorkbookError(_refused(self.path, rule, "move or delete it"))
            self._file.execute("pragma journal_mode = wal")
            self._file.execute("pragma synchronous = full")
            if not found:
                with self._file:
                    for definition in TABLES.values():
                        self._file.execute(definition)
            before = self._file.execute("select key, ended from study").fetchall()
            (points,) = self._file.execute("select count(*) from solved").fetchone()
        if keeps and [known for known, _ended in before] != [key]:
            rule = "the journal is of a study of another state of this workbook, or of another version of sheetmbs"
            raise WorkbookError(_refused(self.path, rule, "start again with --restart instead of --resume"))
        if not keeps:
            if not forgets:
                self._check_ended(key, before, points - 1)
            with self._in_words(), self._file:
                self._file.execute("delete from solved")
                self._file.execute("delete from study")
                self._file.execute("insert into study values (?, 0)", (key,))

    def _check_ended(self, key: str, before: Sequence[tuple[str, int]], variants: int) -> None:
        """Raise WorkbookError where finished variants of an interrupted study would be lost."""
        if variants < 1 or all(ended for _key, ended in before):
            return
        holds = f"it holds {variants:,} finished variant{'s' if variants > 1 else ''} of a study that was interrupted"
        if [known for known, _ended in before] == [key]:
            rule, mend = holds, "continue with --resume, or start again with --restart"
        else:
            rule = f"{holds}, of another state of this workbook or by another version of sheetmbs"
            mend = "start again with --restart; to continue with --resume, use the workbook as it was then"
        raise WorkbookError(_refused(self.path, rule, mend))

    def solved(self) -> Iterator[tuple[bytes, SolvedPoint]]:
        """All points that are finished, as bytes, with what became of them. Raises WorkbookError where one is none."""
        with self._in_words():
            for row in self._file.execute("select * from solved"):
                if not _is_sound(row):
                    raise self.unsound()
                point, responses, residuals, message = row
                yield point, SolvedPoint(np.frombuffer(responses), np.frombuffer(residuals), message)

    def unsound(self) -> WorkbookError:
        """The error for a journal whose rows are none of this study."""
        rule = "a row of its table solved was not written by this study: the file has been changed"
        return WorkbookError(_refused(self.path, rule, "start again with --restart"))

    def add(self, points: Floats, solved: Sequence[SolvedPoint]) -> None:
        """Write finished points (n, variables), all or none. Raises WorkbookError where the disk is full, for one."""
        rows = [
            (point.tobytes(), each.responses.tobytes(), each.residuals.tobytes(), each.message)
            for point, each in zip(points, solved, strict=True)
        ]
        with self._in_words(), self._file:
            self._file.executemany("insert or replace into solved values (?, ?, ?, ?)", rows)

    def end(self) -> None:
        """Note that the study has come to its end: the next one may start again without being asked to."""
        with self._in_words(), self._file:
            self._file.execute("update study set ended = 1")

    def close(self) -> None:
        """Let go of the file."""
        self._file.close()

    @contextmanager
    def _in_words(self) -> Iterator[None]:
        try:
            yield
        except sqlite3.Error as error:
            text = str(error)
            if any(word in text for word in BUSY_WORDS):
                raise WorkbookError(
                    _refused(self.path, "another study of this workbook is running", "wait until it ends, or stop it")
                ) from None
            if "full" in text:
                mend = "free some space, then continue with --resume: finished variants are kept"
                raise WorkbookError(_refused(self.path, "the disk is full", mend)) from None
            rule = f"the file beside the workbook cannot be used: {text}"
            mend = "remove it" if self._is_there else "make the folder writable, or copy the workbook into one that is"
            raise WorkbookError(_refused(self.path, rule, mend)) from None


def _is_sound(row: Sequence[object]) -> bool:
    """Whether a row holds arrays of numbers and a text."""
    *arrays, message = row
    return isinstance(message, str) and all(isinstance(each, bytes) and len(each) % NUMBER == 0 for each in arrays)


def _check_places(path: Path) -> None:
    """Raise WorkbookError where SQLite would follow a link, or open a pipe or a folder, in the place of one of its files."""
    for ending in SQLITE_SUFFIXES:
        place = path.with_name(path.name + ending)
        with suppress(OSError):
            if not stat.S_ISREG(place.lstat().st_mode):
                rule = "a journal must be a regular file beside its workbook, not a link"
                raise WorkbookError(_refused(place, rule, "remove it, or copy the workbook into another folder"))


def _refused(path: Path, rule: str, mend: str) -> Problem:
    return Problem("study-journal", "error", "", f"the journal {path.name}", rule, mend)


def study_key(book: Book, analysis: str | None) -> str:
    """Digest of the cells of an open workbook, of the analysis that is asked for and of this version.

    What studies write does not count, nor result sheets that no formula and no name tells of, nor how cells look: a study
    that was stopped has written what there is, and the workbook may have been opened and saved to look at it.
    """
    written = written_book(book)
    found = hashlib.sha256()
    for each in _contents(written, analysis):
        found.update(repr(each).encode())
    return found.hexdigest()


def _contents(written: WrittenBook, analysis: str | None) -> Iterator[object]:
    names = [name for name in written.names if not name.name.startswith(MARK)]
    yield version("sheetmbs"), analysis, written.epoch_1904, names, written.tables
    texts = [each.text.casefold() for each in written.formulas.values()]
    texts += [each.text.casefold() for each in names]
    for name, sheet in written.sheets.items():
        if not _counts(name.casefold(), texts):
            continue
        yield name
        for row, column, value in sheet.within(whole_sheet(name)):
            yield row, column, 0.0 if value is Stored.NOTHING else value  # as which a 0 is read that counts as a guess
    yield from written.formulas.items()


def _counts(name: str, texts: list[str]) -> bool:
    """Whether the cells of a sheet belong to what is studied. name, texts of formulas and names: without upper case."""
    if not name.startswith(RESULT_SHEETS):
        return True
    return not name.startswith(STUDY_SHEETS) and any(name in text or FINDS_SHEETS in text for text in texts)
