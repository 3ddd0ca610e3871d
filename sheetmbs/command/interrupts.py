"""Ctrl-C ends a command with a sentence that says what became of the workbook, and leaves no process behind."""

from __future__ import annotations

import _thread
import sys
from threading import Timer

STOPPED = 130
"""exit status"""
A_MOMENT = 0.01
"""seconds"""


class Stopped(Exception):  # noqa: N818 - it is no error
    """The user pressed Ctrl-C; the text is the sentence that answers it."""


def raise_again(unraisable: sys.UnraisableHookArgs) -> None:
    """Raise an interruption again if it was lost in a place that cannot raise, such as a finaliser."""
    if unraisable.exc_type is KeyboardInterrupt:
        Timer(A_MOMENT, _thread.interrupt_main).start()  # not now, for it would get lost here too
    else:
        sys.__unraisablehook__(unraisable)
