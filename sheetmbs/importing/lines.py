"""A text file as numbered lines: numbers, and the words behind them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from math import isfinite
from pathlib import Path

from sheetmbs.problems.errors import Problem, WorkbookError
from sheetmbs.problems.listing import printable

NUMBER = re.compile(r"[+-]?(?:\d+\.?\d*|\.\d+)(?:[eEdD][+-]?\d+)?")
"""a real number as Fortran reads it, D for an exponent too"""
DECIMAL_COMMA = re.compile(r"[+-]?\d+,\d+(?:[eEdD][+-]?\d+)?")
COMMENT = re.compile(r"[!#%].*")
COMMENT_LINE = re.compile(r"\s*(?:\*|//|--|[cC]\s)")
SIGNS = str.maketrans("\u2212\u2013\u00a0\t", "--  ")
"""what a text copied from a page may hold in place of minus signs and blanks"""
LARGEST = 1 << 26
"""bytes: half a million lines of samples take less"""
WORKBOOK, UTF_16 = b"PK\x03\x04", (b"\xff\xfe", b"\xfe\xff")


@dataclass(frozen=True)
class TextLine:
    """A line that is neither blank nor a comment.

    words: from the first one on that is no number. remark: these, or a comment.
    """

    number: int
    numbers: tuple[float, ...]
    words: tuple[str, ...]
    remark: str


def refused(code: str, found: str, problem: str, mend: str, cell: str = "") -> WorkbookError:
    """The error with one problem that a file which cannot be read ends with."""
    return WorkbookError(Problem(code, "error", cell, found, problem, mend))


def read_lines(path: Path) -> list[TextLine]:
    """The lines of a text file in UTF-8, UTF-16 or Latin-1. Raises WorkbookError where there is no such file."""
    found = []
    for number, text in enumerate(read_text(path).splitlines(), start=1):
        line = _line(number, text.translate(SIGNS))
        if line.numbers or line.words:
            found.append(line)
    if not found:
        raise refused(
            "file-empty", f"{path} is empty", "an input file describes a model", "take a copy that is complete"
        )
    return found


def read_text(path: Path, what: str = "a model") -> str:
    """The content of a text file in UTF-8, UTF-16 or Latin-1. Raises WorkbookError where there is none. what: it should be."""
    return _decoded(_content(path, what))


def _line(number: int, text: str) -> TextLine:
    if COMMENT_LINE.match(text):
        return TextLine(number, (), (), "")
    comment = COMMENT.search(text)
    words = text[: comment.start()] if comment else text
    pieces = [piece.removesuffix(",") for piece in words.split()]
    numbers: list[float] = []
    for piece in pieces:
        value = float(piece.lower().replace("d", "e")) if NUMBER.fullmatch(piece) else float("nan")
        if not isfinite(value):
            break
        numbers.append(value)
    rest = tuple(pieces[len(numbers) :])
    remark = " ".join(rest) or (comment.group().lstrip("!#% ").rstrip() if comment else "")
    return TextLine(number, tuple(numbers), rest, printable(remark))


def _content(path: Path, what: str) -> bytes:
    try:
        if path.is_dir():
            raise refused("file-is-folder", f"{path} is a folder", f"{what} is a text file", "name a file in it")
        if path.stat().st_size > LARGEST:
            found = f"{path} has {path.stat().st_size:,} bytes"
            raise refused("file-too-large", found, f"{what} is not that long", "check which file it is")
        content = path.read_bytes()
    except (FileNotFoundError, NotADirectoryError):
        mend = "check the name and the folder"
        raise refused("file-missing", f"there is no file {path}", "the file must be readable", mend) from None
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        found = f"{path} cannot be read ({reason})"
        raise refused("file-unreadable", found, "the file must be readable", "check its permissions") from None
    if content.startswith(WORKBOOK):
        mend = "name the text file first, then the workbook to make"
        raise refused("not-a-text", f"{path} is a workbook", f"{what} is imported from a text file", mend)
    if b"\0" in content and not content.startswith(UTF_16):
        mend = "name the text file that the program reads"
        raise refused("not-a-text", f"{path} is no text", f"{what} is imported from a text file", mend)
    return content


def _decoded(content: bytes) -> str:
    try:
        return content.decode("utf-16" if content.startswith(UTF_16) else "utf-8-sig")
    except UnicodeDecodeError:
        return content.decode("latin-1")
