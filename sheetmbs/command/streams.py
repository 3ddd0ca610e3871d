"""The standard streams of the process. One that is closed or full ends in a sentence, and no file of ours takes its place."""

from __future__ import annotations

import errno
import io
import json
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

import typer

if TYPE_CHECKING:
    from sheetmbs.command.console import Messages

FAILED = 1
UNPRINTABLE = (errno.EBADF, errno.EIO, errno.ENOSPC)
GONE_ON_WINDOWS = errno.EINVAL
"""what Windows says where the reader of a pipe has gone"""


class Unprinted(Exception):  # noqa: N818 - what it was is in ``error``
    """Standard output takes nothing more."""

    def __init__(self, error: OSError) -> None:
        super().__init__(str(error))
        self.error = error


def printed(text: str) -> None:
    """Print what a command was asked for to standard output. Raises Unprinted where it takes nothing."""
    try:
        typer.echo(text)
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        raise Unprinted(error) from None


def print_as_json(content: Any) -> None:
    """Print something as JSON to standard output; signs that its encoding may not have are written as escapes.

    On Windows that is the encoding of old programs wherever output goes into a pipe or file. Raises Unprinted.
    """
    encoding = (getattr(sys.stdout, "encoding", None) or "ascii").casefold()
    printed(json.dumps(content, indent=2, ensure_ascii=not encoding.startswith("utf")))


def unprinted(messages: Messages, error: OSError) -> int:
    """Say that standard output takes nothing, and return the exit status."""
    messages.say(
        f"Standard output takes nothing more ({error.strerror}): what was to stand there is lost. Files are not affected.",
        "red",
    )
    return FAILED


@contextmanager
def lost_pages_told() -> Iterator[None]:
    """Raise Unprinted where a page, which is laid out by a library, cannot be printed."""
    try:
        yield
    except OSError as error:
        is_gone = sys.platform == "win32" and error.errno == GONE_ON_WINDOWS
        if error.filename is None and (is_gone or error.errno in UNPRINTABLE):
            raise Unprinted(error) from None
        raise


class _Closed(io.TextIOBase):
    """Standard output that was closed before the process began. Text for it is lost, and an error says so."""

    def write(self, _text: str) -> int:
        """Refuse to write, by raising OSError."""
        raise OSError(errno.EBADF, "it is closed")


def open_streams() -> None:
    """Reserve the numbers of closed standard streams, so that no file of ours gets one; replace signs an encoding lacks."""
    for number in range(3):
        try:
            os.fstat(number)
        except OSError:
            os.open(os.devnull, os.O_RDWR)  # takes the smallest number that is free: this one
    if sys.stdout is None:
        sys.stdout = _Closed()
    if sys.stderr is None:
        sys.stderr = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115 - open until the end
    for stream in (sys.stdout, sys.stderr):
        if hasattr(stream, "reconfigure"):
            stream.reconfigure(errors="replace")
