"""The child's side of `bounded_child`: takes its limits, then answers requests until the other side ends.

Requests and answers stand one behind the other in their pipes, each behind a head.

Nothing is imported here that the answers do not need: a child starts in less than a tenth of a second.
"""

from __future__ import annotations

import os
import signal
import sys
from collections.abc import Callable
from importlib import import_module
from struct import Struct

from sheetmbs.bounded.limits import allow_processor_time, limit_memory

REQUEST_HEAD = Struct("<Qd")
"""Before a request: its bytes, and the seconds of processor time that it may take."""
ANSWER_HEAD = Struct("<BQ")
"""Before an answer: its kind, and its bytes."""
ANSWERED, REFUSED, FAILED = range(3)
"""Kinds of answers: what was asked for; nothing, for memory was refused; nothing, and the text says what was raised."""

Answer = Callable[[bytes], bytes]


def serve(module: str, memory: int) -> None:
    """Answer requests by the function ``answer`` of a module. memory: bytes of address space that this process may have."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the other side answers Ctrl-C, and ends this process
    limit_memory(memory)
    requests, answers = os.dup(0), os.dup(1)
    nothing = os.open(os.devnull, os.O_RDWR)
    for stream in (0, 1):  # what a library prints is no answer
        os.dup2(nothing, stream)
    answer: Answer = import_module(module).answer
    while (head := _read(requests, REQUEST_HEAD.size)) is not None:
        length, seconds = REQUEST_HEAD.unpack(head)
        request = _read(requests, length)
        if request is None:
            break
        if seconds:
            allow_processor_time(seconds)
        kind, content = _answered(answer, request)
        _write(answers, ANSWER_HEAD.pack(kind, len(content)))
        _write(answers, content)
    sys.stdout = sys.stderr = None
    os._exit(0)


def _answered(answer: Answer, request: bytes) -> tuple[int, bytes]:
    try:
        return ANSWERED, answer(request)
    except MemoryError:
        return REFUSED, b""
    except BaseException as error:  # noqa: BLE001 - a panic of a library in Rust is no Exception
        return FAILED, type(error).__name__.encode()


def _read(stream: int, length: int) -> bytes | None:
    """That many bytes; None where the stream ends before."""
    parts = bytearray()
    while len(parts) < length:
        part = os.read(stream, min(length - len(parts), 1 << 20))
        if not part:
            return None
        parts += part
    return bytes(parts)


def _write(stream: int, content: bytes) -> None:
    left = memoryview(content)
    while left:
        left = left[os.write(stream, left) :]
