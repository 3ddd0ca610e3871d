"""Ctrl-C ends a command with a sentence that says what became of the workbook, and leaves no process behind."""

from __future__ import annotations

import _thread
import os
import signal
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from threading import Timer

from sheetmbs.command.console import Messages

STOPPED = 130
"""exit status"""
A_MOMENT = 0.01
"""seconds"""


class Stopped(Exception):  # noqa: N818 - it is no error
    """The user pressed Ctrl-C; the text is the sentence that answers it."""


def stamp(path: Path) -> tuple[int, int, int] | None:
    """Numbers that differ once another file has taken the place of this one; None if there is no file."""
    try:
        state = path.stat()
    except OSError:
        return None
    return state.st_ino, state.st_size, state.st_mtime_ns


@contextmanager
def stopping_while_compiling(messages: Messages, book: Path) -> Iterator[None]:
    """Let Ctrl-C end the process at once while machine code is made, where nothing has been written yet.

    An exception would get lost in numba, or leave half a function behind that is called later.
    """
    from sheetmbs import jit  # noqa: PLC0415 - numba takes a third of a second, which a wrong workbook need not wait for

    def stop(_number: int, _frame: object) -> None:
        if not jit.is_preparing():
            raise KeyboardInterrupt
        messages.console.show_cursor()
        messages.say(f"Stopped. {book} is as it was.")
        os._exit(STOPPED)

    usual = signal.signal(signal.SIGINT, stop)
    try:
        yield
    finally:
        signal.signal(signal.SIGINT, usual)


def raise_again(unraisable: sys.UnraisableHookArgs) -> None:
    """Raise an interruption again if it was lost in a place that cannot raise, such as a finaliser."""
    if unraisable.exc_type is KeyboardInterrupt:
        Timer(A_MOMENT, _thread.interrupt_main).start()  # not now, for it would get lost here too
    else:
        sys.__unraisablehook__(unraisable)
